package stories

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flagstop/loops"
)

// form asks for one property of each type.
func form(id string) string {
	choice := []any{option("steps", "In steps", "A tenth at first."), option("once", "At once", ""), option("none", "None of these", "")}
	property := func(kind, title string, more ...any) map[string]any {
		p := map[string]any{"type": kind, "title": title}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	return record(map[string]any{
		"v": 1, "id": id, "addressee": loops.Facilitator, "kind": "judgement", "concern": "technique",
		"loop": map[string]any{"id": "loop-" + id, "repository": "acme/saudacao"},
		"questions": []any{map[string]any{
			"key": "q", "message": "The importer needs these limits before it can go on.", "null_option": "none",
			"requestedSchema": map[string]any{"type": "object", "required": []any{"a-text", "c-whole"}, "properties": map[string]any{
				"a-text":     property("string", "Text", "minLength", 2, "maxLength", 40),
				"b-number":   property("number", "Share", "minimum", 0, "maximum", 1),
				"c-whole":    property("integer", "Rows", "minimum", 1, "maximum", 10000),
				"d-email":    property("string", "Tell whom", "format", "email"),
				"e-uri":      property("string", "Where", "format", "uri"),
				"f-date":     property("string", "First day", "format", "date"),
				"g-moment":   property("string", "Start at", "format", "date-time"),
				"h-boolean":  property("boolean", "Only pretend"),
				"i-one":      property("string", "Roll-out", "oneOf", choice),
				"j-multiple": property("array", "Parts", "minItems", 1, "maxItems", 2, "items", map[string]any{"enum": []any{"a", "b", "c"}}),
			}},
		}},
	})
}

func TestAFormTakesEveryTypeOfInput(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(form("s1"))
		card := w.SeeText(Facil, "It asks for 10 things", "Answer…")
		w.Click(Bob, card, "Answer…", 0)
		start := time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
		w.Submit(Bob, map[string]any{
			"p0": "<!here> & `x`", "p1": "0.250", "p2": "0500", "p3": "ana@example.com", "p4": "https://example.com/a?b=c&d=e",
			"p5": "2026-12-24", "p6": start.Unix(), "p7": "false", "p8": "In steps", "p9": []string{"a", "c"},
		})
		v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		want := `{"a-text":"\u003c!here\u003e \u0026 ` + "`x`" + `","b-number":0.250,"c-whole":500,"d-email":"ana@example.com",` +
			`"e-uri":"https://example.com/a?b=c\u0026d=e","f-date":"2026-12-24","g-moment":"2026-12-24T18:00:00Z","h-boolean":false,` +
			`"i-one":"steps","j-multiple":["a","c"]}`
		if diff := cmp.Diff(want, string(v.Content)); diff != "" {
			t.Errorf("content (-want +got):\n%s", diff)
		}
		w.GoOn(ref, "loop-s1")
		m := w.SeeText(Facil, "Tell whom", "ana@example.com", "went on", "!Answer…")
		literal(t, m)
	})
}
