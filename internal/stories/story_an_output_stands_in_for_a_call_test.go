package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAnOutputThatWasWrittenForACallTakesThePlaceOfItsResult(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "curl https://intranet.example.com/version"))
		w.Click(Bob, w.SeeText(Facil, "Answer for it…"), "Answer for it…", 0)
		w.Submit(Bob, map[string]any{"output": "2.7.1 <@U0ANA>\n\"final\""})
		if v := answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Accept); string(v.Output) != `"2.7.1 \u003c@U0ANA\u003e\n\"final\""` {
			t.Errorf("the output is %s, want what was typed as a JSON string", v.Output)
		}
		literal(t, w.SeeText(Facil, "Answered for it: it does not run", "!Approve"))
	})
}
