package stories

import "testing"

func TestTheSameAnswerOfAnotherPersonHasNoSecondEffect(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Click(Bob, card, "Approve", 0)
		w.Outcome(ref)
		w.ClickOld(Chi, card, `"run"`)
		said(t, w, Chi, 1, "Already recorded", "Approved")
		w.ClickOld(Bob, card, `"run"`)
		said(t, w, Bob, 1, "Already recorded", "Approved")
		if n := entries(w, "s1", "verdict"); n != 1 {
			t.Errorf("%d verdicts were recorded, want one", n)
		}
		w.SeeText(Facil, "answered")
	})
}
