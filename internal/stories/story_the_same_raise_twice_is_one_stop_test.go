package stories

import "testing"

func TestTheSameBytesRaisedTwiceAreOneStop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.SeeText(Product, "Choose")
		if again := w.Raise(Judgement("s1")); again != ref {
			t.Errorf("the second raise is %v, want %v", again, ref)
		}
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		w.Raise(Judgement("s1")) // a loop that was restarted and does not know how far it was
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "went on")
	})
}
