package stories

import (
	"errors"
	"testing"

	"flagstop/loops"
)

func TestABatchKeepsPartialVerdictsAndItsLoopResumesOnce(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "git fetch", "git rebase", "git push"))
		card := w.SeeText(Facil, "3 calls", "git fetch", "git rebase", "git push")
		w.Click(Bob, card, "Approve", 1)
		w.SeeText(Facil, "1 of 3 decided")
		if _, err := w.Loops.Get(t.Context(), ref); !errors.Is(err, loops.ErrOpen) {
			t.Errorf("after one of three the loop sees %v, want %v", err, loops.ErrOpen)
		}
		w.Click(Chi, card, "Decline…", 1) // the second that is left
		w.Submit(Chi, map[string]any{"reason": "Not before noon."})
		w.SeeText(Facil, "2 of 3 decided", "Not before noon.")
		w.Click(Bob, card, "Approve always", 0)
		o := w.Outcome(ref)
		answeredBy(t, o, Bob, "call_b", loops.Accept)
		if v := answeredBy(t, o, Chi, "call_c", loops.Decline); v.Message != "Not before noon." {
			t.Errorf("the reason is %q", v.Message)
		}
		if v := answeredBy(t, o, Bob, "call_a", loops.Accept); v.Span != loops.Always {
			t.Errorf("the first call was approved for %q, want always", v.Span)
		}
		w.GoOn(ref, "loop-s1")
		w.SeeText(Facil, "went on", "!Decline…")
		thread(t, w, card, "2 of 3", "3 of 3", "1 of 3", "All 3 calls have a verdict", "went on")
	})
}
