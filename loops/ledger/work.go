package ledger

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Lease is the right to bring one stop's cards in line until Until. Fence is the score written in work when it was
// taken; TakenOver says that an earlier lease lapsed, so its owner's last request to Slack may still land.
type Lease struct {
	ID        string
	Fence     int64
	Until     time.Time // by Redis's clock
	TakenOver bool
}

// Lease takes up to max stops whose cards are behind and whose time has come, each for d.
func (l *Ledger) Lease(ctx context.Context, max int, d time.Duration) ([]Lease, error) {
	var leases []Lease
	first := int(l.turn.Add(1) % uint64(l.keys.Partitions))
	for i := range l.keys.Partitions {
		p := (first + i) % l.keys.Partitions
		due, err := l.due(ctx, l.keys.In(p, "work"), 0, 0, max-len(leases))
		if err != nil {
			return leases, fmt.Errorf("look into work: %w", err)
		}
		for _, id := range due {
			lease, ok, err := l.lease(ctx, id, d)
			if err != nil {
				return leases, fmt.Errorf("lease stop %s: %w", id, err)
			}
			if ok {
				leases = append(leases, lease)
			}
		}
	}
	return leases, nil
}

// lease reports false when the stop is not due any more.
func (l *Ledger) lease(ctx context.Context, id string, d time.Duration) (Lease, bool, error) {
	reply, err := l.scripts.lease.Run(ctx, l.redis, l.workKeys(id), id, d.Milliseconds()).Slice()
	if err != nil || len(reply) != 2 {
		return Lease{}, false, err
	}
	text, _ := reply[0].(string)
	fence, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return Lease{}, false, fmt.Errorf("read the fence: %w", err)
	}
	return Lease{ID: id, Fence: fence, Until: time.UnixMilli(fence).UTC(), TakenOver: reply[1] == int64(1)}, true, nil
}

func (l *Ledger) workKeys(id string) []string {
	p := l.keys.Partition(id)
	return []string{l.keys.In(p, "work"), l.keys.Of(id, "stop"), l.keys.In(p, "behind")}
}

// owner does what only the owner of a lease may.
func (l *Ledger) owner(ctx context.Context, lease Lease, what string, args ...any) (int, error) {
	args = append([]any{lease.ID, lease.Fence, what}, args...)
	n, err := l.scripts.owner.Run(ctx, l.redis, l.workKeys(lease.ID), args...).Int()
	if err == nil && n < 0 {
		err = ErrLeaseLost
	}
	if err != nil {
		return 0, fmt.Errorf("%s of stop %s: %w", what, lease.ID, err)
	}
	return n, nil
}

// SaveCard adds or replaces the card at c.Place, if the lease still holds; else ErrLeaseLost. AttemptAt is kept to the
// millisecond.
func (l *Ledger) SaveCard(ctx context.Context, lease Lease, c Card) error {
	value, err := encodeCard(c)
	if err != nil {
		return fmt.Errorf("encode a card of stop %s: %w", lease.ID, err)
	}
	_, err = l.owner(ctx, lease, "card", cardField+c.Place, value)
	return err
}

// Shown says that every card shows rev. It takes the stop out of work if rev is still the newest and nobody touched it, and
// reports whether; else it leaves it due at once. ErrLeaseLost if the lease lapsed.
func (l *Ledger) Shown(ctx context.Context, lease Lease, rev int64) (done bool, err error) {
	n, err := l.owner(ctx, lease, "shown", rev)
	return n == 1, err
}

// Postpone gives the lease back and lets the stop be tried again at a moment, or at once if it moved meanwhile.
// ErrLeaseLost if the lease lapsed.
func (l *Ledger) Postpone(ctx context.Context, lease Lease, at time.Time) error {
	_, err := l.owner(ctx, lease, "postpone", at.UnixMilli())
	return err
}

// Touch puts the stop back into work, as when its card vanished: with a channel, the card at that channel and ts is
// forgotten.
func (l *Ledger) Touch(ctx context.Context, id, channel, ts string) error {
	for range tries {
		place, value, err := l.cardAt(ctx, id, channel, ts)
		if err != nil {
			return fmt.Errorf("touch stop %s: %w", id, err)
		}
		done, err := l.scripts.touch.Run(ctx, l.redis, l.workKeys(id), id, place, value).Int()
		if err != nil {
			return fmt.Errorf("touch stop %s: %w", id, err)
		}
		if done == 1 {
			return nil
		}
	}
	return fmt.Errorf("touch stop %s: its cards move too fast; try again", id)
}

// cardAt finds the field of the card at a channel and ts, and its value as stored; both are "" where there is none.
func (l *Ledger) cardAt(ctx context.Context, id, channel, ts string) (place, value string, err error) {
	if channel == "" {
		return "", "", nil
	}
	fields, err := l.redis.HGetAll(ctx, l.keys.Of(id, "stop")).Result()
	if err != nil {
		return "", "", err
	}
	cards, err := decodeCards(fields)
	if err != nil {
		return "", "", err
	}
	for _, c := range cards {
		if c.Channel == channel && c.TS == ts {
			place = cardField + c.Place
			return place, fields[place], nil
		}
	}
	return "", "", nil
}

// Behind reports how many stops are in work and since when the oldest is: since its cards were last in line, however often
// it was tried or postponed. The zero time means that none is.
func (l *Ledger) Behind(ctx context.Context) (n int64, oldest time.Time, err error) {
	for p := range l.keys.Partitions {
		key := l.keys.In(p, "behind")
		count, err := l.redis.ZCard(ctx, key).Result()
		if err != nil {
			return 0, time.Time{}, fmt.Errorf("count what is behind: %w", err)
		}
		first, err := l.redis.ZRangeWithScores(ctx, key, 0, 0).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return 0, time.Time{}, fmt.Errorf("look for what is longest behind: %w", err)
		}
		n += count
		for _, z := range first {
			if at := time.UnixMilli(int64(z.Score)).UTC(); oldest.IsZero() || at.Before(oldest) {
				oldest = at
			}
		}
	}
	return n, oldest, nil
}

// due returns up to count members of a sorted set of moments that lie at least ago in the past, by Redis's clock.
func (l *Ledger) due(ctx context.Context, key string, ago time.Duration, skip, count int) ([]string, error) {
	if count <= 0 {
		return nil, nil
	}
	return l.scripts.look.Run(ctx, l.redis, []string{key}, ago.Milliseconds(), skip, count).StringSlice()
}
