package stories

import (
	"errors"
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestAClosedWindowIsNotedAndNeverReachesTheLoop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls", "pwd"))
		card := w.SeeText(Facil, "Decline…")
		w.Shown()
		w.Click(Bob, card, "Decline…", 1)
		w.Close(Bob)
		w.Until(func() bool { return entries(w, "s1", ledger.DismissedEntry) == 1 }, "the dismissal in the log")
		if e := w.Stop("s1").Log[1]; e.Key != "call_b" || e.By.ID != "slack:T0LOCAL/U0BOB" {
			t.Errorf("the dismissal is of %q by %+v, want of the second call by Bob", e.Key, e.By)
		}
		if _, err := w.Loops.Get(t.Context(), ref); !errors.Is(err, loops.ErrOpen) {
			t.Errorf("the loop sees %v, want %v", err, loops.ErrOpen)
		}
		untouched(t, w, "s1")
		if n := len(w.Slack.Calls("chat.update")); n != 0 {
			t.Errorf("the card was updated %d times, want never", n)
		}
	})
}
