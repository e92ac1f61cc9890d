package loops

import (
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	raiseAgain    = time.Minute     // nobody knows of the stop so long after raising: the raise was lost (contract §3)
	raiseAgainMax = 6               // doublings of that: a bot that is away for days must not find a flood
	lastLook      = 3 * time.Second // how long the look before giving up may take
)

// waits is everything that the waiting calls of one client share: one subscription, and looks in batches. A waiting call
// itself costs its goroutine, and each stop that is waited for one watch.
type waits struct {
	looker
	every time.Duration // between looks
	log   *slog.Logger
	began time.Time // moments are durations since then
	wake  chan struct{}

	started sync.Once
	calls   chan *call
	closing chan struct{} // closed by close
	running sync.WaitGroup
	failing bool // the last look did; only lookAfter's goroutine touches it

	mu        sync.Mutex
	closed    bool
	cancel    context.CancelFunc // nil until the first wait
	sub       *redis.PubSub      // nil while there is no connection
	byChannel watches
	unsettled []string          // channels to subscribe to, or to leave, as byChannel says by then
	due       dueHeap           // every watch
	forgiven  map[string]string // digest → a refusal that was there before these bytes were raised once more
	heard     bool              // anything since the last ping
}

// watch is one raised record that somebody waits for. There may be a hundred thousand: it is kept small.
type watch struct {
	outcome, refusal         string // keys, and channels; id and digest are parts of them
	nextOutcome, nextRefusal *watch // others on the same channel
	idLen                    int32
	at                       int32         // index in the heap, -1 when it has ended
	record                   []byte        // nil where no waiting call has the bytes
	due                      time.Duration // the next look
	raised                   time.Duration // when the waiting began, or when it was raised again
	calls                    int32         // that wait
	doublings                uint8         // of raiseAgain
	known                    bool          // the last look saw it open
	subscribed               channels
	final                    *[]chan error // calls that give up after the next look
	done                     chan struct{} // closed when it ends
	end                      *ended        // set by then
}

type ended struct {
	outcome *SignedOutcome
	err     error
}

func (one *watch) id() string { return one.outcome[len(one.outcome)-int(one.idLen):] }

func (one *watch) ref() Ref {
	return Ref{ID: one.id(), Digest: "sha256:" + one.refusal[len(one.refusal)-64:]}
}

// again is when it is raised again if nobody knows of it by then.
func (one *watch) again() time.Duration {
	return one.raised + raiseAgain<<one.doublings
}

func newWaits(r looker, every time.Duration, log *slog.Logger) *waits {
	return &waits{
		looker: r, every: every, log: log,
		began:     time.Now(),
		wake:      make(chan struct{}, 1),
		calls:     make(chan *call),
		closing:   make(chan struct{}),
		byChannel: watches{},
		forgiven:  map[string]string{},
	}
}

// call is one waiting call on its way in. It has a record, or a ref without one.
type call struct {
	record []byte
	ref    Ref
	joined chan joined // has room for the one answer
}

type joined struct {
	watch *watch
	err   error
}

// wait parks the calling goroutine on very little stack: whatever else there is to do happens on others, because a
// stack that has once grown to 4 KB does not shrink below that while its goroutine waits.
func (w *waits) wait(ctx context.Context, record []byte, ref Ref) (*SignedOutcome, error) {
	w.started.Do(func() { w.run(ctx) })
	in := &call{record, ref, make(chan joined, 1)}
	select {
	case w.calls <- in:
	case <-w.closing:
		return nil, ErrClosed
	}
	j := <-in.joined
	if j.err != nil {
		return nil, j.err
	}
	select {
	case <-j.watch.done:
		return j.watch.end.copy()
	case <-ctx.Done():
		return w.giveUp(ctx, j.watch)
	}
}

// run starts the three goroutines of this client with the first wait. They live until close, not as long as ctx.
func (w *waits) run(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.running.Go(w.letIn)
	w.running.Go(func() { w.hear(ctx) })
	w.running.Go(func() { w.lookAfter(ctx) })
}

// letIn reads what calls wait for.
func (w *waits) letIn() {
	for {
		select {
		case in := <-w.calls:
			one, err := w.join(in)
			in.joined <- joined{one, err}
		case <-w.closing:
			return
		}
	}
}

func (w *waits) join(in *call) (*watch, error) {
	ref := in.ref
	if in.record != nil {
		id, err := idOf(in.record)
		if err != nil {
			return nil, err
		}
		ref = Ref{ID: id, Digest: digestOf(in.record)}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	one := w.watch(ref)
	if one.record == nil {
		one.record = in.record
	}
	one.calls++
	return one, nil
}

// giveUp looks once more: the message may have been lost a moment ago.
func (w *waits) giveUp(ctx context.Context, one *watch) (*SignedOutcome, error) {
	looked := w.lookFinally(one)
	enough := time.NewTimer(lastLook)
	defer enough.Stop()
	select {
	case <-one.done:
		return one.end.copy()
	case err := <-looked:
		return nil, fmt.Errorf("%w: %w", err, context.Cause(ctx))
	case <-enough.C:
		w.leave(one, looked)
		return nil, fmt.Errorf("redis did not answer the last look: %w", context.Cause(ctx))
	}
}

// copy lets no two callers share what they may change.
func (e *ended) copy() (*SignedOutcome, error) {
	if e.err != nil {
		return nil, e.err
	}
	o := *e.outcome
	o.Verdicts = maps.Clone(o.Verdicts)
	return &o, nil
}

// watch finds or makes the watch of a ref. A new one is looked at as soon as its subscription is confirmed, and soon in
// any case.
func (w *waits) watch(ref Ref) *watch {
	outcome, refusal := w.keys.Of(ref.ID, "outcome"), w.keys.refusalOf(ref)
	for one := range w.byChannel.on(outcome) {
		if one.refusal == refusal {
			w.lookNow(one)
			return one
		}
	}
	now := w.now()
	one := &watch{
		outcome: outcome, refusal: refusal, idLen: int32(len(ref.ID)),
		due: now + min(w.every, time.Second), raised: now, done: make(chan struct{}),
	}
	w.byChannel.add(one)
	w.unsettled = append(w.unsettled, outcome, refusal)
	heap.Push(&w.due, one)
	w.nudge()
	return one
}

// finish ends a watch and all calls that wait for it.
func (w *waits) finish(one *watch, end ended) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endWith(one, end)
}

func (w *waits) endWith(one *watch, end ended) {
	if one.at < 0 {
		return
	}
	w.drop(one)
	delete(w.forgiven, one.ref().Digest)
	one.end = &end
	close(one.done)
}

// forgive remembers a refusal that stood before these bytes were raised once more: it says nothing about the new raise.
func (w *waits) forgive(digest, refusal string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if refusal == "" {
		delete(w.forgiven, digest)
		return
	}
	w.forgiven[digest] = refusal
}

func (w *waits) close() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.closed = true
	close(w.closing)
	if w.cancel != nil {
		w.cancel()
	}
	w.mu.Unlock()
	w.running.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.due) > 0 {
		w.endWith(w.due[len(w.due)-1], ended{err: ErrClosed})
	}
}

func (w *waits) now() time.Duration { return time.Since(w.began) }

// nudge wakes the goroutine that subscribes and looks.
func (w *waits) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
