package stories

import (
	"testing"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestContentThatSlackRefusesIsSentPlainAndCanBeAnsweredOnTheCommandLine(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.Refusals("invalid_blocks")
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Error: "invalid_blocks"})
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.SeeText(Product, "Should these two mean different things?", "flagstop answer", "!Choose")
		_, _, err := w.Ledger.Do(t.Context(), "s1", ledger.Answer{
			By:       loops.By{ID: "cli:ana@desk", Role: loops.ProductThinker, Through: "cli"},
			Verdicts: map[string]loops.Verdict{"q": {Action: loops.Accept, Content: []byte(`{"answer":"both"}`)}},
		})
		w.must(err)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "Keep both", "went on")
	})
}
