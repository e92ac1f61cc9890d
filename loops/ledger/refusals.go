package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// Refusals yields the refusals of the last 7 days, in no order, without verifying their signatures: they are shown, and
// nothing follows from them. It walks over all keys, as there is no index of refusals; after an error it ends.
func (l *Ledger) Refusals(ctx context.Context) iter.Seq2[*loops.Refusal, error] {
	return func(yield func(*loops.Refusal, error) bool) {
		for p := range l.keys.Partitions {
			keys, err := l.refusalKeys(ctx, p)
			if err != nil {
				yield(nil, fmt.Errorf("list refusals: %w", err))
				return
			}
			for _, key := range keys {
				r, err := l.refusal(ctx, key)
				if r == nil && err == nil {
					continue // its 7 days ended meanwhile
				}
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

func (l *Ledger) refusalKeys(ctx context.Context, p int) ([]string, error) {
	var keys []string
	scan := func(ctx context.Context, c redis.UniversalClient) error {
		i := c.Scan(ctx, 0, l.keys.In(p, "refusal:*"), 1000).Iterator()
		for i.Next(ctx) {
			keys = append(keys, i.Val())
		}
		return i.Err()
	}
	c, ok := l.redis.(*redis.ClusterClient)
	if !ok {
		err := scan(ctx, l.redis)
		return keys, err
	}
	one, err := c.MasterForKey(ctx, l.keys.In(p, "inbox"))
	if err != nil {
		return nil, err
	}
	err = scan(ctx, one)
	return keys, err
}

func (l *Ledger) refusal(ctx context.Context, key string) (*loops.Refusal, error) {
	jws, err := l.redis.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a refusal: %w", err)
	}
	_, hex, _ := strings.Cut(key, ":refusal:")
	return loops.UnverifiedRefusal(jws, l.keys.Prefix, "sha256:"+hex)
}
