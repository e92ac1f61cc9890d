package stories

import (
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestAStopIsSnoozedOnItsCard(t *testing.T) {
	tell(t, Options{Config: inTurns, Workspace: inKathmandu}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		snooze := func(choice string) {
			w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
			w.Submit(Bob, map[string]any{"snooze": choice})
		}
		snooze("4h")
		card := w.SeeText(Facil, "Snoozed until", "It can be answered all the same", "Approve")
		s := w.Stop("s1")
		if d := s.State.Snoozed.Sub(s.Log[len(s.Log)-1].At); d > 4*time.Hour || d < 4*time.Hour-time.Second {
			t.Errorf("it is snoozed for %s", d)
		}
		snooze("tomorrow")
		w.Until(func() bool { return w.Stop("s1").State.Snoozed.Format("15:04") == "03:15" }, "9 in the morning in Kathmandu")
		w.Shown()
		w.Click(Chi, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Chi, "call_a", loops.Accept)
		w.SeeText(Facil, "Approved", "!Snoozed until")
		thread(t, w, card, "Snoozed until", "Snoozed until", "Approved")
	})
}

func TestASnoozeThatIsOverIsNotShownAnyMore(t *testing.T) {
	tellLong(t, Options{Config: inTurns}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		w.Submit(Bob, map[string]any{"snooze": "1h"})
		w.SeeText(Facil, "Snoozed until")
		w.Pass(2 * time.Hour)
		w.Click(Bob, w.SeeText(Facil, "Approve"), "I’m on it", 0)
		w.SeeText(Facil, "is on it since", "!Snoozed until")
	})
}

func TestWhatNothingWouldHappenToIsNotSnoozed(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		if window := w.Window(Bob); !textShows(window, "Give it to another role", "!Snooze it") {
			t.Errorf("the window offers %s", window)
		}
		w.Close(Bob)
		untouched(t, w, "s1")
		if n := entries(w, "s1", ledger.DismissedEntry); n != 0 {
			t.Errorf("%d dismissals of a window that asks no question", n)
		}
	})
}
