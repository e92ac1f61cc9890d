package stories

import "testing"

func TestALeadWaitsWithItsAgentAndGivesNoVerdictMeanwhile(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		newLead(t, w, &b, "qa-automacao", "qa-performance-seguranca").start()
		suspended(t, w, "qa-automacao", compound)
		card := w.SeeText(Facil, "AGENTS.md", "Approve")
		leadWaits(t, w, 0)
		if s := saved(t, w, "qa-performance-seguranca"); s.Iteration != 0 {
			t.Error("the second agent began while the first one waited")
		}
		if got := w.Stop(StopOf(card)).Record.Loop.ID; got != "qa-automacao" {
			t.Errorf("the stop is of %q, want of the agent that proposed the call", got)
		}
		w.Click(Chi, card, "Approve", 0)
		s := verdict(t, w)
		if s.Verdict != "passed" || len(s.Findings) != 2 || len(s.Heard) != 1 || b.times(compound) != 1 {
			t.Errorf("the lead ended with %+v after %d runs, want passed, two findings, one stop heard of", s, b.times(compound))
		}
		w.SeeText(Facil, "went on", "!Decline…")
	})
}
