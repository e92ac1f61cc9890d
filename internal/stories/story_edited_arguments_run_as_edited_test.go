package stories

import (
	"testing"

	"flagstop/loops"
)

func TestArgumentsThatWereEditedAreCheckedAndReachTheLoopAsEdited(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		schema := `{"type":"object","required":["command"],"properties":{"command":{"type":"string","maxLength":12}}}`
		ref := w.Raise(instead(Calls("s1", "ls -la"), `"name":"terminal"`, `"name":"terminal","schema":`+schema))
		w.Click(Bob, w.SeeText(Facil, "Edit…"), "Edit…", 0)
		for _, wrong := range []string{`{nonsense`, `[]`, `“x”`, `{"command":7}`, `{"command":"ls -la --all --recursive"}`} {
			if faults := w.TurnedBack(Bob, map[string]any{"arguments": wrong}); faults["arguments"] == "" {
				t.Errorf("for %s the faults are %q, want one at the arguments", wrong, faults)
			}
		}
		untouched(t, w, "s1")
		w.Submit(Bob, map[string]any{"arguments": `{"id": 9007199254740993, "command": "ls"}`})
		if v := answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Accept); string(v.Arguments) != `{"id":9007199254740993,"command":"ls"}` {
			t.Errorf("the arguments are %s, want them as they were typed, but for space", v.Arguments)
		}
		w.SeeText(Facil, "Approved as edited", "9007199254740993", "!Edit…")
	})
}
