package stories

import "testing"

func TestALeadWhoseStopWasWithdrawnNamesTheAskerAndNotInfrastructure(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		newLead(t, w, &b, "qa-automacao").start()
		suspended(t, w, "qa-automacao", compound)
		w.SeeText(Facil, "Approve")
		w.Withdraw("qa-automacao-1", "the branch is gone")
		if s := verdict(t, w); s.Verdict != "blocked" || s.Origin != "asker" {
			t.Errorf("the lead says %s because of %q, want blocked by the asker", s.Verdict, s.Origin)
		}
		w.SeeText(Facil, "Withdrawn", "the branch is gone", "!Approve")
	})
}
