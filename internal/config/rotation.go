package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/routing"

	"go.yaml.in/yaml/v3"
)

var (
	personPattern = regexp.MustCompile(`^[UW][A-Z0-9]{2,}$`)
	dayPattern    = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	clockPattern  = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	everyPattern  = regexp.MustCompile(`^([1-9][0-9]{0,2}) (day|week)s?$`)
	daysPattern   = regexp.MustCompile(`^[a-z]{3}(-[a-z]{3})?(,[a-z]{3}(-[a-z]{3})?)*$`)
	hoursPattern  = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$`)
)

// rotation reads one; what is wrong with it is not followed into the roles that have it.
func (r *reader) rotation(rotations map[string]routing.Roster, key, value *yaml.Node) {
	if !rolePattern.MatchString(key.Value) {
		r.fault(key, "format", "the rotation %q is not written like on-call (a-z, 0-9 and -)", key.Value)
		return
	}
	x := routing.Rotation{Name: key.Value}
	r.places["rotation "+x.Name] = key
	before, given := r.hard(), map[string]bool{}
	r.mapping(value, "the rotation "+x.Name, r.rotationFields(&x, given))
	for _, k := range []string{"zone", "start", "hand_off", "every", "participants"} {
		if !given[k] && value.Kind == yaml.MappingNode {
			r.fault(key, "missing", "the rotation %s has no %s", x.Name, k)
		}
	}
	if r.hard() > before {
		r.places["faulty rotation "+x.Name] = key
	}
	rotations[x.Name] = routing.Roster{Versions: []routing.Version{{Rotation: x}}}
}

func (r *reader) rotationFields(x *routing.Rotation, given map[string]bool) map[string]field {
	of := func(what string) string { return what + " of " + x.Name }
	fields := map[string]field{
		"zone":         func(_, v *yaml.Node) { x.Zone = r.zone(v, of("zone")) },
		"start":        func(_, v *yaml.Node) { x.Start = r.day(v, of("start")) },
		"hand_off":     func(_, v *yaml.Node) { x.HandOff = r.clock(v, of("hand_off")) },
		"every":        func(_, v *yaml.Node) { x.Every, x.Weeks = r.every(v, of("every")) },
		"participants": func(_, v *yaml.Node) { x.Participants = r.people(v, of("participants")) },
		"days":         func(_, v *yaml.Node) { x.Days = r.days(v, of("days")) },
		"hours":        func(_, v *yaml.Node) { x.Hours = r.hours(v, of("hours")) },
		"rollout": func(_, v *yaml.Node) {
			if r.oneOf(v, of("rollout"), "after_current_shift", "immediate") == "immediate" {
				x.Rollout = routing.Immediate
			}
		},
	}
	for name, read := range fields {
		fields[name] = func(key, value *yaml.Node) {
			given[name] = true
			read(key, value)
		}
	}
	return fields
}

// hard is how many faults there are that keep the file from being used.
func (r *reader) hard() int {
	_, hard := split(r.faults)
	return len(hard)
}

// zone reads the name of a zone of the IANA database. Local would be another one on each machine.
func (r *reader) zone(n *yaml.Node, what string) *time.Location {
	s := r.text(n, what)
	if s == "" {
		return nil
	}
	z, err := time.LoadLocation(s)
	if err != nil || s == "Local" {
		r.fault(n, "zone", "%s %q is no zone of the IANA database, such as Europe/Lisbon", what, s)
		return nil
	}
	if fixed(s) {
		r.warn(n, "fixed-zone", "%s %s never changes its clock: hand-offs stay behind when clocks change; name a place, such as America/New_York", what, s)
	}
	return z
}

// fixed reports whether a zone's name stands for an offset and not for a place. UTC is meant as it says.
func fixed(zone string) bool {
	if zone == "UTC" || zone == "Etc/UTC" {
		return false
	}
	return strings.HasPrefix(zone, "Etc/") || strings.HasPrefix(zone, "GMT") ||
		slices.Contains([]string{"EST", "MST", "HST", "UCT", "Zulu"}, zone)
}

func (r *reader) day(n *yaml.Node, what string) routing.Date {
	s := r.matching(n, what, dayPattern, "2026-11-30")
	if s == "" {
		return 0
	}
	d, err := routing.ParseDate(s)
	if err != nil {
		r.fault(n, "format", "%s %s is not in the calendar", what, s)
	}
	return d
}

func (r *reader) clock(n *yaml.Node, what string) routing.Clock {
	return clockOf(r.matching(n, what, clockPattern, `"09:00"`))
}

// clockOf reads what a pattern has let through, and "".
func clockOf(s string) routing.Clock {
	c, err := routing.ParseClock(s)
	if err != nil {
		return 0
	}
	return c
}

func (r *reader) every(n *yaml.Node, what string) (count int, weeks bool) {
	s := r.matching(n, what, everyPattern, "1 week or 3 days")
	if s == "" {
		return 0, false
	}
	m := everyPattern.FindStringSubmatch(s)
	count, _ = strconv.Atoi(m[1]) // the pattern holds three digits at most
	return count, m[2] == "week"
}

// people reads a list of Slack user ids, each once.
func (r *reader) people(n *yaml.Node, what string) []string {
	var out []string
	list := r.list(n, what)
	for _, v := range list {
		s := r.matching(v, "an entry of "+what, personPattern, "U0ANA (a Slack user id)")
		switch {
		case s == "":
		case slices.Contains(out, s):
			r.fault(v, "doubled", "%s stands twice among the %s", s, what)
		default:
			out = append(out, s)
		}
	}
	if n.Kind == yaml.SequenceNode && len(list) == 0 {
		r.fault(n, "shape", "%s is empty: name somebody", what)
	}
	return out
}

// days reads mon-fri, or mon,wed,fri, or sat-mon.
func (r *reader) days(n *yaml.Node, what string) routing.Weekdays {
	const example = "mon-fri or mon,wed,fri"
	s := r.matching(n, what, daysPattern, example)
	if s == "" {
		return 0
	}
	names := []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	var days routing.Weekdays
	for part := range strings.SplitSeq(s, ",") {
		a, b, isRange := strings.Cut(part, "-")
		if !isRange {
			b = a
		}
		from, to := slices.Index(names, a), slices.Index(names, b)
		if from < 0 || to < 0 {
			r.fault(n, "format", "%s %q is not written like %s", what, s, example)
			return 0
		}
		for d := from; ; d = (d + 1) % len(names) {
			days |= 1 << d
			if d == to {
				break
			}
		}
	}
	return days
}

func (r *reader) hours(n *yaml.Node, what string) routing.Hours {
	s := r.matching(n, what, hoursPattern, "09:00-19:00 or 22:00-06:00")
	from, until, _ := strings.Cut(s, "-")
	h := routing.Hours{From: clockOf(from), Until: clockOf(until)}
	if s != "" && h.From == h.Until {
		r.fault(n, "value", "%s %q is no time at all; leave it out for the whole day", what, s)
	}
	return h
}
