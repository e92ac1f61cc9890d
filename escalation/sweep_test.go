package escalation

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/embedded"
	"flagstop/loops"
	"flagstop/loops/ledger"

	"github.com/redis/go-redis/v9"
)

// shop is a ledger in a bubble whose stops have a policy, and a sweeper. The bubble's clock begins at midnight UTC of
// Saturday, 1 January 2000.
type shop struct {
	*Sweeper
	t      *testing.T
	redis  *redis.Client
	policy Policy
	clock  func(time.Time) // sets Redis's
	said   bytes.Buffer
}

func inShop(t *testing.T, p Policy, partitions int, test func(*shop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &shop{t: t, policy: p}
		x.redis, x.clock = embedded.WithClock(t)
		private, _, err := loops.GenerateKey()
		x.ok(err)
		signer, err := loops.NewSigner(private)
		x.ok(err)
		config := house(t)
		role := config.Roles[loops.Facilitator]
		role.Fallback = []string{"U0FALL"} // the rotation begins in 2026
		config.Roles[loops.Facilitator] = role
		book := func() Book {
			return Book{Config: config, Policies: map[string]Policy{"": x.policy}}
		}
		l, err := ledger.Start(t.Context(), ledger.Options{
			Redis: x.redis, Partitions: partitions, Signer: signer,
			Policy: func(r *loops.Record) string { return book().Name(r) },
			Due:    func(s ledger.Stop) time.Time { return book().Next(s) },
		})
		x.ok(err)
		x.Sweeper = &Sweeper{Ledger: l, Book: book, Log: slog.New(slog.NewTextHandler(&x.said, nil))}
		test(x)
	})
}

func (x *shop) ok(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *shop) raise(id string) {
	x.t.Helper()
	x.do(id, ledger.Raise{Record: record(x.t, map[string]any{"id": id}), Policy: x.policy.ID()})
	x.do(id, ledger.Visible{})
}

func (x *shop) do(id string, c ledger.Command) {
	x.t.Helper()
	_, _, err := x.Ledger.Do(x.t.Context(), id, c)
	x.ok(err)
}

func (x *shop) read(id string) ledger.Stop {
	x.t.Helper()
	s, err := x.Ledger.Read(x.t.Context(), id)
	x.ok(err)
	return s
}

func (x *shop) sweeps() int {
	x.t.Helper()
	n, err := x.Sweep(x.t.Context())
	x.ok(err)
	return n
}

func (x *shop) pass(d time.Duration) { <-time.After(d) }

func count(s ledger.Stop, kind ledger.EntryKind) (n int) {
	for _, e := range s.Log {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// TestManySweepersTakeOneStep is vector E7, over four partitions.
func TestManySweepersTakeOneStep(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}, Step{time.Hour, "lead"}), 4, func(x *shop) {
		for i := range 20 {
			x.raise(fmt.Sprint("s", i))
		}
		x.pass(time.Hour + 15*time.Minute)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if _, err := x.Sweep(x.t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for i := range 20 {
			if s := x.read(fmt.Sprint("s", i)); s.State.Holder != toFacilitator || count(s, ledger.EscalatedEntry) != 1 {
				t.Errorf("s%d is with %s after %d steps", i, s.State.Holder, count(s, ledger.EscalatedEntry))
			}
		}
	})
}

// TestASweeperWakesAtTheTick: nobody waits for the minute that is its safety.
func TestASweeperWakesAtTheTick(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{20 * time.Minute, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		x.pass(29*time.Minute + 55*time.Second) // its minutes do not fall on the tick
		ctx, cancel := context.WithCancel(x.t.Context())
		defer cancel()
		go x.Run(ctx)
		x.pass(5*time.Second + 50*time.Millisecond)
		s := x.read("s")
		if e := s.State.Timing.Escalation; e == nil || e.At.Sub(e.Due) > 20*time.Millisecond {
			t.Errorf("at the tick: %+v", e)
		}
	})
}

// TestAnAnswerAndAStepAtTheSameInstant: either may be first; there is one end, and the log says who was.
func TestAnAnswerAndAStepAtTheSameInstant(t *testing.T) {
	t.Parallel()
	first := map[string]int{}
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		const n = 1000
		for i := range n {
			x.raise(fmt.Sprint("s", i))
		}
		x.pass(time.Hour + 15*time.Minute)
		answer := ledger.Answer{By: ana, Verdicts: map[string]loops.Verdict{"q": {Action: loops.Accept, Content: []byte(`{"a":"yes"}`)}}}
		for i := range n {
			id := fmt.Sprint("s", i)
			stop := x.read(id)
			var wg sync.WaitGroup
			wg.Go(func() { _, _, _ = x.Ledger.Do(x.t.Context(), id, answer) })
			wg.Go(func() {
				if _, err := x.handle(x.t.Context(), stop); err != nil {
					t.Error(err)
				}
			})
			wg.Wait()
			s := x.read(id)
			if s.State.Phase != ledger.Answered || s.Outcome == "" || count(s, ledger.AnsweredEntry) != 1 || count(s, ledger.EscalatedEntry) > 1 {
				t.Fatalf("%s is %s with the outcome %q", id, s.State.Phase, s.Outcome)
			}
			first[map[bool]string{true: "the step", false: "the answer"}[count(s, ledger.EscalatedEntry) == 1]]++
		}
	})
	if first["the step"] == 0 || first["the answer"] == 0 {
		t.Errorf("who was first: %v, want both orders", first)
	}
}

func TestASweeperWithAnOldBookDoesNothing(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		x.pass(5 * time.Hour)
		x.Current = func(context.Context) bool { return false }
		if n := x.sweeps(); n != 0 || x.read("s").State.Holder != loops.ProductThinker {
			t.Errorf("%d changed", n)
		}
	})
}

// TestAPolicyIsRemovedAndAddedAgain: nothing is due without one, and nothing that was due before fires at once.
func TestAPolicyIsRemovedAndAddedAgain(t *testing.T) {
	t.Parallel()
	p := steps(t, "CRON_TZ=UTC 0 9 * * *", Step{time.Hour, toFacilitator})
	inShop(t, p, 1, func(x *shop) {
		due := func() int64 { return x.redis.ZCard(x.t.Context(), "{fs:0}:due").Val() }
		x.raise("s")
		x.policy = Policy{}
		x.ok(x.Adopt(x.t.Context()))
		if n := due(); n != 0 {
			t.Errorf("%d due without a policy", n)
		}
		x.pass(48*time.Hour + 10*time.Hour)
		x.policy = p
		x.ok(x.Adopt(x.t.Context()))
		if n := x.sweeps(); n != 0 || due() != 1 {
			t.Errorf("%d changed at 10:00, %d due", n, due())
		}
		x.pass(23 * time.Hour)
		if n := x.sweeps(); n != 1 {
			t.Errorf("%d changed at the next tick, want one", n)
		}
	})
}

func TestARepositoryWithoutAPolicyHasNothingDue(t *testing.T) {
	t.Parallel()
	inShop(t, Policy{}, 4, func(x *shop) {
		for i := range 20 {
			x.raise(fmt.Sprint("s", i))
		}
		keys, err := x.redis.Keys(x.t.Context(), "*:due").Result()
		x.ok(err)
		if len(keys) > 0 {
			t.Errorf("there is %v", keys)
		}
	})
}

// TestNobodyOnCallIsSaidOnce: the channel is told all the same, and the operator.
func TestNobodyOnCallIsSaidOnce(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, "nobody"}), 1, func(x *shop) {
		x.raise("s")
		x.pass(2 * time.Hour)
		x.sweeps()
		x.pass(2 * time.Hour)
		x.sweeps()
		if s := x.read("s"); s.State.Holder != "nobody" || strings.Count(x.said.String(), "nobody is on call") != 1 {
			t.Errorf("it is with %s; said:\n%s", s.State.Holder, x.said.String())
		}
	})
}

// TestAStopThatIsDueForNothingIsPutRight: somebody else's clock, or an old index, must not have it looked at for ever.
func TestAStopThatIsDueForNothingIsPutRight(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		x.ok(x.redis.ZAdd(x.t.Context(), "{fs:0}:due", redis.Z{Score: 1, Member: "s"}).Err())
		x.sweeps()
		n, oldest, err := x.Ledger.Overdue(x.t.Context(), 0)
		x.ok(err)
		if n != 0 {
			t.Errorf("%d overdue since %s", n, oldest)
		}
	})
}

// TestAPanicCostsOneSweep is vector K6.
func TestAPanicCostsOneSweep(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		book, calls := x.Book, 0
		x.Book = func() Book {
			if calls++; calls == 1 {
				panic("a fault of ours")
			}
			return book()
		}
		x.pass(2 * time.Hour)
		ctx, cancel := context.WithCancel(x.t.Context())
		defer cancel()
		go x.Run(ctx)
		x.pass(2 * time.Minute)
		if s := x.read("s"); s.State.Holder != toFacilitator || !strings.Contains(x.said.String(), "a sweep panicked") {
			x.t.Errorf("it is with %s; said: %s", s.State.Holder, x.said.String())
		}
	})
}

// TestRedissClockDecides is vector K7: it steps ahead two hours, and then back: what was due is done once, within a minute.
func TestRedissClockDecides(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}, Step{time.Hour, "lead"}), 1, func(x *shop) {
		x.raise("s")
		ctx, cancel := context.WithCancel(x.t.Context())
		defer cancel()
		go x.Run(ctx)
		start := time.Now()
		x.pass(time.Minute)
		x.clock(start.Add(2 * time.Hour))
		x.pass(time.Minute + time.Second)
		if s := x.read("s"); s.State.Holder != toFacilitator || count(s, ledger.EscalatedEntry) != 1 {
			x.t.Errorf("ahead: it is with %s after %d steps", s.State.Holder, count(s, ledger.EscalatedEntry))
		}
		x.clock(start.Add(time.Hour)) // back
		x.pass(10 * time.Minute)
		if s := x.read("s"); count(s, ledger.EscalatedEntry) != 1 {
			x.t.Errorf("back: %d steps", count(s, ledger.EscalatedEntry))
		}
		x.clock(start.Add(3*time.Hour + 15*time.Minute))
		x.pass(time.Minute + time.Second)
		if s := x.read("s"); s.State.Holder != "lead" {
			x.t.Errorf("ahead again: it is with %s", s.State.Holder)
		}
	})
}

// TestAWeekendWithoutTicks: what is due on Friday evening waits for Monday.
func TestAWeekendWithoutTicks(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, "CRON_TZ=UTC */15 9-17 * * mon-fri", Step{4 * time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s") // on Saturday at midnight
		ctx, cancel := context.WithCancel(x.t.Context())
		defer cancel()
		go x.Run(ctx)
		x.pass(57*time.Hour - time.Minute)
		if s := x.read("s"); s.State.Holder != loops.ProductThinker {
			x.t.Errorf("before Monday at nine it is with %s", s.State.Holder)
		}
		x.pass(time.Minute + time.Second)
		e := x.read("s").State.Timing.Escalation
		if e == nil || e.At.Weekday() != time.Monday || e.At.Hour() != 9 || e.At.Minute() != 0 {
			x.t.Errorf("%+v", e)
		}
	})
}

// TestWhoSaidThatTheyAreOnItBetweenTheReadAndTheWriteKeepsIt is vector E9.
func TestWhoSaidThatTheyAreOnItBetweenTheReadAndTheWriteKeepsIt(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		x.pass(2 * time.Hour)
		read := x.read("s")
		x.do("s", ledger.Take{By: ana})
		if _, err := x.handle(x.t.Context(), read); err != nil {
			x.t.Error(err)
		}
		if s := x.read("s"); s.State.Holder != loops.ProductThinker || s.State.Taken == nil || count(s, ledger.EscalatedEntry) != 0 {
			x.t.Errorf("it is with %s", s.State.Holder)
		}
	})
}

// TestAReloadAtTheTickLosesNothing is vector K10.
func TestAReloadAtTheTickLosesNothing(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 1, func(x *shop) {
		x.raise("s")
		x.pass(time.Hour + 500*time.Microsecond)
		x.ok(x.Adopt(x.t.Context()))
		if n := x.sweeps(); n != 1 || x.read("s").State.Holder != toFacilitator {
			x.t.Errorf("%d changed", n)
		}
	})
}

// TestWhatNobodyHandledIsOverdue: the auditor sees a due moment that sweeps pass by.
func TestWhatNobodyHandledIsOverdue(t *testing.T) {
	t.Parallel()
	inShop(t, steps(t, quarters, Step{time.Hour, toFacilitator}), 4, func(x *shop) {
		x.raise("s")
		x.pass(time.Hour + 4*time.Minute)
		for _, want := range []int64{0, 1} {
			n, oldest, err := x.Ledger.Overdue(x.t.Context(), 5*time.Minute)
			x.ok(err)
			if n != want || want == 1 && oldest.Minute() != 0 {
				x.t.Errorf("%d overdue since %s, want %d", n, oldest, want)
			}
			x.pass(time.Minute)
		}
		x.sweeps()
		if n, _, err := x.Ledger.Overdue(x.t.Context(), 0); err != nil || n != 0 {
			x.t.Errorf("%d overdue after a sweep: %v", n, err)
		}
	})
}
