package stories

import (
	"errors"
	"testing"

	"flagstop/loops"
)

func TestAnIDThatOthersHaveTakenIsRefusedAndTheirStopStays(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Raise(Judgement("s1"))
		w.SeeText(Product, "Keep both")
		other := w.Raise(Calls("s1", "rm -rf build"))
		_, err := w.TryOutcome(other)
		_, taken := errors.AsType[*loops.TakenError](err)
		_, refused := errors.AsType[*loops.RefusedError](err)
		if !taken && !refused {
			t.Errorf("the second asker heard %v, want that the id is taken", err)
		}
		w.SeeText(Product, "Keep both", "Choose")
		untouched(t, w, "s1")
	})
}
