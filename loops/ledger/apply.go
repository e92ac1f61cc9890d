package ledger

import (
	"maps"
	"strings"
	"time"

	"flagstop/loops"
)

// Apply returns the state after one more entry. It never changes the state that it is given. An entry of a kind that it
// does not know moves seq, rev and holder only, as the entry itself says.
func Apply(s State, e Entry) State {
	s.Seq, s.Rev = e.Seq, e.Rev
	if e.Holder != "" {
		s = movedTo(s, e)
	}
	switch e.Kind {
	case RaisedEntry:
		s.Phase, s.Asked = Open, e.At
		s.Timing.Policy, s.Timing.PolicyAt = e.Policy, whenSet(e.Policy, e.At)
	case VerdictEntry:
		s.Verdicts, s.LastBy = withVerdict(s.Verdicts, e), e.By
	case AnsweredEntry:
		e.By = s.LastBy
		return ended(s, Answered, e)
	case WithdrawnEntry:
		return ended(s, Withdrawn, e)
	case ExpiredEntry:
		return ended(s, Expired, e)
	case CompletedEntry:
		s.Completed = e.At
	case ResumedEntry:
		s.Resumed = &Resumed{At: e.At}
		if e.By != nil {
			s.Resumed.By = strings.TrimPrefix(e.By.ID, "loop:")
		}
	case TakenEntry:
		s.Timing.Suspended += suspended(s, e.At)
		s.Taken = &Taken{By: e.By, At: e.At}
	case ReleasedEntry:
		s.Timing.Suspended += suspended(s, e.At)
		s.Taken = nil
	case SnoozedEntry:
		s.Snoozed = e.Until
	case NotMineEntry:
		if s.NotMine == nil {
			s.NotMine = s.Moved
		}
	case HandedOffEntry:
		s.HandedOff = &HandedOff{Users: e.Users, At: e.At, Until: e.Until}
	case ReassignedEntry:
	case VisibleEntry, PolicyEntry, EscalatedEntry, SkippedEntry, RemindedEntry, WarnedEntry:
		s.Timing = timed(s.Timing, e)
	case DismissedEntry, TurnedAwayEntry, NoteEntry:
	}
	return s
}

// movedTo gives the stop to the entry's holder: nobody of that role is on it yet, nor put it off.
func movedTo(s State, e Entry) State {
	if s.Holder != "" {
		s.Moved = &Moved{Kind: e.Kind, By: e.By, At: e.At, From: s.Holder, To: e.Holder, Text: e.Text}
	}
	s.Timing = movedTiming(s, e)
	s.Holder, s.Since = e.Holder, e.At
	s.Taken, s.Snoozed, s.HandedOff = nil, time.Time{}, nil
	return s
}

func withVerdict(verdicts map[string]loops.Verdict, e Entry) map[string]loops.Verdict {
	if _, stands := verdicts[e.Key]; stands || e.Verdict == nil {
		return verdicts
	}
	next := maps.Clone(verdicts)
	if next == nil {
		next = map[string]loops.Verdict{}
	}
	v := *e.Verdict
	v.By, v.At = e.By, e.At
	next[e.Key] = v
	return next
}

// ended closes an open stop; nothing leaves a phase that is an end.
func ended(s State, p Phase, e Entry) State {
	if s.Phase != Open {
		return s
	}
	s.Phase = p
	s.End = &End{At: e.At, Origin: e.Origin, By: e.By, Reason: e.Reason}
	return s
}
