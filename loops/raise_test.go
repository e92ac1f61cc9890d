package loops_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
)

func raise(t *testing.T, c *loops.Client, rec []byte) loops.Ref {
	t.Helper()
	ref, err := c.Raise(t.Context(), rec)
	if err != nil {
		t.Fatal(err)
	}
	if want := refOf(t, rec); ref != want {
		t.Errorf("Raise = %v, want %v", ref, want)
	}
	return ref
}

func TestRaiseSaysTheBytesAsTheyAre(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		raise(t, k.client(0), rec)
		if diff := cmp.Diff([]entry{{"raise", string(rec), 2}}, k.inbox(), cmp.AllowUnexported(entry{})); diff != "" {
			t.Errorf("inbox (-want +got):\n%s", diff)
		}
	})
}

func TestRaisingTwiceIsOneStop(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		c := k.client(0)
		raise(t, c, rec)
		raise(t, c, rec)
		k.take()
		raise(t, c, rec)
		k.take()
		end := wait(t.Context(), c, rec)
		synctest.Wait()
		want(t, end, k.answer(refOf(t, rec)))
	})
}

func TestRecordWithFaultsIsNotRaised(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := []byte(strings.Replace(string(record("stop-1")), `"kind":"fact"`, `"kind":"guess"`, 1))
		_, err := k.client(0).Raise(t.Context(), rec)
		var faults *loops.FaultsError
		if !errors.As(err, &faults) || len(faults.Faults) != 1 || faults.Faults[0].Pointer != "/kind" {
			t.Errorf("Raise = %v, want one fault at /kind", err)
		}
		if entries := k.inbox(); len(entries) != 0 {
			t.Errorf("the inbox has %v, want nothing", entries)
		}
	})
}

func TestLostRaiseIsRaisedAgainEverMoreRarely(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		end := wait(t.Context(), k.client(0), rec)
		for _, step := range []struct {
			to      time.Duration
			raising int
		}{
			{59 * time.Second, 0},
			{61 * time.Second, 1},
			{2*time.Minute + 59*time.Second, 1},
			{3*time.Minute + 1*time.Second, 2},
			{24 * time.Hour, 27}, // after 1, 3, 7, 15, 31, 63 minutes, then every 64
		} {
			time.Sleep(step.to - time.Since(start(t)))
			synctest.Wait()
			if got := len(k.inbox()); got != step.raising {
				t.Errorf("after %v it was raised again %d times, want %d", step.to, got, step.raising)
			}
		}
		for _, e := range k.take() {
			if e.op != "raise" || e.body != string(rec) {
				t.Errorf("the inbox had %v, want the same bytes", e)
			}
		}
		time.Sleep(24 * time.Hour)
		if entries := k.inbox(); len(entries) != 0 {
			t.Errorf("what is known was raised again: %v", entries)
		}
		want(t, end, k.answer(refOf(t, rec)))
	})
}

// start is when every bubble's clock starts.
func start(t *testing.T) time.Time {
	t.Helper()
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
}

func TestStopThatVanishesIsRaisedAgainAtTheNextLook(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		end := wait(t.Context(), k.client(0), rec)
		time.Sleep(time.Hour)
		k.must(k.rdb.FlushDB(t.Context()).Err())
		time.Sleep(40 * time.Second)
		if got := k.take(); len(got) != 1 || got[0].body != string(rec) {
			t.Fatalf("the inbox had %v, want the same bytes once", got)
		}
		want(t, end, k.answer(refOf(t, rec)))
	})
}

func TestWaitWithoutTheBytesSaysThatNobodyKnows(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		began := time.Now()
		_, err := k.client(0).WaitRef(t.Context(), someRef)
		if !errors.Is(err, loops.ErrUnknown) {
			t.Errorf("WaitRef = %v, want ErrUnknown", err)
		}
		if took := time.Since(began); took < time.Minute || took > time.Minute+time.Second {
			t.Errorf("WaitRef took %v, want a minute: the raise may only be late", took)
		}
		if entries := k.inbox(); len(entries) != 0 {
			t.Errorf("the inbox has %v, want nothing", entries)
		}
	})
}

func TestIDThatOthersHaveTaken(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		mine, theirs := record("stop-1"), append(record("stop-1"), ' ')
		k.raise(theirs)
		c := k.client(0)
		got := <-wait(t.Context(), c, mine)
		var taken *loops.TakenError
		if !errors.As(got.err, &taken) || taken.Digest != digestOf(theirs) {
			t.Errorf("Wait before the refusal = %v, want a TakenError with their digest", got.err)
		}
		k.answer(refOf(t, theirs))
		got = <-wait(t.Context(), c, mine)
		if !errors.As(got.err, &taken) {
			t.Errorf("Wait where theirs is answered = %v, want a TakenError", got.err)
		}
		k.raise(mine)
		got = <-wait(t.Context(), c, mine)
		if _, ok := errors.AsType[*loops.RefusedError](got.err); !ok {
			t.Errorf("Wait after the refusal = %v, want a RefusedError", got.err)
		}
	})
}

func TestRefusalEndsTheWaitWithItsProblems(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		c := k.client(time.Hour)
		ref := raise(t, c, rec)
		end := wait(t.Context(), c, rec)
		synctest.Wait()
		wantWaiting(t, end)
		k.refuse(ref)
		synctest.Wait()
		got := <-end
		var refused *loops.RefusedError
		if !errors.As(got.err, &refused) || len(refused.Problems) != 1 {
			t.Errorf("Wait = %v, want a RefusedError with one problem", got.err)
		}
	})
}

func TestOldRefusalSaysNothingAboutANewRaise(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		c := k.client(0)
		k.refuse(refOf(t, rec))
		raise(t, c, rec) // the operator has added the role meanwhile
		end := wait(t.Context(), c, rec)
		time.Sleep(5 * time.Second)
		wantWaiting(t, end)
		k.take()
		time.Sleep(time.Hour)
		wantWaiting(t, end)
		want(t, end, k.answer(refOf(t, rec)))
	})
}

func TestRefusedAgainIsANewRefusal(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		c := k.client(0)
		k.refuse(refOf(t, rec))
		raise(t, c, rec)
		end := wait(t.Context(), c, rec)
		time.Sleep(5 * time.Second)
		k.refuse(refOf(t, rec))
		synctest.Wait()
		var refused *loops.RefusedError
		if got := <-end; !errors.As(got.err, &refused) {
			t.Errorf("Wait = %v, want a RefusedError", got.err)
		}
	})
}

func TestOpenStopIsNotRefusedByAnOlderRefusal(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		k.refuse(refOf(t, rec))
		end := wait(t.Context(), k.client(0), rec)
		time.Sleep(time.Hour)
		wantWaiting(t, end)
		want(t, end, k.answer(refOf(t, rec)))
	})
}

func TestWithdrawAndCompleteSayWhatTheContractSays(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		k.must(c.Withdraw(t.Context(), "stop-1", "not needed any more"))
		k.must(c.Withdraw(t.Context(), "stop-1", ""))
		k.must(c.Complete(t.Context(), "stop-1"))
		want := []entry{
			{"withdraw", `{"id":"stop-1","reason":"not needed any more"}`, 2},
			{"withdraw", `{"id":"stop-1"}`, 2},
			{"completed", `{"id":"stop-1"}`, 2},
		}
		if diff := cmp.Diff(want, k.inbox(), cmp.AllowUnexported(entry{})); diff != "" {
			t.Errorf("inbox (-want +got):\n%s", diff)
		}
		for _, id := range []string{"", "a b", "a}", strings.Repeat("a", 65)} {
			if c.Withdraw(t.Context(), id, "") == nil || c.Complete(t.Context(), id) == nil {
				t.Errorf("an id %q was accepted", id)
			}
		}
	})
}

func TestClientIsNotMadeWhereItCouldNotWork(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		keys := keysOf(t, k.signer)
		if _, err := loops.NewClient(t.Context(), loops.Options{Redis: k.rdb, Keys: keys, Prefix: "other"}); !errors.Is(err, loops.ErrNoBot) {
			t.Errorf("NewClient(no bot) = %v, want ErrNoBot", err)
		}
		for name, o := range map[string]loops.Options{
			"no redis":  {Keys: keys},
			"no keys":   {Redis: k.rdb},
			"bad names": {Redis: k.rdb, Keys: keys, Prefix: "f}s"},
		} {
			if _, err := loops.NewClient(t.Context(), o); err == nil {
				t.Errorf("NewClient(%s) = nil, want an error", name)
			}
		}
		k.must(k.rdb.HSet(t.Context(), "bad:meta", "partitions", "many").Err())
		if _, err := loops.NewClient(t.Context(), loops.Options{Redis: k.rdb, Keys: keys, Prefix: "bad"}); err == nil || errors.Is(err, loops.ErrNoBot) {
			t.Errorf("NewClient(partitions many) = %v, want another error", err)
		}
	})
}
