package stories

import (
	"maps"
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

func TestWhoMayOnlySeeAStopMayNoteSomething(t *testing.T) {
	tell(t, Options{Config: inTurns}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Mallory, w.SeeText(Facil, "Approve"), "More…", 0)
		if window := w.Window(Mallory); !textShows(window, "Note", "!Give it to another role", "!Snooze it") {
			t.Errorf("the window offers %s", window)
		}
		w.Submit(Mallory, map[string]any{"note": "It was I who changed that."})
		said(t, w, Mallory, 1, "Recorded. That answers nothing")
		untouched(t, w, "s1")
		if entries(w, "s1", ledger.NoteEntry) != 1 {
			t.Error("the note is not in the log once")
		}
	})
}

func TestWhoMayNoLongerGivesNothingAwayWhenTheWindowIsSent(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		w.Configure(func(c *routing.Config) {
			roles := maps.Clone(c.Roles)
			roles[loops.Facilitator] = routing.Role{Name: loops.Facilitator, Channel: Facil, Answerers: []string{Chi}}
			c.Roles = roles
		})
		w.Submit(Bob, map[string]any{"role": "security"})
		said(t, w, Bob, 1, "Not recorded. You may not answer this one.", "U0CHI")
		untouched(t, w, "s1")
	})
}

func TestAWindowSentWhileRedisIsAwayIsRecordedOnceItIsBack(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(instead(Calls("s1", "ls"), `"owner":"U0MALLORY"`, `"owner":""`))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "More…", 0)
		w.Shown()
		b.RedisAway(true)
		w.Submit(Bob, map[string]any{"role": "security", "note": "You hold the key."})
		said(t, w, Bob, 1, "It is not sure yet that it was recorded")
		b.RedisAway(false)
		w.SeeText(Facil, "gave it to them", "You hold the key.")
		w.SeeText(Security, "Asked first in")
		said(t, w, Bob, 2, "Recorded. That answers nothing")
		if n := entries(w, "s1", ledger.ReassignedEntry); n != 1 {
			t.Errorf("it was given away %d times", n)
		}
	})
}
