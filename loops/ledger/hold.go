package ledger

import (
	"fmt"
	"slices"
	"time"

	"flagstop/loops"
)

// maxSnooze is how long a stop can be snoozed at once.
const maxSnooze = 7 * 24 * time.Hour

// hold decides what changes who has a stop, and who is on it: only an open stop has anybody.
func hold(stop Stop, c Command, now time.Time) (Change, error) {
	if stop.State.Phase != Open {
		return Change{}, &ClosedError{Stop: stop}
	}
	switch c := c.(type) {
	case Take:
		return take(stop, c, now)
	case Release:
		return release(stop, c, now)
	case Snooze:
		return snooze(stop, c, now)
	case Reassign:
		return move(stop, Entry{Kind: ReassignedEntry, By: &c.By, Holder: c.To, Text: cut(c.Text)}, now)
	case NotMine:
		return move(stop, Entry{Kind: NotMineEntry, By: &c.By, Holder: c.To, Text: cut(c.Text)}, now)
	case HandOff:
		return handOff(stop, c, now)
	default:
		return Change{}, fmt.Errorf("%w: %T is not a command", ErrIncomplete, c)
	}
}

func take(stop Stop, c Take, now time.Time) (Change, error) {
	if c.By.ID == "" {
		return Change{}, fmt.Errorf("%w: who takes it", ErrIncomplete)
	}
	if t := stop.State.Taken; t != nil && t.By.ID == c.By.ID {
		return Change{State: stop.State}, nil
	}
	if stale(stop, c.Rev) {
		return Change{}, &StaleError{Stop: stop}
	}
	return then(stop, now, Entry{Kind: TakenEntry, By: &c.By}), nil
}

func release(stop Stop, c Release, now time.Time) (Change, error) {
	if c.By.ID == "" {
		return Change{}, fmt.Errorf("%w: who releases it", ErrIncomplete)
	}
	if stop.State.Taken == nil {
		return Change{State: stop.State}, nil
	}
	if stale(stop, c.Rev) {
		return Change{}, &StaleError{Stop: stop}
	}
	return then(stop, now, Entry{Kind: ReleasedEntry, By: &c.By}), nil
}

// stale reports whether a person saw another rev than the newest: contract §4.
func stale(stop Stop, rev int64) bool { return rev != 0 && rev != stop.State.Rev }

func snooze(stop Stop, c Snooze, now time.Time) (Change, error) {
	if c.By.ID == "" {
		return Change{}, fmt.Errorf("%w: who snoozes it", ErrIncomplete)
	}
	until := c.Until.UTC().Truncate(time.Second)
	if !until.After(now) || until.Sub(now) > maxSnooze {
		return Change{}, ErrSnooze
	}
	if until.Equal(stop.State.Snoozed) {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: SnoozedEntry, By: &c.By, Until: until, Text: cut(c.Text)}), nil
}

// move gives the stop to another role, if its record could have been addressed to that one.
func move(stop Stop, e Entry, now time.Time) (Change, error) {
	if e.By.ID == "" || e.Holder == "" {
		return Change{}, fmt.Errorf("%w: who moves it, and to which role", ErrIncomplete)
	}
	if e.Holder == stop.State.Holder {
		return Change{State: stop.State}, nil
	}
	if faults := stop.Record.Misfits(e.Holder); len(faults) > 0 {
		return Change{}, &MisfitError{ID: stop.ID, Role: e.Holder, Faults: faults}
	}
	return then(stop, now, e), nil
}

// handOff is noted once for a shift, however many bots see it begin.
func handOff(stop Stop, c HandOff, now time.Time) (Change, error) {
	if c.Shift == "" || len(c.Users) == 0 {
		return Change{}, fmt.Errorf("%w: the shift, and who is on call", ErrIncomplete)
	}
	noted := func(e Entry) bool { return e.Kind == HandedOffEntry && e.Key == c.Shift }
	if c.Role != stop.State.Holder || slices.ContainsFunc(stop.Log, noted) {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: HandedOffEntry, Key: c.Shift, Users: c.Users, Until: c.Until.UTC()}), nil
}

// MisfitError says that a stop cannot be given to a role: its record could not have been addressed to it.
type MisfitError struct {
	ID, Role string
	Faults   []loops.Fault
}

func (e *MisfitError) Error() string {
	return fmt.Sprintf("stop %s cannot be given to %s: %s", e.ID, e.Role, e.Faults[0].Message)
}

// StaleError says that the stop has moved since the person looked. Stop is the read that said so.
type StaleError struct{ Stop Stop }

func (e *StaleError) Error() string {
	return fmt.Sprintf("stop %s has moved since you looked; look again", e.Stop.ID)
}
