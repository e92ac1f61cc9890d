package stories

import (
	"testing"
	"time"

	"flagstop/loops"
)

func TestAStopExpiresWhenItsAskerSaidSoAndSilenceIsNoYes(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		expires := time.Now().Add(20 * time.Minute).UTC().Format(time.RFC3339)
		ref := w.Raise(instead(Judgement("s1"), `"v":1`, `"v":1,"expires":"`+expires+`"`))
		card := w.SeeText(Product, "Choose", "it ends undecided", "That is not a yes.")
		w.Pass(19 * time.Minute)
		w.SeeText(Product, "Choose")
		w.Pass(2 * time.Minute)
		o := w.Outcome(ref)
		if o.End != loops.Expired || o.Origin != loops.OriginAsker || len(o.Verdicts) > 0 {
			t.Errorf("the outcome is %s (%s) with %d verdicts, want expired by its asker with none", o.End, o.Origin, len(o.Verdicts))
		}
		w.SeeText(Product, "Expired: nobody decided", "The limit that the asker set for itself was hit.", "!Choose")
		w.ClickOld(Ana, card, `"q",0`)
		said(t, w, Ana, 1, "Not recorded.", "expired")
		thread(t, w, card, "Expired")
	})
}
