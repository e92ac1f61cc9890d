package ledger

import (
	"slices"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

func TestWhatARoleHasComesInOrderOverAllPartitions(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		var want []string
		for i, id := range numbered(9) {
			o := withCalls(id, "a")
			o["addressee"] = []string{loops.Facilitator, "security"}[i/8]
			k.do(id, Raise{Record: recordOf(t, o)})
			pause(t.Context(), 5*time.Millisecond)
			want = append(want, id)
		}
		k.do("call_3", answers(ana, accept(), "a"))
		k.do("call_1", Reassign{By: ana, To: "security"})
		pause(t.Context(), 5*time.Millisecond)
		k.do("call_1", Reassign{By: ana, To: loops.Facilitator})
		want = append(append(want[1:2:2], want[3:8]...), "call_1")
		var got []string
		since := map[string]time.Time{}
		for h, err := range k.Held(t.Context(), loops.Facilitator) {
			ok(t, err)
			got, since[h.ID] = append(got, h.ID), h.Since
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if s := k.read("call_1").State.Since; !since["call_1"].Equal(s.Truncate(time.Millisecond)) {
			t.Errorf("since %v, want %v", since["call_1"], s)
		}
		for range k.Held(t.Context(), "nobody") {
			t.Error("nobody has something")
		}
	})
}

func TestAListOfClosedStopsGoesBackAsFarAsItIsAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		for _, id := range numbered(5) {
			k.do(id, Raise{Record: recordOf(t, withCalls(id, "a"))})
			pause(t.Context(), time.Hour)
			k.do(id, answers(ana, accept(), "a"))
		}
		now := k.read("call_5").Now
		if got := k.listed(Query{Phase: Answered, After: now.Add(-150 * time.Minute)}); got != "5 4 3" {
			t.Errorf("%q, want those of the last two hours and a half", got)
		}
	})
}
