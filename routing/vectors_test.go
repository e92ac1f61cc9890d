package routing

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the toolchain, whatever the machine has

	"github.com/google/go-cmp/cmp"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func date(t testing.TB, s string) Date {
	t.Helper()
	d, err := ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func instant(t testing.TB, s string) time.Time {
	t.Helper()
	x, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// rotation is written as "Europe/Berlin 2026-03-02 09:00 1w ana ben cleo".
func rotation(t testing.TB, text string) Rotation {
	t.Helper()
	f := strings.Fields(text)
	c, err := ParseClock(f[2])
	if err != nil {
		t.Fatal(err)
	}
	r := Rotation{Name: "r", Zone: zone(t, f[0]), Start: date(t, f[1]), HandOff: c, Every: int(f[3][0] - '0'), Weeks: f[3][1] == 'w', Participants: f[4:]}
	return r
}

func join(s []string) string { return strings.Join(s, "+") }

func only(r Rotation) Roster { return Roster{Versions: []Version{{Rotation: r}}} }

func on(roster Roster, at time.Time) string {
	return join(OnCall(Team{Rosters: []Roster{roster}}, at).Users)
}

const monToFri = Weekdays(1<<time.Monday | 1<<time.Tuesday | 1<<time.Wednesday | 1<<time.Thursday | 1<<time.Friday)

// at is an instant and who is on call then, "" nobody.
type at struct{ at, who string }

func hold(t *testing.T, roster Roster, want []at) {
	t.Helper()
	for _, w := range want {
		// The zone of who asks does not matter.
		for _, asking := range []*time.Location{time.UTC, time.FixedZone("east", 9*60*60), time.FixedZone("west", -11*60*60)} {
			if got := on(roster, instant(t, w.at).In(asking)); got != w.who {
				t.Errorf("on call at %s: %q, want %q", w.at, got, w.who)
			}
		}
	}
}

// TestTheVectorsOfRotations are R1 to R4, R6, R7, R15 and R16 of the survey of on-call software.
func TestTheVectorsOfRotations(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, rotation string
		want           []at
	}{
		{"R1 a week in which the clock goes forward", "Europe/Berlin 2026-03-02 09:00 1w ana ben cleo", []at{
			{"2026-03-30T06:59:59.999999999Z", "ana"}, {"2026-03-30T07:00:00Z", "ben"},
		}},
		{"R2 a week in which the clock goes back", "America/New_York 2026-10-05 09:00 1w ana ben cleo", []at{
			{"2026-11-02T13:00:00Z", "ana"}, {"2026-11-02T13:59:59Z", "ana"}, {"2026-11-02T14:00:00Z", "ben"},
		}},
		{"R3 years of weeks", "America/Chicago 2024-10-01 09:00 1w ana ben cleo", []at{
			{"2024-11-05T14:59:59Z", "ben"},
			{"2024-11-05T15:00:00Z", "cleo"},
			{"2025-03-11T13:59:59Z", "ben"},
			{"2025-03-11T14:00:00Z", "cleo"},
		}},
		{"R4 the clock on the wall is kept", "Europe/London 2023-10-23 08:30 1d ana ben cleo", []at{
			{"2023-10-28T07:30:00Z", "cleo"},
			{"2023-10-29T08:29:59Z", "cleo"},
			{"2023-10-29T08:30:00Z", "ana"},
			{"2024-04-01T07:30:00Z", "cleo"},
		}},
		{"R6 a hand-off that comes twice", "America/New_York 2026-10-30 01:30 1d ana ben cleo", []at{
			{"2026-11-01T05:29:59Z", "ben"},
			{"2026-11-01T05:30:00Z", "cleo"},
			{"2026-11-01T06:30:00Z", "cleo"},
			{"2026-11-02T06:30:00Z", "ana"},
		}},
		{"R7a a hand-off that does not come", "Europe/Berlin 2026-03-27 02:30 1d ana ben cleo", []at{
			{"2026-03-29T00:59:59Z", "ben"}, {"2026-03-29T01:00:00Z", "cleo"},
		}},
		{"R7b a hand-off that comes twice", "Europe/Berlin 2026-10-24 02:30 1d ana ben cleo", []at{
			{"2026-10-25T00:30:00Z", "ben"}, {"2026-10-25T01:30:00Z", "ben"}, {"2026-10-26T01:30:00Z", "cleo"},
		}},
		{"R15 nobody before the start", "UTC 2026-06-01 09:00 1w ana ben cleo", []at{
			{"2026-06-01T08:59:59Z", ""}, {"2026-06-01T09:00:00Z", "ana"}, {"2026-06-08T09:00:00Z", "ben"},
		}},
		{"R16a two weeks", "Europe/London 2026-01-05 08:00 2w ana ben", []at{
			{"2026-03-30T06:59:59Z", "ben"},
			{"2026-03-30T07:00:00Z", "ana"},
			{"2026-10-26T07:59:59Z", "ana"},
			{"2026-10-26T08:00:00Z", "ben"},
		}},
		{"R16b four days over a leap day", "UTC 2027-12-30 00:00 4d ana ben cleo", []at{
			{"2028-02-29T12:00:00Z", "ana"}, {"2028-03-04T00:00:00Z", "ben"},
		}},
		{"R16c a zone of quarters", "Asia/Kathmandu 2026-01-05 09:00 1w ana ben cleo", []at{
			{"2026-01-12T03:14:59Z", "ana"}, {"2026-01-12T03:15:00Z", "ben"},
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			hold(t, only(rotation(t, row.rotation)), row.want)
		})
	}
}

func TestHowLongAWeekIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"Europe/Berlin 2026-03-02 09:00 1w a":    167 * time.Hour, // R1, shift 3
		"America/New_York 2026-10-05 09:00 1w a": 169 * time.Hour, // R2, shift 3
	} {
		r := rotation(t, text)
		if got := r.handOff(4).Sub(r.handOff(3)); got != want {
			t.Errorf("shift 3 of %s is %v, want %v", text, got, want)
		}
	}
}

// TestOnlyWorkingDaysCount is R10 and R11: over the weekend nobody's turn passes.
func TestOnlyWorkingDaysCount(t *testing.T) {
	t.Parallel()
	three := rotation(t, "Europe/Berlin 2026-06-01 09:00 1d e1 e2 e3")
	three.Days, three.Hours = monToFri, Hours{9 * 60, 19 * 60}
	hold(t, only(three), []at{
		{"2026-06-05T10:00:00Z", "e2"},
		{"2026-06-06T10:00:00Z", ""},
		{"2026-06-08T10:00:00Z", "e3"},
		{"2026-06-08T17:00:00Z", ""},
	})
	two := rotation(t, "Europe/Paris 2024-01-01 08:00 1d U1 U2")
	two.Days, two.Hours = monToFri, Hours{8 * 60, 18 * 60}
	hold(t, only(two), []at{
		{"2024-01-01T09:00:00Z", "U1"},
		{"2024-01-02T09:00:00Z", "U2"},
		{"2024-01-03T09:00:00Z", "U1"},
		{"2024-01-04T09:00:00Z", "U2"},
		{"2024-01-05T09:00:00Z", "U1"},
		{"2024-01-08T09:00:00Z", "U2"},
	})
}

func TestANightShiftIsOfTheDayOnWhichItBegins(t *testing.T) {
	t.Parallel()
	r := rotation(t, "Europe/Berlin 2026-06-01 12:00 1d ana ben")
	r.Days, r.Hours = monToFri, Hours{22 * 60, 6 * 60}
	hold(t, only(r), []at{
		{"2026-06-01T20:00:00Z", "ana"}, // Monday, 22:00
		{"2026-06-02T03:59:59Z", "ana"},
		{"2026-06-02T04:00:00Z", ""},
		{"2026-06-06T03:59:59Z", "ana"}, // Saturday morning is still Friday's
		{"2026-06-06T20:00:00Z", ""},
	})
}

// TestAParticipantIsAppended is R12: who is on call stays, and everybody's turn comes.
func TestAParticipantIsAppended(t *testing.T) {
	t.Parallel()
	before := rotation(t, "UTC 2020-10-06 00:00 1w u1 u2 u3 u4 u5")
	after := rotation(t, "UTC 2020-10-06 00:00 1w u1 u2 u3 u4 u5 u6")
	hold(t, Roster{Versions: []Version{{Rotation: before}, {Rotation: after, Loaded: instant(t, "2020-11-20T12:00:00Z")}}}, []at{
		{"2020-11-20T11:59:59Z", "u2"},
		{"2020-11-20T12:00:00Z", "u2"},
		{"2020-11-23T23:59:59Z", "u2"},
		{"2020-11-24T00:00:00Z", "u3"},
		{"2020-12-01T00:00:00Z", "u4"},
		{"2020-12-08T00:00:00Z", "u5"},
		{"2020-12-15T00:00:00Z", "u6"},
		{"2020-12-22T00:00:00Z", "u1"},
	})
}

// TestAPreviewBeginsWithTheFirstHandOff is the second half of R15.
func TestAPreviewBeginsWithTheFirstHandOff(t *testing.T) {
	t.Parallel()
	team := Team{Rosters: []Roster{only(rotation(t, "UTC 2026-06-01 09:00 1w ana ben cleo"))}}
	var got []string
	for d := range Duties(team, instant(t, "2026-05-30T00:00:00Z")) {
		got = append(got, d.At.UTC().Format(time.RFC3339)+" "+strings.Join(d.Users, "+"))
		if len(got) == 4 {
			break
		}
	}
	want := []string{"2026-05-30T00:00:00Z ", "2026-06-01T09:00:00Z ana", "2026-06-08T09:00:00Z ben", "2026-06-15T09:00:00Z cleo"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("duties (-want +got):\n%s", d)
	}
}
