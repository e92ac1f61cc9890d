package escalation

import (
	"slices"
	"strings"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// Plan is what has to be done for a stop at a moment: the first thing only, since it may change the others; nil where
// nothing is due. stepped says that a step was taken by this sweep already: another one waits for the next.
func Plan(p Policy, c routing.Config, stop ledger.Stop, now time.Time, stepped bool) ledger.Command {
	if stop.State.Phase != ledger.Open {
		return nil
	}
	if id := p.ID(); stop.State.Timing.Policy != id {
		return ledger.SetPolicy{Policy: id}
	}
	for _, act := range []Act{AskerCap, Cap, Lapse, Warning, Reminder, StepUp} {
		for _, m := range Moments(p, stop) {
			if m.Act == act && !m.At.After(now) && (act != StepUp || !stepped) {
				return command(p, c, stop, m, now)
			}
		}
	}
	return nil
}

func command(p Policy, c routing.Config, stop ledger.Stop, m Moment, now time.Time) ledger.Command {
	seq := stop.State.Seq
	switch m.Act {
	case AskerCap:
		return ledger.Expire{Origin: loops.OriginAsker}
	case Cap:
		return ledger.Expire{Origin: loops.OriginPolicy}
	case Lapse:
		return ledger.Lapse{Seq: seq}
	case Warning:
		return ledger.Warn{Seq: seq, Until: capAt(p, stop.State)}
	case Reminder:
		return ledger.Remind{Seq: seq, Users: reminded(c, stop, now), Due: m.Due}
	case StepUp:
		s := NextStep(p, c, stop, now)
		s.Due = m.At
		return s
	}
	return nil
}

// Why a step is passed over.
const (
	SkipHeld   = "held"   // the role has it already
	SkipNobody = "nobody" // nobody of the role is on call
	SkipMisfit = "misfit" // the role could not have been asked this
)

// NextStep is the next step of a policy on a stop, taken at a moment, with those that are passed over on the way. Where
// nobody is on call for any that is left, the first of them is taken all the same: a stop is never dropped.
func NextStep(p Policy, c routing.Config, stop ledger.Stop, now time.Time) ledger.Step {
	s := ledger.Step{Seq: stop.State.Seq, Level: stop.State.Timing.Level + 1}
	var skips []string
	first := -1
	for _, next := range p.Steps[stop.State.Timing.Level:] {
		reason := passedOver(c, stop, next.To, now)
		if reason == "" {
			s.Skips, s.To, s.Users = skips, next.To, OnDuty(c, next.To, now)
			return s
		}
		if reason == SkipNobody && first < 0 {
			first = len(skips)
		}
		skips = append(skips, reason)
	}
	s.Skips = skips
	if first >= 0 {
		s.Skips, s.To = skips[:first], p.Steps[stop.State.Timing.Level+first].To
	}
	return s
}

func passedOver(c routing.Config, stop ledger.Stop, role string, now time.Time) string {
	switch {
	case role == stop.State.Holder:
		return SkipHeld
	case len(stop.Record.Misfits(role)) > 0:
		return SkipMisfit
	case len(c.Answerers(role, now)) == 0:
		return SkipNobody
	}
	return ""
}

// OnDuty is whom a message to a role mentions at an instant: whoever is on call, or, where it has no rotation, the people
// and the user groups ("@S…") that answer for it.
func OnDuty(c routing.Config, role string, at time.Time) []string {
	if c.Roles[role].Rotation != "" {
		return routing.OnCall(c.Team(role), at).Users
	}
	return slices.DeleteFunc(slices.Clone(c.Roles[role].Answerers), func(entry string) bool {
		return !strings.HasPrefix(entry, "U") && !strings.HasPrefix(entry, "W") && !strings.HasPrefix(entry, "@")
	})
}

// reminded is whoever is on the stop, or else whoever is on duty for its holder.
func reminded(c routing.Config, stop ledger.Stop, now time.Time) []string {
	if t := stop.State.Taken; t != nil {
		if _, user, ok := strings.Cut(t.By.ID, "/"); ok && strings.HasPrefix(t.By.ID, "slack:") {
			return []string{user}
		}
	}
	return OnDuty(c, stop.State.Holder, now)
}
