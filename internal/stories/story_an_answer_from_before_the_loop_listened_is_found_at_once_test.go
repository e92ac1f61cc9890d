package stories

import (
	"testing"
	"time"
)

// The second look after subscribing: what was published before it is in the keys by then.
func TestAnOutcomeThatCameWhileTheLoopWasSubscribingIsFoundAtOnce(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		w.SeeText(Product, "answered")
		loop := w.NewLoops(24 * time.Hour)
		start := time.Now()
		_, err := loop.WaitRef(t.Context(), ref)
		w.must(err)
		if took := time.Since(start); !w.real && took > 100*time.Millisecond {
			t.Errorf("it was found after %v, want at once", took)
		}
	})
}
