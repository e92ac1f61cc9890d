package ledger

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/internal/redistest"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// leftBy has a consumer take what is in the inbox and die, so long ago and after so many deliveries.
func (k *room) leftBy(name string, ago time.Duration, delivered int) {
	k.t.Helper()
	inbox := k.keys.In(0, "inbox")
	streams, err := k.r.XReadGroup(k.t.Context(), &redis.XReadGroupArgs{
		Group: group, Consumer: name, Streams: []string{inbox, ">"}, Block: -1,
	}).Result()
	ok(k.t, err)
	for _, m := range streams[0].Messages {
		ok(k.t, k.r.Do(k.t.Context(), "XCLAIM", inbox, group, name, 0, m.ID, "IDLE", ago.Milliseconds(), "RETRYCOUNT", delivered).Err())
	}
}

func TestADeadConsumersEntriesAreTakenOver(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for i := range batch + 10 {
			k.say(0, "op", "raise", "body", bytesOf(t, withCalls(fmt.Sprint("s", i), "a")))
		}
		k.leftBy("dead", time.Minute, 1)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("deadly", "a")))
		k.leftBy("dead", time.Minute, most)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		for i := range batch + 10 {
			k.read(fmt.Sprint("s", i))
		}
		if dead := k.dead(0); len(dead) != 1 {
			t.Errorf("dead = %v", dead)
		}
	})
}

func TestALiveConsumersEntriesAreLeftToIt(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		k.leftBy("alive", time.Second, 1)
		defer k.consume("c1")()
		pause(t.Context(), deadAfter/2)
		if k.empty(0) {
			t.Error("it was taken from a consumer that may be at it")
		}
	})
}

func TestConsumersOfDeadProcessesDoNotPileUp(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		consumers := func() []redis.XInfoConsumer {
			list, err := r.XInfoConsumers(t.Context(), k.keys.In(0, "inbox"), group).Result()
			ok(t, err)
			return list
		}
		for i := range 5 {
			entry := k.say(0, "op", "raise", "body", "garbage")
			k.leftBy(fmt.Sprint("restart", i), 0, 1)
			ok(t, r.XAck(t.Context(), k.keys.In(0, "inbox"), group, entry).Err())
		}
		if n := len(consumers()); n != 5 {
			t.Fatalf("there are %d consumers, want 5", n)
		}
		pause(t.Context(), 2*goneAfter)
		defer k.consume("alive")()
		until(t, "none of them is left", func() bool {
			return !slices.ContainsFunc(consumers(), func(c redis.XInfoConsumer) bool { return c.Name != "alive" })
		})
	})
}

func TestAConsumerWithEntriesIsNotRetired(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		inbox := k.keys.In(0, "inbox")
		k.say(0, "op", "raise", "body", "x")
		k.leftBy("busy", time.Hour, 1)
		ok(t, k.scripts.retire.Run(t.Context(), r, []string{inbox}, group, "busy").Err())
		if p, err := r.XPending(t.Context(), inbox, group).Result(); err != nil || p.Count != 1 {
			t.Errorf("pending: %+v, %v", p, err)
		}
	})
}

func TestTheLoopThatWentOnKeepsItsClaimForEver(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		claims := map[string]string{
			"mine": "dev/1/ab 2026-11-30T12:00:00Z", "just-mine": "dev/1/ab", "lapsed": "", "of-another": "dev/1/abc 2026-11-30T12:00:00Z",
		}
		for id, claim := range claims {
			k.do(id, Raise{Record: recordOf(t, withCalls(id, "a"))})
			stop := k.do(id, answers(ana, accept(), "a"))
			if claim != "" {
				ok(t, r.Set(t.Context(), k.keys.Of(id, "claim"), claim, time.Minute).Err())
			}
			body := fmt.Sprintf(`{"id":%q,"by":"dev/1/ab","outcome":%q}`, id, stop.Outcome)
			k.say(0, "op", "resumed", "body", body)
			k.say(0, "op", "resumed", "body", body)
		}
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		for id, claim := range claims {
			k.permanent(id, "claim")
			is, err := r.Get(t.Context(), k.keys.Of(id, "claim")).Result()
			ok(t, err)
			if strings.HasSuffix(id, "mine") && is != claim || !strings.HasPrefix(is+" ", "dev/1/ab ") {
				t.Errorf("%s: the claim is %q, was %q", id, is, claim)
			}
			if stop := k.read(id); kinds(stop.Log) != "raised verdict answered resumed" || stop.State.Resumed.By != "dev/1/ab" {
				t.Errorf("%s: %s", id, kinds(stop.Log))
			}
		}
		if dead := k.dead(0); len(dead) > 0 {
			t.Errorf("dead = %v", dead)
		}
	})
}

func TestALateWithdrawalIsSettledByTheOutcome(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{Record: recordOf(t, withCalls("s", "a"))})
		k.do("s", answers(ana, accept(), "a"))
		k.say(0, "op", "withdraw", "body", `{"id":"s"}`)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if stop := k.read("s"); stop.State.Phase != Answered || len(k.dead(0)) > 0 {
			t.Errorf("it is %s, dead: %v", stop.State.Phase, k.dead(0))
		}
	})
}

func TestAPageThatIsDoneIsANoteAndNeverAVerdict(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{Record: recordOf(t, withPage("s"))})
		k.say(0, "op", "completed", "body", `{"id":"s","extra":[1]}`)
		k.say(0, "op", "completed", "body", `{"id":"s"}`)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		stop := k.read("s")
		if stop.State.Phase != Open || stop.State.Completed.IsZero() || stop.State.Rev != 2 || kinds(stop.Log) != "raised completed" {
			t.Errorf("it is %s at rev %d with %s", stop.State.Phase, stop.State.Rev, kinds(stop.Log))
		}
	})
}

func TestALongReasonIsCutVisibly(t *testing.T) {
	got := cut(strings.Repeat("ß", reasonMost+1))
	if n := len([]rune(got)); n != reasonMost || !strings.HasSuffix(got, "ß…") {
		t.Errorf("%d characters, end %q", n, got[len(got)-8:])
	}
	if got := cut(strings.Repeat("ß", reasonMost)); strings.HasSuffix(got, "…") {
		t.Error("a reason that fits was cut")
	}
}

func TestAnInboxWhoseIdsRanAheadIsMadeAnew(t *testing.T) {
	for _, id := range []string{"18446744073709551615-18446744073709551615", "99999999999999-1"} {
		t.Run(id, func(t *testing.T) { // the embedded Redis does not say what the last id was
			t.Parallel()
			r := redistest.Start(t, redistest.Options{}).Client(t)
			k := newRoom(t, r, nil)
			inbox := k.keys.In(0, "inbox")
			ok(t, r.XAdd(t.Context(), &redis.XAddArgs{Stream: inbox, ID: id, Values: []any{"x", "y"}}).Err())
			defer k.consume("c1")()
			until(t, "ids are of this time again", func() bool {
				last, err := r.XAdd(t.Context(), &redis.XAddArgs{Stream: inbox, Values: []any{"op", "raise", "body", bytesOf(t, withCalls("s", "a"))}}).Result()
				return err == nil && entryTime(last).Before(k.now().Add(time.Minute))
			})
			until(t, "the inbox is empty", func() bool { return k.empty(0) })
			k.read("s")
		})
	}
}

func (k *room) now() time.Time {
	k.t.Helper()
	now, err := k.r.Time(k.t.Context()).Result()
	ok(k.t, err)
	return now
}

func TestADeletedInboxIsMadeAgain(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		defer k.consume("c1")()
		ok(t, r.Del(t.Context(), k.keys.In(0, "inbox")).Err())
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		until(t, "it is raised", func() bool { return k.empty(0) })
		k.read("s")
	})
}

func TestABodyKeepsWhatItSays(t *testing.T) {
	got, err := decodeSaid(`{"id":"s","by":"a/b","outcome":"x.y.z","reason":"\u00e9","new":{"id":"t"}}`)
	ok(t, err)
	if diff := cmp.Diff(said{ID: "s", By: "a/b", Outcome: "x.y.z", Reason: "é"}, got); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}
