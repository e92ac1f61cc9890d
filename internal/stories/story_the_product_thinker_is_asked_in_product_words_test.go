package stories

import "testing"

// Story 5 of the cases.
func TestTheProductThinkerSeesOptionsWithExamplesAndNoneIsPreferred(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("pt"))
		card := w.SeeText(Product,
			"◆ Product thinker", "judgement", "trade-off",
			"A person can close a question without answering, or say no to it. Should these two mean different things?",
			"Keep both", "Closing leaves it open; no ends it.", "Keep only no", "Whoever closes it is asked again.", "None of these",
			"Nothing is recommended. The order is the asker’s.", "!primary", "!danger", "!ecommended)",
		)
		w.Click(Ana, card, "Choose", 2)
		o := w.Outcome(ref)
		if got := string(o.Verdicts["q"].Content); got != `{"answer":"none"}` {
			t.Errorf("content = %s, want the null answer: an option, never a dismissal", got)
		}
		w.GoOn(ref, "loop-pt")
		w.SeeText(Product, "None of these", "went on", "!Choose")
	})
}
