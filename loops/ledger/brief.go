package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Brief is what of a record says whom it is for.
type Brief struct{ Addressee, Repository, Owner string }

const (
	// maxBriefs bounds the briefs that are kept in memory, some 200 bytes each.
	maxBriefs = 20_000
	// briefFor is how long they are: a record never changes, but long after its end its id can be another's.
	briefFor = 10 * time.Minute
)

// briefs keep what does not change of records, so that who looks again need not read them again.
type briefs struct {
	mu    sync.Mutex
	of    map[string]Brief
	until time.Time
}

// Briefs are those of many stops, most of them from memory. A stop that is not there, or has no record that can be read, has
// none.
func (l *Ledger) Briefs(ctx context.Context, ids []string) (map[string]Brief, error) {
	known, missing := l.briefs.get(ids, time.Now())
	for part := range slices.Chunk(missing, manyAtOnce/4) { // a record can have 64 KiB
		records := make(map[string]*redis.StringCmd, len(part))
		_, _ = l.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each command has its own error
			for _, id := range part {
				records[id] = pipe.Get(ctx, l.keys.Of(id, "record"))
			}
			return nil
		})
		for id, cmd := range records {
			if err := cmd.Err(); err != nil && !absent(err) {
				return nil, fmt.Errorf("look for whom %d stops are: %w", len(part), err)
			}
			if b, ok := briefOf([]byte(cmd.Val())); ok {
				known[id] = b
			}
		}
	}
	l.briefs.keep(known)
	return known, nil
}

// absent reports whether what was read is not there, or is nothing that the ledger wrote: then there is none, and the others
// are none the worse.
func absent(err error) bool { return errors.Is(err, redis.Nil) || errors.Is(broken(err), ErrBroken) }

// briefOf reads a record's members by their exact names, as the check did.
func briefOf(record []byte) (b Brief, ok bool) {
	var top, loop map[string]json.RawMessage
	if json.Unmarshal(record, &top) != nil || json.Unmarshal(top["loop"], &loop) != nil {
		return Brief{}, false
	}
	_ = json.Unmarshal(loop["owner"], &b.Owner) // it need not be there
	return b, json.Unmarshal(top["addressee"], &b.Addressee) == nil && json.Unmarshal(loop["repository"], &b.Repository) == nil
}

func (b *briefs) get(ids []string, now time.Time) (known map[string]Brief, missing []string) {
	known = make(map[string]Brief, len(ids))
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.After(b.until) {
		b.of, b.until = map[string]Brief{}, now.Add(briefFor)
	}
	for _, id := range ids {
		if k, ok := b.of[id]; ok {
			known[id] = k
		} else {
			missing = append(missing, id)
		}
	}
	return known, missing
}

func (b *briefs) keep(known map[string]Brief) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, k := range known {
		if len(b.of) >= maxBriefs {
			return
		}
		b.of[id] = k
	}
}

// Cards are those of each of many stops, none for one that is not there or whose cards cannot be read.
func (l *Ledger) Cards(ctx context.Context, ids []string) (map[string][]Card, error) {
	hashes := make(map[string]*redis.MapStringStringCmd, len(ids))
	for part := range slices.Chunk(ids, manyAtOnce) {
		_, _ = l.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error { // as above
			for _, id := range part {
				hashes[id] = pipe.HGetAll(ctx, l.keys.Of(id, "stop"))
			}
			return nil
		})
	}
	cards := make(map[string][]Card, len(ids))
	for id, cmd := range hashes {
		if err := cmd.Err(); err != nil && !absent(err) {
			return nil, fmt.Errorf("look for the cards of %d stops: %w", len(ids), err)
		}
		if all, err := decodeCards(cmd.Val()); err == nil {
			cards[id] = all
		}
	}
	return cards, nil
}
