package ledger

import (
	"slices"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

func (k *room) swept() int {
	k.t.Helper()
	n, err := k.Sweep(k.t.Context())
	ok(k.t, err)
	return n
}

func TestASweepExpiresWhatItsAskerCapped(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		for i, id := range numbered(250) {
			o := withCalls(id, "a")
			o["expires"] = time.Now().Add(time.Duration(1+i%2) * time.Hour).Format(time.RFC3339)
			k.do(id, Raise{Record: recordOf(t, o)})
		}
		k.raised("uncapped")
		if n := k.swept(); n != 0 {
			t.Errorf("%d expired before their cap", n)
		}
		pause(t.Context(), time.Hour)
		if n := k.swept(); n != 125 {
			t.Errorf("%d expired, want 125", n)
		}
		pause(t.Context(), 1000*time.Hour)
		if n := k.swept(); n != 125 {
			t.Errorf("%d expired, want the other 125", n)
		}
		stop := k.read("call_1")
		if stop.State.Phase != Expired || stop.State.End.Origin != loops.OriginAsker {
			t.Errorf("it is %s by %+v", stop.State.Phase, stop.State.End)
		}
		if k.read("uncapped").State.Phase != Open {
			t.Error("a stop without a cap does not wait for ever")
		}
	})
}

func TestADueMomentOfAPolicyIsLeftToThePolicy(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for _, id := range numbered(dueBatch + 10) {
			k.raised(id)
			ok(t, r.ZAdd(t.Context(), k.keys.In(0, "due"), redis.Z{Score: 1, Member: id}).Err())
		}
		o := withCalls("capped", "a")
		o["expires"] = time.Now().Add(time.Hour).Format(time.RFC3339)
		k.do("capped", Raise{Record: recordOf(t, o)})
		pause(t.Context(), time.Hour)
		if n := k.swept(); n != 1 {
			t.Errorf("%d touched, want the one behind the policies'", n)
		}
	})
}

// stored returns the keys of a partition that name a stop.
func (k *room) stored(id string) []string {
	k.t.Helper()
	keys, err := k.r.Keys(k.t.Context(), "*:"+id).Result()
	ok(k.t, err)
	slices.Sort(keys)
	return keys
}

func TestRetentionLetsGoOfTakenAndWithdrawnStopsWhole(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		for _, id := range []string{"went-on", "no-more", "nobody-took", "ran-out", "waits"} {
			ok(t, r.Set(t.Context(), k.keys.Of(id, "context"), "sealed", time.Hour).Err())
			k.raised(id)
		}
		k.do("no-more", Withdraw{})
		k.do("nobody-took", answers(ana, accept(), "a", "b"))
		k.do("ran-out", Expire{Origin: loops.OriginPolicy})
		stop := k.do("went-on", answers(ana, accept(), "a", "b"))
		pause(t.Context(), 30*24*time.Hour)
		k.do("went-on", Resume{By: "dev/1/ab", Outcome: stop.Outcome})
		pause(t.Context(), 60*24*time.Hour-time.Minute)
		if n := k.swept(); n != 0 {
			t.Fatalf("%d went before their time", n)
		}
		pause(t.Context(), 2*time.Minute)
		if n := k.swept(); n != 1 {
			t.Errorf("%d went, want the withdrawn one", n)
		}
		if len(k.stored("went-on")) != 6 {
			t.Errorf("the taken one has %v, want six keys", k.stored("went-on"))
		}
		pause(t.Context(), 31*24*time.Hour)
		if n := k.swept(); n != 1 {
			t.Errorf("%d went, want the taken one", n)
		}
		for _, id := range []string{"went-on", "no-more"} {
			if keys := k.stored(id); len(keys) > 0 {
				t.Errorf("left of %s: %v", id, keys)
			}
			for _, index := range []string{"closed", "untaken", "work", "behind", "due", "holder:facilitator"} {
				if k.has(k.keys.In(k.keys.Partition(id), index), id) {
					t.Errorf("%s is in %s", id, index)
				}
			}
		}
		pause(t.Context(), 1000*24*time.Hour)
		if n := k.swept(); n != 0 {
			t.Errorf("%d went, want none: nobody has taken them", n)
		}
		k.opt.Untaken = 365 * 24 * time.Hour
		if n := k.swept(); n != 2 {
			t.Errorf("%d went, want the two untaken ones", n)
		}
		k.read("waits")
		k.raised("went-on") // its id is free again
	})
}

func TestRetentionWorksThroughManyStops(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Retention = time.Millisecond })
		for _, id := range numbered(3*forgetBatch + 1) {
			k.raised(id)
			k.do(id, Withdraw{})
		}
		left := 3*forgetBatch + 1
		until(t, "all are gone", func() bool { left -= k.swept(); return left == 0 })
		keys, err := r.Keys(t.Context(), "{fs:0}:*").Result()
		ok(t, err)
		if diff := cmp.Diff([]string{"{fs:0}:inbox"}, keys); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	})
}

func TestAStopRaisedAnewIsNotForgottenWithTheOldOne(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		keys := []string{"closed", "work", "behind"}
		for i, name := range keys {
			keys[i] = k.keys.In(0, name)
		}
		for _, name := range []string{"stop", "log", "record", "outcome", "claim", "context"} {
			keys = append(keys, k.keys.Of("s", name))
		}
		n, err := k.scripts.forget.Run(t.Context(), r, keys, 0, "s").Int()
		if err != nil || n != 0 {
			t.Errorf("forgot %d, %v", n, err)
		}
		k.read("s")
	})
}
