package stories

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"flagstop/loops"
)

// The ways of docs/reports.md in which others lost or mixed up answers.

func TestAlwaysOnOneCallAnswersNoOtherStop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		refs := map[string]loops.Ref{}
		for _, id := range []string{"s1", "s2", "s3"} {
			refs[id] = w.Raise(instead(Calls(id, "git fetch", "git fetch"), "loop-"+id, "loop-1"))
		}
		cards := all(t, w, Facil, 3, "Approve always")
		w.Shown()
		w.Click(Bob, cards[1], "Approve always", 0)
		id := StopOf(cards[1])
		w.Until(func() bool { return len(w.Stop(id).State.Verdicts) == 1 }, "the verdict on the first call of %s", id)
		for other := range refs {
			if other != id {
				untouched(t, w, other)
			}
		}
	})
}

func TestAnAnswerIsNotTakenForTheNextStopOfTheSameLoop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		same := func(id string) string { return instead(Judgement(id), "loop-"+id, "loop-1") }
		first := w.Raise(same("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		w.GoOn(first, "loop-1")
		w.SeeText(Product, "went on")
		second := w.Raise(same("s2"))
		cards := all(t, w, Product, 2, "different things")
		w.Shown()
		untouched(t, w, "s2")
		w.Click(Ana, cards[1], "Choose", 1)
		if v := answeredBy(t, w.Outcome(second), Ana, "q", loops.Accept); string(v.Content) != `{"answer":"no"}` {
			t.Errorf("the second answer is %s, want its own", v.Content)
		}
	})
}

func TestAClickAMonthAfterTheAnswerHasNoSecondEffect(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Click(Bob, card, "Approve", 0)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Facil, "went on")
		w.Shown()
		b.Stop()
		w.Pass(31 * 24 * time.Hour)
		w.StartBot()
		w.Connected()
		w.ClickOld(Bob, card, `"run"`)
		said(t, w, Bob, 1, "Already recorded")
		w.ClickOld(Chi, card, `"always"`)
		said(t, w, Chi, 1, "Not recorded", "bob answered first")
		if n := entries(w, "s1", "verdict"); n != 1 {
			t.Errorf("%d verdicts, want one", n)
		}
	})
}

func TestAStopThatExpiredWhileEverybodyWasDownIsHeardOfLater(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		expires := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		ref := w.Raise(instead(Judgement("s1"), `"v":1`, `"v":1,"expires":"`+expires+`"`))
		w.SeeText(Product, "Choose")
		w.Shown()
		b.Stop()
		w.Pass(5 * time.Hour)
		w.StartBot()
		if o := w.Outcome(ref); o.End != loops.Expired || o.Origin != loops.OriginAsker || len(o.Verdicts) > 0 {
			t.Errorf("the loop heard %s (%s) with %d verdicts, want expired with none", o.End, o.Origin, len(o.Verdicts))
		}
		w.SeeText(Product, "Expired: nobody decided", "!Choose")
	})
}

func TestThreeStopsAnsweredAtOnceAllResumeEachTime(t *testing.T) {
	t.Parallel()
	tellInMemory(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		for round := range 4 {
			refs := map[string]loops.Ref{}
			for i := range 3 {
				id := fmt.Sprintf("s%d-%d", round, i)
				refs[id] = w.Raise(Calls(id, "ls"))
			}
			cards := w.See(Facil, 3*(round+1))[3*round:]
			w.Shown()
			var clicks, loop sync.WaitGroup
			for id, ref := range refs {
				loop.Go(func() { w.GoOn(ref, "loop-"+id) })
			}
			for _, card := range cards {
				clicks.Go(func() { w.Click(Bob, card, "Approve", 0) })
			}
			clicks.Wait()
			loop.Wait()
			w.Shown()
			for id := range refs {
				if w.Stop(id).State.Resumed == nil {
					t.Fatalf("stop %s was answered and its loop did not go on", id)
				}
			}
		}
	})
}
