package stories

import (
	"slices"
	"testing"
)

func TestAGateOfThreeAtOnceWaitsForTheTwoThatAsked(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		l := newLead(t, w, &b, "qa-automacao-1", "qa-other", "qa-automacao-2")
		l.atOnce = true
		l.start()
		cards := w.See(Facil, 2)
		w.Until(func() bool { return len(leadSaved(t, w).Findings) == 1 }, "the finding of the agent that did not ask")
		w.Click(Bob, cards[1], "Approve", 0)
		w.Until(func() bool { return len(leadSaved(t, w).Findings) == 2 }, "the finding of the agent that was answered first")
		leadWaits(t, w, 2)
		w.Click(Chi, cards[0], "Approve", 0)
		s := verdict(t, w)
		slices.Sort(s.Heard)
		if s.Verdict != "passed" || len(s.Findings) != 3 || !slices.Equal(s.Heard, []string{"qa-automacao-1-1", "qa-automacao-2-1"}) {
			t.Errorf("the lead ended with %+v, want passed, three findings, two stops heard of", s)
		}
		all(t, w, Facil, 2, "went on")
	})
}
