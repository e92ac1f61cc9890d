package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAStopIsGivenToAnotherRole(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(instead(Calls("s1", "ls"), `"owner":"U0MALLORY"`, `"owner":""`))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		w.Submit(Bob, map[string]any{"role": "security", "note": "You hold the key <!channel> *now*."})
		w.SeeText(Facil, "gave it to them", "The facilitator may still answer", "&lt;!channel&gt; *now*")
		w.Click(Eve, w.SeeText(Security, "Asked first in", "Approve"), "Approve", 0)
		answeredBy(t, w.Outcome(ref), Eve, "call_a", loops.Accept)
		w.SeeText(Facil, "Approved")
		w.SeeText(Security, "Approved")
	})
}

func TestAStopIsNotGivenToWhomItCouldNotBeAddressed(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		if window := w.Window(Bob); !textShows(window, "security", "!product-thinker") {
			t.Errorf("the window offers %s", window)
		}
		w.Close(Bob)
		w.Type(Bob, Ops, "/stops reassign s1 "+loops.ProductThinker)
		said(t, w, Bob, 1, "Not recorded. That role cannot be asked this.")
		w.Type(Bob, Ops, "/stops reassign s1 nobody-here")
		said(t, w, Bob, 2, "Not recorded. There is no such role.", "security")
		untouched(t, w, "s1")
	})
}

func TestAWindowForWhatIsDoneLessOftenWantsAChoice(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		if faults := w.TurnedBack(Bob, map[string]any{}); faults["note"] == "" {
			t.Errorf("faults = %v, want one at the note", faults)
		}
		w.Submit(Bob, map[string]any{"note": "Looked at it twice."})
		w.Until(func() bool { return len(w.Stop("s1").Log) == 2 }, "a note in the log")
		untouched(t, w, "s1")
	})
}

func TestAWindowSentAfterTheStopWasAnsweredIsToldWhoWas(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Click(Bob, card, "More…", 0)
		w.Click(Chi, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Chi, "call_a", loops.Accept)
		w.Submit(Bob, map[string]any{"role": "security"})
		said(t, w, Bob, 1, "Not recorded.", "answered first", "Approved")
		w.SeeText(Facil, "Approved")
	})
}
