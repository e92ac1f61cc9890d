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
			w.mu.Lock()
			defer w.mu.Unlock()
			for _, one := range batch {
				w.schedule(one, w.now())
			}
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
	for len(w.due) > 0 && w.due[0].due <= now && len(batch) < lookBatch {
		one := w.due[0]
		batch = append(batch, one)
		w.schedule(one, w.jittered(now))
	}
	if len(w.due) == 0 {
		return batch, 0, false
	}
	return batch, w.due[0].due - now, true
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
	heap.Fix(&w.due, one.at)
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
		refs[i] = one.ref
	}
	sights, errs, err := w.look(ctx, refs)
	if err != nil {
		return err
	}
	var lost []*watch
	for i, one := range batch {
		end := ended{err: errs[i]}
		if end.err == nil {
			end.outcome, end.err = w.judge(one.ref, w.pardon(one.ref.Digest, sights[i]))
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
	one.known, one.again = true, raiseAgain
	w.endFinal(one, ErrOpen)
}

// stillUnknown reports whether the raise was lost and may be repeated. A stop that was known and is not any more was lost at
// once; one that never was known may only be late.
func (w *waits) stillUnknown(one *watch) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endFinal(one, ErrUnknown)
	if one.at < 0 {
		return false
	}
	now := w.now()
	if !one.known && now < one.raised+one.again {
		w.schedule(one, min(one.due, one.raised+one.again))
		return false
	}
	if one.record == nil {
		w.endAll(one, ErrUnknown)
		return false
	}
	if !one.known {
		one.again = min(2*one.again, raiseAgainMax)
	}
	one.known, one.raised = false, now
	w.schedule(one, min(one.due, now+one.again))
	return true
}

// endFinal ends the calls that only waited for this look.
func (w *waits) endFinal(one *watch, err error) {
	rest := one.waiting[:0]
	for _, waiting := range one.waiting {
		if waiting.final {
			waiting.end <- ended{err: err}
		} else {
			rest = append(rest, waiting)
		}
	}
	clear(one.waiting[len(rest):])
	one.waiting = rest
	if len(rest) == 0 && one.at >= 0 {
		w.drop(one)
	}
}

func (w *waits) endAll(one *watch, err error) {
	for _, waiting := range one.waiting {
		waiting.final = true
	}
	w.endFinal(one, err)
}

// raiseLost raises the same bytes again. Where that fails, the next look does it.
func (w *waits) raiseLost(ctx context.Context, lost []*watch) error {
	if len(lost) == 0 {
		return nil
	}
	pipe := w.redis.Pipeline()
	for _, one := range lost {
		w.log.Info("nobody knows of a stop that was raised; raising it again", "stop", one.ref.ID)
		pipe.XAdd(ctx, inboxEntry(w.keys, one.ref.ID, "raise", one.record))
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

// dueHeap has the watch with the earliest look first.
type dueHeap []*watch

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due < h[j].due }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push is container/heap's.
func (h *dueHeap) Push(x any) {
	one := x.(*watch)
	one.at = len(*h)
	*h = append(*h, one)
}

// Pop is container/heap's. What left the heap has the index -1.
func (h *dueHeap) Pop() any {
	old := *h
	one := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	one.at = -1
	return one
}
