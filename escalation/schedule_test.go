package escalation

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func schedule(t *testing.T, text string) Schedule {
	t.Helper()
	s, err := ParseSchedule(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err) // a literal of these tests
	}
	return t
}

// TestWhatIsNoSchedule holds the refusals of vector K5, and their kin.
func TestWhatIsNoSchedule(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"":                                      "name the zone first",
		"0 9 * * *":                             "name the zone first",
		"cron_tz=Europe/Lisbon 0 9 * * *":       "name the zone first",
		" CRON_TZ=Europe/Lisbon 0 9 * * *":      "name the zone first",
		"@every 1h":                             "name the zone first",
		"TZ=UTC":                                "CRON_TZ= in the place of TZ=",
		"TZ=0":                                  "CRON_TZ= in the place of TZ=",
		"TZ=UTC 0 9 * * *":                      "CRON_TZ= in the place of TZ=",
		"CRON_TZ=":                              "a space and five fields",
		"CRON_TZ=America/New_York":              "a space and five fields",
		"CRON_TZ= 0 9 * * *":                    "Local is another on each machine",
		"CRON_TZ=Local 0 9 * * *":               "Local is another on each machine",
		"CRON_TZ=Mars/Phobos 0 9 * * *":         "no zone of the IANA database",
		"CRON_TZ=../etc/passwd 0 9 * * *":       "no zone of the IANA database",
		"CRON_TZ=Europe/Lisbon\t0 9 * * *":      "no tabs",
		"CRON_TZ=Europe/Lisbon 0\t9 * * *":      "no tabs",
		"CRON_TZ=UTC @every 1h":                 "@daily and @every",
		"CRON_TZ=UTC @reboot":                   "@daily and @every",
		"CRON_TZ=UTC 0 9 * *":                   "it has 4 fields",
		"CRON_TZ=UTC 0 0 9 * * *":               "it has 6 fields",
		"CRON_TZ=UTC 0 0 30 2 *":                "that day is in no year",
		"CRON_TZ=UTC 0 9 * * 7":                 "Sunday is 0 or sun",
		"CRON_TZ=UTC 0 24 * * *":                "midnight is hour 0",
		"CRON_TZ=UTC 0 17-9 * * *":              "beginning of range (17) beyond end",
		"CRON_TZ=UTC 0 9 L * *":                 "last days",
		"CRON_TZ=UTC 0 9 * * MON#1":             "last days",
		"CRON_TZ=UTC */90 * * * *":              "longer than the field",
		"CRON_TZ=UTC 0 */24 * * *":              "longer than the field",
		"CRON_TZ=UTC 0,30/60 * * * *":           "longer than the field",
		"CRON_TZ=UTC 0 9 ? * mon":               "write * for any",
		"CRON_TZ=UTC 0 9 * * *,":                "no schedule",
		"CRON_TZ=UTC 0 9 * * 99999999999999999": "no schedule",
	} {
		_, err := ParseSchedule(text)
		if !errors.Is(err, ErrSchedule) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestTicks holds the library's results in vectors K1 to K4, from which the warnings follow.
func TestTicks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, after, want string }{
		{"CRON_TZ=America/New_York 30 2 * * *", "2026-03-08T05:00:00Z", "2026-03-09T06:30:00Z"},
		{"CRON_TZ=America/New_York 30 1 * * *", "2026-11-01T05:00:00Z", "2026-11-01T05:30:00Z"},
		{"CRON_TZ=America/New_York 30 1 * * *", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"},
		{"CRON_TZ=America/New_York 0 */2 * * *", "2026-03-08T05:00:00Z", "2026-03-08T08:00:00Z"},
		{"CRON_TZ=America/Santiago 0 0 * * *", "2026-09-05T05:00:00Z", "2026-09-07T03:00:00Z"},
		{"CRON_TZ=America/Santiago 0 0 * * 0", "2026-09-05T05:00:00Z", "2026-09-13T03:00:00Z"},
		{"CRON_TZ=Africa/Cairo 0 0 * * 5", "2026-04-23T12:00:00Z", "2026-04-30T21:00:00Z"},
		{"CRON_TZ=Australia/Lord_Howe 45 1 * * *", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"},
		{"CRON_TZ=America/Sao_Paulo 0 1 4 11 *", "2018-11-04T02:00:00Z", "2018-11-04T03:00:00Z"},
	} {
		if got := schedule(t, tc.text).Next(at(tc.after)); !got.Equal(at(tc.want)) {
			t.Errorf("%s after %s: %s, want %s", tc.text, tc.after, got.UTC().Format(time.RFC3339), tc.want)
		}
	}
}

func TestATickCountsForWhatIsDueAtIt(t *testing.T) {
	t.Parallel()
	s := schedule(t, "CRON_TZ=Europe/Berlin 0 9 * * 1-5")
	for due, want := range map[string]string{
		"2026-03-27T08:00:00Z":   "2026-03-27T08:00:00Z",
		"2026-03-27T08:00:00.5Z": "2026-03-27T08:00:00Z",
		"2026-03-27T08:00:01Z":   "2026-03-30T07:00:00Z",
		"2026-03-27T07:00:00Z":   "2026-03-27T08:00:00Z",
	} {
		if got := s.From(at(due)); !got.Equal(at(want)) {
			t.Errorf("due at %s: %s, want %s", due, got.UTC().Format(time.RFC3339), want)
		}
	}
}

func TestTheZeroScheduleNeverTicks(t *testing.T) {
	t.Parallel()
	var s Schedule
	if !s.Zero() || !s.Next(time.Now()).IsZero() || len(s.Ticks(time.Now(), 5)) > 0 || s.Lint(time.Now(), time.Hour) != nil {
		t.Error("it ticks")
	}
}

// TestWhatAScheduleWarnsOf: each kind that oncall.md §2.10 names, and schedules that are as they seem.
func TestWhatAScheduleWarnsOf(t *testing.T) {
	t.Parallel()
	now := at("2026-01-01T00:00:00Z")
	for _, tc := range []struct {
		text  string
		after time.Duration
		says  []string // pieces, one a warning, in order
	}{
		{"CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri", 4 * time.Hour, nil},
		{"CRON_TZ=UTC * * * * *", time.Hour, nil},
		{"CRON_TZ=America/New_York 30 2 * * *", 24 * time.Hour, []string{"On 2026-03-08 the clocks of America/New_York change, and 02:30 does not come"}},
		{"CRON_TZ=America/New_York 30 1 * * *", 24 * time.Hour, []string{"On 2026-11-01 the clocks of America/New_York change, and 01:30 comes twice"}},
		{"CRON_TZ=America/New_York */15 * * * *", time.Hour, []string{"02:00 and 3 more do not come", "01:00 and 3 more come twice"}},
		{"CRON_TZ=America/Santiago 0 0 * * *", 24 * time.Hour, []string{"2026-09-06 the clocks of America/Santiago change, and 00:00 does not come"}},
		{"CRON_TZ=Africa/Cairo 0 0 * * 5", 0, []string{"On 2026-04-24 the clocks of Africa/Cairo change, and 00:00 does not come"}},
		{"CRON_TZ=Australia/Lord_Howe 45 1 * * *", 0, []string{"On 2026-04-05 the clocks of Australia/Lord_Howe change, and 01:45 comes twice"}},
		{"CRON_TZ=UTC 0 9 1-7 * 1", 0, []string{"Both day fields are set"}},
		{"CRON_TZ=UTC */7 * * * *", 0, []string{"*/7 in the minute begins anew after 60"}},
		{"CRON_TZ=UTC 0 */5 * * *", 0, []string{"*/5 in the hour begins anew after 24"}},
		{"CRON_TZ=UTC 0 9 * * 1-5", 4 * time.Hour, []string{"Its ticks lie 24h0m0s apart and more"}},
		{"CRON_TZ=UTC 0 9 1 1 *", 4 * time.Hour, []string{"Its ticks lie 8760h0m0s apart and more"}},
	} {
		said := schedule(t, tc.text).Lint(now, tc.after)
		if len(said) != len(tc.says) {
			t.Errorf("%s says %q, want %q", tc.text, said, tc.says)
			continue
		}
		for i, want := range tc.says {
			if !strings.Contains(said[i], want) || !strings.Contains(said[i], "It ticks next at ") {
				t.Errorf("%s says %q, want %q and the next ticks", tc.text, said[i], want)
			}
		}
	}
}

func TestAWarningNamesTheNextFiveTicks(t *testing.T) {
	t.Parallel()
	said := schedule(t, "CRON_TZ=Europe/Berlin 0 9 1-7 * 1").Lint(at("2026-11-30T09:00:00Z"), 0)
	want := []string{"Both day fields are set: it ticks on the days of the month and, beside them, on the days of the week. It ticks next at " +
		"Tue 1 Dec 2026 09:00 CET, Wed 2 Dec 2026 09:00 CET, Thu 3 Dec 2026 09:00 CET, Fri 4 Dec 2026 09:00 CET, Sat 5 Dec 2026 09:00 CET."}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
}

// TestTheHostsZoneDoesNotMatter is vector K9: the same ticks in a process that lives in another zone.
func TestTheHostsZoneDoesNotMatter(t *testing.T) {
	const mark = "FLAGSTOP_TEST_TICKS"
	tick := schedule(t, "CRON_TZ=Europe/London 30 1 * * *").Next(at("2026-10-24T12:00:00Z")).UTC().Format(time.RFC3339)
	if os.Getenv(mark) != "" {
		t.Log(mark + " " + tick)
		return
	}
	for _, zone := range []string{"UTC", "Asia/Seoul", "Europe/London"} {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestTheHostsZoneDoesNotMatter$", "-test.v")
		c.Env = append(os.Environ(), mark+"=1", "TZ="+zone)
		out, err := c.CombinedOutput()
		if err != nil || !strings.Contains(string(out), mark+" "+tick) {
			t.Errorf("in %s, not %s: %v\n%s", zone, tick, err, out)
		}
	}
}

func FuzzSchedule(f *testing.F) {
	for _, text := range []string{"CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri", "TZ=0", "CRON_TZ= 0 9 * * *", "CRON_TZ=UTC 0 0 30 2 *", "CRON_TZ=UTC 0,/ * * * *"} {
		f.Add(text)
	}
	start := at("2026-03-27T08:00:00Z")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchedule(text)
		if err != nil {
			if !errors.Is(err, ErrSchedule) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if next := s.Next(start); !next.After(start) {
			t.Errorf("%q ticks at %s after %s", text, next, start)
		}
		if from := s.From(start); from.Before(start) {
			t.Errorf("%q ticks at %s, from %s", text, from, start)
		}
	})
}
