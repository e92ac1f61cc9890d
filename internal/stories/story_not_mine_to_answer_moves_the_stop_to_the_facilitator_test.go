package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
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

func TestWhatIsNotTheirsGoesWithANote(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "More…", 0)
		const note = "Ask <!channel> or <@U0EVE>, *not* me \u202eevorppA"
		w.Submit(Ana, map[string]any{"role": "@not-mine", "note": note})
		for _, channel := range []string{Product, Facil} {
			w.SeeText(channel, "said that it is not for the product thinker to answer", "&lt;!channel&gt; or &lt;@U0EVE&gt;, *not* me", "!\u202e")
		}
		literal(t, w.SeeText(Product))
		if s := w.Stop("s1").State; s.NotMine == nil || s.NotMine.Text != note || entries(w, "s1", ledger.NotMineEntry) != 1 {
			t.Errorf("it is kept as %+v", s.NotMine)
		}
		w.Click(Bob, w.SeeText(Facil, "Choose"), "More…", 0)
		if window := w.Window(Bob); !textShows(window, "security", "!Not mine to answer") {
			t.Errorf("whose it is now is offered %s", window)
		}
		w.Close(Bob)
	})
}

func TestWithoutAFacilitatorNothingIsTheirs(t *testing.T) {
	alone := func(c *routing.Config) { delete(c.Roles, loops.Facilitator) }
	tell(t, Options{Config: alone}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Not mine to answer", 0)
		said(t, w, Ana, 1, "Not recorded. There is no such role.", "It can go to: security.")
		untouched(t, w, "s1")
	})
}

func TestABotThatDiesBeforeItPostsTheSecondCardLeavesOne(t *testing.T) {
	tellLong(t, Options{Partitions: 4}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		died := b.DieAfter("held:" + loops.Facilitator)                          // it has said that it is going to post
		_ = w.Slack.As(Ana).Click(w.TB.Context(), card, "Not mine to answer", 0) // whose ack may not have left it
		<-died
		b.Stop()
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.Shown()
		w.Click(Bob, w.SeeText(Facil, "Asked first in", "Choose"), "Choose", 0)
		answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "went on", "!Choose")
		w.SeeText(Facil, "went on", "!Choose")
	})
}

func TestTwoBotsPostTheSecondCardsOnce(t *testing.T) {
	tell(t, Options{Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		for _, id := range []string{"s1", "s2", "s3"} {
			w.Raise(Judgement(id))
		}
		for _, card := range all(t, w, Product, 3, "Choose") {
			w.Click(Ana, card, "Not mine to answer", 0)
		}
		all(t, w, Facil, 3, "Asked first in", "Choose")
		all(t, w, Product, 3, "said that it is not for the product thinker to answer")
		w.Shown()
		w.Settle()
		w.See(Facil, 3)
	})
}
