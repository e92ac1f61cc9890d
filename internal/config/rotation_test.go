package config

import (
	"strings"
	"testing"
)

// rota is a configuration without a fault or a warning, of which the tests change a line.
const rota = `roles:
  product-thinker: {channel: C0P, answerers: [U0ANA]}
  facilitator: {channel: C0F, rotation: desk}
rotations:
  desk:
    zone: Europe/Lisbon
    start: 2020-01-06
    hand_off: "09:00"
    every: 1 week
    participants: [U0BOB, U0CHI]
fallback_channel: C0OPS
`

func TestEachFaultOfARotationIsNamedAtItsPlace(t *testing.T) {
	const day = "    days: mon-fri\n    hours: 09:00-19:00\nfallback_channel"
	for _, c := range []struct {
		name, old, with, code string
		line, column          int
		warning               bool
	}{
		{"the zone of the machine", "Europe/Lisbon", "Local", "zone", 6, 11, false},
		{"no zone", "Europe/Lisbon", `""`, "shape", 6, 11, false},
		{"a zone that is not known", "Europe/Lisbon", "Mars/Phobos", "zone", 6, 11, false},
		{"a zone of a path", "Europe/Lisbon", "../zones/x", "zone", 6, 11, false},
		{"an offset for a zone", "Europe/Lisbon", "Etc/GMT+5", "fixed-zone", 6, 11, true},
		{"winter for a zone", "Europe/Lisbon", "EST", "fixed-zone", 6, 11, true},
		{"no zone at all", "    zone: Europe/Lisbon\n", "", "missing", 5, 3, false},
		{"no start", "    start: 2020-01-06\n", "", "missing", 5, 3, false},
		{"no hand_off", "    hand_off: \"09:00\"\n", "", "missing", 5, 3, false},
		{"no every", "    every: 1 week\n", "", "missing", 5, 3, false},
		{"no participants", "    participants: [U0BOB, U0CHI]\n", "", "missing", 5, 3, false},
		{"a start in words", "2020-01-06", "monday", "format", 7, 12, false},
		{"a start that is no day", "2020-01-06", "2020-02-30", "format", 7, 12, false},
		{"a start with a time", "2020-01-06", "2020-01-06T09:00:00Z", "format", 7, 12, false},
		{"a hand-off at 24:00", `"09:00"`, `"24:00"`, "format", 8, 15, false},
		{"a hand-off with seconds", `"09:00"`, `"09:00:00"`, "format", 8, 15, false},
		{"a month", "1 week", "1 month", "format", 9, 12, false},
		{"every nothing", "1 week", "0 days", "format", 9, 12, false},
		{"nobody", "[U0BOB, U0CHI]", "[]", "shape", 10, 19, false},
		{"a participant twice", "[U0BOB, U0CHI]", "[U0BOB, U0BOB]", "doubled", 10, 27, false},
		{"a group as participant", "[U0BOB, U0CHI]", `["@S0TEAM"]`, "format", 10, 20, false},
		{"a command line as participant", "[U0BOB, U0CHI]", `["cli:a@b"]`, "format", 10, 20, false},
		{"a day of no week", "fallback_channel", "    days: mon-fry\nfallback_channel", "format", 11, 11, false},
		{"days in capitals", "fallback_channel", "    days: Mon\nfallback_channel", "format", 11, 11, false},
		{"days as a list", "fallback_channel", "    days: [mon]\nfallback_channel", "shape", 11, 11, false},
		{"hours of nothing", "fallback_channel", "    hours: 09:00-09:00\nfallback_channel", "value", 11, 12, false},
		{"hours with one end", "fallback_channel", "    hours: 09:00\nfallback_channel", "format", 11, 12, false},
		{"hours after midnight", "fallback_channel", "    hours: 09:00-25:00\nfallback_channel", "format", 11, 12, false},
		{"a rollout", "fallback_channel", "    rollout: after_full_rotation\nfallback_channel", "value", 11, 14, false},
		{"an unknown key", "fallback_channel", "    user_group: S0FACIL\nfallback_channel", "unknown-key", 11, 5, false},
		{"a fallback without a rotation", "[U0ANA]}", "[U0ANA], fallback: [U0LEAD]}", "no-rotation", 2, 65, false},
		{"a group as fallback", "rotation: desk", `rotation: desk, fallback: ["@S0TEAM"]`, "format", 3, 58, false},
		{"a fallback of nobody", "rotation: desk", "rotation: desk, fallback: []", "shape", 3, 57, false},
		{"an answering rotation that is not there", "rotation: desk", `rotation: desk, answerers: ["rotation:dusk"]`, "unknown-rotation", 3, 59, false},
		{"a rotation that no role has", "rotation: desk", "answerers: [U0BOB]", "unused", 5, 3, true},
		{"hours that nobody covers", "fallback_channel", day, "uncovered", 3, 41, true},
		{"a start that is to come", "2020-01-06", "9000-01-06", "uncovered", 3, 41, true},
		{"one at a time in words", "rotation: desk", "rotation: desk, one_at_a_time: often", "value", 3, 62, false},
		{"a user group by its name", "rotation: desk", `rotation: desk, user_group: "@oncall"`, "format", 3, 59, false},
		{"a user group of nobody", "rotation: desk", "answerers: [\"rotation:desk\"], user_group: S0DESK", "no-rotation", 3, 73, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := strings.Replace(rota, c.old, c.with, 1)
			if file == rota {
				t.Fatalf("%q is not in the file", c.old)
			}
			_, faults := Parse([]byte(file))
			if len(faults) != 1 {
				t.Fatalf("faults = %v, want one", faults)
			}
			got := faults[0]
			got.Message = ""
			if want := (Fault{Line: c.line, Column: c.column, Code: c.code, Warning: c.warning}); got != want {
				t.Errorf("fault = %+v (%s), want %+v", got, faults[0].Message, want)
			}
		})
	}
}

func TestNothingIsSaidOfARotationThatCoversOrOfOneWithAFallback(t *testing.T) {
	const gaps = "    days: mon,wed-fri\n    hours: 22:00-06:00\nfallback_channel"
	for _, file := range []string{
		rota,
		strings.Replace(rota, "rotation: desk", `answerers: ["rotation:desk"]`, 1),
		strings.NewReplacer("rotation: desk", "rotation: desk, fallback: [U0LEAD]", "fallback_channel", gaps).Replace(rota),
		strings.Replace(rota, "fallback_channel", "    hours: 00:00-24:00\n    days: sun-sat\nfallback_channel", 1),
		strings.NewReplacer("1 week", "3 days", "Europe/Lisbon", "UTC").Replace(rota),
	} {
		if _, faults := Parse([]byte(file)); len(faults) > 0 {
			t.Errorf("faults = %v, want none of\n%s", faults, file)
		}
	}
}

// A role that names no rotation and a rotation that nobody names come together.
func TestARotationThatIsNotThereIsNamedAndSoIsTheOneThatIsNotUsed(t *testing.T) {
	_, faults := Parse([]byte(strings.Replace(rota, "rotation: desk", "rotation: dusk", 1)))
	if len(faults) != 2 || faults[0].Code != "unknown-rotation" || faults[0].Line != 3 || faults[0].Column != 41 || faults[1].Code != "unused" {
		t.Errorf("faults = %v", faults)
	}
}

func TestAConfigurationWithTwentyFaultsReportsTwenty(t *testing.T) {
	_, faults := Parse([]byte(`roles:
  A: {channel: C0A}
  a: {channel: a, answerers: [b], rotation: C, fallback: [d], relays_for: [e]}
  b: {machine_answers: x}
rotations:
  a:
    zone: Local
    start: x
    hand_off: x
    every: x
    participants: [x]
    days: x
    hours: x
    rollout: x
  B: {}
repositories:
  "a/*": {channels: {x: C0X}, self_approval: x, wait_cap: x}
`))
	hard := 0
	for _, f := range faults {
		if !f.Warning {
			hard++
		}
	}
	if hard != 20 {
		t.Errorf("%d faults, want twenty: %v", hard, faults)
	}
}
