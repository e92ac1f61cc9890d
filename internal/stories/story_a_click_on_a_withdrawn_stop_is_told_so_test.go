package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAClickOnAWithdrawnStopIsToldSo(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Withdraw("s1", "The branch was merged <!channel>.")
		if o := w.Outcome(ref); o.End != loops.Withdrawn || o.Origin != loops.OriginAsker || len(o.Verdicts) > 0 {
			t.Errorf("the outcome is %s (%s) with %d verdicts, want withdrawn by the asker with none", o.End, o.Origin, len(o.Verdicts))
		}
		w.SeeText(Product, "Withdrawn by the asker", "The branch was merged", "!Choose")
		w.ClickOld(Ana, card, `"q",0`)
		said(t, w, Ana, 1, "Not recorded.", "withdrawn it")
		thread(t, w, card, "Withdrawn by the asker")
	})
}
