package escalation

import (
	"slices"
	"time"

	"flagstop/loops/ledger"
)

// Act is what happens at a moment.
type Act string

// The acts, in the order in which those of one instant happen.
const (
	AskerCap Act = "expires"  // it ends, because its asker said so
	Cap      Act = "cap"      // it ends, because its repository said so
	Lapse    Act = "lapse"    // nobody is on it any more
	Warning  Act = "warning"  // its card says that it ends soon
	Reminder Act = "reminder" // somebody is reminded
	StepUp   Act = "step"     // another role gets it
)

// Moment is something that happens to a stop if nobody does anything before.
type Moment struct {
	Act Act
	At  time.Time // when
	Due time.Time // when it is due: steps wait for a tick after that
	To  string    // the role of a step
}

// Moments are what happens to an open stop next under a policy, one of each act at most, the earliest first. They depend
// on the stop alone, so that they can be stored with it.
func Moments(p Policy, stop ledger.Stop) []Moment {
	if stop.State.Phase != ledger.Open {
		return nil
	}
	all := []Moment{
		{Act: AskerCap, At: stop.Record.Expires},
		{Act: Cap, At: capAt(p, stop.State)},
		{Act: Lapse, At: lapseAt(p, stop.State)},
		{Act: Warning, At: warningAt(p, stop.State)},
		{Act: Reminder, At: reminderAt(p, stop.State)},
		step(p, stop.State),
	}
	all = slices.DeleteFunc(all, func(m Moment) bool { return m.At.IsZero() })
	for i := range all {
		if all[i].Due.IsZero() {
			all[i].Due = all[i].At
		}
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return a.At.Compare(b.At) })
	return all
}

// Next is when a stop has to be looked at next, zero never. One whose policy is another than the one that counts for it
// has to be looked at, at once.
func Next(p Policy, stop ledger.Stop) time.Time {
	if stop.State.Phase == ledger.Open && stop.State.Timing.Policy != p.ID() {
		return stop.Now
	}
	for _, m := range Moments(p, stop) {
		return m.At
	}
	return time.Time{}
}

// step is when the next step is taken: at the first tick at or after it is due, but not because of a tick that was
// before its policy counted. While somebody is on the stop there is none.
func step(p Policy, s ledger.State) Moment {
	t := s.Timing
	if t.Level >= len(p.Steps) || t.Base.IsZero() || s.Taken != nil {
		return Moment{}
	}
	next := p.Steps[t.Level]
	due := latest(t.Base.Truncate(time.Second).Add(next.After+t.Suspended), s.Snoozed)
	return Moment{Act: StepUp, At: p.Schedule.From(latest(due, t.PolicyAt)), Due: due, To: next.To}
}

func reminderAt(p Policy, s ledger.State) time.Time {
	t := s.Timing
	if p.Every == 0 || t.Reminded >= p.AtMost || t.Visible.IsZero() {
		return time.Time{}
	}
	last := latest(latest(t.Visible, t.RemindedAt), s.Since)
	return latest(since(last, p.Every, t.PolicyAt), s.Snoozed)
}

func lapseAt(p Policy, s ledger.State) time.Time {
	if p.AckTimeout == 0 || s.Taken == nil {
		return time.Time{}
	}
	return since(s.Taken.At, p.AckTimeout, s.Timing.PolicyAt)
}

func capAt(p Policy, s ledger.State) time.Time {
	if p.Cap == 0 {
		return time.Time{}
	}
	return since(s.Asked, p.Cap, s.Timing.PolicyAt)
}

func warningAt(p Policy, s ledger.State) time.Time {
	if p.Cap == 0 || p.Warning == 0 || !s.Timing.Warned.IsZero() {
		return time.Time{}
	}
	return latest(capAt(p, s).Add(-p.Warning), s.Timing.PolicyAt)
}

// since is a time after a moment. Where that was over before the policy counted, the time begins when it did: a change of
// the configuration ends and reminds nobody for the past.
func since(moment time.Time, d time.Duration, policy time.Time) time.Time {
	if at := moment.Add(d); !at.Before(policy) {
		return at
	}
	return policy.Add(d)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
