package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// page is a stop in URL mode.
func page(id string) string {
	return record(map[string]any{
		"v": 1, "id": id, "addressee": loops.Facilitator, "kind": "judgement", "concern": "permission",
		"loop": map[string]any{"id": "loop-" + id, "repository": "acme/saudacao"},
		"questions": []any{map[string]any{
			"key": "q", "message": "Sign in to the deploy console so that the loop may use it for this release.", "mode": "url",
			"url": "https://console.example.com/device?code=ABCD-EFGH",
		}},
	})
}

func TestAPageIsFinishedByItsPersonsWordAndByNothingElse(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(page("s1"))
		card := w.SeeText(Facil, "console.example.com", "I have finished")
		w.Shown()
		w.Click(Bob, card, "Open console.example.com", 0)
		w.must(w.Loops.Complete(t.Context(), "s1")) // the page says so itself
		w.SeeText(Facil, "That answers nothing: say so yourself.", "I have finished")
		if s := w.Stop("s1").State; s.Phase != ledger.Open || len(s.Verdicts) > 0 {
			t.Errorf("the stop is %s, want open: neither opening the page nor the page's word is an answer", s.Phase)
		}
		w.Click(Bob, card, "I have finished", 0)
		if v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept); v.Content != nil {
			t.Errorf("the content is %s, want none", v.Content)
		}
		w.SeeText(Facil, "Finished", "!I have finished")
	})
}
