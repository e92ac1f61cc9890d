package stories

import "testing"

func TestALeadThatWasRestartedGoesOnWithTheAgentThatWaited(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		names := []string{"qa-first", "qa-automacao", "qa-third"}
		l := newLead(t, w, &b, names...).start()
		suspended(t, w, "qa-automacao", compound)
		card := w.SeeText(Facil, "Approve")
		l.kill()
		w.Click(Bob, card, "Approve", 0)
		w.SeeText(Facil, "not gone on yet")
		newLead(t, w, &b, names...).start()
		if s := verdict(t, w); s.Verdict != "passed" || len(s.Findings) != 3 {
			t.Errorf("the lead ended with %+v, want passed with three findings", s)
		}
		for _, call := range []string{"ls qa-first", compound, "ls qa-third"} {
			if n := b.times(call); n != 1 {
				t.Errorf("%q ran %d times, want once", call, n)
			}
		}
		w.SeeText(Facil, "went on")
	})
}
