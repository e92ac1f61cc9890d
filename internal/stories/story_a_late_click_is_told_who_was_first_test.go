package stories

import "testing"

func TestALateClickIsToldWhoAnsweredWhat(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Click(Chi, card, "Decline…", 0)
		w.Click(Bob, card, "Approve", 0)
		w.Outcome(ref)
		w.Submit(Chi, map[string]any{"reason": "Not now."}) // the window was open all the while
		said(t, w, Chi, 1, "Not recorded. bob answered first.", "Approved")
		w.ClickOld(Chi, card, `"decline"`)
		said(t, w, Chi, 2, "Not recorded. bob answered first.", "Approved")
		w.SeeText(Facil, "answered", "!Declined")
	})
}
