package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAnOldCardsClickCountsWhileItsQuestionHasNoVerdict(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls", "pwd"))
		old := w.SeeText(Facil, "Approve")
		w.Click(Bob, old, "Approve", 0)
		w.SeeText(Facil, "1 of 2")
		w.ClickOld(Chi, old, `"call_b","run"`)
		o := w.Outcome(ref)
		answeredBy(t, o, Bob, "call_a", loops.Accept)
		answeredBy(t, o, Chi, "call_b", loops.Accept)
		w.SeeText(Facil, "answered", "!Decline…")
	})
}
