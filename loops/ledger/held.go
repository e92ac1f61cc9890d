package ledger

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Held is an open stop that a role has.
type Held struct {
	ID    string
	Since time.Time // since when, to the millisecond
}

// Held yields the open stops that a role has, over all partitions, in the order in which it got them, then by id. It reads
// indexes only, in pages, as far as its caller goes. After an error it ends.
func (l *Ledger) Held(ctx context.Context, role string) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		var sources []*source
		for p := range l.keys.Partitions {
			sources = append(sources, &source{redis: l.redis, key: l.keys.In(p, "holder:"+role)})
		}
		for {
			z, err := earliest(ctx, sources)
			if err != nil {
				yield(Held{}, fmt.Errorf("look for what %s has: %w", role, err))
				return
			}
			if z == nil || !yield(Held{ID: z.Member.(string), Since: time.UnixMilli(int64(z.Score)).UTC()}, nil) {
				return
			}
		}
	}
}

// Places are the places of the cards that each of some stops has, for asking about many at once: nil where it has none, or
// is not there.
func (l *Ledger) Places(ctx context.Context, ids []string) (map[string][]string, error) {
	fields := make(map[string]*redis.StringSliceCmd, len(ids))
	_, err := l.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		for _, id := range ids {
			fields[id] = pipe.HKeys(ctx, l.keys.Of(id, "stop"))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for the cards of %d stops: %w", len(ids), err)
	}
	places := make(map[string][]string, len(ids))
	for id, cmd := range fields {
		for _, field := range cmd.Val() {
			if place, ok := strings.CutPrefix(field, cardField); ok {
				places[id] = append(places[id], place)
			}
		}
	}
	return places, nil
}
