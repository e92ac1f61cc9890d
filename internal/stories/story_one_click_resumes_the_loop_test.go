package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAStopIsShownAndOneClickResumesItsLoop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Keep both", "Choose", "Nothing is recommended", "If nobody answers, it waits")
		w.Click(Ana, card, "Choose", 0)
		o := w.Outcome(ref)
		if o.End != loops.Answered || o.Origin != loops.OriginPerson || o.By.ID != "slack:T0LOCAL/U0ANA" || o.By.Role != loops.ProductThinker {
			t.Errorf("outcome = %s by %+v (%s), want answered by Ana as product thinker", o.End, o.By, o.Origin)
		}
		if got := string(o.Verdicts["q"].Content); got != `{"answer":"both"}` {
			t.Errorf("content = %s, want the first option", got)
		}
		w.SeeText(Product, "answered", "not gone on yet", "!Choose")
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "went on", "!Choose")
	})
}
