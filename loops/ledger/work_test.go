package ledger

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// leased takes the lease on the only stop that is due.
func (k *room) leased(d time.Duration) Lease {
	k.t.Helper()
	leases, err := k.Lease(k.t.Context(), 10, d)
	ok(k.t, err)
	if len(leases) != 1 {
		k.t.Fatalf("leases = %+v, want one", leases)
	}
	return leases[0]
}

func (k *room) notDue() {
	k.t.Helper()
	leases, err := k.Lease(k.t.Context(), 10, time.Minute)
	ok(k.t, err)
	if len(leases) > 0 {
		k.t.Fatalf("leases = %+v, want none", leases)
	}
}

func (k *room) raised(id string) {
	k.t.Helper()
	k.do(id, Raise{Record: recordOf(k.t, withCalls(id, "a", "b"))})
}

func (k *room) behind() int64 {
	k.t.Helper()
	n, _, err := k.Behind(k.t.Context())
	ok(k.t, err)
	return n
}

func TestAStopLeavesWorkWhenItsNewestRevIsShown(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		k.raised("s")
		lease := k.leased(time.Minute)
		if lease.ID != "s" || lease.TakenOver || lease.Until.Sub(k.now()) < 50*time.Second {
			t.Errorf("lease = %+v", lease)
		}
		k.notDue()
		card := Card{Place: "asked", Channel: "C0FACIL", TS: "1.2", Rev: 1, Attempt: "x"}
		ok(t, k.SaveCard(t.Context(), lease, card))
		done, err := k.Shown(t.Context(), lease, 1)
		if err != nil || !done {
			t.Fatalf("Shown = %t, %v", done, err)
		}
		stop := k.read("s")
		if diff := cmp.Diff([]Card{card}, stop.State.Cards); diff != "" {
			t.Errorf("cards (-want +got):\n%s", diff)
		}
		k.notDue()
		if n := k.behind(); n != 0 {
			t.Errorf("%d behind", n)
		}
	})
}

func TestAStopThatMovedMeanwhileIsDueAgainAtOnce(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		lease := k.leased(time.Minute)
		k.do("s", answers(ana, accept(), "a"))
		k.notDue() // the lease is its owner's still
		done, err := k.Shown(t.Context(), lease, 1)
		if err != nil || done {
			t.Fatalf("Shown = %t, %v; want that it is behind again", done, err)
		}
		again := k.leased(time.Minute)
		if again.TakenOver || again.Fence <= lease.Fence {
			t.Errorf("lease = %+v after %+v", again, lease)
		}
		if _, err := k.Shown(t.Context(), again, 3); err == nil {
			t.Error("a rev that there never was is shown")
		}
		done, err = k.Shown(t.Context(), again, 2)
		if err != nil || !done {
			t.Errorf("Shown = %t, %v", done, err)
		}
	})
}

func TestALapsedLeaseIsTakenOverAndItsOwnerCanDoNothing(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		old := k.leased(20 * time.Millisecond)
		var taken Lease
		until(t, "it is taken over", func() bool {
			leases, err := k.Lease(t.Context(), 1, time.Minute)
			ok(t, err)
			if len(leases) == 1 {
				taken = leases[0]
			}
			return len(leases) == 1
		})
		if !taken.TakenOver || taken.Fence <= old.Fence {
			t.Errorf("lease = %+v after %+v", taken, old)
		}
		_, shown := k.Shown(t.Context(), old, 1)
		for what, err := range map[string]error{
			"shown":    shown,
			"card":     k.SaveCard(t.Context(), old, Card{Place: "asked"}),
			"postpone": k.Postpone(t.Context(), old, time.Now()),
		} {
			if !errors.Is(err, ErrLeaseLost) {
				t.Errorf("%s: %v, want ErrLeaseLost", what, err)
			}
		}
		if cards := k.read("s").State.Cards; len(cards) > 0 {
			t.Errorf("cards = %+v", cards)
		}
		ok(t, k.SaveCard(t.Context(), taken, Card{Place: "asked"}))
	})
}

func TestALeaseThatLapsedIsLostAlsoWhenNobodyTookIt(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		lease := k.leased(45 * time.Second)
		pause(t.Context(), 45*time.Second)
		if _, err := k.Shown(t.Context(), lease, 1); !errors.Is(err, ErrLeaseLost) {
			t.Errorf("err = %v, want ErrLeaseLost", err)
		}
	})
}

func TestAPostponedStopWaitsForItsMomentOrItsNextRev(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		ok(t, k.Postpone(t.Context(), k.leased(time.Minute), time.Now().Add(time.Hour)))
		k.notDue()
		pause(t.Context(), time.Hour)
		lease := k.leased(time.Minute)
		if lease.TakenOver {
			t.Error("a postponed stop counts as taken over")
		}
		ok(t, k.Postpone(t.Context(), lease, time.Now().Add(time.Hour)))
		k.do("s", Note{By: ana, Text: "moves nothing"})
		k.notDue()
		k.do("s", answers(ana, accept(), "a"))
		lease = k.leased(time.Minute)
		k.do("s", answers(ana, accept(), "b"))
		ok(t, k.Postpone(t.Context(), lease, time.Now().Add(time.Hour)))
		k.leased(time.Minute) // it moved while it was leased
	})
}

func TestATouchedStopIsShownAgainWithoutTheCardThatVanished(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		lease := k.leased(time.Minute)
		ok(t, k.SaveCard(t.Context(), lease, Card{Place: "asked", Channel: "C0A", TS: "1.1"}))
		ok(t, k.SaveCard(t.Context(), lease, Card{Place: "on call", Channel: "C0A", TS: "1.2"}))
		_, err := k.Shown(t.Context(), lease, 1)
		ok(t, err)
		ok(t, k.Touch(t.Context(), "s", "C0A", "1.2"))
		lease = k.leased(time.Minute)
		if cards := k.read("s").State.Cards; len(cards) != 1 || cards[0].Place != "asked" {
			t.Errorf("cards = %+v", cards)
		}
		ok(t, k.Touch(t.Context(), "s", "", "")) // while it is being shown
		done, err := k.Shown(t.Context(), lease, 1)
		if err != nil || done {
			t.Errorf("Shown = %t, %v; want that it is behind again", done, err)
		}
		k.leased(time.Minute)
		ok(t, k.Touch(t.Context(), "nobody's", "C0A", "1.1"))
	})
}

func TestBehindTellsSinceWhenTheOldestIs(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		if n, oldest, err := k.Behind(t.Context()); n != 0 || !oldest.IsZero() || err != nil {
			t.Errorf("Behind = %d, %v, %v", n, oldest, err)
		}
		start := time.Now()
		k.raised("s")
		pause(t.Context(), time.Minute)
		k.raised("t")
		for range 3 { // tries do not make it younger
			pause(t.Context(), time.Minute)
			leases, err := k.Lease(t.Context(), 10, time.Second)
			ok(t, err)
			for _, l := range leases {
				ok(t, k.Postpone(t.Context(), l, time.Now().Add(time.Second)))
			}
		}
		n, oldest, err := k.Behind(t.Context())
		if n != 2 || oldest.Sub(start).Abs() > time.Second || err != nil {
			t.Errorf("Behind = %d, %v, %v; want 2 since %v", n, oldest, err, start)
		}
	})
}

func TestALeaseTakesNoMoreThanIsAskedFor(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		for _, id := range numbered(10) {
			k.raised(id)
		}
		seen := map[string]bool{}
		for _, want := range []int{4, 4, 2, 0} {
			leases, err := k.Lease(t.Context(), 4, time.Minute)
			ok(t, err)
			for _, l := range leases {
				seen[l.ID] = true
			}
			if len(leases) != want {
				t.Errorf("%d leases, want %d", len(leases), want)
			}
		}
		if len(seen) != 10 {
			t.Errorf("seen = %v", seen)
		}
	})
}
