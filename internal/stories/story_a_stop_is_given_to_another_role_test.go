package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
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
		said(t, w, Bob, 1, "Recorded. That answers nothing")
		if entries(w, "s1", ledger.NoteEntry) != 1 {
			t.Error("the note is not in the log once")
		}
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

func TestAStopThatMovesOnHasACardWhereverItWas(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		give := func(user, channel, role string, shows ...string) {
			w.Click(user, w.SeeText(channel, shows...), "More…", 0)
			w.Submit(user, map[string]any{"role": role})
		}
		give(Ana, Product, "security", "Choose")
		give(Eve, Security, loops.Facilitator, "Asked first in", "now with", "Choose")
		give(Bob, Facil, loops.ProductThinker, "Asked first in", "now with", "Choose")
		w.SeeText(Security, "With the", "Choose", "!now with")
		w.SeeText(Facil, "With the", "Choose", "!now with")
		w.Click(Eve, w.Slack.Messages(Security)[0], "Choose", 0)
		said(t, w, Eve, 1, "You may not answer this one") // it was theirs once
		w.Click(Ana, w.SeeText(Product, "gave it to them", "!now with"), "Choose", 2)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		for _, channel := range []string{Product, Security, Facil} {
			w.SeeText(channel, "Answered", "!Choose", "!More…")
		}
	})
}

func TestWhatIsNoAnswerIsToldThatAStopWasWithdrawn(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls", "pwd"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "Approve", 0)
		card := w.SeeText(Facil, "1 of 2 decided")
		w.Withdraw("s1", "The branch is gone.")
		w.SeeText(Facil, "Withdrawn by the asker")
		w.ClickOld(Chi, card, `"take"`)
		said(t, w, Chi, 1, "Not recorded.", "The asker has withdrawn it", "!answered first")
	})
}
