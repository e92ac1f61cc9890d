package stories

import (
	"testing"

	"flagstop/loops"
)

func TestAFactIsAcknowledgedAndNothingIsHedged(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(record(map[string]any{
			"v": 1, "id": "s1", "addressee": loops.Facilitator, "kind": "fact", "concern": "evidence",
			"loop": map[string]any{"id": "loop-s1", "repository": "acme/saudacao"},
			"questions": []any{map[string]any{
				"key": "q", "message": "The import finished with 12 rows left out.",
				"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{}},
			}},
		}))
		card := w.SeeText(Facil, "fact", "I have seen this", "!recommended")
		w.Click(Chi, card, "I have seen this", 0)
		answeredBy(t, w.Outcome(ref), Chi, "q", loops.Accept)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Facil, "Seen", "went on", "!I have seen this")
	})
}
