package ledger

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Query picks stops. Zero fields pick all.
type Query struct {
	Holder      string
	Repository  string
	Phase       Phase
	Untaken     bool // closed by an answer or a cap, and no loop has taken the outcome
	Undelivered bool // a card of it could not be posted to its own channel
	NotMine     bool // somebody said that the wrong role was asked
	// After leaves out closed stops whose moment in the index lies before it.
	After time.Time
}

// page is how many ids of an index are read at once.
const page = 100

// List yields the stops that match, open ones by the time since which their holder has them, then the closed ones,
// latest first: by when they were withdrawn or taken, and those that wait to be taken by when they ended. What moves while it runs may be missed, and is not yielded as what it was. After an error it ends.
func (l *Ledger) List(ctx context.Context, q Query) iter.Seq2[Stop, error] {
	return func(yield func(Stop, error) bool) {
		if q.Phase == "" || q.Phase == Open {
			if q.Untaken || l.listOpen(ctx, q, yield) {
				if q.Phase == "" {
					l.listClosed(ctx, q, yield)
				}
			}
			return
		}
		l.listClosed(ctx, q, yield)
	}
}

// listOpen reports whether to go on.
func (l *Ledger) listOpen(ctx context.Context, q Query, yield func(Stop, error) bool) bool {
	var sources []*source
	for p := range l.keys.Partitions {
		holders := []string{q.Holder}
		if q.Holder == "" {
			var err error
			if holders, err = l.redis.SMembers(ctx, l.keys.In(p, "holders")).Result(); err != nil {
				yield(Stop{}, err)
				return false
			}
		}
		for _, h := range holders {
			sources = append(sources, &source{redis: l.redis, key: l.keys.In(p, "holder:"+h)})
		}
	}
	return l.merge(ctx, sources, yield, func(s Stop) bool { return s.State.Phase == Open && q.picks(s) })
}

func (l *Ledger) listClosed(ctx context.Context, q Query, yield func(Stop, error) bool) {
	names := []string{"closed", "untaken"}
	if q.Untaken {
		names = names[1:]
	}
	var sources []*source
	for p := range l.keys.Partitions {
		for _, name := range names {
			sources = append(sources, &source{redis: l.redis, key: l.keys.In(p, name), latest: true, after: q.after()})
		}
	}
	l.merge(ctx, sources, yield, func(s Stop) bool { return s.State.Phase != Open && q.picks(s) })
}

func (q Query) after() string {
	if q.After.IsZero() {
		return ""
	}
	return millis(q.After)
}

func (q Query) picks(s Stop) bool {
	return (q.Holder == "" || q.Holder == s.State.Holder) &&
		(q.Repository == "" || q.Repository == s.Record.Loop.Repository) &&
		(q.Phase == "" || q.Phase == s.State.Phase) &&
		(!q.Untaken || s.State.Resumed == nil) &&
		(!q.NotMine || s.State.NotMine != nil) &&
		(!q.Undelivered || slices.ContainsFunc(s.State.Cards, func(c Card) bool { return c.Undelivered != "" }))
}

// merge yields what the sources have, in their common order, and reports whether to go on after it.
func (l *Ledger) merge(ctx context.Context, sources []*source, yield func(Stop, error) bool, picks func(Stop) bool) bool {
	for {
		s, err := earliest(ctx, sources)
		if err != nil {
			yield(Stop{}, err)
			return false
		}
		if s == nil {
			return true
		}
		stop, err := l.Read(ctx, s.take().Member.(string))
		switch {
		case errors.Is(err, ErrUnknown): // retention was quicker
		case err != nil:
			yield(Stop{}, err)
			return false
		case picks(stop) && !yield(stop, nil):
			return false
		}
	}
}

// earliest is the source that has the first of all, nil when they are at their ends.
func earliest(ctx context.Context, sources []*source) (*source, error) {
	var first *source
	for _, s := range sources {
		if err := s.fill(ctx); err != nil {
			return nil, err
		}
		if len(s.ahead) > 0 && (first == nil || s.before(first)) {
			first = s
		}
	}
	return first, nil
}

// source reads one sorted set of moments in pages, by score, so that members which leave it do not shift the others.
type source struct {
	redis  redis.Cmdable
	key    string
	role   string // whose index it is, where it is one's
	count  int    // how many are read at once; 0: page
	latest bool   // latest first
	until  string // the highest score that counts; "" all do
	after  string // the lowest, likewise

	ahead []redis.Z
	last  float64         // the score of the last one taken
	same  map[string]bool // those of that score that were taken; they may have left since
	ended bool
}

func (s *source) fill(ctx context.Context) error {
	if len(s.ahead) > 0 || s.ended {
		return nil
	}
	from, to := cmp.Or(s.after, "-inf"), cmp.Or(s.until, "+inf")
	if s.latest {
		from, to = to, from
	}
	if len(s.same) > 0 {
		from = strconv.FormatFloat(s.last, 'f', -1, 64)
	}
	found, err := s.redis.ZRangeArgsWithScores(ctx, redis.ZRangeArgs{
		Key: s.key, Start: from, Stop: to, ByScore: true, Rev: s.latest, Count: int64(cmp.Or(s.count, page) + len(s.same)),
	}).Result()
	s.ahead = slices.DeleteFunc(found, func(z redis.Z) bool { return s.same[z.Member.(string)] })
	s.ended = len(s.ahead) == 0
	return err
}

func (s *source) take() *redis.Z {
	z := s.ahead[0]
	s.ahead = s.ahead[1:]
	if z.Score != s.last || s.same == nil {
		s.last, s.same = z.Score, map[string]bool{}
	}
	s.same[z.Member.(string)] = true
	return &z
}

// before orders by moment, then by id, so that lists of several partitions are the same each time.
func (s *source) before(o *source) bool {
	a, b := s.ahead[0], o.ahead[0]
	if a.Score != b.Score {
		return (a.Score < b.Score) != s.latest
	}
	return strings.Compare(a.Member.(string), b.Member.(string)) < 0
}
