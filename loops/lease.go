package loops

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	writeTries = 20          // of a transaction that renewals of the same lease disturb
	writeRetry = time.Second // after Redis was away
)

// during is a context that ends with the lease.
func (c *Claim) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-c.lapsed:
			cancel(ErrLapsed)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// write sets a key in the same partition if the lease is still this process's, in one step. ttl 0 is for ever.
func (h *holds) write(ctx context.Context, lease *Claim, key, value string, ttl time.Duration) error {
	return h.untilHeard(ctx, lease, func() error {
		err := error(redis.TxFailedErr)
		for tries := 0; tries < writeTries && errors.Is(err, redis.TxFailedErr); tries++ {
			err = h.redis.Watch(ctx, func(tx *redis.Tx) error {
				if err := lease.own(ctx, tx); err != nil {
					return err
				}
				_, err := tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
					return pipe.Set(ctx, key, value, ttl).Err()
				})
				return err
			}, lease.key)
		}
		return err
	})
}

// own is nil while the lease is this process's.
func (c *Claim) own(ctx context.Context, tx *redis.Tx) error {
	value, err := tx.Get(ctx, c.key).Result()
	switch {
	case errors.Is(err, redis.Nil):
		return ErrLapsed
	case err != nil:
		return err
	case value != c.value:
		return claimedBy(c.id, value, false)
	}
	return nil
}

// untilHeard repeats what Redis did not answer, until the lease has lapsed or ctx ends.
func (h *holds) untilHeard(ctx context.Context, lease *Claim, do func() error) error {
	for {
		err := do()
		var claimed *ClaimedError
		if err == nil || errors.Is(err, ErrLapsed) || errors.As(err, &claimed) || forGood(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-lease.lapsed:
			return errors.Join(ErrLapsed, err)
		case <-time.After(writeRetry):
			h.log.Warn("redis did not take what a loop has to say; trying again", "key", lease.key, "err", err)
		}
	}
}
