package ledger

import "time"

// timed is what a policy counts with after one of its own entries.
func timed(t Timing, e Entry) Timing {
	switch e.Kind {
	case VisibleEntry:
		if t.Visible.IsZero() {
			t.Visible, t.Base = e.At, e.At
		}
	case PolicyEntry:
		t.Policy, t.PolicyAt = e.Policy, e.At
	case EscalatedEntry, SkippedEntry:
		t.Level, t.Base, t.Suspended = e.Level, e.At, 0
	case RemindedEntry:
		t.Reminded, t.RemindedAt, t.Reminder = t.Reminded+1, e.At, e.Users
	case WarnedEntry:
		t.Warned = e.Until
	case RaisedEntry, VerdictEntry, DismissedEntry, TurnedAwayEntry, NoteEntry, AnsweredEntry, WithdrawnEntry, ExpiredEntry,
		CompletedEntry, ResumedEntry, TakenEntry, ReleasedEntry, SnoozedEntry, ReassignedEntry, NotMineEntry, HandedOffEntry:
	}
	return t
}

// movedTiming is what a policy counts with after the stop came to another holder: by a step, or by hand, which begins the
// steps anew.
func movedTiming(s State, e Entry) Timing {
	t := s.Timing
	if s.Holder == "" {
		return t
	}
	t.Level, t.Suspended, t.Escalation = 0, 0, nil
	if !t.Base.IsZero() {
		t.Base = e.At
	}
	if e.Kind == EscalatedEntry {
		t.Escalation = &Escalation{At: e.At, Due: e.Due, From: s.Holder, Users: e.Users, By: e.By}
	}
	return t
}

// suspended is for how long somebody has been on the stop, since the next step's time runs.
func suspended(s State, now time.Time) time.Duration {
	if s.Taken == nil || s.Timing.Base.IsZero() {
		return 0
	}
	since := s.Taken.At
	if since.Before(s.Timing.Base) {
		since = s.Timing.Base
	}
	return now.Sub(since)
}

func whenSet(policy string, at time.Time) time.Time {
	if policy == "" {
		return time.Time{}
	}
	return at
}
