package stories

import (
	"testing"
	"time"

	"flagstop/loops/ledger"
)

func TestAStrangersClickChangesNothingAndOnlyTheyAreTold(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		w.Click(Mallory, card, "Choose", 0)
		said(t, w, Mallory, 1, "Not recorded. You may not answer this one.", "Product thinker", "U0ANA")
		w.Click(Mallory, card, "Decline…", 0)
		said(t, w, Mallory, 2, "Not recorded. You may not answer this one.")
		if w.Window(Mallory) != "" {
			t.Error("a window was opened for a stranger")
		}
		untouched(t, w, "s1")
		w.Until(func() bool { return entries(w, "s1", ledger.TurnedAwayEntry) == 1 }, "the note of who was turned away, once a minute")
		if n := len(w.Slack.Calls("chat.update")); n != 0 {
			t.Errorf("the card was updated %d times, want never", n)
		}
	})
}

func TestAStrangerWhoComesAgainAMinuteLaterIsNotedAgain(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		for i := range 2 {
			w.Click(Mallory, card, "Choose", 0)
			said(t, w, Mallory, i+1, "You may not answer")
			w.Pass(61 * time.Second)
		}
		if n := entries(w, "s1", ledger.TurnedAwayEntry); n != 2 {
			t.Errorf("%d notes of who was turned away, want one a minute", n)
		}
	})
}
