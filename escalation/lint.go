package escalation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/routing"
)

// Lint says, in sentences, where a schedule does something else than its reader may expect from a moment on: day fields that
// add up, steps that begin anew, clock changes of the next twelve months, and ticks that lie further apart than the
// shortest time after which a step is due (0: there is none). Each ends with the next five ticks.
func (s Schedule) Lint(now time.Time, shortest time.Duration) []string {
	if s.Zero() {
		return nil
	}
	var said []string
	if !star(s.spec.Dom) && !star(s.spec.Dow) {
		said = append(said, "Both day fields are set: it ticks on the days of the month and, beside them, on the days of the week.")
	}
	said = append(said, s.uneven()...)
	said = append(said, s.clockChanges(now)...)
	if apart := s.apart(now); shortest > 0 && apart > shortest {
		said = append(said, fmt.Sprintf("Its ticks lie %s apart and more, so a step that is due after %s waits for longer than it says.", apart, shortest))
	}
	for i := range said {
		said[i] += " It ticks next at " + s.next(now) + "."
	}
	return said
}

// next names the next five ticks, in the schedule's zone.
func (s Schedule) next(now time.Time) string {
	var all []string
	for _, t := range s.Ticks(now, 5) {
		all = append(all, t.In(s.Zone()).Format("Mon 2 Jan 2006 15:04 MST"))
	}
	return strings.Join(all, ", ")
}

// uneven are the steps that do not divide their field: the last of them is shorter.
func (s Schedule) uneven() []string {
	var said []string
	for i, field := range s.fields()[:2] {
		for part := range strings.SplitSeq(field, ",") {
			step, ok := strings.CutPrefix(part, "*/")
			if n, err := strconv.Atoi(step); ok && err == nil && n > 0 && spans()[i].size%n != 0 {
				said = append(said, fmt.Sprintf("%s in the %s begins anew after %d: its last step is shorter.", part, spans()[i].name, spans()[i].size))
			}
		}
	}
	return said
}

// apart is the shortest time between two ticks of the next four weeks, or of the next two where fewer come.
func (s Schedule) apart(now time.Time) time.Duration {
	var shortest time.Duration
	before := s.Next(now)
	for range 4 * 7 * 24 * 60 {
		t := s.Next(before)
		if t.IsZero() || shortest > 0 && t.Sub(now) > 4*7*24*time.Hour {
			break
		}
		if gap := t.Sub(before); shortest == 0 || gap < shortest {
			shortest = gap
		}
		if shortest <= time.Minute {
			break
		}
		before = t
	}
	return shortest
}

// clockChanges says which ticks the clock changes of the next twelve months take away or double.
func (s Schedule) clockChanges(now time.Time) []string {
	var said []string
	zone := s.Zone()
	for at := now.In(zone); ; {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.After(now.AddDate(1, 0, 0)) {
			return said
		}
		at = end.In(zone)
		days := []routing.Date{routing.DateOf(end.Add(-1).In(zone)), routing.DateOf(at)}
		for day := days[0]; day <= days[1]; day++ {
			if sentence := s.changed(day); sentence != "" {
				said = append(said, sentence)
			}
		}
	}
}

// changed says what is different about the ticks of a day; "" where nothing is.
func (s Schedule) changed(day routing.Date) string {
	times := map[string]int{}
	start, end := routing.Resolve(s.Zone(), day, 0), routing.Resolve(s.Zone(), day+1, 0)
	for t := s.Next(start.Add(-1)); !t.IsZero() && t.Before(end); t = s.Next(t) {
		times[t.In(s.Zone()).Format("15:04")]++
	}
	var lost, twice []string
	for _, clock := range s.wanted(day) {
		switch times[clock] {
		case 0:
			lost = append(lost, clock)
		case 1:
		default:
			twice = append(twice, clock)
		}
	}
	var said []string
	if len(lost) > 0 {
		said = append(said, few(lost, "does not come", "do not come")+": what is due waits for the next tick")
	}
	if len(twice) > 0 {
		said = append(said, few(twice, "comes twice", "come twice")+": nothing fires twice for that")
	}
	if len(said) == 0 {
		return ""
	}
	return fmt.Sprintf("On %s the clocks of %s change, and %s.", day, s.Zone(), strings.Join(said, ", and "))
}

// wanted are the times of a day that the expression names.
func (s Schedule) wanted(day routing.Date) []string {
	y, err := time.Parse(time.DateOnly, day.String())
	if err != nil || !s.wants(y.Month(), y.Day(), day.Weekday()) {
		return nil
	}
	var all []string
	for h := range 24 {
		for m := range 60 {
			if has(s.spec.Hour, h) && has(s.spec.Minute, m) {
				all = append(all, routing.Clock(h*60+m).String())
			}
		}
	}
	return all
}

// few names the first of some times, counts the others, and says what they do.
func few(times []string, one, many string) string {
	times = slices.Compact(times)
	if len(times) == 1 {
		return times[0] + " " + one
	}
	return fmt.Sprintf("%s and %d more %s", times[0], len(times)-1, many)
}
