package routing

import (
	"math/bits"
	"time"
)

// Rotation is a rota of people who take turns to be on call: contract §7. A shift begins on its day at the hand-off and
// ends where the next one begins, so that shifts tile time; days and hours only say when somebody is on call in them.
type Rotation struct {
	Name         string
	Zone         *time.Location
	Start        Date  // of the first hand-off
	HandOff      Clock // at most 23:59
	Every        int   // days, or weeks, from one hand-off to the next
	Weeks        bool
	Participants []string // Slack user ids; shift k is that of the participant k modulo their number
	Days         Weekdays
	Hours        Hours
	Rollout      Rollout
}

// Weekdays is a set of days of the week, bit 0 Sunday; none: every day. A rotation by days hands off on these days only and
// counts only them, so that nobody has each Friday and each Monday.
type Weekdays uint8

const everyDay = Weekdays(1<<7 - 1)

// Has reports whether a day of the week is in the set.
func (w Weekdays) Has(d time.Weekday) bool { return w == 0 || w&(1<<d) != 0 }

// Hours is when on a day somebody is on call, half-open; an Until that is not after From is one of the next day. The zero
// value is the whole day.
type Hours struct{ From, Until Clock }

// window is the hours that begin on a day, in instants.
func (r Rotation) window(day Date) (from, until time.Time) {
	h := r.Hours
	if h.Until <= h.From {
		h.Until += 24 * 60
	}
	return Resolve(r.Zone, day, h.From), Resolve(r.Zone, day, h.Until)
}

// Rollout is from when on an edit of a rotation counts.
type Rollout int

// The rollouts: the person on call finishes the shift and then the successor comes, or the edit counts at once.
const (
	AfterCurrentShift Rollout = iota
	Immediate
)

// day is the day on which shift k begins. Negative shifts are those before the start.
func (r Rotation) day(k int) Date {
	switch {
	case r.Weeks:
		return r.Start + Date(7*r.Every*k)
	case r.Days == 0:
		return r.Start + Date(r.Every*k)
	}
	return r.workday(r.Every * k)
}

// workday is the n-th day of the rotation's days, 0 the first on or after the start.
func (r Rotation) workday(n int) Date {
	week := bits.OnesCount8(uint8(r.Days & everyDay))
	d := r.Start + Date(7*floorDiv(n, week))
	for left := floorMod(n, week); ; d++ {
		if !r.Days.Has(d.Weekday()) {
			continue
		}
		if left == 0 {
			return d
		}
		left--
	}
}

// handOff is the instant at which shift k begins. Shift k+1 begins later, unless the zone skips the whole day of shift k
// and the hand-off is at midnight: then shift k is empty.
func (r Rotation) handOff(k int) time.Time { return Resolve(r.Zone, r.day(k), r.HandOff) }

// shiftAt is the shift with handOff(k) ≤ t < handOff(k+1).
func (r Rotation) shiftAt(t time.Time) int {
	k := r.near(DateOf(t.In(r.Zone)))
	for r.handOff(k).After(t) {
		k--
	}
	for !r.handOff(k + 1).After(t) {
		k++
	}
	return k
}

// near is a shift that begins about a day, a few at most away from the one that contains it.
func (r Rotation) near(d Date) int {
	days := int(d - r.Start)
	switch {
	case r.Weeks:
		return floorDiv(days, 7*r.Every)
	case r.Days == 0:
		return floorDiv(days, r.Every)
	}
	week := bits.OnesCount8(uint8(r.Days & everyDay))
	return floorDiv(floorDiv(days, 7)*week, r.Every)
}

// beginsOn is the shift that begins on a day.
func (r Rotation) beginsOn(d Date) (k int, ok bool) {
	k = r.near(d)
	for r.day(k) > d {
		k--
	}
	for r.day(k+1) <= d {
		k++
	}
	return k, r.day(k) == d
}

// covers reports whether an instant lies in the days and hours.
func (r Rotation) covers(t time.Time) bool {
	if r.Days == 0 && r.Hours == (Hours{}) {
		return true
	}
	today := DateOf(t.In(r.Zone))
	for day := today - 1; day <= today+1; day++ {
		if from, until := r.window(day); r.Days.Has(day.Weekday()) && !t.Before(from) && t.Before(until) {
			return true
		}
	}
	return false
}

// nextEdge is the next instant after t at which the days and hours may begin or end to cover; zero where they always do.
func (r Rotation) nextEdge(t time.Time) time.Time {
	if r.Days == 0 && r.Hours == (Hours{}) {
		return time.Time{}
	}
	var next time.Time
	today := DateOf(t.In(r.Zone))
	for day := today - 1; day <= today+8; day++ {
		if !r.Days.Has(day.Weekday()) {
			continue
		}
		from, until := r.window(day)
		next = earliest(t, next, from, until)
		if !next.IsZero() && day > today {
			break
		}
	}
	return next
}

// earliest is the earliest of the instants after t; zero instants do not count, and none is zero.
func earliest(t time.Time, instants ...time.Time) time.Time {
	var first time.Time
	for _, x := range instants {
		if x.After(t) && (first.IsZero() || x.Before(first)) {
			first = x
		}
	}
	return first
}
