package loops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// contextExpiry is how long a context stays whose raise never came: contract §3. The raise makes it permanent.
const contextExpiry = 24 * time.Hour

// headerBytes are enough of a sealed text to read its header.
const headerBytes = 2*maxHeader + 1

// Suspend stores the loop's own context, sealed together with the record's bytes, and then raises the stop. Afterwards the
// process may end: Suspended lists what waits, and Resume goes on with it, here or on another machine. The context is any
// bytes, at most MaxContext; whose it is is the record's loop id.
//
// Faults of the record are a *FaultsError, before anything is stored. After another error it may be called again: the same
// bytes are the same stop, and the context that was stored with them first stands. Other bytes under the id of a stop that
// is suspended already are a *TakenError.
func (c *Client) Suspend(ctx context.Context, record, context []byte) (Ref, error) {
	r, faults := Check(record, CheckOptions{Now: time.Now()})
	if len(faults) > 0 {
		return Ref{}, &FaultsError{Faults: faults}
	}
	ref := Ref{ID: r.ID, Digest: digestOf(record)}
	if len(context) > MaxContext {
		return Ref{}, fmt.Errorf("suspend stop %s: the context has %d bytes; at most %d are kept: keep the rest elsewhere and a reference to it here",
			ref.ID, len(context), MaxContext)
	}
	text, err := c.contextKey.seal(sealed{Typ: contextType, Stop: ref.ID, Digest: ref.Digest}, pack(record, context))
	if err != nil {
		return Ref{}, fmt.Errorf("suspend stop %s: %w", ref.ID, err)
	}
	if err := c.keepContext(ctx, ref, r.Loop.ID, text); err != nil {
		return Ref{}, fmt.Errorf("suspend stop %s: %w", ref.ID, err)
	}
	return c.Raise(ctx, record)
}

// keepContext stores a context unless there is one with the same bytes, which may have gone further since.
func (c *Client) keepContext(ctx context.Context, ref Ref, loopID, text string) error {
	key := c.keys.Of(ref.ID, "context")
	stored, err := c.redis.SetNX(ctx, key, text, contextExpiry).Result()
	if err != nil {
		return err
	}
	if !stored {
		if err := c.standing(ctx, key, ref, text); err != nil {
			return err
		}
	}
	return c.redis.SAdd(ctx, c.suspendedSet(ref.ID, loopID), ref.ID).Err()
}

// standing looks at the context that is there. One of other bytes is another stop's, and is left alone; what does not open
// is replaced.
func (c *Client) standing(ctx context.Context, key string, ref Ref, text string) error {
	there, err := c.redis.Get(ctx, key).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	h, err := readSealed(there, contextType)
	if err == nil && h.Digest != ref.Digest {
		return &TakenError{ID: ref.ID, Digest: h.Digest}
	}
	if _, err := c.openContext(there, ref.ID); err != nil {
		return c.redis.Set(ctx, key, text, contextExpiry).Err()
	}
	return c.redis.ExpireGT(ctx, key, contextExpiry).Err()
}

// kept is an opened context.
type kept struct {
	sealed
	record, context []byte
}

// openContext opens the context of a stop and holds it against that stop and against its own record.
func (c *Client) openContext(text, id string) (*kept, error) {
	k, err := c.opened(text, id)
	if err != nil && !errors.Is(err, errNoContextKey) {
		return nil, &ContextError{Of: id, Reason: err.Error()}
	}
	return k, err
}

func (c *Client) opened(text, id string) (*kept, error) {
	h, plaintext, err := c.contextKey.open(text, contextType)
	if err != nil {
		return nil, err
	}
	if h.Stop != id {
		return nil, fmt.Errorf("it is that of stop %.64q", h.Stop)
	}
	record, context, err := unpack(plaintext)
	if err != nil {
		return nil, err
	}
	if digestOf(record) != h.Digest {
		return nil, errors.New("its digest is not that of its record")
	}
	return &kept{sealed: h, record: record, context: context}, nil
}

func (c *Client) suspendedSet(id, loopID string) string {
	return c.keys.In(c.keys.Partition(id), "suspended:"+loopID)
}

// Forget takes a stop out of what its loop has suspended and deletes the context, as for one that was refused. It does not
// withdraw the stop.
func (c *Client) Forget(ctx context.Context, loopID, id string) error {
	if err := idProblem(id); err != nil {
		return err
	}
	pipe := c.redis.TxPipeline()
	pipe.SRem(ctx, c.suspendedSet(id, loopID), id)
	pipe.Del(ctx, c.keys.Of(id, "context"))
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("forget stop %s: %w", id, err)
	}
	return nil
}
