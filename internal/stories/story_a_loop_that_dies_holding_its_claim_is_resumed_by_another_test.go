package stories

import (
	"errors"
	"testing"
	"time"

	"flagstop/loops"
)

func TestALoopThatDiesHoldingItsClaimIsResumedByAnotherInstance(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		first := w.NewLoops(0)
		o := w.Outcome(ref)
		_, err := first.Claim(t.Context(), o, "loop-s1")
		w.must(err)
		claimed, ok := errors.AsType[*loops.ClaimedError](second(w, o))
		if !ok || claimed.Resumed || claimed.Since.IsZero() {
			t.Errorf("the second instance heard %v, want by whom and since when it is claimed", claimed)
		}
		w.must(first.Close()) // it dies, and its lease lapses
		w.Pass(61 * time.Second)
		w.SeeText(Product, "not gone on yet")
		w.must(second(w, o))
		w.SeeText(Product, "went on")
		if taken, ok := errors.AsType[*loops.ClaimedError](second(w, o)); !ok || !taken.Resumed {
			t.Errorf("a third instance heard %v, want that it was resumed already", taken)
		}
	})
}

// second has another instance of the loop take the outcome and go on.
func second(w *World, o *loops.SignedOutcome) error {
	claim, err := w.Loops.Claim(w.TB.Context(), o, "loop-s1")
	if err != nil {
		return err
	}
	return claim.Done(w.TB.Context())
}
