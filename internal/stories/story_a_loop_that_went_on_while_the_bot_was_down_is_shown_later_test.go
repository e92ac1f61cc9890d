package stories

import "testing"

func TestALoopThatWentOnWhileNoBotRanIsShownLater(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 1)
		w.SeeText(Product, "not gone on yet")
		w.Shown()
		b.Stop()
		w.GoOn(ref, "loop-s1")
		w.StartBot()
		w.SeeText(Product, "Keep only no", "went on")
	})
}
