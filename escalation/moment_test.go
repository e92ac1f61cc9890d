package escalation

import (
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"

	"github.com/google/go-cmp/cmp"
)

const (
	toFacilitator = loops.Facilitator
	quarters      = "CRON_TZ=UTC */15 * * * *"
	mornings      = "CRON_TZ=Europe/Berlin 0 9 * * 1-5"
)

// TestAStepWaitsForATick holds the vectors E1, E6 and E16.
func TestAStepWaitsForATick(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		ticks        string
		after        time.Duration
		raised, want string
	}{
		{mornings, 4 * time.Hour, "2026-03-27T03:00:00Z", "2026-03-27T08:00:00Z"},
		{mornings, 4 * time.Hour, "2026-03-27T04:00:00Z", "2026-03-27T08:00:00Z"},
		{mornings, 4 * time.Hour, "2026-03-27T04:00:00.5Z", "2026-03-27T08:00:00Z"},
		{mornings, 4 * time.Hour, "2026-03-27T04:00:01Z", "2026-03-30T07:00:00Z"},
		{mornings, 4 * time.Hour, "2026-03-30T03:00:00Z", "2026-03-30T07:00:00Z"},
		{"CRON_TZ=Europe/Paris 0 9 * * *", time.Hour, "2023-01-24T05:00:00Z", "2023-01-24T08:00:00Z"},
		{"CRON_TZ=America/New_York 30 2 * * *", 4 * time.Hour, "2026-03-07T20:00:00Z", "2026-03-09T06:30:00Z"},
	} {
		x := raised(t, steps(t, tc.ticks, Step{tc.after, toFacilitator}), tc.raised)
		if got := x.next(StepUp); got != tc.want {
			t.Errorf("%s, raised %s: %s, want %s", tc.ticks, tc.raised, got, tc.want)
		}
	}
}

// TestAnOutageIsOneLateStep is vector E2.
func TestAnOutageIsOneLateStep(t *testing.T) {
	t.Parallel()
	x := raised(t, steps(t, quarters, Step{30 * time.Minute, toFacilitator}, Step{30 * time.Minute, "lead"}), "2026-11-30T10:00:00Z")
	if did := x.sweep("2026-11-30T10:29:59Z"); len(did) > 0 {
		t.Errorf("too early: %v", did)
	}
	did := x.sweep("2026-11-30T14:07:00Z")
	if len(did) != 1 {
		t.Fatalf("%d things at once, want one step", len(did))
	}
	e := x.stop.State.Timing.Escalation
	if x.stop.State.Holder != toFacilitator || e == nil || !e.Due.Equal(at("2026-11-30T10:30:00Z")) || !e.At.Equal(at("2026-11-30T14:07:00Z")) {
		t.Errorf("with %s, %+v", x.stop.State.Holder, e)
	}
	if did := x.sweep("2026-11-30T14:15:00Z"); len(did) > 0 {
		t.Errorf("at the next tick: %v", did)
	}
	x.want(StepUp, "2026-11-30T14:45:00Z") // from when the first was taken
}

// TestWhoIsOnItSuspendsTheSteps holds E8, and what is left after a release.
func TestWhoIsOnItSuspendsTheSteps(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{4 * time.Hour, toFacilitator})
	x := raised(t, p, "2023-06-10T08:00:00Z")
	x.does("2023-06-10T10:00:00Z", ledger.Take{By: ana})
	x.want(StepUp, "")
	if did := x.sweep("2023-10-04T05:30:00Z"); len(did) > 0 {
		t.Errorf("months later: %v", did)
	}
	x.does("2023-10-04T06:00:00Z", ledger.Release{By: ana})
	x.want(StepUp, "2023-10-04T08:00:00Z") // two of the four hours were left
}

func TestAnAcknowledgementLapses(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{4 * time.Hour, toFacilitator})
	p.AckTimeout = 2 * time.Hour
	x := raised(t, p, "2026-11-30T08:00:00Z")
	x.does("2026-11-30T09:00:00Z", ledger.Take{By: ana})
	x.want(Lapse, "2026-11-30T11:00:00Z")
	x.sweep("2026-11-30T11:00:00Z")
	if x.stop.State.Taken != nil {
		t.Error("somebody is still on it")
	}
	x.want(StepUp, "2026-11-30T14:00:00Z")
}

func TestASnoozePutsOffStepsAndRemindersAndNothingElse(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{time.Hour, toFacilitator})
	p.Every, p.AtMost, p.Cap, p.Warning = 2*time.Hour, 3, 20*time.Hour, time.Hour
	x := raised(t, p, "2026-11-30T08:00:00Z")
	x.does("2026-11-30T08:30:00Z", ledger.Snooze{By: ana, Until: at("2026-12-01T08:20:00Z")})
	x.want(StepUp, "2026-12-01T08:30:00Z")
	x.want(Reminder, "2026-12-01T08:20:00Z")
	x.want(Cap, "2026-12-01T04:00:00Z")
	x.want(Warning, "2026-12-01T03:00:00Z")
	x.does("2026-11-30T08:31:00Z", ledger.Snooze{By: ana, Until: at("2026-11-30T08:40:00Z")})
	x.want(StepUp, "2026-11-30T09:00:00Z") // the later of the two
}

// TestWhoIsOnItIsRemindedAndCappedAllTheSame: caps, expires and reminders are not suspended.
func TestWhoIsOnItIsRemindedAndCappedAllTheSame(t *testing.T) {
	t.Parallel()
	x := raised(t, Policy{Every: time.Hour, AtMost: 2, Cap: 24 * time.Hour}, "2026-11-30T08:00:00Z")
	x.does("2026-11-30T08:10:00Z", ledger.Take{By: bob})
	did := x.sweep("2026-11-30T09:00:00Z")
	want := []ledger.Command{ledger.Remind{Seq: 3, Users: []string{"U0BOB"}, Due: at("2026-11-30T09:00:00Z")}}
	if diff := cmp.Diff(want, did); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if did := x.sweep("2026-11-30T13:00:00Z"); len(did) != 1 {
		t.Errorf("after an outage: %v, want one reminder", did)
	}
	x.want(Reminder, "") // two at most
	x.sweep("2026-12-01T08:00:00Z")
	if s := x.stop.State; s.Phase != ledger.Expired || s.End.Origin != loops.OriginPolicy {
		t.Errorf("it is %s by %v", s.Phase, s.End)
	}
}

func TestAWarningComesOnceBeforeTheCap(t *testing.T) {
	t.Parallel()
	x := raised(t, Policy{Cap: 30 * 24 * time.Hour, Warning: 48 * time.Hour}, "2026-11-01T08:00:00Z")
	x.want(Warning, "2026-11-29T08:00:00Z")
	if did := x.sweep("2026-11-29T08:00:00Z"); len(did) != 1 {
		t.Errorf("%v, want one warning", did)
	}
	x.want(Warning, "")
	x.want(Cap, "2026-12-01T08:00:00Z")
}

func TestACapEndsBeforeAnythingElseHappens(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{time.Hour, toFacilitator})
	p.Every, p.AtMost, p.Cap, p.Warning = time.Hour, 9, 2*time.Hour, time.Hour
	x := raised(t, p, "2026-11-30T08:00:00Z")
	if did := x.sweep("2026-11-30T15:00:00Z"); len(did) != 1 || x.stop.State.Phase != ledger.Expired {
		t.Errorf("%v, and it is %s", did, x.stop.State.Phase)
	}
}

func TestTheAskersOwnCapNeedsNoPolicy(t *testing.T) {
	t.Parallel()
	x := &tale{t: t, config: house(t), stop: ledger.Stop{ID: "s"}}
	x.does("2026-11-30T08:00:00Z", ledger.Raise{Record: record(t, map[string]any{"expires": "2026-11-30T09:00:00Z"})})
	x.want(AskerCap, "2026-11-30T09:00:00Z")
	x.sweep("2026-11-30T09:00:00Z")
	if s := x.stop.State; s.Phase != ledger.Expired || s.End.Origin != loops.OriginAsker {
		t.Errorf("it is %s by %v", s.Phase, s.End)
	}
}

func TestWithoutAPolicyThereIsNoMoment(t *testing.T) {
	t.Parallel()
	x := raised(t, Policy{}, "2026-11-30T08:00:00Z")
	if got := Moments(x.policy, x.stop); len(got) > 0 || !Next(x.policy, x.stop).IsZero() {
		t.Errorf("%v", got)
	}
}

func TestNothingRunsBeforeAStopCanBeSeen(t *testing.T) {
	t.Parallel()
	p := steps(t, quarters, Step{time.Hour, toFacilitator})
	p.Every, p.AtMost = time.Hour, 3
	x := &tale{t: t, policy: p, config: house(t), stop: ledger.Stop{ID: "s"}}
	x.does("2026-11-30T08:00:00Z", ledger.Raise{Record: record(t, nil), Policy: p.ID()})
	if got := Moments(p, x.stop); len(got) > 0 {
		t.Errorf("%v", got)
	}
	x.does("2026-11-30T12:00:00Z", ledger.Visible{})
	x.want(StepUp, "2026-11-30T13:00:00Z")
}

// TestAPolicyThatComesLaterFiresForNothingPast is vector E14, and the same for what is no step.
func TestAPolicyThatComesLaterFiresForNothingPast(t *testing.T) {
	t.Parallel()
	p := steps(t, "CRON_TZ=UTC 0 9 * * *", Step{time.Hour, toFacilitator})
	p.Every, p.AtMost, p.Cap = 24*time.Hour, 3, 48*time.Hour
	x := raised(t, p, "2026-11-02T08:00:00Z")
	x.policy = Policy{}
	x.does("2026-11-02T08:30:00Z", ledger.SetPolicy{})
	if got := Moments(x.policy, x.stop); len(got) > 0 {
		t.Errorf("pending: %v", got)
	}
	x.policy = p
	if got := Next(p, x.stop); !got.Equal(x.stop.Now) {
		t.Errorf("it is looked at at %s, want at once", got)
	}
	did := x.sweep("2026-11-09T10:00:00Z")
	if diff := cmp.Diff([]ledger.Command{ledger.SetPolicy{Policy: p.ID()}}, did); diff != "" {
		t.Errorf("added again (-want +got):\n%s", diff)
	}
	x.want(StepUp, "2026-11-10T09:00:00Z")
	x.want(Reminder, "2026-11-10T10:00:00Z")
	x.want(Cap, "2026-11-11T10:00:00Z")
}

func TestAPolicyIsNamedByWhatItSays(t *testing.T) {
	t.Parallel()
	p := Policy{Every: time.Hour, AtMost: 1}
	q := p
	q.AtMost = 2
	if p.ID() == q.ID() || p.ID() != (Policy{Every: time.Hour, AtMost: 1}).ID() || (Policy{}).ID() != "" || len(p.ID()) != 12 {
		t.Errorf("%q and %q", p.ID(), q.ID())
	}
}
