package loops

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Claim is a held claim. Its methods may be called from any goroutine.
type Claim struct {
	holds *holds
	key   string // of the lease in Redis
	id    string // of the stop, or of the loop where it is a Run's
	by    string // loop id and process
	value string // what stands in Redis while it is held
	jws   string

	lapsed chan struct{}
	lapse  sync.Once

	// The rest is guarded by holds.mu.
	until time.Time // it counts as lapsed then
	end   claimEnd
}

// claimEnd is how a claim ended by its holder's own word.
type claimEnd int

const (
	claimHeld claimEnd = iota
	claimDone
	claimReleased
)

// Claim takes the outcome for this process: a lease of 60 s that is kept alive until Done or Release. Another holder is a
// *ClaimedError that says who and since when, also where that is this client.
func (c *Client) Claim(ctx context.Context, o *SignedOutcome, loopID string) (*Claim, error) {
	if o == nil || o.JWS == "" {
		return nil, errors.New("claim a stop: there is no signed outcome to claim; wait for it first")
	}
	if loopID == "" {
		return nil, fmt.Errorf("claim stop %s: the loop's id is missing", o.Stop)
	}
	if err := idProblem(o.Stop); err != nil {
		return nil, fmt.Errorf("claim a stop: %w", err)
	}
	claim, err := c.holds.take(ctx, c.keys.Of(o.Stop, "claim"), o.Stop, loopID)
	if err != nil {
		return nil, fmt.Errorf("claim stop %s: %w", o.Stop, err)
	}
	claim.jws = o.JWS
	return claim, nil
}

// Lapsed is closed when the claim could not be kept alive: another instance may take it, or has. It is not closed by Done
// and Release.
func (c *Claim) Lapsed() <-chan struct{} { return c.lapsed }

// Done says that what the verdict led to is saved: the loop went on. The bot makes the claim permanent. After an error it
// may be called again; a *ClaimedError says that the claim had lapsed and who has it.
func (c *Claim) Done(ctx context.Context) error {
	if err := c.holds.done(ctx, c); err != nil {
		return fmt.Errorf("resume stop %s: %w", c.id, err)
	}
	return nil
}

// Release gives the claim back, so that another instance may take it at once. After Done it does nothing, so it may be
// deferred; one that has lapsed is not given back: it may be somebody else's.
func (c *Claim) Release(ctx context.Context) error {
	if err := c.holds.release(ctx, c); err != nil {
		return fmt.Errorf("release the claim on stop %s: %w", c.id, err)
	}
	return nil
}

// take takes a lease that is kept alive until it is finished.
func (h *holds) take(ctx context.Context, key, id, loopID string) (*Claim, error) {
	now := time.Now()
	claim := &Claim{
		holds: h, key: key, id: id, by: loopID + "/" + h.self, lapsed: make(chan struct{}),
	}
	claim.value = claim.by + " " + now.UTC().Format(time.RFC3339Nano)
	if err := h.reserve(claim); err != nil {
		return nil, err
	}
	if err := h.set(ctx, claim); err != nil {
		h.forget(claim)
		return nil, err
	}
	h.keep(ctx, claim, now)
	return claim, nil
}

// set writes the claim if nobody has it. An answer that was lost and asked for again finds the claim's own value.
func (h *holds) set(ctx context.Context, claim *Claim) error {
	key := claim.key
	for range 3 { // what was there may lapse between two commands
		err := h.redis.SetArgs(ctx, key, claim.value, redis.SetArgs{Mode: "NX", TTL: lease}).Err()
		if err == nil {
			return nil
		}
		if !errors.Is(err, redis.Nil) {
			return err
		}
		pipe := h.redis.Pipeline()
		value, ttl := pipe.Get(ctx, key), pipe.PTTL(ctx, key)
		if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		switch value.Val() {
		case claim.value:
			return nil
		case "":
			continue
		}
		return claimedBy(claim.id, value.Val(), ttl.Val() == -1 || ttl.Val() > lease)
	}
	return errors.New("others take and lose this claim all the time; try again")
}

func claimedBy(id, value string, resumed bool) *ClaimedError {
	e := &ClaimedError{ID: id, By: value, Resumed: resumed}
	if i := strings.LastIndexByte(value, ' '); i >= 0 {
		if at, err := time.Parse(time.RFC3339Nano, value[i+1:]); err == nil {
			e.By, e.Since = value[:i], at
		}
	}
	return e
}

// done writes the claim again where its lease ran out and nobody took it: what it led to is saved, and only this process
// did it.
func (h *holds) done(ctx context.Context, claim *Claim) error {
	switch h.endOf(claim) {
	case claimHeld:
	case claimDone:
		return nil
	case claimReleased:
		return errors.New("the claim was given back; claim the outcome again")
	}
	if err := h.set(ctx, claim); err != nil {
		return err
	}
	body := struct {
		ID      string `json:"id"`
		By      string `json:"by"`
		Outcome string `json:"outcome"`
	}{claim.id, claim.by, claim.jws}
	entry, err := inboxJSON(h.keys, claim.id, "resumed", body)
	if err != nil {
		return err
	}
	pipe := h.redis.Pipeline()
	said := pipe.XAdd(ctx, entry)
	// Until the bot has read that and made the claim permanent, nobody may take it, also where the bot is away. GT never
	// shortens a lease nor takes the permanence away again.
	pipe.ExpireGT(ctx, claim.key, resumedLease)
	_, _ = pipe.Exec(ctx) // the second command's failure costs the longer lease only
	if err := said.Err(); err != nil {
		return err
	}
	h.finish(claim, claimDone)
	return nil
}

// release deletes the claim if it is still the claim's own. The transaction fails where anything touched it meanwhile,
// also a renewal of our own.
func (h *holds) release(ctx context.Context, claim *Claim) error {
	if h.endOf(claim) != claimHeld {
		return nil
	}
	err := error(redis.TxFailedErr)
	for tries := 0; tries < 5 && errors.Is(err, redis.TxFailedErr); tries++ {
		err = h.redis.Watch(ctx, func(tx *redis.Tx) error { return deleteOwn(ctx, tx, claim.key, claim.value) }, claim.key)
	}
	if err != nil {
		return err
	}
	h.finish(claim, claimReleased)
	return nil
}

func deleteOwn(ctx context.Context, tx *redis.Tx, key, own string) error {
	value, err := tx.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) || err == nil && value != own {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		return pipe.Del(ctx, key).Err()
	})
	return err
}
