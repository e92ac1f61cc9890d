package loops

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	lookBatch   = 256             // stops in one round trip
	lookTimeout = 5 * time.Second // of one round trip
	lookRetry   = time.Second     // after one that failed
)

// lookAfter settles subscriptions, looks at what is due, and pings, until ctx ends.
func (w *waits) lookAfter(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var ping time.Duration // when the next ping is due
	for ctx.Err() == nil {
		w.settleChannels(ctx)
		next, any := w.lookDue(ctx)
		if any && w.now() >= ping {
			w.ping(ctx)
			ping = w.now() + w.every
		}
		if any {
			timer.Reset(min(next, max(0, ping-w.now())))
		} else {
			timer.Stop()
		}
		select {
		case <-w.wake:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// lookDue looks at all that is due, and returns how long it is until the next, and whether there is any.
func (w *waits) lookDue(ctx context.Context) (next time.Duration, any bool) {
	for ctx.Err() == nil {
		batch, next, any := w.takeDue()
		if len(batch) == 0 {
			return next, any
		}
		err := w.lookAt(ctx, batch)
		if err != nil && !w.failing && ctx.Err() == nil {
			w.log.Warn("looking at waiting stops failed; trying again until it works", "err", err)
		}
		w.failing = err != nil
		if err != nil {
			w.again(batch)
			return lookRetry, true
		}
		// Subscriptions that came meanwhile must not wait for a long queue of looks.
		w.settleChannels(ctx)
	}
	return 0, false
}

// takeDue returns what is due, at most a batch, with its next look scheduled already, so that what makes it due again
// meanwhile is not lost.
func (w *waits) takeDue() (batch []*watch, next time.Duration, any bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	for {
		due, any := w.due.soonest()
		if !any || due > now || len(batch) == lookBatch {
			return batch, due - now, any
		}
		batch = append(batch, w.due[0])
		w.schedule(w.due[0], w.jittered(now))
	}
}

// jittered is the moment of the next look: ±20 %, on a grid of this client's own, so that looks come in batches.
func (w *waits) jittered(now time.Duration) time.Duration {
	//nolint:gosec // it spreads load, it guards nothing
	at := now + time.Duration(float64(w.every)*(0.8+0.4*rand.Float64()))
	grid := max(w.every/32, time.Millisecond)
	return max((at+grid-1)/grid*grid, now+1)
}

func (w *waits) schedule(one *watch, due time.Duration) {
	if one.at < 0 {
		return
	}
	one.due = due
	heap.Fix(&w.due, int(one.at))
}

func (w *waits) lookNow(one *watch) {
	w.schedule(one, w.now())
	w.nudge()
}

func (w *waits) lookAt(ctx context.Context, batch []*watch) error {
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	refs := make([]Ref, len(batch))
	for i, one := range batch {
		refs[i] = one.ref()
	}
	sights, errs, err := w.look(ctx, refs)
	if err != nil {
		return err
	}
	var lost []*watch
	for i, one := range batch {
		end := ended{err: errs[i]}
		if end.err == nil {
			end.outcome, end.err = w.judge(refs[i], w.pardon(refs[i].Digest, sights[i]))
		}
		switch {
		case errors.Is(end.err, ErrOpen):
			w.stillOpen(one)
		case errors.Is(end.err, ErrUnknown):
			if w.stillUnknown(one) {
				lost = append(lost, one)
			}
		default:
			w.finish(one, end)
		}
	}
	return w.raiseLost(ctx, lost)
}

// pardon does not see a refusal from before the last raise.
func (w *waits) pardon(digest string, s sight) sight {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.refusal != "" && s.refusal == w.forgiven[digest] {
		s.refusal = ""
	}
	return s
}

func (w *waits) stillOpen(one *watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.known, one.doublings = true, 0
	w.looked(one, ErrOpen)
}

// stillUnknown reports whether the raise was lost and may be repeated. A stop that was known and is not any more was lost at
// once; one that never was known may only be late.
func (w *waits) stillUnknown(one *watch) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked(one, ErrUnknown)
	if one.at < 0 {
		return false
	}
	now := w.now()
	if !one.known && now < one.again() {
		w.schedule(one, min(one.due, one.again()))
		return false
	}
	if one.record == nil {
		w.endWith(one, ended{err: ErrUnknown})
		return false
	}
	if !one.known {
		one.doublings = min(one.doublings+1, raiseAgainMax)
	}
	one.known, one.raised = false, now
	w.schedule(one, min(one.due, one.again()))
	return true
}

// raiseLost raises the same bytes again. Where that fails, the next look does it.
func (w *waits) raiseLost(ctx context.Context, lost []*watch) error {
	if len(lost) == 0 {
		return nil
	}
	pipe := w.redis.Pipeline()
	for _, one := range lost {
		w.log.Info("nobody knows of a stop that was raised; raising it again", "stop", one.id())
		pipe.XAdd(ctx, inboxEntry(w.keys, one.id(), "raise", one.record))
	}
	cmds, err := pipe.Exec(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, cmd := range cmds {
		if cmd.Err() != nil {
			lost[i].known = true
		}
	}
	return err
}

func (w *waits) get(ctx context.Context, ref Ref) (*SignedOutcome, error) {
	sights, errs, err := w.look(ctx, []Ref{ref})
	if err != nil {
		return nil, err
	}
	if errs[0] != nil {
		return nil, errs[0]
	}
	return w.judge(ref, w.pardon(ref.Digest, sights[0]))
}

// again makes looks due that failed.
func (w *waits) again(batch []*watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range batch {
		w.schedule(one, w.now())
	}
}
