package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/redis/go-redis/v9"
)

// Due yields the open stops whose due moment has passed when it begins, those due for longest first. Each is read when it is
// its turn, and Stop.Now is what its server's clock says then. After an error it ends.
func (l *Ledger) Due(ctx context.Context) iter.Seq2[Stop, error] {
	return func(yield func(Stop, error) bool) {
		now, err := l.redis.Time(ctx).Result()
		if err != nil {
			yield(Stop{}, fmt.Errorf("read redis's time: %w", err))
			return
		}
		var sources []*source
		for p := range l.keys.Partitions {
			sources = append(sources, &source{redis: l.redis, key: l.keys.In(p, "due"), until: millis(now)})
		}
		l.merge(ctx, sources, yield, func(s Stop) bool { return s.State.Phase == Open })
	}
}

// Overdue is how many due moments passed at least so long ago without anybody handling them, and the oldest of them.
func (l *Ledger) Overdue(ctx context.Context, ago time.Duration) (n int64, oldest time.Time, err error) {
	now, err := l.redis.Time(ctx).Result()
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("read redis's time: %w", err)
	}
	for p := range l.keys.Partitions {
		key := l.keys.In(p, "due")
		count, err := l.redis.ZCount(ctx, key, "-inf", millis(now.Add(-ago))).Result()
		if err != nil {
			return 0, time.Time{}, fmt.Errorf("count what is overdue: %w", err)
		}
		n += count
	}
	if n == 0 {
		return 0, time.Time{}, nil
	}
	oldest, err = l.firstDue(ctx)
	return n, oldest, err
}

// NextDue is in how long the next stop is due, at most so long: 0 when one is.
func (l *Ledger) NextDue(ctx context.Context, most time.Duration) (time.Duration, error) {
	first, err := l.firstDue(ctx)
	if err != nil || first.IsZero() {
		return most, err
	}
	now, err := l.redis.Time(ctx).Result()
	if err != nil {
		return most, fmt.Errorf("read redis's time: %w", err)
	}
	return min(max(first.Sub(now), 0), most), nil
}

// firstDue is the earliest due moment there is, zero where there is none.
func (l *Ledger) firstDue(ctx context.Context) (time.Time, error) {
	var first time.Time
	for p := range l.keys.Partitions {
		z, err := l.redis.ZRangeArgsWithScores(ctx, redis.ZRangeArgs{Key: l.keys.In(p, "due"), Start: 0, Stop: 0}).Result()
		if err != nil {
			return time.Time{}, fmt.Errorf("look for what is due next: %w", err)
		}
		for _, z := range z {
			if at := time.UnixMilli(int64(z.Score)).UTC(); first.IsZero() || at.Before(first) {
				first = at
			}
		}
	}
	return first, nil
}

// SetConfig notes, with Redis's time, that a bot has a version of the configuration in force: contract §7. The version that
// was noted last is the one that counts.
func (l *Ledger) SetConfig(ctx context.Context, version string) error {
	is, _, err := l.Config(ctx)
	if err != nil || is == version {
		return err
	}
	now, err := l.redis.Time(ctx).Result()
	if err == nil {
		err = l.redis.HSet(ctx, l.keys.Meta(), "config", version, "config_loaded", now.UTC().Format(time.RFC3339Nano)).Err()
	}
	if err != nil {
		return fmt.Errorf("note the configuration: %w", err)
	}
	return nil
}

// Config is the version of the configuration that counts, and when it was loaded; "" where nobody noted any.
func (l *Ledger) Config(ctx context.Context) (version string, loaded time.Time, err error) {
	fields, err := l.redis.HMGet(ctx, l.keys.Meta(), "config", "config_loaded").Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return "", time.Time{}, fmt.Errorf("read which configuration counts: %w", err)
	}
	is := texts(any(fields))
	if is[1] == "" {
		return "", time.Time{}, nil
	}
	if loaded, err = time.Parse(time.RFC3339Nano, is[1]); err != nil {
		return "", time.Time{}, fmt.Errorf("read when the configuration was loaded: %w", err)
	}
	return is[0], loaded, nil
}
