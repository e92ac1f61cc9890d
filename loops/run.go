package loops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// endedExpiry is how long the last word of a loop that has ended is kept.
const endedExpiry = 90 * 24 * time.Hour

// Run is a loop that this process runs, from Start to Stop. Nobody else runs it meanwhile: it is a lease like a claim. What it
// saves survives it, so that the loop goes on from there, here or on another machine.
type Run struct {
	client *Client
	lease  *Claim
	loop   string
	saved  []byte
}

// RunningError is a loop that another process runs, or did until a moment ago: a lease of a process that died lapses within
// a minute.
type RunningError struct {
	Loop  string
	By    string    // loop id and process
	Since time.Time // zero where they wrote no time
}

func (e *RunningError) Error() string {
	return fmt.Sprintf("loop %.200q is run by %.200q since %s: let it go on, or try again when its lease of %v has lapsed",
		e.Loop, e.By, e.Since.UTC().Format(time.RFC3339), lease)
}

// Start takes a loop for this process and reads what it saved last. A *RunningError says that another one has it; a
// *ContextError that what is there does not open.
func (c *Client) Start(ctx context.Context, loopID string) (*Run, error) {
	if loopID == "" {
		return nil, errors.New("start a loop: its id is missing")
	}
	run, err := c.start(ctx, loopID)
	if err != nil {
		return nil, fmt.Errorf("start loop %.200q: %w", loopID, err)
	}
	return run, nil
}

func (c *Client) start(ctx context.Context, loopID string) (*Run, error) {
	if c.contextKey == nil {
		return nil, errNoContextKey
	}
	held, err := c.holds.take(ctx, c.keys.Of(loopID, "running"), loopID, loopID)
	if err != nil {
		return nil, running(loopID, err)
	}
	run := &Run{client: c, lease: held, loop: loopID}
	if err := run.load(ctx); err != nil {
		return nil, errors.Join(err, run.Stop(context.WithoutCancel(ctx)))
	}
	return run, nil
}

// running is the error of another's lease in the words of loops.
func running(loopID string, err error) error {
	if claimed, ok := errors.AsType[*ClaimedError](err); ok {
		return &RunningError{Loop: loopID, By: claimed.By, Since: claimed.Since}
	}
	return err
}

func (r *Run) load(ctx context.Context) error {
	text, err := r.client.redis.Get(ctx, r.key()).Result()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err != nil {
		return err
	}
	h, saved, err := r.client.contextKey.open(text, savedType)
	if err == nil && h.Loop != r.loop {
		err = fmt.Errorf("it is that of loop %.100q", h.Loop)
	}
	if err != nil {
		return &ContextError{Of: r.loop, Reason: err.Error()}
	}
	r.saved = saved
	return nil
}

func (r *Run) key() string { return r.client.keys.Of(r.loop, "saved") }

// Saved is what the loop saved last; nil where it has saved nothing.
func (r *Run) Saved() []byte { return r.saved }

// Context ends with ctx, and when the lease lapses.
func (r *Run) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	return r.lease.during(ctx)
}

// Save keeps the loop's own state, sealed: any bytes, at most MaxContext. It is written only while this process has the
// loop: ErrLapsed, or a *RunningError, says that it has not. While Redis is away it tries again.
func (r *Run) Save(ctx context.Context, state []byte) error { return r.save(ctx, state, 0) }

// End saves the last state of a loop that has ended. It is kept for 90 days, so that whoever starts the loop again learns that
// it has ended.
func (r *Run) End(ctx context.Context, state []byte) error { return r.save(ctx, state, endedExpiry) }

func (r *Run) save(ctx context.Context, state []byte, ttl time.Duration) error {
	if len(state) > MaxContext {
		return fmt.Errorf("save loop %.200q: the state has %d bytes; at most %d are kept", r.loop, len(state), MaxContext)
	}
	text, err := r.client.contextKey.seal(sealed{Typ: savedType, Loop: r.loop}, state)
	if err != nil {
		return fmt.Errorf("save loop %.200q: %w", r.loop, err)
	}
	if err := r.client.holds.write(ctx, r.lease, r.key(), text, ttl); err != nil {
		return fmt.Errorf("save loop %.200q: %w", r.loop, running(r.loop, err))
	}
	r.saved = state
	return nil
}

// Stop gives the loop back, so that another process may run it at once.
func (r *Run) Stop(ctx context.Context) error {
	if err := r.lease.Release(ctx); err != nil {
		return fmt.Errorf("stop loop %.200q: %w", r.loop, err)
	}
	return nil
}
