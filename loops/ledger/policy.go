package ledger

import (
	"fmt"
	"time"

	"flagstop/loops"
)

// elapse decides what a policy does to an open stop.
func elapse(stop Stop, c Command, now time.Time) (Change, error) {
	if stop.State.Phase != Open {
		return Change{}, &ClosedError{Stop: stop}
	}
	same := Change{State: stop.State}
	switch c := c.(type) {
	case Visible:
		if !stop.State.Timing.Visible.IsZero() {
			return same, nil
		}
		return then(stop, now, Entry{Kind: VisibleEntry}), nil
	case SetPolicy:
		if stop.State.Timing.Policy == c.Policy {
			same.Due = true
			return same, nil
		}
		return then(stop, now, Entry{Kind: PolicyEntry, Policy: c.Policy}), nil
	case Step:
		return step(stop, c, now)
	case Remind:
		return asOf(stop, c.Seq, now, Entry{Kind: RemindedEntry, Users: c.Users, Due: c.Due})
	case Warn:
		return asOf(stop, c.Seq, now, Entry{Kind: WarnedEntry, Until: c.Until.UTC()})
	case Lapse:
		if stop.State.Taken == nil {
			return same, nil
		}
		return asOf(stop, c.Seq, now, Entry{Kind: ReleasedEntry, Origin: loops.OriginPolicy})
	default:
		return Change{}, fmt.Errorf("%w: %T is not a command", ErrIncomplete, c)
	}
}

// asOf appends what was decided on the stop as it stood at a seq.
func asOf(stop Stop, seq int64, now time.Time, entries ...Entry) (Change, error) {
	if stop.State.Seq != seq {
		return Change{}, ErrMoved
	}
	return then(stop, now, entries...), nil
}

// step passes over what it has to and takes the step after that.
func step(stop Stop, c Step, now time.Time) (Change, error) {
	switch {
	case stale(stop, c.Rev):
		return Change{}, &StaleError{Stop: stop}
	case stop.State.Seq != c.Seq:
		return Change{}, ErrMoved
	case c.Level != stop.State.Timing.Level+1, c.To == "" && len(c.Skips) == 0, c.To == stop.State.Holder:
		return Change{}, fmt.Errorf("%w: the next step, to a role that does not have it", ErrIncomplete)
	}
	if c.To != "" {
		if faults := stop.Record.Misfits(c.To); len(faults) > 0 {
			return Change{}, &MisfitError{ID: stop.ID, Role: c.To, Faults: faults}
		}
	}
	var by *loops.By
	if c.By.ID != "" {
		by = &c.By
	}
	level := c.Level
	var entries []Entry
	for _, reason := range c.Skips {
		entries = append(entries, Entry{Kind: SkippedEntry, Level: level, Reason: reason})
		level++
	}
	if c.To != "" {
		entries = append(entries, Entry{
			Kind: EscalatedEntry, By: by, Holder: c.To, Level: level, Due: c.Due.UTC(), Users: c.Users, Text: cut(c.Text),
		})
	}
	return asOf(stop, c.Seq, now, entries...)
}
