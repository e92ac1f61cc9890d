package ledger

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// Held is an open stop that a role has.
type Held struct {
	ID    string
	Role  string
	Since time.Time // since when, to the millisecond
}

// Held yields the open stops that a role has, over all partitions, in the order in which it got them, then by id. It reads
// indexes only, in pages, as far as its caller goes. After an error it ends.
func (l *Ledger) Held(ctx context.Context, role string) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		var sources []*source
		for p := range l.keys.Partitions {
			sources = append(sources, l.heldBy(p, role, page))
		}
		l.held(ctx, sources, yield)
	}
}

// manyAtOnce is how much of an index, and of what belongs to it, is read at once where all of it is wanted.
const manyAtOnce = 1000

// Open yields all open stops, over all roles and partitions, in the order of List. It reads indexes only, many at once. What
// moves while it runs may be missed, or come twice. After an error it ends.
func (l *Ledger) Open(ctx context.Context) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		var sources []*source
		for p := range l.keys.Partitions {
			roles, err := l.redis.SMembers(ctx, l.keys.In(p, "holders")).Result()
			if err != nil {
				yield(Held{}, fmt.Errorf("look for who has stops: %w", err))
				return
			}
			for _, role := range roles {
				sources = append(sources, l.heldBy(p, role, manyAtOnce))
			}
		}
		l.held(ctx, sources, yield)
	}
}

func (l *Ledger) heldBy(p int, role string, count int) *source {
	return &source{redis: l.redis, key: l.keys.In(p, "holder:"+role), role: role, count: count}
}

func (l *Ledger) held(ctx context.Context, sources []*source, yield func(Held, error) bool) {
	for {
		s, err := earliest(ctx, sources)
		if err != nil {
			yield(Held{}, fmt.Errorf("look for what roles have: %w", err))
			return
		}
		if s == nil {
			return
		}
		z := s.take()
		if !yield(Held{ID: z.Member.(string), Role: s.role, Since: time.UnixMilli(int64(z.Score)).UTC()}, nil) {
			return
		}
	}
}
