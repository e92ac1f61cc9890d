package loops_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/redistest"
	"flagstop/loops"
)

var errOff = errors.New("switched off")

// suspendedAndAnswered is the stop "s" of a loop, with its outcome.
func suspendedAndAnswered(t testing.TB, k *keeper, c *loops.Client) loops.Ref {
	t.Helper()
	ref := suspend(t, c, record("s"), "as suspended")
	k.take()
	k.answer(ref)
	return ref
}

func TestOfTwoThatResumeAtOnceOneWinsAndTheOtherLearnsWhoAndSinceWhen(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		key := contextKey(t)
		one := k.loop(key)
		suspendedAndAnswered(t, k, one)
		since := time.Now()
		var ran atomic.Int32
		ends := make(chan error, 2)
		for _, c := range []*loops.Client{one, k.loop(key)} {
			go func() {
				ends <- c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error {
					ran.Add(1)
					time.Sleep(5 * time.Minute) // the lease is kept alive
					return nil
				})
			}()
		}
		claimed, ok := errors.AsType[*loops.ClaimedError](<-ends)
		if !ok || claimed.Resumed || !strings.HasPrefix(claimed.By, "loop-1/") || claimed.Since.Sub(since).Abs() > time.Second {
			t.Errorf("the loser is told %v, want who has it since %v", claimed, since)
		}
		k.must(<-ends)
		if n := ran.Load(); n != 1 {
			t.Errorf("%d instances went on, want one", n)
		}
		err := one.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error { return errors.New("a replay") })
		if claimed, ok := errors.AsType[*loops.ClaimedError](err); !ok || !claimed.Resumed {
			t.Errorf("a replay is told %v, want that it was resumed", err)
		}
	})
}

func TestWhoTakesALapsedClaimIsToldSoAndFindsTheJournal(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		key := contextKey(t)
		first, second := k.loop(key), k.loop(key)
		suspendedAndAnswered(t, k, first)
		since := time.Now()
		begun, late, dead := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		go func() {
			dead <- first.Resume(t.Context(), "s", func(ctx context.Context, r *loops.Resumption) error {
				k.must(r.Save(ctx, []byte("begun")))
				close(begun)
				<-late
				return r.Save(context.WithoutCancel(ctx), []byte("too late"))
			})
		}()
		<-begun
		k.must(first.Close()) // nobody keeps the claim alive
		time.Sleep(61 * time.Second)
		k.must(second.Resume(t.Context(), "s", func(_ context.Context, r *loops.Resumption) error {
			if r.Earlier == nil || !strings.HasPrefix(r.Earlier.By, "loop-1/") || r.Earlier.Since.Sub(since).Abs() > time.Second {
				t.Errorf("earlier = %v, want the one of %v", r.Earlier, since)
			}
			if string(r.Context) != "begun" {
				t.Errorf("the context is %q, want the journal", r.Context)
			}
			return nil
		}))
		close(late)
		if err := <-dead; err == nil {
			t.Error("the one whose claim lapsed was let save")
		}
	})
}

func TestAnErrorGivesTheClaimBackAndTheStopStaysOnTheList(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		suspendedAndAnswered(t, k, c)
		err := c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error { return errOff })
		if !errors.Is(err, errOff) || len(listed(t, c)) != 1 || len(k.inbox()) != 0 {
			t.Errorf("Resume = %v with %v on the list, want the error and the stop", err, listed(t, c))
		}
		k.must(c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error { return nil }))
	})
}

func TestARaiseThatNeverCameIsRaisedFromTheKeptBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		ref := suspend(t, c, record("s"), "x")
		k.must(k.rdb.Del(t.Context(), k.keys.In(k.keys.Partition("s"), "inbox")).Err())
		time.Sleep(20 * time.Hour)
		if got := listed(t, c); len(got) != 1 || got[0].Err != nil {
			t.Fatalf("Suspended = %v, want the stop", got)
		}
		if got := k.take(); len(got) != 1 || refOf(t, []byte(got[0].body)) != ref {
			t.Errorf("the inbox has %v, want the same bytes again", got)
		}
		if ttl := k.rdb.TTL(t.Context(), k.keys.Of("s", "context")).Val(); ttl != 24*time.Hour {
			t.Errorf("the context expires in %v, want a day from now", ttl)
		}
	})
}

func TestWhatNobodyKnowsAnyMoreIsTakenOffTheList(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		suspend(t, c, record("s"), "x")
		k.must(k.rdb.Del(t.Context(), k.keys.In(k.keys.Partition("s"), "inbox")).Err())
		time.Sleep(25 * time.Hour)
		if got := listed(t, c); len(got) != 0 {
			t.Errorf("Suspended = %v, want nothing", got)
		}
		if n := k.rdb.SCard(t.Context(), k.keys.In(k.keys.Partition("s"), "suspended:loop-1")).Val(); n != 0 {
			t.Error("it is still in the set")
		}
	})
}

func TestACrashAfterTheLoopSaidThatItWentOnIsMended(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		suspendedAndAnswered(t, k, c)
		k.must(c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error { return nil }))
		set := k.keys.In(k.keys.Partition("s"), "suspended:loop-1")
		k.must(k.rdb.SAdd(t.Context(), set, "s").Err()) // as if it had died before it was off the list
		if got := listed(t, c); len(got) != 0 || k.rdb.SCard(t.Context(), set).Val() != 0 {
			t.Errorf("Suspended = %v, want nothing", got)
		}
	})
}

func TestAKnownStopWithoutAContextSaysSo(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		suspendedAndAnswered(t, k, c)
		k.must(k.rdb.Del(t.Context(), k.keys.Of("s", "context")).Err())
		if got := listed(t, c); len(got) != 1 || !errors.Is(got[0].Err, loops.ErrNoContext) {
			t.Errorf("Suspended = %v, want it without a context", got)
		}
		err := c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error { return errOff })
		if !errors.Is(err, loops.ErrNoContext) {
			t.Errorf("Resume = %v, want ErrNoContext", err)
		}
		k.must(c.Forget(t.Context(), "loop-1", "s"))
		if got := listed(t, c); len(got) != 0 {
			t.Errorf("Suspended = %v after Forget", got)
		}
	})
}

func TestAForeignMemberOfTheSetIsNotBelieved(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		for p := range k.keys.Partitions {
			k.must(k.rdb.SAdd(t.Context(), k.keys.In(p, "suspended:loop-1"), "no id", "", "x}y", strings.Repeat("a", 65)).Err())
		}
		if got := listed(t, c); len(got) != 0 {
			t.Errorf("Suspended = %v, want nothing", got)
		}
	})
}

func TestOneProcessRunsALoopAndTheNextFindsWhatItSaved(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		key := contextKey(t)
		one, two := k.loop(key), k.loop(key)
		run := startLoop(t, one)
		k.must(run.Save(t.Context(), []byte("halfway")))
		time.Sleep(10 * time.Minute)
		_, err := two.Start(t.Context(), "a loop")
		if running, ok := errors.AsType[*loops.RunningError](err); !ok || !strings.HasPrefix(running.By, "a loop/") {
			t.Errorf("Start = %v, want who runs it", err)
		}
		k.must(one.Close())
		time.Sleep(61 * time.Second)
		next := startLoop(t, two)
		if got := string(next.Saved()); got != "halfway" {
			t.Errorf("saved is %q, want what the dead one saved", got)
		}
		if err := run.Save(t.Context(), []byte("of the dead")); err == nil {
			t.Error("a process whose lease lapsed was let save")
		}
		k.must(next.End(t.Context(), []byte("done")))
		k.must(next.Stop(t.Context()))
		if got := string(startLoop(t, two).Saved()); got != "done" {
			t.Errorf("saved is %q, want done", got)
		}
	})
}

func startLoop(t testing.TB, c *loops.Client) *loops.Run {
	t.Helper()
	run, err := c.Start(t.Context(), "a loop")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestWhatALoopSavedIsNotTakenForAnothers(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		run := startLoop(t, c)
		k.must(run.Save(t.Context(), []byte("mine")))
		k.must(run.Stop(t.Context()))
		text := k.rdb.Get(t.Context(), k.keys.Of("a loop", "saved")).Val()
		k.must(k.rdb.Set(t.Context(), k.keys.Of("another", "saved"), text, 0).Err())
		if _, err := c.Start(t.Context(), "another"); !isContextError(err) {
			t.Errorf("Start = %v, want a ContextError", err)
		}
		if n := k.rdb.Exists(t.Context(), k.keys.Of("another", "running")).Val(); n != 0 {
			t.Error("the lease was kept")
		}
	})
}

func isContextError(err error) bool {
	_, ok := errors.AsType[*loops.ContextError](err)
	return ok
}

func TestARunLapsesWithItsContextWhereRedisIsAway(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		run := startLoop(t, c)
		ctx, cancel := run.Context(t.Context())
		defer cancel()
		k.must(k.rdb.Set(t.Context(), k.keys.Of("a loop", "running"), "somebody else 2026-11-30T10:00:00Z", 0).Err())
		time.Sleep(16 * time.Second)
		synctest.Wait()
		if !errors.Is(context.Cause(ctx), loops.ErrLapsed) {
			t.Errorf("the context ended with %v, want ErrLapsed", context.Cause(ctx))
		}
		if err := run.Save(t.Context(), nil); err == nil {
			t.Error("it was let save")
		}
	})
}

// Fifty on a real server.
func TestFiftyThatResumeAtOnceOnARealServer(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, redistest.Start(t, redistest.Options{}).Client(t), 1)
	key := contextKey(t)
	suspendedAndAnswered(t, k, k.loop(key))
	var ran, told atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		c := k.loop(key)
		all.Go(func() {
			err := c.Resume(t.Context(), "s", func(ctx context.Context, r *loops.Resumption) error {
				ran.Add(1)
				return r.Save(ctx, []byte("on"))
			})
			if _, ok := errors.AsType[*loops.ClaimedError](err); ok {
				told.Add(1)
			}
		})
	}
	all.Wait()
	if ran.Load() != 1 || told.Load() != 49 {
		t.Errorf("%d went on and %d were told, want 1 and 49", ran.Load(), told.Load())
	}
}
