package ledger

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"flagstop/internal/embedded"
	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

func TestTheListHasOpenStopsByTheirTimeThenClosedOnesLatestFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		for i, id := range numbered(9) {
			o := withCalls(id, "a")
			o["addressee"] = []string{"facilitator", "security"}[i%2]
			o["loop"] = object{"id": "dev/1", "repository": []string{"acme/site", "acme/api", "acme/app"}[i%3]}
			k.do(id, Raise{Record: recordOf(t, o)})
			pause(t.Context(), time.Second)
		}
		resumed := k.do("call_2", answers(ana, accept(), "a"))
		k.do("call_2", Resume{By: "dev/1/ab", Outcome: resumed.Outcome})
		pause(t.Context(), time.Second)
		k.do("call_5", Withdraw{})
		pause(t.Context(), time.Second)
		k.do("call_4", answers(ana, accept(), "a"))
		leases, err := k.Lease(t.Context(), 20, time.Minute)
		ok(t, err)
		for _, l := range leases {
			if l.ID == "call_3" {
				ok(t, k.SaveCard(t.Context(), l, Card{Place: "asked", Undelivered: "is_archived"}))
			}
		}
		for _, tc := range []struct {
			name string
			q    Query
			want string
		}{
			{"all", Query{}, "1 3 6 7 8 9 4 5 2"},
			{"a holder's", Query{Holder: "security"}, "6 8 4 2"},
			{"a repository's", Query{Repository: "acme/site"}, "1 7 4"},
			{"open", Query{Phase: Open}, "1 3 6 7 8 9"},
			{"a holder's open", Query{Phase: Open, Holder: "facilitator"}, "1 3 7 9"},
			{"answered", Query{Phase: Answered}, "4 2"},
			{"withdrawn", Query{Phase: Withdrawn}, "5"},
			{"expired", Query{Phase: Expired}, ""},
			{"untaken", Query{Untaken: true}, "4"},
			{"undelivered", Query{Undelivered: true}, "3"},
			{"nobody's", Query{Holder: "nobody"}, ""},
		} {
			if got := k.listed(tc.q); got != tc.want {
				t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
			}
		}
	})
}

// listed returns the numbers of the listed calls.
func (k *room) listed(q Query) string {
	k.t.Helper()
	var s string
	for stop, err := range k.List(k.t.Context(), q) {
		ok(k.t, err)
		var n string
		_, err = fmt.Sscanf(stop.ID, "call_%s", &n)
		ok(k.t, err)
		if s != "" {
			s += " "
		}
		s += n
	}
	return s
}

func TestALongListIsReadInPages(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		const n = 4*page + 130
		for _, id := range numbered(n) {
			k.raised(id)
		}
		ctx := t.Context()
		seen, closing := map[string]bool{}, true
		for stop, err := range k.List(ctx, Query{Phase: Open}) {
			ok(t, err)
			if seen[stop.ID] {
				t.Errorf("%s stands twice", stop.ID)
			}
			seen[stop.ID] = true
			if closing { // what leaves the index must not hide what comes after it
				k.do(stop.ID, Withdraw{})
			}
			closing = !closing
		}
		if len(seen) != n {
			t.Errorf("%d listed, want %d", len(seen), n)
		}
		for range k.List(ctx, Query{}) {
			break // it can be left at any time
		}
	})
}

func TestALogThatWasTamperedWithIsFound(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		ctx := t.Context()
		tampers := []struct {
			name string
			do   func(id string) error
			seq  int64
		}{
			{"an entry is changed", func(id string) error {
				raw, err := r.LIndex(ctx, k.keys.Of(id, "log"), 1).Result()
				ok(t, err)
				return r.LSet(ctx, k.keys.Of(id, "log"), 1, raw[:len(raw)-1]+" }").Err()
			}, 3},
			{"the last entry is changed", func(id string) error {
				raw, err := r.LIndex(ctx, k.keys.Of(id, "log"), 3).Result()
				ok(t, err)
				return r.LSet(ctx, k.keys.Of(id, "log"), 3, raw[:len(raw)-1]+" }").Err()
			}, 4},
			{"an entry is taken out", func(id string) error { return r.RPop(ctx, k.keys.Of(id, "log")).Err() }, 4},
			{"the first is taken out", func(id string) error { return r.LPop(ctx, k.keys.Of(id, "log")).Err() }, 1},
			{"an entry is no JSON", func(id string) error { return r.LSet(ctx, k.keys.Of(id, "log"), 2, "x").Err() }, 3},
			{"the record is changed", func(id string) error { return r.Append(ctx, k.keys.Of(id, "record"), " ").Err() }, 1},
			{"the outcome is gone", func(id string) error { return r.Del(ctx, k.keys.Of(id, "outcome")).Err() }, 4},
		}
		for i, tc := range tampers {
			id := fmt.Sprint("s", i)
			k.raised(id)
			k.do(id, answers(ana, accept(), "a", "b"))
			ok(t, k.Verify(ctx, id))
			ok(t, tc.do(id))
			var chain *ChainError
			if err := k.Verify(ctx, id); !errors.As(err, &chain) || chain.Seq != tc.seq {
				t.Errorf("%s: %v, want a ChainError at entry %d", tc.name, err, tc.seq)
			}
		}
		if err := k.Verify(ctx, "nobody's"); !errors.Is(err, ErrUnknown) {
			t.Errorf("err = %v, want ErrUnknown", err)
		}
	})
}

func TestAnotherNumberOfPartitionsIsRefused(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		if _, err := OpenExisting(t.Context(), Options{Redis: r}); !errors.Is(err, loops.ErrNoBot) {
			t.Errorf("err = %v, want ErrNoBot", err)
		}
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		k.raised("s")
		for _, o := range []Options{
			{Redis: r, Signer: k.opt.Signer, Partitions: 2},
			{Redis: r, Signer: k.opt.Signer},
			{Redis: r, Signer: k.opt.Signer, Partitions: -1},
			{Redis: r, Partitions: 4},
			{Redis: r, Signer: k.opt.Signer, Partitions: 4, Prefix: "F S"},
		} {
			if _, err := Start(t.Context(), o); err == nil {
				t.Errorf("Start(%+v) is no error", o)
			}
		}
		viewer, err := OpenExisting(t.Context(), Options{Redis: r})
		ok(t, err)
		stop, err := viewer.Read(t.Context(), "s")
		ok(t, err)
		if stop.ID != "s" || viewer.keys.Partitions != 4 {
			t.Errorf("a viewer reads %+v in %d partitions", stop.State, viewer.keys.Partitions)
		}
		if _, _, err := viewer.Do(t.Context(), "s", Withdraw{}); err == nil {
			t.Error("a stop ended without a signature")
		}
		k.read("s")
	})
}

func TestTheEmbeddedRedisIsTakenThoughItDoesNotSayWhatItIs(t *testing.T) {
	e, err := embedded.Start("127.0.0.1:0")
	ok(t, err)
	defer e.Close()
	r := redis.NewClient(&redis.Options{Addr: e.Addr(), ContextTimeoutEnabled: true})
	defer func() { ok(t, r.Close()) }()
	newRoom(t, r, nil).raised("s")
}
