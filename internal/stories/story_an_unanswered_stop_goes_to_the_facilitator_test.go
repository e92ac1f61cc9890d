package stories

import (
	"testing"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// every15 is a policy that gives a stop to the facilitator after an hour, at a quarter.
func every15(after time.Duration) escalation.Policy {
	s, err := escalation.ParseSchedule("CRON_TZ=UTC */15 * * * *")
	if err != nil {
		panic(err) // a literal
	}
	return escalation.Policy{Schedule: s, Steps: []escalation.Step{{After: after, To: loops.Facilitator}}}
}

func TestAnUnansweredStopGoesToTheFacilitator(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("acme/*", every15(50*time.Minute))
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		first := w.SeeText(Product, "Choose", "If nobody answers by", "it goes to the facilitator too")
		w.Pass(59 * time.Minute)
		if s := w.Stop("s1").State; s.Holder != loops.ProductThinker {
			t.Errorf("it is with %s before the tick", s.Holder)
		}
		second := w.SeeText(Facil, "Asked first in", "nobody had answered", "On call: ", Bob, Chi, "Choose")
		w.SeeText(Product, "With the *facilitator* since", "The product thinker may still answer", "Choose", "If nobody answers, it waits")
		if e := w.Stop("s1").State.Timing.Escalation; e == nil || e.At.Sub(e.Due) > time.Second || e.Due.Minute() != 0 {
			t.Errorf("the step: %+v, want it at the tick", e)
		}
		w.Days(1)
		w.Click(Bob, second, "Choose", 0)
		answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		w.SeeText(Product, "Answered", "!Choose")
		w.SeeText(Facil, "Answered", "!Choose")
		thread(t, w, first, "Nobody had answered", "Keep both")
		thread(t, w, second, "Nobody had answered", "Keep both")
	})
}

func TestAnOutageOfFourHoursIsOneLateStep(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		p := every15(time.Hour)
		p.Steps = append(p.Steps, escalation.Step{After: time.Hour, To: "security"})
		w.Policy("acme/*", p)
		b := w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.SeeText(Product, "Choose", "it goes to the facilitator too")
		b.Stop()
		w.Pass(4 * time.Hour)
		w.StartBot()
		w.StartBot()
		w.SeeText(Facil, "It was due at", "and came late", "it goes to the security too")
		w.SeeText(Product, "came late")
		if n := entries(w, "s1", ledger.EscalatedEntry); n != 1 {
			t.Errorf("%d steps at once, want one", n)
		}
		w.Pass(50 * time.Minute)
		if s := w.Stop("s1").State; s.Holder != loops.Facilitator {
			t.Errorf("it is with %s before its time", s.Holder)
		}
		w.Pass(30 * time.Minute)
		w.SeeText(Security, "Asked first in")
	})
}

func TestWhoIsOnItHoldsTheStepsBackUntilTheyLetGo(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		p := every15(time.Hour)
		p.AckTimeout = 3 * time.Hour
		w.Policy("acme/*", p)
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose", "If nobody answers by"), "I’m on it", 0)
		card := w.SeeText(Product, "While somebody is on it, it does not go to the facilitator")
		w.Pass(2 * time.Hour)
		w.SeeText(Product, "is on it since")
		w.Pass(59 * time.Minute)
		w.SeeText(Product, "!is on it since", "it goes to the facilitator too") // it lapsed
		w.Pass(70 * time.Minute)                                                // and what was left of the hour ran
		w.SeeText(Facil, "nobody had answered")
		w.SeeText(Product, "With the *facilitator* since")
		thread(t, w, card, "is on it", "Nobody is on it any more", "Nobody had answered")
	})
}

func TestANextStepNeedNotBeWaitedFor(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("acme/*", every15(time.Hour))
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose", "If nobody answers by"), "More…", 0)
		w.Submit(Ana, map[string]any{"role": "@next", "note": "I am away <!here>"})
		w.SeeText(Facil, "did not wait", "&lt;!here&gt;")
		w.SeeText(Product, "did not wait", "&lt;!here&gt;", "The product thinker may still answer")
		w.Type(Ana, Ops, "/stops escalate s1")
		said(t, w, Ana, 1, "No step is left")
	})
}

func TestAStepThatWasTakenMeanwhileIsNotTakenTwice(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		p := every15(time.Hour)
		p.Steps = append(p.Steps, escalation.Step{After: time.Hour, To: "security"})
		w.Policy("acme/*", p)
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose", "If nobody answers by"), "More…", 0)
		w.Pass(75 * time.Minute)
		w.SeeText(Facil, "nobody had answered")
		w.SeeText(Product, "nobody had answered")
		w.Submit(Ana, map[string]any{"role": "@next"}) // she saw the level before
		said(t, w, Ana, 1, "The card has changed since you looked")
		if n := entries(w, "s1", ledger.EscalatedEntry); n != 1 {
			t.Errorf("%d steps, want one", n)
		}
		w.Withdraw("s1", "no longer needed")
		w.SeeText(Facil, "Withdrawn")
		w.SeeText(Product, "Withdrawn")
	})
}

func TestSomebodyIsRemindedAFewTimes(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("acme/*", escalation.Policy{Every: 24 * time.Hour, AtMost: 2})
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Days(5)
		thread(t, w, w.SeeText(Product, "Choose"), "U0ANA: this is still open", "U0ANA: this is still open")
		w.Click(Ana, card, "Choose", 0)
		w.SeeText(Product, "Answered")
	})
}

func TestACapEndsAStopThatNobodyAnsweredAlsoWhileItsLoopIsDown(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("acme/*", escalation.Policy{Cap: 3 * 24 * time.Hour, Warning: 24 * time.Hour})
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "it ends undecided: that is the cap of acme/saudacao")
		w.Days(4) // nobody listens
		w.SeeText(Product, "Expired: nobody decided", "The cap that is configured for")
		o := w.Outcome(ref)
		if o.End != loops.Expired || o.Origin != loops.OriginPolicy || len(o.Verdicts) > 0 {
			t.Errorf("the loop got %s of %s with %v, want an end that is no denial", o.End, o.Origin, o.Verdicts)
		}
		thread(t, w, card, "It ends undecided at", "nobody decided")
	})
}

func TestARepositoryThatAsksForNothingWaitsForFourHundredDays(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Policy("other/*", every15(time.Hour))
		ref := w.Raise(Judgement("s1"))
		w.StartBot()
		w.Connected()
		card := w.SeeText(Product, "If nobody answers, it waits. No timer is set.")
		w.Days(400)
		if n := w.Redis.ZCard(w.TB.Context(), "{fs:0}:due").Val(); n != 0 || len(w.Stop("s1").Log) != 1 {
			t.Errorf("%d due moments, %d entries", n, len(w.Stop("s1").Log))
		}
		w.Click(Ana, card, "Choose", 0)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		w.SeeText(Product, "Answered")
	})
}

// TestAStopWithoutAChannelCountsFromTheFallback: what cannot be posted has no base.
func TestAStopWithoutAChannelCountsFromTheFallback(t *testing.T) {
	nowhere := func(c *routing.Config) {
		role := c.Roles[loops.ProductThinker]
		role.Channel = "C0GONE"
		c.Roles[loops.ProductThinker] = role
		c.FallbackChannel = "C0GONE2"
	}
	tellLong(t, Options{Config: nowhere}, func(t testing.TB, w *World) {
		w.Refusals("channel_not_found")
		w.Policy("acme/*", every15(time.Hour))
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Pass(2 * time.Hour)
		if s := w.Stop("s1").State; s.Holder != loops.ProductThinker || !s.Timing.Visible.IsZero() {
			t.Errorf("unseen, it is with %s, visible since %s", s.Holder, s.Timing.Visible)
		}
		w.Configure(func(c *routing.Config) { c.FallbackChannel = Ops })
		w.SeeText(Ops, "which cannot be posted to", "it goes to the facilitator too")
		w.Pass(2 * time.Hour)
		w.SeeText(Facil, "Asked first in", "nobody had answered")
		w.SeeText(Ops, "With the *facilitator* since")
	})
}
