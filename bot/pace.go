package bot

import (
	"context"
	"sync"
	"time"
)

// longestWait is how long a call waits for its turn at most, so that a call and its 15 s fit the lease of a show (45 s). A call
// that would wait longer fails with ClassRetry and the time to wait.
const longestWait = 20 * time.Second

// pace keeps Slack's budgets: one queue a method for the workspace, and one a channel for posts. The queues are apart, so a
// new post never holds up an update or an answer to a person.
// https://docs.slack.dev/apis/web-api/rate-limits
type pace struct {
	mu       sync.Mutex
	methods  map[string]*queue
	channels map[string]*queue
}

func newPace() *pace {
	return &pace{methods: map[string]*queue{}, channels: map[string]*queue{}}
}

// method returns the queue of a method's budget.
func (p *pace) method(name string) *queue {
	p.mu.Lock()
	defer p.mu.Unlock()
	q, ok := p.methods[name]
	if !ok {
		q = budgetOf(name)
		p.methods[name] = q
	}
	return q
}

// channel returns the queue of a channel's posts: Slack allows about one message a second and channel.
func (p *pace) channel(id string) *queue {
	p.mu.Lock()
	defer p.mu.Unlock()
	q, ok := p.channels[id]
	if !ok {
		q = newQueue(1100*time.Millisecond, 1)
		p.channels[id] = q
	}
	return q
}

// budgetOf is a method's budget, a little under what Slack documents for its tier: the burst and a minute of the rate
// together stay below it.
func budgetOf(method string) *queue {
	switch method {
	case "chat.postMessage": // several hundred a minute for the workspace, beside one a second and channel
		return newQueue(time.Minute/240, 10)
	case "chat.update", "chat.delete", "conversations.history", "conversations.replies", "apps.connections.open":
		return newQueue(time.Minute/44, 6) // tier 3: 50 a minute
	case "usergroups.users.list":
		return newQueue(time.Minute/16, 4) // tier 2: 20 a minute
	case respondMethod: // bound by 5 uses of each URL instead
		return newQueue(time.Second/50, 50)
	default:
		return newQueue(time.Minute/85, 15) // tier 4: 100 a minute
	}
}

// queue lets callers through in the order in which they came: a burst, then one every interval, none while held.
type queue struct {
	turn  chan struct{} // held by the caller at the head
	every time.Duration
	burst int

	mu   sync.Mutex
	free time.Time // when the whole burst would be free again
	held time.Time // Slack said to wait until then
}

func newQueue(every time.Duration, burst int) *queue {
	return &queue{turn: make(chan struct{}, 1), every: every, burst: burst}
}

// enter waits for the caller's turn. Until leave is called nobody else gets through. It fails when ctx ends, or when the
// wait would outlast ctx's deadline; after is then how long to wait at least.
func (q *queue) enter(ctx context.Context) (leave func(), after time.Duration, err error) {
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, q.wait(time.Now()), context.Cause(ctx)
	}
	for {
		wait := q.take(time.Now())
		if wait <= 0 {
			return func() { <-q.turn }, 0, nil
		}
		if err := sleep(ctx, wait); err != nil {
			<-q.turn
			return nil, wait, err
		}
	}
}

// take takes a slot if there is one now, and says otherwise how long to wait.
func (q *queue) take(now time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if wait := q.waitLocked(now); wait > 0 {
		return wait
	}
	if q.free.Before(now) {
		q.free = now
	}
	q.free = q.free.Add(q.every)
	return 0
}

func (q *queue) wait(now time.Time) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waitLocked(now)
}

func (q *queue) waitLocked(now time.Time) time.Duration {
	slot := q.free.Add(-time.Duration(q.burst-1) * q.every)
	if q.held.After(slot) {
		slot = q.held
	}
	return max(slot.Sub(now), 0)
}

// hold lets nobody through for d, and no burst right after it.
func (q *queue) hold(now time.Time, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if until := now.Add(d); until.After(q.held) {
		q.held = until
		q.free = until.Add(time.Duration(q.burst-1) * q.every)
	}
}

// sleep waits for d; it fails at once where ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
