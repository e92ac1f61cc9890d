package loops

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrLapsed says that this process's lease ran out: another instance may have taken over. What was saved before stands.
var ErrLapsed = errors.New("the lease of this process lapsed: another instance may go on; do nothing more")

// Resumption is what a loop goes on with, while it has the claim.
type Resumption struct {
	Outcome *SignedOutcome
	Record  []byte   // the bytes that it was raised with
	Context []byte   // as it was suspended with, or saved last
	Earlier *Earlier // an instance that took this outcome before and did not get to its end; nil: there was none

	client *Client
	claim  *Claim
	kept   kept
}

// Earlier is an instance of the loop that had claimed an outcome and let the claim lapse: some of what the verdict led to may
// have been done.
type Earlier struct {
	By    string // loop id and process
	Since time.Time
}

// Resume waits for the outcome of a suspended stop, claims it, opens its context, and calls goOn, in which the loop does what
// the verdict says and saves it. When goOn returns nil, the bot is told that the loop went on, and the stop is off the list
// of what is suspended. When it returns an error, the claim is given back, and the stop stays on the list.
//
// Of two instances that resume at once one gets the claim, the other a *ClaimedError that says who has it and since when;
// with Resumed set there is nothing left to do. The context of goOn ends when the claim lapses; another instance may go on
// then, and is told of this one by Resumption.Earlier. A context that does not open is a *ContextError, and goOn is not called;
// other errors are those of Wait and Claim. Resuming starts at least once: keep a journal with Resumption.Save where
// something must not be done twice.
func (c *Client) Resume(ctx context.Context, id string, goOn func(context.Context, *Resumption) error) error {
	if err := idProblem(id); err != nil {
		return err
	}
	if err := c.resume(ctx, id, goOn); err != nil {
		return fmt.Errorf("resume stop %s: %w", id, err)
	}
	return nil
}

func (c *Client) resume(ctx context.Context, id string, goOn func(context.Context, *Resumption) error) error {
	before, err := c.context(ctx, id)
	if err != nil {
		return err
	}
	record, err := Load(before.record)
	if err != nil {
		return err
	}
	o, err := c.Wait(ctx, before.record)
	if err != nil {
		return err
	}
	claim, err := c.Claim(ctx, o, record.Loop.ID)
	if err != nil {
		return err
	}
	defer func() { _ = claim.Release(context.WithoutCancel(ctx)) }() // what it leaves lapses
	r := &Resumption{Outcome: o, Record: before.record, client: c, claim: claim}
	if err := r.take(ctx, before); err != nil {
		return err
	}
	during, cancel := claim.during(ctx)
	defer cancel()
	if err := goOn(during, r); err != nil {
		return err
	}
	if err := c.holds.untilHeard(ctx, claim, func() error { return claim.Done(ctx) }); err != nil {
		return err
	}
	// Were this lost, the list would be mended by the claim.
	_ = c.unlist(context.WithoutCancel(ctx), record.Loop.ID, id)
	return nil
}

// take reads the context again, which another instance may have saved before it let go, and marks it as this one's.
func (r *Resumption) take(ctx context.Context, before *kept) error {
	now, err := r.client.context(ctx, before.Stop)
	if errors.Is(err, ErrNoContext) { // it ran out because the raise came late, but we have it
		now, err = before, nil
	}
	if err != nil {
		return err
	}
	if now.By != "" {
		r.Earlier = &Earlier{By: now.By, Since: now.Since}
	}
	r.kept, r.Context = *now, now.context
	r.kept.By, r.kept.Since = r.claim.by, time.Now()
	return r.Save(ctx, now.context)
}

// Save replaces the context, as a journal of what was done: who takes over after a crash finds it. It is written only
// while this process has the claim: ErrLapsed, or a *ClaimedError, says that it has not. While Redis is away it tries again.
func (r *Resumption) Save(ctx context.Context, context []byte) error {
	if len(context) > MaxContext {
		return fmt.Errorf("save the context of stop %s: it has %d bytes; at most %d are kept", r.kept.Stop, len(context), MaxContext)
	}
	h := sealed{Typ: contextType, Stop: r.kept.Stop, Digest: r.kept.Digest, By: r.kept.By, Since: r.kept.Since}
	text, err := r.client.contextKey.seal(h, pack(r.kept.record, context))
	if err != nil {
		return err
	}
	key := r.client.keys.Of(r.kept.Stop, "context")
	if err := r.client.holds.write(ctx, r.claim, key, text, 0); err != nil {
		return fmt.Errorf("save the context of stop %s: %w", r.kept.Stop, err)
	}
	r.Context = context
	return nil
}
