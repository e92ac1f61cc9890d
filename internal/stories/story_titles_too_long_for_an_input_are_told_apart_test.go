package stories

import (
	"strings"
	"testing"

	"flagstop/loops"
)

func TestTitlesThatAreTooLongForAnInputAreNumberedAndWholeAboveIt(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		long := strings.Repeat("x", 75)
		ref := w.Raise(record(map[string]any{
			"v": 1, "id": "s1", "addressee": loops.Facilitator, "kind": "judgement", "concern": "technique",
			"loop": map[string]any{"id": "loop-s1", "repository": "acme/saudacao"},
			"questions": []any{map[string]any{
				"key": "q", "message": "Which parts?",
				"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"parts": map[string]any{
					"type": "array", "title": strings.Repeat("t", 76), "items": map[string]any{"anyOf": []any{
						option("a", long+"a", ""), option("b", long+"b", ""),
					}},
				}}},
			}},
		}))
		w.Click(Bob, w.SeeText(Facil, "Answer…"), "Answer…", 0)
		if got := w.Window(Bob); !strings.Contains(got, long+"b") || !strings.Contains(got, `"2. xxx`) {
			t.Errorf("the window is %s, want numbered options, and both titles whole", got)
		}
		w.Submit(Bob, map[string]any{"p0": []string{"1"}})
		if v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept); string(v.Content) != `{"parts":["b"]}` {
			t.Errorf("content = %s, want the second part", v.Content)
		}
		w.SeeText(Facil, "answered", "!Answer…")
	})
}
