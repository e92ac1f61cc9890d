package escalation

import (
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestWhoGetsAStep: nobody on call, who has it already, and who could not be asked are passed over in the same sweep.
func TestWhoGetsAStep(t *testing.T) {
	t.Parallel()
	const weekday, saturday = "2026-03-31T10:00:00Z", "2026-03-28T10:00:00Z"
	for name, tc := range map[string]struct {
		to   []string
		when string
		want ledger.Step
	}{
		"whoever is on call": {[]string{toFacilitator}, weekday, ledger.Step{To: toFacilitator, Users: []string{"U0ANA"}}},
		"people and groups":  {[]string{"lead"}, weekday, ledger.Step{To: "lead", Users: []string{"U0LEAD", "@S0LEADS"}}},
		"nobody is on call, so the next": {
			[]string{toFacilitator, "lead"},
			saturday,
			ledger.Step{Skips: []string{SkipNobody}, To: "lead", Users: []string{"U0LEAD", "@S0LEADS"}},
		},
		"nobody anywhere, so the first all the same": {[]string{toFacilitator, "nobody"}, saturday, ledger.Step{To: toFacilitator}},
		"who has it is passed over": {
			[]string{loops.ProductThinker, "lead"},
			weekday,
			ledger.Step{Skips: []string{SkipHeld}, To: "lead", Users: []string{"U0LEAD", "@S0LEADS"}},
		},
		"who has it is the only one": {[]string{loops.ProductThinker}, weekday, ledger.Step{Skips: []string{SkipHeld}}},
		"who has it, then nobody": {
			[]string{loops.ProductThinker, "nobody", loops.ProductThinker},
			weekday,
			ledger.Step{Skips: []string{SkipHeld}, To: "nobody"},
		},
	} {
		p := Policy{Schedule: schedule(t, quarters)}
		for _, role := range tc.to {
			p.Steps = append(p.Steps, Step{time.Hour, role})
		}
		x := raised(t, p, "2026-03-27T06:00:00Z")
		got := NextStep(p, x.config, x.stop, at(tc.when))
		tc.want.Level = 1
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(ledger.Step{}, "Seq"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheFallbackGetsItWhenNobodyIsOnCall(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{time.Hour, toFacilitator}, Step{time.Hour, "lead"})
	x := raised(t, p, "2026-03-28T06:00:00Z")
	role := x.config.Roles[toFacilitator]
	role.Fallback = []string{"U0FALL"}
	x.config.Roles[toFacilitator] = role
	x.sweep("2026-03-28T08:00:00Z")
	if s := x.stop.State; s.Holder != toFacilitator || !cmp.Equal(s.Timing.Escalation.Users, []string{"U0FALL"}) {
		t.Errorf("with %s: %+v", s.Holder, s.Timing.Escalation)
	}
}

// TestWhoIsOnCallIsAskedWhenTheStepIsTaken: a hand-off between due and taken decides.
func TestWhoIsOnCallIsAskedWhenTheStepIsTaken(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{time.Hour, toFacilitator})
	x := raised(t, p, "2026-03-30T05:00:00Z")
	x.sweep("2026-03-30T07:00:00Z") // Ben's week began at 07:00Z
	if e := x.stop.State.Timing.Escalation; e == nil || !cmp.Equal(e.Users, []string{"U0ANA"}) {
		t.Errorf("%+v, want the one who came at 07:00", e)
	}
}

func TestAfterTheLastStepTheStopStaysOpen(t *testing.T) {
	t.Parallel()
	x := raised(t, steps(t, quarters, Step{time.Hour, toFacilitator}), "2026-03-31T05:00:00Z")
	x.sweep("2026-03-31T07:00:00Z")
	if x.stop.State.Phase != ledger.Open || len(Moments(x.policy, x.stop)) > 0 {
		t.Errorf("it is %s with %v", x.stop.State.Phase, Moments(x.policy, x.stop))
	}
}

// TestTheFutureIsWhatHappens: what explain says is what sweeps do, minute by minute.
func TestTheFutureIsWhatHappens(t *testing.T) {
	t.Parallel()
	p := steps(t, mornings, Step{4 * time.Hour, toFacilitator}, Step{30 * time.Hour, "lead"})
	p.Every, p.AtMost, p.Cap, p.Warning = 20*time.Hour, 3, 6*24*time.Hour, 24*time.Hour
	x := raised(t, p, "2026-03-27T16:03:00Z")
	var foreseen, happened []string
	for _, h := range Future(p, x.config, x.stop, at("2026-03-27T16:03:00Z")) {
		foreseen = append(foreseen, string(h.Act)+" "+h.At.UTC().Format(time.RFC3339)+" "+h.Stop.State.Holder)
	}
	for now := at("2026-03-27T16:03:00Z"); x.stop.State.Phase == ledger.Open; now = now.Add(time.Minute) {
		for _, c := range x.sweep(now.Format(time.RFC3339)) {
			happened = append(happened, string(actOf(c))+" "+now.UTC().Format(time.RFC3339)+" "+x.stop.State.Holder)
		}
	}
	if diff := cmp.Diff(foreseen, happened); diff != "" {
		t.Errorf("(-foreseen +happened):\n%s", diff)
	}
	if len(foreseen) != 7 {
		t.Errorf("%d things happen, want two steps, three reminders, a warning and an end: %q", len(foreseen), foreseen)
	}
}

func actOf(c ledger.Command) Act {
	switch c := c.(type) {
	case ledger.Step:
		return StepUp
	case ledger.Remind:
		return Reminder
	case ledger.Warn:
		return Warning
	case ledger.Expire:
		if c.Origin == loops.OriginPolicy {
			return Cap
		}
		return AskerCap
	}
	return Lapse
}
