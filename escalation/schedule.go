package escalation

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule is a cron expression in a zone: its ticks are the moments at which steps fire. The zero value has none.
type Schedule struct {
	text string
	spec *cron.SpecSchedule
}

// zonePrefix is what an expression begins with, so that no schedule depends on the machine's own zone.
const zonePrefix = "CRON_TZ="

// ErrSchedule says that an expression is no schedule: what the parser would misread, or what never comes, is none.
var ErrSchedule = errors.New("no schedule")

// ParseSchedule reads a five-field cron expression behind CRON_TZ=<IANA zone> and a space, as in
// "CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri". The error is an ErrSchedule and says what to write instead.
func ParseSchedule(text string) (Schedule, error) {
	fields, err := split(text)
	if err != nil {
		return Schedule{}, fmt.Errorf("%w: %w", ErrSchedule, err)
	}
	spec, err := parse(text)
	if err != nil {
		return Schedule{}, fmt.Errorf("%w: %w", ErrSchedule, explained(err, fields))
	}
	s := Schedule{text: text, spec: spec}
	// Any moment does: a schedule that comes at all comes within five years, which is as far as the parser looks.
	if s.Next(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Schedule{}, fmt.Errorf("%w: that day is in no year", ErrSchedule)
	}
	return s, nil
}

// split refuses what the parser panics on or takes for something else, and returns the five fields.
func split(text string) ([]string, error) {
	rest, ok := strings.CutPrefix(text, zonePrefix)
	zone, expression, spaced := strings.Cut(rest, " ")
	switch {
	case !ok && strings.HasPrefix(text, "TZ="):
		return nil, errors.New("write CRON_TZ= in the place of TZ=")
	case !ok:
		return nil, errors.New("name the zone first, as in CRON_TZ=Europe/Lisbon 0 9 * * mon-fri")
	case strings.ContainsAny(text, "\t\r\n"):
		return nil, errors.New("write spaces between the fields, no tabs and line breaks")
	case !spaced:
		return nil, errors.New("write a space and five fields after the zone")
	case zone == "" || zone == "Local":
		return nil, errors.New("name a zone of the IANA database, such as Europe/Lisbon: Local is another on each machine")
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return nil, fmt.Errorf("%q is no zone of the IANA database, such as Europe/Lisbon", zone)
	}
	fields := strings.Fields(expression)
	switch {
	case strings.HasPrefix(strings.TrimSpace(expression), "@"):
		return nil, errors.New("write five fields: names such as @daily and @every are not read")
	case len(fields) != 5:
		return nil, fmt.Errorf("it has %d fields: write minute, hour, day of the month, month and day of the week", len(fields))
	}
	for i, f := range fields {
		if err := refuse(f, spans()[i]); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// span is one field's name and how many values it has.
type span struct {
	name string
	size int
}

func spans() [5]span {
	return [5]span{{"minute", 60}, {"hour", 24}, {"day of the month", 31}, {"month", 12}, {"day of the week", 7}}
}

// refuse says what is wrong with a field that the parser would take for another.
func refuse(field string, of span) error {
	if strings.Contains(field, "?") {
		return fmt.Errorf("the %s %q: write * for any", of.name, field)
	}
	for part := range strings.SplitSeq(field, ",") {
		if part == "" {
			return fmt.Errorf("the %s %q: a value is missing beside the comma", of.name, field)
		}
		_, step, stepped := strings.Cut(part, "/")
		if n, err := strconv.Atoi(step); stepped && err == nil && n >= of.size {
			return fmt.Errorf("the %s %q: a step of %d is longer than the field, which has %d values", of.name, field, n, of.size)
		}
	}
	return nil
}

// parse calls the parser, which panics on some expressions.
func parse(text string) (spec *cron.SpecSchedule, err error) {
	defer func() {
		if recover() != nil {
			spec, err = nil, errors.New("the parser does not read it")
		}
	}()
	p := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	parsed, err := p.Parse(text)
	if err != nil {
		return nil, err
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return nil, errors.New("it is no set of moments")
	}
	return spec, nil
}

// explained adds what to write instead of what people usually mean.
func explained(err error, fields []string) error {
	switch {
	case strings.Contains(fields[4], "7"):
		return fmt.Errorf("%w; Sunday is 0 or sun", err)
	case strings.Contains(fields[1], "24"):
		return fmt.Errorf("%w; midnight is hour 0", err)
	case strings.ContainsAny(strings.Join(fields[2:], ""), "#LW"):
		return fmt.Errorf("%w; last days, working days and nth weekdays are not read", err)
	}
	return err
}

func (s Schedule) String() string { return s.text }

// Zero reports whether there is no schedule.
func (s Schedule) Zero() bool { return s.spec == nil }

// Zone is the zone in which its fields are read.
func (s Schedule) Zone() *time.Location {
	if s.Zero() {
		return time.UTC
	}
	return s.spec.Location
}

// Next is the first tick after t; zero where there is none.
func (s Schedule) Next(t time.Time) time.Time {
	if s.Zero() {
		return time.Time{}
	}
	return s.spec.Next(t)
}

// From is the first tick at or after t, of which only whole seconds count.
func (s Schedule) From(t time.Time) time.Time { return s.Next(t.Truncate(time.Second).Add(-1)) }

// Ticks are the next n after t.
func (s Schedule) Ticks(t time.Time, n int) []time.Time {
	var all []time.Time
	for t = s.Next(t); !t.IsZero() && len(all) < n; t = s.Next(t) {
		all = append(all, t)
	}
	return all
}

// star reports whether a field of the parsed expression is a star.
func star(field uint64) bool { return bits.LeadingZeros64(field) == 0 }

func has(field uint64, value int) bool { return field&(1<<uint(value)) != 0 }

// wants reports whether the expression names a day of the calendar.
func (s Schedule) wants(month time.Month, day int, weekday time.Weekday) bool {
	dom, dow := has(s.spec.Dom, day), has(s.spec.Dow, int(weekday))
	if star(s.spec.Dom) || star(s.spec.Dow) {
		return has(s.spec.Month, int(month)) && dom && dow
	}
	return has(s.spec.Month, int(month)) && (dom || dow)
}

// fields are the five that follow the zone.
func (s Schedule) fields() []string {
	f := strings.Fields(s.text)
	return slices.Clip(f[1:])
}
