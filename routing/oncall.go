package routing

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Team is who can be on call for a role: everybody who is on call of one of its rotations, and who stands in when nobody is.
type Team struct {
	Rosters  []Roster
	Fallback []string
}

// Source is what decided who is on call.
type Source string

// The sources.
const (
	FromRotation Source = "rotation"
	FromOverride Source = "override"
	FromFallback Source = "fallback"
	FromNobody   Source = "nobody" // nobody is on call
)

// Shift is one turn of a rotation, half-open, in the zone of the rotation. Day is the one on which it begins.
type Shift struct {
	Day        Date
	Start, End time.Time
}

// Part is what one rotation says.
type Part struct {
	Rotation string
	Users    []string
	Source   Source   // never FromFallback
	Shift    Shift    // zero before the start
	Swapped  bool     // the shift is somebody's by a swap
	Override Override // the last that changed something, where Source is FromOverride
}

// Duty is who is on call at an instant, until when, and who is next.
type Duty struct {
	Users    []string // in the order of the rotations, each once; none: nobody is on call
	Source   Source
	Why      string    // in words
	At       time.Time // what was asked
	Until    time.Time // when Users change; zero: not within a year
	Next     []string  // who is on call next; none: nobody within a year
	NextFrom time.Time // Until, or later where nobody is on call in between
	Parts    []Part    // one for each rotation
}

// horizon is how far ahead anybody looks: the longest year, and a week.
const horizon = 373 * 24 * time.Hour

// OnCall is who is on call at an instant. Whatever says who is on call, whether a card, a command or a user group, asks here.
func OnCall(team Team, at time.Time) Duty {
	c := team.crew()
	d := c.duty(at)
	for next := range c.from(d.Until, at.Add(horizon)) {
		if len(next.Users) > 0 {
			d.Next, d.NextFrom = next.Users, next.At
			break
		}
	}
	return d
}

// Duties are who is on call from an instant on: each lasts until the next begins, the last does not end within a year. Next
// and NextFrom are not set.
func Duties(team Team, from time.Time) iter.Seq[Duty] {
	return team.crew().from(from, time.Time{})
}

// crew is a team made ready to be asked.
type crew struct {
	rotas    []rota
	fallback []string
}

func (t Team) crew() crew {
	c := crew{fallback: t.Fallback}
	for _, r := range t.Rosters {
		c.rotas = append(c.rotas, r.rota())
	}
	return c
}

// from yields duties until one has no end, or begins after last where there is one.
func (c crew) from(at, last time.Time) iter.Seq[Duty] {
	return func(yield func(Duty) bool) {
		for !at.IsZero() && (last.IsZero() || !at.After(last)) {
			d := c.duty(at)
			if !yield(d) {
				return
			}
			at = d.Until
		}
	}
}

// duty is at an instant, with its end.
func (c crew) duty(at time.Time) Duty {
	d := c.at(at)
	for t := c.edge(at); !t.IsZero() && t.Sub(at) <= horizon; t = c.edge(t) {
		if !slices.Equal(c.at(t).Users, d.Users) {
			d.Until = t
			break
		}
	}
	d.Why = d.why()
	return d
}

func (c crew) edge(t time.Time) time.Time {
	var next time.Time
	for _, r := range c.rotas {
		next = earliest(t, next, r.edge(t))
	}
	return next
}

// at is who is on call at an instant, without its end and in no words.
func (c crew) at(t time.Time) Duty {
	d := Duty{At: t, Source: FromNobody}
	for _, r := range c.rotas {
		part := r.at(t)
		d.Parts = append(d.Parts, part)
		for _, user := range part.Users {
			if !slices.Contains(d.Users, user) {
				d.Users = append(d.Users, user)
			}
		}
		if len(part.Users) > 0 && d.Source != FromOverride {
			d.Source = part.Source
		}
	}
	if len(d.Users) == 0 && len(c.fallback) > 0 {
		d.Users, d.Source = c.fallback, FromFallback
	}
	return d
}

func (d Duty) why() string {
	var said []string
	for _, p := range d.Parts {
		said = append(said, p.why())
	}
	if d.Source == FromFallback {
		said = append(said, "the fallback stands in")
	}
	if len(said) == 0 {
		return "there is no rotation"
	}
	return strings.Join(said, "; ")
}

func (p Part) why() string {
	switch {
	case p.Source == FromOverride && p.Override.In == "":
		return fmt.Sprintf("an override takes %s out of %s", p.Override.Out, p.Rotation)
	case p.Source == FromOverride && p.Override.Out == "":
		return fmt.Sprintf("an override adds %s to %s", p.Override.In, p.Rotation)
	case p.Source == FromOverride:
		return fmt.Sprintf("an override of %s puts %s in the place of %s", p.Rotation, p.Override.In, p.Override.Out)
	case p.Shift.Start.IsZero():
		return p.Rotation + " has not started"
	case len(p.Users) == 0:
		return "outside the days and hours of " + p.Rotation
	case p.Swapped:
		return fmt.Sprintf("by a swap, the shift of %s that began on %s", p.Rotation, DateOf(p.Shift.Start))
	}
	return fmt.Sprintf("the shift of %s that began on %s", p.Rotation, DateOf(p.Shift.Start))
}

// onCall is OnCall's Users alone, for what asks often.
func (t Team) onCall(at time.Time) []string { return t.crew().at(at).Users }
