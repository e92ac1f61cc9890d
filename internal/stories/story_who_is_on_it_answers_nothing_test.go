package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestWhoIsOnItAnswersNothing(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		asked := w.SeeText(Facil, "Approve", "I’m on it")
		w.Click(Bob, asked, "I’m on it", 0)
		card := w.SeeText(Facil, "is on it since", "Let go of it", "Approve")
		if s := w.Stop("s1").State; s.Phase != ledger.Open || s.Taken == nil || len(s.Verdicts) > 0 {
			t.Errorf("it is %s, taken %+v", s.Phase, s.Taken)
		}
		w.ClickOld(Chi, asked, `"take"`) // what Chi saw has changed
		said(t, w, Chi, 1, "Not recorded. The card has changed since you looked.", "is on it since")
		w.Click(Chi, card, "Let go of it", 0)
		card = w.SeeText(Facil, "I’m on it", "!is on it since")
		w.Click(Chi, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Chi, "call_a", loops.Accept)
		w.SeeText(Facil, "Approved", "!I’m on it")
		thread(t, w, card, "is on it", "Nobody is on it any more", "Approved")
	})
}
