package loops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// ErrNoContext says that a stop has no context: it was never suspended here, or its raise came more than a day late.
var ErrNoContext = errors.New("there is no context of this stop: it was not suspended here, or nobody heard its raise within a day; " +
	"suspend it again with the same bytes, or forget it")

// Suspended is a stop that a loop has suspended.
type Suspended struct {
	Ref
	Outcome *SignedOutcome // verified; nil while there is none
	Err     error          // why it cannot be resumed as things are: a *RefusedError, *ContextError, *VerifyError, ErrNoContext…
}

// Suspended lists what a loop has suspended, on whatever machine it was, with the outcomes that are in, by id. On the way it
// mends what a crash has left: a raise that never came is raised again from the bytes that were kept with the context; what
// was resumed already, and what nobody knows any more, is taken off the list.
func (c *Client) Suspended(ctx context.Context, loopID string) ([]Suspended, error) {
	ids, err := c.suspendedIDs(ctx, loopID)
	if err != nil {
		return nil, fmt.Errorf("list what %s has suspended: %w", loopID, err)
	}
	var all []Suspended
	for batch := range slices.Chunk(ids, lookBatch) {
		traces, err := c.traces(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("list what %s has suspended: %w", loopID, err)
		}
		for i, id := range batch {
			s, err := c.suspended(ctx, loopID, id, traces[i])
			if err != nil {
				return nil, fmt.Errorf("list what %s has suspended: %w", loopID, err)
			}
			if s != nil {
				all = append(all, *s)
			}
		}
	}
	return all, nil
}

func (c *Client) suspendedIDs(ctx context.Context, loopID string) ([]string, error) {
	pipe := c.redis.Pipeline()
	sets := make([]*redis.StringSliceCmd, c.keys.Partitions)
	for p := range sets {
		sets[p] = pipe.SMembers(ctx, c.keys.In(p, "suspended:"+loopID))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	var ids []string
	for p, set := range sets {
		for _, id := range set.Val() {
			if idProblem(id) == nil && c.keys.Partition(id) == p {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// trace is what stands in Redis of a suspended stop.
type trace struct {
	header string // the beginning of its sealed context
	known  bool   // there is a stop with this id
	claim  *ClaimedError
}

func (c *Client) traces(ctx context.Context, ids []string) ([]trace, error) {
	pipe := c.redis.Pipeline()
	for _, id := range ids {
		pipe.GetRange(ctx, c.keys.Of(id, "context"), 0, headerBytes)
		pipe.HExists(ctx, c.keys.Of(id, "stop"), "digest")
		pipe.Get(ctx, c.keys.Of(id, "claim"))
		pipe.PTTL(ctx, c.keys.Of(id, "claim"))
	}
	cmds, err := pipe.Exec(ctx)
	if err := passing(cmds, err); err != nil {
		return nil, err
	}
	all := make([]trace, len(ids))
	for i, id := range ids {
		header, known, claim, ttl := cmds[4*i].(*redis.StringCmd), cmds[4*i+1].(*redis.BoolCmd), cmds[4*i+2].(*redis.StringCmd), cmds[4*i+3].(*redis.DurationCmd)
		all[i] = trace{header: header.Val(), known: known.Val()}
		if claim.Val() != "" {
			all[i].claim = claimedBy(id, claim.Val(), isPermanent(ttl.Val()))
		}
	}
	return all, nil
}

// isPermanent reports whether the claim's loop has said that it went on.
func isPermanent(ttl time.Duration) bool { return ttl == -1 || ttl > lease }

// suspended is nil where there is nothing to resume any more.
func (c *Client) suspended(ctx context.Context, loopID, id string, t trace) (*Suspended, error) {
	s := &Suspended{Ref: Ref{ID: id}}
	if t.claim != nil && t.claim.Resumed {
		if strings.HasPrefix(t.claim.By, loopID+"/") {
			return nil, c.unlist(ctx, loopID, id)
		}
		s.Err = t.claim
		return s, nil
	}
	if t.header == "" {
		if !t.known {
			return nil, c.unlist(ctx, loopID, id)
		}
		s.Err = ErrNoContext
		return s, nil
	}
	if s.Digest, s.Err = digestIn(t.header, id); s.Err == nil {
		s.Outcome, s.Err = c.waits.get(ctx, s.Ref)
	}
	switch {
	case errors.Is(s.Err, ErrOpen):
		s.Err = nil
	case errors.Is(s.Err, ErrUnknown):
		s.Err = c.raiseKept(ctx, id)
	case s.Err != nil && passes(s.Err):
		return nil, s.Err
	}
	return s, nil
}

// digestIn is the digest that the header of a sealed context names.
func digestIn(header, id string) (string, error) {
	h, err := readSealed(header, contextType)
	if err == nil && (h.Stop != id || !isDigest(h.Digest)) {
		err = errors.New("it is that of another stop")
	}
	if err != nil {
		return "", &ContextError{Of: id, Reason: err.Error()}
	}
	return h.Digest, nil
}

// passes reports whether an error is of the look itself, not of what it saw.
func passes(err error) bool {
	var refused *RefusedError
	var taken *TakenError
	var verify *VerifyError
	var unknown *UnknownKeyError
	var context *ContextError
	return !errors.As(err, &context) && !errors.As(err, &refused) && !errors.As(err, &taken) && !errors.As(err, &verify) && !errors.As(err, &unknown) && !forGood(err)
}

// raiseKept raises a stop again whose raise was lost, from the bytes that were kept.
func (c *Client) raiseKept(ctx context.Context, id string) error {
	k, err := c.context(ctx, id)
	if err != nil {
		return err
	}
	if err := c.redis.ExpireGT(ctx, c.keys.Of(id, "context"), contextExpiry).Err(); err != nil {
		return err
	}
	return c.redis.XAdd(ctx, inboxEntry(c.keys, id, "raise", k.record)).Err()
}

// context reads and opens the context of a stop.
func (c *Client) context(ctx context.Context, id string) (*kept, error) {
	text, err := c.redis.Get(ctx, c.keys.Of(id, "context")).Result()
	if errors.Is(err, redis.Nil) {
		return nil, ErrNoContext
	}
	if err != nil {
		return nil, err
	}
	return c.openContext(text, id)
}

// unlist takes a stop off its loop's list. The context stays as long as the stop does.
func (c *Client) unlist(ctx context.Context, loopID, id string) error {
	return c.redis.SRem(ctx, c.suspendedSet(id, loopID), id).Err()
}
