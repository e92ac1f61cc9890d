package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAQuestionIsDeclinedInTheMenuWithAReasonThatIsRequired(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Decline…"), "Decline…", 0)
		if faults := w.TurnedBack(Ana, map[string]any{"reason": "  \n "}); faults["reason"] == "" {
			t.Errorf("the faults are %q, want one at the reason", faults)
		}
		w.Submit(Ana, map[string]any{"reason": "Ask me when the redesign is done."})
		if v := answeredBy(t, w.Outcome(ref), Ana, "q", loops.Decline); v.Message != "Ask me when the redesign is done." {
			t.Errorf("the reason is %q", v.Message)
		}
		w.SeeText(Product, "Declined", "Ask me when the redesign is done.", "!Choose")
	})
}
