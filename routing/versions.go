package routing

import (
	"slices"
	"time"
)

// Version is a rotation as it was loaded at a time. The only or first version counts from its start, whenever it was
// loaded; every other from when its rollout says.
type Version struct {
	Rotation
	Loaded time.Time
}

// segment is a version from the moment at which it counts.
type segment struct {
	Rotation
	from  time.Time
	first int // the shift that counts as the first of the segment; whoever has it also has what is left before it
	index int // the participant who has it
}

// shift is the shift of the segment at an instant that is not before from.
func (s segment) shift(t time.Time) int { return max(s.shiftAt(t), s.first) }

func (s segment) person(shift int) string {
	return s.Participants[floorMod(s.index+shift-s.first, len(s.Participants))]
}

// begin is when a shift of the segment begins.
func (s segment) begin(shift int) time.Time {
	if h := s.handOff(shift); shift > s.first && h.After(s.from) {
		return h
	}
	return s.from
}

// history lays the versions out in time, oldest first. What a version says of the time before it was loaded is never used:
// who was on call does not change afterwards.
func history(versions []Version) []segment {
	ordered := slices.Clone(versions)
	slices.SortStableFunc(ordered, func(a, b Version) int { return a.Loaded.Compare(b.Loaded) })
	var segments []segment
	for i, v := range ordered {
		// What was to come into force after this edit was replaced by it.
		for len(segments) > 0 && segments[len(segments)-1].from.After(v.Loaded) {
			segments = segments[:len(segments)-1]
		}
		switch {
		case len(segments) > 0:
			segments = append(segments, segments[len(segments)-1].edited(v))
		case i == 0:
			segments = append(segments, segment{Rotation: v.Rotation, from: v.handOff(0)})
		default:
			segments = append(segments, segment{Rotation: v.Rotation, from: latest(v.handOff(0), v.Loaded)})
		}
	}
	return segments
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// edited is the segment that follows when v is loaded.
func (s segment) edited(v Version) segment {
	now := s.shift(v.Loaded)
	outgoing := s.person(now)
	next := segment{Rotation: v.Rotation, from: v.Loaded}
	if v.Rollout == Immediate {
		next.immediate(outgoing, s.Participants)
	} else {
		next.from = s.begin(now + 1)
		next.first = v.nearest(next.from)
		next.index = successor(outgoing, s.Participants, v.Participants)
	}
	if start := v.handOff(0); start.After(next.from) {
		return segment{Rotation: v.Rotation, from: start}
	}
	return next
}

// immediate gives the rest of the current shift to whoever has it, or, where that person left, to the successor, who then
// has the whole of the next one as well.
func (s *segment) immediate(outgoing string, before []string) {
	s.first = s.shiftAt(s.from)
	if s.index = slices.Index(s.Participants, outgoing); s.index < 0 {
		s.first++
		s.index = successor(outgoing, before, s.Participants)
	}
}

// nearest is the shift whose hand-off is nearest to t: a hand-off that moved is the same hand-off, and nobody gets a stub
// of a shift for a whole one.
func (r Rotation) nearest(t time.Time) int {
	k := r.shiftAt(t)
	if t.Sub(r.handOff(k)) > r.handOff(k+1).Sub(t) {
		return k + 1
	}
	return k
}

// successor is the place in after of whoever follows outgoing: the next in the new list, or for who is not in it any more,
// the next of the old list who is.
func successor(outgoing string, before, after []string) int {
	if i := slices.Index(after, outgoing); i >= 0 {
		return (i + 1) % len(after)
	}
	gone := slices.Index(before, outgoing)
	for step := 1; step < len(before); step++ {
		if i := slices.Index(after, before[(gone+step)%len(before)]); i >= 0 {
			return i
		}
	}
	return 0
}
