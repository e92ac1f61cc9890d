package loops_test

import (
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// answered is a stop with its outcome, in the hands of c.
func answered(t *testing.T, k *keeper, c *loops.Client) *loops.SignedOutcome {
	t.Helper()
	rec := record("stop-1")
	k.raise(rec)
	k.answer(refOf(t, rec))
	o, err := c.Get(t.Context(), refOf(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func claim(t *testing.T, c *loops.Client, o *loops.SignedOutcome, loop string) *loops.Claim {
	t.Helper()
	held, err := c.Claim(t.Context(), o, loop)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func wantClaimed(t *testing.T, c *loops.Client, o *loops.SignedOutcome, resumed bool) *loops.ClaimedError {
	t.Helper()
	_, err := c.Claim(t.Context(), o, "late")
	var claimed *loops.ClaimedError
	if !errors.As(err, &claimed) {
		t.Fatalf("Claim = %v, want a ClaimedError", err)
	}
	if claimed.Resumed != resumed {
		t.Errorf("Claim = %v, want resumed = %t", err, resumed)
	}
	return claimed
}

func lapsed(c *loops.Claim) bool {
	select {
	case <-c.Lapsed():
		return true
	default:
		return false
	}
}

func TestClaimIsKeptAliveAndSaysWhoHasIt(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		one, two := k.client(0), k.client(0)
		o := answered(t, k, one)
		since := time.Now().UTC()
		held := claim(t, one, o, "loop with space")
		for range 20 {
			time.Sleep(30 * time.Second)
			claimed := wantClaimed(t, two, o, false)
			if claimed.By[:len("loop with space/")] != "loop with space/" || !claimed.Since.Equal(since) {
				t.Errorf("claimed by %q since %v, want loop with space and %v", claimed.By, claimed.Since, since)
			}
		}
		wantClaimed(t, one, o, false)
		if lapsed(held) {
			t.Error("the claim lapsed though it was kept alive")
		}
		k.must(held.Release(t.Context()))
		again := claim(t, two, o, "loop-2")
		k.must(held.Release(t.Context()))
		if err := held.Done(t.Context()); err == nil {
			t.Error("Done after Release = nil, want an error")
		}
		wantClaimed(t, one, o, false)
		k.must(again.Release(t.Context()))
	})
}

func TestDoneSaysThatTheLoopWentOn(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		one, two := k.client(0), k.client(0)
		o := answered(t, k, one)
		held := claim(t, one, o, "loop-1")
		k.must(held.Done(t.Context()))
		k.must(held.Done(t.Context()))
		k.must(held.Release(t.Context())) // as a deferred call does
		got := k.inbox()
		if len(got) != 1 || got[0].op != "resumed" || got[0].fields != 2 {
			t.Fatalf("the inbox has %v, want one entry resumed", got)
		}
		var body map[string]string
		if err := json.Unmarshal([]byte(got[0].body), &body); err != nil {
			t.Fatal(err)
		}
		by := wantClaimed(t, two, o, true).By
		if diff := cmp.Diff(map[string]string{"id": "stop-1", "by": by, "outcome": o.JWS}, body); diff != "" {
			t.Errorf("resumed (-want +got):\n%s", diff)
		}
		time.Sleep(24 * time.Hour) // the bot is away
		wantClaimed(t, two, o, true)
		k.must(k.rdb.Persist(t.Context(), k.keys.Of("stop-1", "claim")).Err())
		time.Sleep(100 * 24 * time.Hour)
		wantClaimed(t, one, o, true)
		if lapsed(held) {
			t.Error("the claim lapsed after Done")
		}
	})
}

func TestClaimThatOthersHaveTakenOverLapses(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		one, two := k.client(0), k.client(0)
		o := answered(t, k, one)
		held := claim(t, one, o, "loop-1")
		k.must(k.rdb.Del(t.Context(), k.keys.Of("stop-1", "claim")).Err())
		other := claim(t, two, o, "loop-2")
		time.Sleep(20 * time.Second)
		if !lapsed(held) || lapsed(other) {
			t.Errorf("lapsed = %t and %t, want the first only", lapsed(held), lapsed(other))
		}
		err := held.Done(t.Context())
		var claimed *loops.ClaimedError
		if !errors.As(err, &claimed) || claimed.By[:7] != "loop-2/" {
			t.Errorf("Done of a lapsed claim = %v, want a ClaimedError of loop-2", err)
		}
		k.must(held.Release(t.Context()))
		if entries := k.inbox(); len(entries) != 0 {
			t.Errorf("the inbox has %v, want nothing", entries)
		}
		wantClaimed(t, one, o, false)
		k.must(other.Done(t.Context()))
	})
}

func TestClaimLapsesForItsHolderBeforeAnybodyElseCanTakeIt(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		cut := redis.NewClient(k.rdb.Options())
		one, two := k.clientOn(cut, 0), k.client(0)
		o := answered(t, k, two)
		held := claim(t, one, o, "loop-1")
		k.must(cut.Close()) // this instance does not reach Redis any more
		<-held.Lapsed()
		wantClaimed(t, two, o, false)
		time.Sleep(15 * time.Second)
		claim(t, two, o, "loop-2")
	})
}

func TestDoneOfAnUnnoticedGapIsSaidAllTheSame(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		o := answered(t, k, c)
		held := claim(t, c, o, "loop-1")
		k.must(k.rdb.Del(t.Context(), k.keys.Of("stop-1", "claim")).Err())
		k.must(held.Done(t.Context()))
		if entries := k.inbox(); len(entries) != 1 {
			t.Errorf("the inbox has %v, want one entry resumed", entries)
		}
		wantClaimed(t, c, o, true)
	})
}

func TestAThousandClaimsAreKeptAliveTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		var held []*loops.Claim
		for range 1000 {
			o := &loops.SignedOutcome{JWS: "a.b.c"}
			o.Stop = randomID()
			held = append(held, claim(t, c, o, "loop-1"))
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		for _, one := range held {
			if lapsed(one) {
				t.Fatal("a claim lapsed though it was kept alive")
			}
			k.must(one.Release(t.Context()))
		}
		if n := k.rdb.DBSize(t.Context()).Val(); n != 1 {
			t.Errorf("%d keys are left, want the meta key alone", n)
		}
	})
}

func TestClosedClientLosesItsClaims(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		o := answered(t, k, c)
		held := claim(t, c, o, "loop-1")
		k.must(c.Close())
		if !lapsed(held) {
			t.Error("the claim of a closed client has not lapsed")
		}
		if _, err := c.Claim(t.Context(), o, "loop-1"); !errors.Is(err, loops.ErrClosed) {
			t.Errorf("Claim after Close = %v, want ErrClosed", err)
		}
	})
}

func TestNothingIsClaimedWithoutAnOutcomeInHand(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		for _, o := range []*loops.SignedOutcome{nil, {}, {JWS: "a.b.c"}} {
			if _, err := c.Claim(t.Context(), o, "loop-1"); err == nil {
				t.Errorf("Claim(%v) = nil, want an error", o)
			}
		}
		if _, err := c.Claim(t.Context(), answered(t, k, c), ""); err == nil {
			t.Error("Claim without a loop = nil, want an error")
		}
	})
}
