package escalation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"flagstop/loops/ledger"
)

// sweepEvery is how long a sweeper waits at most by default. It wakes earlier for what is due: ticks are due moments too.
const sweepEvery = time.Minute

// Sweeper does what is due. Any number of them sweep one ledger at once: each thing is done once.
type Sweeper struct {
	Ledger  *ledger.Ledger
	Book    func() Book
	Current func(context.Context) bool // whether the book is the newest that anybody has; nil: it is
	Log     *slog.Logger
	Every   time.Duration // how long it waits at most; default a minute. A test over days sets more

	once   sync.Once
	nudged chan struct{}
}

// Nudge has the sweeper look at once.
func (s *Sweeper) Nudge() {
	select {
	case s.nudges() <- struct{}{}:
	default:
	}
}

func (s *Sweeper) nudges() chan struct{} {
	s.once.Do(func() { s.nudged = make(chan struct{}, 1) })
	return s.nudged
}

// Run sweeps until ctx ends: at the start, when something is due, and once a minute.
func (s *Sweeper) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.safely(ctx); err != nil && ctx.Err() == nil {
			s.Log.ErrorContext(ctx, "what is due was not all done; it is tried again", "err", err)
		}
		s.rest(ctx)
	}
}

// safely sweeps. A fault of ours that panics costs one sweep, and not all that come after.
func (s *Sweeper) safely(ctx context.Context) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("a sweep panicked:\n%s", debug.Stack())
		}
	}()
	_, err = s.Sweep(ctx)
	return err
}

// rest waits for what is due next. What was due and could not be done waits for the next minute.
func (s *Sweeper) rest(ctx context.Context) {
	every := s.Every
	if every == 0 {
		every = sweepEvery
	}
	wait, err := s.Ledger.NextDue(ctx, every)
	if err != nil || wait == 0 {
		wait = min(every, sweepEvery)
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.nudges():
	case <-ctx.Done():
	}
}

// Sweep does what is due now, at most one step of each stop. It returns how many stops it changed. One that fails does not
// keep the others from their turn. A sweeper whose book is an older one does nothing.
func (s *Sweeper) Sweep(ctx context.Context) (int, error) {
	if s.Current != nil && !s.Current(ctx) {
		return 0, nil
	}
	changed := 0
	var errs []error
	for stop, err := range s.Ledger.Due(ctx) {
		if err != nil {
			errs = append(errs, err)
			break
		}
		did, err := s.handle(ctx, stop)
		if did {
			changed++
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("do what is due for stop %s: %w", stop.ID, err))
		}
	}
	return changed, errors.Join(errs...)
}

// atOnce bounds what is done for one stop in one sweep: each kind of thing once, and the times that others were first.
const atOnce = 50

// handle does for one stop what is due.
func (s *Sweeper) handle(ctx context.Context, stop ledger.Stop) (did bool, err error) {
	stepped := false
	for range atOnce {
		book := s.Book()
		c := Plan(book.Policy(stop.Record), book.Config, stop, stop.Now, stepped)
		if c == nil {
			return did, s.settle(ctx, stop, did)
		}
		_, changed, err := s.Ledger.Do(ctx, stop.ID, c)
		switch {
		case isClosed(err), errors.Is(err, ledger.ErrUnknown):
			return did, nil
		case err != nil && !errors.Is(err, ledger.ErrMoved):
			return did, err
		}
		if step, is := c.(ledger.Step); is && changed {
			stepped = true
			s.report(ctx, stop, step)
		}
		did = did || changed
		if stop, err = s.Ledger.Read(ctx, stop.ID); err != nil {
			return did, err
		}
	}
	return did, errors.New("it moves too fast; it is looked at again")
}

// settle has the due moment of a stop computed anew that was due for nothing.
func (s *Sweeper) settle(ctx context.Context, stop ledger.Stop, did bool) error {
	if did {
		return nil
	}
	_, _, err := s.Ledger.Do(ctx, stop.ID, ledger.SetPolicy{Policy: stop.State.Timing.Policy})
	return err
}

func (s *Sweeper) report(ctx context.Context, stop ledger.Stop, step ledger.Step) {
	if step.To != "" && len(step.Users) == 0 {
		s.Log.WarnContext(ctx, "nobody is on call for a step; its channel is told without a mention", "stop", stop.ID, "role", step.To)
	}
}

// Adopt has the policies of a new book count for the open stops whose policy is another: at the start, and when the
// configuration changed. Nothing fires for the past.
func (s *Sweeper) Adopt(ctx context.Context) error {
	var errs []error
	for stop, err := range s.Ledger.List(ctx, ledger.Query{Phase: ledger.Open}) {
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		if id := s.Book().Name(stop.Record); id != stop.State.Timing.Policy {
			if _, _, err := s.Ledger.Do(ctx, stop.ID, ledger.SetPolicy{Policy: id}); err != nil && !isClosed(err) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

func isClosed(err error) bool {
	_, ok := errors.AsType[*ledger.ClosedError](err)
	return ok
}
