package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestNotMineToAnswerMovesTheStopToTheFacilitator(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Not mine to answer", 0)
		first := w.SeeText(Product, "With the", "said that it is not for the product thinker to answer", "Choose")
		second := w.SeeText(Facil, "Asked first in", "Choose", "!Not mine to answer")
		if s := w.Stop("s1").State; s.Holder != loops.Facilitator || s.NotMine == nil || s.NotMine.From != loops.ProductThinker {
			t.Errorf("it is with %s: %+v", s.Holder, s.NotMine)
		}
		w.Click(Bob, second, "Choose", 0)
		answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		w.SeeText(Product, "Answered", "!Choose")
		w.SeeText(Facil, "Answered", "!Choose")
		thread(t, w, first, "said that it is not for the product thinker to answer", "Keep both")
		thread(t, w, second, "said that it is not for the product thinker to answer", "Keep both")
	})
}

func TestAStopThatMovedIsStillAnsweredByWhoWasAsked(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Not mine to answer", 0)
		w.SeeText(Facil, "Choose")
		w.Click(Ana, w.SeeText(Product, "With the", "Choose"), "Choose", 1)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		w.SeeText(Facil, "Answered", "!Choose")
		if entries(w, "s1", ledger.NotMineEntry) != 1 {
			t.Error("what was not theirs is not in the log once")
		}
	})
}

func TestAStrangerGivesNothingAway(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		for i, item := range []string{"Not mine to answer", "I’m on it"} {
			w.Click(Mallory, card, item, 0)
			said(t, w, Mallory, i+1, "You may not answer this one")
		}
		untouched(t, w, "s1")
	})
}
