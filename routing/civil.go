package routing

import (
	"fmt"
	"strings"
	"time"
)

// Date is a day of the calendar, in no zone: the days since 1 January 1970.
type Date int

// DateOf is the day that the calendar of t's zone shows at t.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date(floorDiv(int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()), 24*60*60))
}

// ParseDate reads 2026-11-30.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, fmt.Errorf("%q is no day written like 2026-11-30", s)
	}
	return DateOf(t), nil
}

func (d Date) String() string { return d.utc().Format(time.DateOnly) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.utc().Weekday() }

func (d Date) utc() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

// Clock is what a clock on the wall shows, in minutes since midnight; 24:00 is the next midnight.
type Clock int

// ParseClock reads 00:00 to 24:00.
func ParseClock(s string) (Clock, error) {
	if s == "24:00" {
		return 24 * 60, nil
	}
	t, err := time.Parse("15:04", s)
	if err != nil || len(s) != len("15:04") {
		return 0, fmt.Errorf("%q is no time of day written like 09:00", s)
	}
	return Clock(t.Hour()*60 + t.Minute()), nil
}

func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// Resolve is the first instant at which the clocks of a zone show that day and time, or, where they skip it, a later one.
// So of a time that comes twice it is the first, and of one that does not come, the end of the gap. It never goes
// backwards: a later day and time is never resolved to an earlier instant. All of routing turns civil time into instants
// here.
func Resolve(zone *time.Location, day Date, clock Clock) time.Time {
	wanted := day.utc().Add(time.Duration(clock) * time.Minute)
	// No zone is, or ever was, more than 36 hours away from UTC.
	for at := wanted.Add(-36 * time.Hour).In(zone); ; {
		start, end := at.ZoneBounds()
		_, offset := at.Zone()
		t := wanted.Add(-time.Duration(offset) * time.Second)
		if t.Before(start) {
			return start
		}
		if end.IsZero() || t.Before(end) {
			return t.In(zone)
		}
		at = end
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int) int { return a - b*floorDiv(a, b) }

// ParseMoment reads a moment with its offset, as 2026-12-24T09:00:00+01:00, or without one, as 2026-12-24T09:00, in a zone.
func ParseMoment(s string, zone *time.Location) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, nil
	}
	day, clock, _ := strings.Cut(s, "T")
	d, errDay := ParseDate(day)
	c, errClock := ParseClock(clock)
	if errDay != nil || errClock != nil {
		return time.Time{}, fmt.Errorf("%q is no time written like 2026-12-24T09:00", s)
	}
	return Resolve(zone, d, c), nil
}
