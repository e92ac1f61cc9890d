package routing

import (
	"slices"
	"time"
)

// Roster is a rotation with all that was ever said about it. The zero value has nobody on call.
type Roster struct {
	Versions  []Version
	Overrides []Override
	Swaps     []Swap
}

// Override changes who is on call of one rotation from From until Until, half-open. In takes the place of Out where Out
// would be on call; without Out, In is on call in addition; without In, Out is not on call. The newest has the last word,
// and sees what the older ones made of the rotation.
type Override struct {
	Out, In     string
	From, Until time.Time
	Made        time.Time
}

// Swap exchanges two shifts of one rotation, named by the days on which they begin, so that it moves with its shifts.
type Swap struct {
	A, B Date
	Made time.Time
}

// apply changes who is on call.
func (o Override) apply(users []string) []string {
	if o.Out != "" {
		i := slices.Index(users, o.Out)
		if i < 0 {
			return users
		}
		users = slices.Delete(slices.Clone(users), i, i+1)
	}
	if o.In == "" || slices.Contains(users, o.In) {
		return users
	}
	return append(slices.Clip(users), o.In)
}

func (o Override) covers(t time.Time) bool { return !t.Before(o.From) && t.Before(o.Until) }

// rota is a roster made ready to be asked.
type rota struct {
	name      string
	segments  []segment
	overrides []Override // oldest first
	swaps     []Swap     // newest first
}

func (r Roster) rota() rota {
	p := rota{segments: history(r.Versions), overrides: slices.Clone(r.Overrides), swaps: slices.Clone(r.Swaps)}
	if n := len(r.Versions); n > 0 {
		p.name = r.Versions[n-1].Name
	}
	slices.SortStableFunc(p.overrides, func(a, b Override) int { return a.Made.Compare(b.Made) })
	slices.SortStableFunc(p.swaps, func(a, b Swap) int { return a.Made.Compare(b.Made) })
	slices.Reverse(p.swaps)
	return p
}

// Lost are the swaps of which a shift does not exist (any more): they change nothing until somebody looks at them.
func (r Roster) Lost() []Swap {
	p := r.rota()
	return slices.DeleteFunc(slices.Clone(r.Swaps), p.exists)
}

func (p rota) exists(s Swap) bool {
	_, a := p.beginning(s.A)
	_, b := p.beginning(s.B)
	return a && b
}

// beginning is who has, before swaps, the shift that begins on a day.
func (p rota) beginning(d Date) (person string, ok bool) {
	for i, s := range slices.Backward(p.segments) {
		k, on := s.beginsOn(d)
		if !on || k < s.first {
			continue
		}
		if i+1 == len(p.segments) || s.begin(k).Before(p.segments[i+1].from) {
			return s.person(k), true
		}
	}
	return "", false
}

// person is who has a shift of a segment, after swaps.
func (p rota) person(s segment, shift int) (person string, swapped bool) {
	day := s.day(shift)
	for _, w := range p.swaps {
		switch {
		case day != w.A && day != w.B || !p.exists(w):
		case day == w.A:
			day = w.B
		default:
			day = w.A
		}
	}
	if day == s.day(shift) {
		return s.person(shift), false
	}
	person, _ = p.beginning(day)
	return person, true
}

// at is who is on call at an instant, and why.
func (p rota) at(t time.Time) Part {
	part := p.scheduled(t)
	for _, o := range p.overrides {
		if !o.covers(t) {
			continue
		}
		if users := o.apply(part.Users); !slices.Equal(users, part.Users) {
			part.Users, part.Source, part.Override = users, FromOverride, o
		}
	}
	return part
}

// scheduled is who is on call without overrides.
func (p rota) scheduled(t time.Time) Part {
	i, s := p.segment(t)
	if i < 0 {
		return Part{Rotation: p.name, Source: FromNobody}
	}
	k := s.shift(t)
	part := Part{Rotation: p.name, Source: FromNobody, Shift: p.shift(i, k)}
	if s.covers(t) {
		person, swapped := p.person(s, k)
		part.Users, part.Source, part.Swapped = []string{person}, FromRotation, swapped
	}
	return part
}

// segment is the one that counts at an instant, -1 before the start.
func (p rota) segment(t time.Time) (int, segment) {
	for i, s := range slices.Backward(p.segments) {
		if !s.from.After(t) {
			return i, s
		}
	}
	return -1, segment{}
}

func (p rota) shift(i, k int) Shift {
	s := p.segments[i]
	end := s.begin(k + 1)
	if i+1 < len(p.segments) && p.segments[i+1].from.Before(end) {
		end = p.segments[i+1].from
	}
	return Shift{Day: s.day(k), Start: s.begin(k), End: end}
}

// edge is the next instant after t at which who is on call may change, zero when there is none.
func (p rota) edge(t time.Time) time.Time {
	var next time.Time
	if i, s := p.segment(t); i >= 0 {
		next = earliest(t, p.shift(i, s.shift(t)).End, s.nextEdge(t))
	}
	for _, s := range p.segments {
		next = earliest(t, next, s.from)
	}
	for _, o := range p.overrides {
		next = earliest(t, next, o.From, o.Until)
	}
	return next
}
