package stories

import (
	"strings"
	"testing"

	"flagstop/loops"
)

func TestFaultsOfAFormAreShownAtTheirFieldsAndNothingIsLost(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(instead(form("s1"), `"maximum":1,`, `"maximum":1e0,`))
		w.Click(Bob, w.SeeText(Facil, "Answer…"), "Answer…", 0)
		faults := w.TurnedBack(Bob, map[string]any{"p0": "typed once", "p1": "7", "p2": "7", "p9": []string{"a", "b", "c"}})
		if faults["p1"] == "" || faults["p9"] == "" || len(faults) != 2 {
			t.Errorf("the faults are %q, want one at the share and one at the parts", faults)
		}
		if got := w.Window(Bob); !strings.Contains(got, "typed once") {
			t.Error("what was typed is not in the window any more")
		}
		untouched(t, w, "s1")
		w.Submit(Bob, map[string]any{"p1": "0.7", "p9": []string{"a", "b"}})
		answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		w.SeeText(Facil, "answered", "!Answer…")
	})
}
