package stories

import (
	"testing"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// TestAHandOffBetweenTwoSteps is vector E5: one mention, and neither the level nor the next step moves. The bubble's clock begins at
// midnight of 1 January 2000, in the shift of Bob; Chi comes at 00:10 each second day.
func TestAHandOffBetweenTwoSteps(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		p := every15(time.Minute)
		s, err := escalation.ParseSchedule("CRON_TZ=UTC */5 * * * *")
		if err != nil {
			t.Fatal(err)
		}
		p.Schedule = s
		p.Steps = append(p.Steps, escalation.Step{After: 20 * time.Minute, To: "security"})
		w.Policy("acme/*", p)
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.SeeText(Product, "Choose", "If nobody answers by")
		second := w.SeeText(Facil, "On call: ", Bob)
		before := w.Stop("s1").State.Timing
		w.Pass(6 * time.Minute)
		all := w.See(Facil, 2)
		if !Shows(all[1], "is on call now", Chi, "after ", Bob) {
			t.Errorf("the announcement is %s", all[1].Text)
		}
		after := w.Stop("s1").State.Timing
		if after.Level != 1 || !after.Base.Equal(before.Base) || entries(w, "s1", ledger.HandedOffEntry) != 1 {
			t.Errorf("the step after next counts from %s at level %d, want %s and 1", after.Base, after.Level, before.Base)
		}
		w.SeeText(Product, "On call: ", Chi)
		w.Pass(15 * time.Minute)
		w.SeeText(Security, "nobody had answered")
		w.SeeText(Product, "With the *security* since")
		w.Shown()
		thread(t, w, second, "Nobody had answered", "U0CHI, you are on call now", "Nobody had answered")
	})
}

// TestWhatIsAnsweredBeforeItsStepGoesNowhere is vector E13.
func TestWhatIsAnsweredBeforeItsStepGoesNowhere(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("acme/*", every15(time.Minute))
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "If nobody answers by"), "Choose", 0)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		w.Pass(time.Hour)
		w.SeeText(Product, "Answered")
		w.See(Facil, 0)
	})
}
