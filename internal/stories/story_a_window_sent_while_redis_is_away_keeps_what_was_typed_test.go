package stories

import (
	"strings"
	"testing"

	"flagstop/loops"
)

func TestAWindowSentWhileRedisIsAwayKeepsWhatWasTyped(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "rm -rf build"))
		w.Click(Bob, w.SeeText(Facil, "Decline…"), "Decline…", 0)
		w.Shown()
		b.RedisAway(true)
		w.Submit(Bob, map[string]any{"reason": "Use make clean."})
		if got := w.Window(Bob); !strings.Contains(got, "Not recorded yet") || !strings.Contains(got, "Use make clean.") {
			t.Errorf("the window is %s, want one that says that it is not recorded yet and keeps what was typed", got)
		}
		b.RedisAway(false)
		if v := answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Decline); v.Message != "Use make clean." {
			t.Errorf("the reason is %q, want what was typed", v.Message)
		}
		said(t, w, Bob, 1, "Recorded.")
		w.SeeText(Facil, "Use make clean.", "!Approve")
		w.Close(Bob) // which is no dismissal
		w.Settle()
		if n := entries(w, "s1", "dismissed"); n != 0 {
			t.Errorf("%d dismissals were noted, want none", n)
		}
	})
}
