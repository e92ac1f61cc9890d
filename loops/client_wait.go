package loops

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	raiseAgain    = time.Minute     // nobody knows of the stop so long after raising: the raise was lost (contract §3)
	raiseAgainMax = time.Hour       // the longest pause between two such raises, which double: a bot that is away must not find a flood
	lastLook      = 3 * time.Second // how long the look before giving up may take
)

// waits is everything that the waiting calls of one client share: one subscription, and looks in batches. A waiting
// call itself costs its goroutine and one watch.
type waits struct {
	looker
	every time.Duration // between looks
	log   *slog.Logger
	began time.Time // moments are durations since then
	wake  chan struct{}

	running sync.WaitGroup
	failing bool // the last look did; only lookAfter's goroutine touches it

	mu        sync.Mutex
	closed    bool
	cancel    context.CancelFunc  // nil until the first wait
	sub       *redis.PubSub       // nil while there is no connection
	byChannel map[string][]*watch // the watches that a message on that channel is for
	unsettled []string            // channels to subscribe to, or to leave, as byChannel says by then
	due       dueHeap             // every watch
	forgiven  map[string]string   // digest → a refusal that was there before these bytes were raised once more
	heard     bool                // anything since the last ping
}

// watch is one raised record that somebody waits for.
type watch struct {
	ref              Ref
	outcome, refusal string // keys, and channels
	record           []byte // nil where no waiting call has the bytes
	waiting          []*waiting
	due              time.Duration // the next look
	at               int           // index in the heap
	raised           time.Duration // when the waiting began, or when it was raised again
	again            time.Duration // how long after raised it is raised again
	known            bool          // the last look saw it open
	subscribed       channels
}

// channels are those whose subscription the server has confirmed.
type channels uint8

const (
	outcomeChannel channels = 1 << iota
	refusalChannel
	bothChannels = outcomeChannel | refusalChannel
)

// waiting is one waiting call.
type waiting struct {
	end   chan ended // has room for the one end
	final bool       // it gives up after the next look
}

type ended struct {
	outcome *SignedOutcome
	err     error
}

func newWaits(r looker, every time.Duration, log *slog.Logger) *waits {
	return &waits{
		looker: r, every: every, log: log,
		began:     time.Now(), //nolint:forbidigo // where this client's clock starts
		wake:      make(chan struct{}, 1),
		byChannel: map[string][]*watch{},
		forgiven:  map[string]string{},
	}
}

func (w *waits) wait(ctx context.Context, ref Ref, record []byte) (*SignedOutcome, error) {
	one, me, err := w.join(ctx, ref, record)
	if err != nil {
		return nil, err
	}
	select {
	case end := <-me.end:
		return end.outcome, end.err
	case <-ctx.Done():
		return w.giveUp(ctx, one, me)
	}
}

// giveUp looks once more: the message may have been lost a moment ago.
func (w *waits) giveUp(ctx context.Context, one *watch, me *waiting) (*SignedOutcome, error) {
	w.mu.Lock()
	me.final = true
	w.lookNow(one)
	w.mu.Unlock()
	enough := time.NewTimer(lastLook)
	defer enough.Stop()
	select {
	case end := <-me.end:
		if errors.Is(end.err, ErrOpen) || errors.Is(end.err, ErrUnknown) {
			return nil, fmt.Errorf("%w: %w", end.err, context.Cause(ctx))
		}
		return end.outcome, end.err
	case <-enough.C:
		w.leave(one, me)
		return nil, fmt.Errorf("redis did not answer the last look: %w", context.Cause(ctx))
	}
}

func (w *waits) join(ctx context.Context, ref Ref, record []byte) (*watch, *waiting, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, nil, ErrClosed
	}
	w.run(ctx)
	one := w.watch(ref)
	if one.record == nil {
		one.record = record
	}
	me := &waiting{end: make(chan ended, 1)}
	one.waiting = append(one.waiting, me)
	return one, me, nil
}

// run starts the two goroutines of this client with the first wait. They live until close, not as long as ctx.
func (w *waits) run(ctx context.Context) {
	if w.cancel != nil {
		return
	}
	ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.running.Go(func() { w.hear(ctx) })
	w.running.Go(func() { w.lookAfter(ctx) })
}

// watch finds or makes the watch of a ref. A new one is looked at as soon as its subscription is confirmed, and soon in
// any case.
func (w *waits) watch(ref Ref) *watch {
	outcome, refusal := w.keys.Of(ref.ID, "outcome"), w.keys.refusalOf(ref)
	for _, one := range w.byChannel[outcome] {
		if one.ref == ref {
			w.lookNow(one)
			return one
		}
	}
	now := w.now()
	one := &watch{
		ref: ref, outcome: outcome, refusal: refusal,
		due: now + min(w.every, time.Second), raised: now, again: raiseAgain,
	}
	w.byChannel[outcome] = append(w.byChannel[outcome], one)
	w.byChannel[refusal] = append(w.byChannel[refusal], one)
	w.unsettled = append(w.unsettled, outcome, refusal)
	heap.Push(&w.due, one)
	w.nudge()
	return one
}

// finish ends a watch and all calls that wait for it.
func (w *waits) finish(one *watch, end ended) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.at < 0 {
		return
	}
	w.drop(one)
	delete(w.forgiven, one.ref.Digest)
	for _, waiting := range one.waiting {
		waiting.end <- end.copy()
	}
	one.waiting = nil
}

// copy lets no two callers share what they may change.
func (e ended) copy() ended {
	if e.outcome == nil {
		return e
	}
	o := *e.outcome
	o.Verdicts = maps.Clone(o.Verdicts)
	return ended{outcome: &o}
}

// leave takes one call out; what has ended meanwhile for all its calls has ended for this one too.
func (w *waits) leave(one *watch, me *waiting) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.waiting = slices.DeleteFunc(one.waiting, func(other *waiting) bool { return other == me })
	if len(one.waiting) == 0 && one.at >= 0 {
		w.drop(one)
	}
}

// drop forgets a watch. Its channels are left when nobody else listens.
func (w *waits) drop(one *watch) {
	heap.Remove(&w.due, one.at)
	for _, channel := range []string{one.outcome, one.refusal} {
		rest := slices.DeleteFunc(w.byChannel[channel], func(other *watch) bool { return other == one })
		if len(rest) > 0 {
			w.byChannel[channel] = rest
			continue
		}
		delete(w.byChannel, channel)
		w.unsettled = append(w.unsettled, channel)
	}
	w.nudge()
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
	if w.cancel != nil {
		w.cancel()
	}
	all := slices.Clone(w.due)
	w.mu.Unlock()
	w.running.Wait()
	for _, one := range all {
		w.finish(one, ended{err: ErrClosed})
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
