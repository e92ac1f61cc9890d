package stories

import "testing"

func TestALeadKeepsWhatEarlierAgentsFoundWhileTheSecondOfThreeWaits(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		newLead(t, w, &b, "qa-first", "qa-automacao", "qa-third").start()
		suspended(t, w, "qa-automacao", compound)
		leadWaits(t, w, 1)
		w.Click(Bob, w.SeeText(Facil, "AGENTS.md", "Decline…"), "Decline…", 0)
		w.Submit(Bob, map[string]any{"reason": "Look into one directory at a time."})
		s := verdict(t, w)
		if s.Verdict != "passed" || len(s.Findings) != 3 || b.times("ls qa-first") != 1 || b.times(compound) != 0 {
			t.Errorf("the lead ended with %+v, want passed with three findings, nothing run twice, nothing declined run", s)
		}
		if got := saved(t, w, "qa-automacao").Lines[0].Result; got != "declined: Look into one directory at a time." {
			t.Errorf("the agent got %q, want the reason", got)
		}
		w.SeeText(Facil, "went on")
	})
}
