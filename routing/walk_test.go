package routing

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAWalkOverClockChangesMeetsEachHandOffOnce goes in steps of 30 seconds over changes of the clock that hit the
// hand-off, and writes down when the person changes.
func TestAWalkOverClockChangesMeetsEachHandOffOnce(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, rotation, from, until string
		want                        []string
	}{
		{
			"New York, forward", "America/New_York 2026-03-01 02:30 1d a b c", "2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z",
			[]string{"2026-03-07T02:30:00-05:00 a", "2026-03-08T03:00:00-04:00 b", "2026-03-09T02:30:00-04:00 c"},
		},
		{
			"New York, back", "America/New_York 2026-10-01 01:30 1d a b c", "2026-10-31T00:00:00Z", "2026-11-03T00:00:00Z",
			[]string{"2026-10-31T01:30:00-04:00 a", "2026-11-01T01:30:00-04:00 b", "2026-11-02T01:30:00-05:00 c"},
		},
		{
			"Berlin, forward", "Europe/Berlin 2026-03-01 02:30 1d a b c", "2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z",
			[]string{"2026-03-28T02:30:00+01:00 a", "2026-03-29T03:00:00+02:00 b", "2026-03-30T02:30:00+02:00 c"},
		},
		{
			"Berlin, back", "Europe/Berlin 2026-10-01 02:30 1d a b c", "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z",
			[]string{"2026-10-24T02:30:00+02:00 c", "2026-10-25T02:30:00+02:00 a", "2026-10-26T02:30:00+01:00 b"},
		},
		{
			"Lord Howe, forward by half an hour", "Australia/Lord_Howe 2026-10-01 02:15 1d a b c", "2026-10-02T12:00:00Z", "2026-10-05T12:00:00Z",
			[]string{"2026-10-03T02:15:00+10:30 c", "2026-10-04T02:30:00+11:00 a", "2026-10-05T02:15:00+11:00 b"},
		},
		{
			"Lord Howe, back by half an hour", "Australia/Lord_Howe 2026-04-01 01:45 1d a b c", "2026-04-03T12:00:00Z", "2026-04-06T12:00:00Z",
			[]string{"2026-04-04T01:45:00+11:00 a", "2026-04-05T01:45:00+11:00 b", "2026-04-06T01:45:00+10:30 c"},
		},
		{
			"Santiago, a day without midnight", "America/Santiago 2026-09-01 00:00 1d a b c", "2026-09-04T12:00:00Z", "2026-09-07T12:00:00Z",
			[]string{"2026-09-05T00:00:00-04:00 b", "2026-09-06T01:00:00-03:00 c", "2026-09-07T00:00:00-03:00 a"},
		},
		{
			"Santiago, an evening that comes twice", "America/Santiago 2026-04-01 23:30 1d a b c", "2026-04-03T12:00:00Z", "2026-04-06T12:00:00Z",
			[]string{"2026-04-03T23:30:00-03:00 c", "2026-04-04T23:30:00-03:00 a", "2026-04-05T23:30:00-04:00 b"},
		},
		{
			"Cairo, a day without midnight", "Africa/Cairo 2026-04-01 00:00 1d a b c", "2026-04-22T12:00:00Z", "2026-04-25T12:00:00Z",
			[]string{"2026-04-23T00:00:00+02:00 b", "2026-04-24T01:00:00+03:00 c", "2026-04-25T00:00:00+03:00 a"},
		},
		{
			"Cairo, an evening that comes twice", "Africa/Cairo 2026-10-01 23:30 1d a b c", "2026-10-28T12:00:00Z", "2026-10-31T12:00:00Z",
			[]string{"2026-10-28T23:30:00+03:00 a", "2026-10-29T23:30:00+03:00 b", "2026-10-30T23:30:00+02:00 c"},
		},
		{
			"Apia, a day that never was", "Pacific/Apia 2011-12-01 09:00 1d a b c", "2011-12-28T00:00:00Z", "2012-01-01T00:00:00Z",
			[]string{
				"2011-12-28T09:00:00-10:00 a", "2011-12-29T09:00:00-10:00 b", "2011-12-31T00:00:00+14:00 c",
				"2011-12-31T09:00:00+14:00 a", "2012-01-01T09:00:00+14:00 b",
			},
		},
		{
			"Apia, a shift that never was", "Pacific/Apia 2011-12-01 00:00 1d a b c", "2011-12-28T00:00:00Z", "2012-01-01T00:00:00Z",
			[]string{"2011-12-28T00:00:00-10:00 a", "2011-12-29T00:00:00-10:00 b", "2011-12-31T00:00:00+14:00 a", "2012-01-01T00:00:00+14:00 b"},
		},
		{
			"Kathmandu, forward by a quarter", "Asia/Kathmandu 1985-12-01 00:10 1d a b c", "1985-12-30T12:00:00Z", "1986-01-02T12:00:00Z",
			[]string{"1985-12-31T00:10:00+05:30 a", "1986-01-01T00:15:00+05:45 b", "1986-01-02T00:10:00+05:45 c"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := walk(t, only(rotation(t, row.rotation)), instant(t, row.from), instant(t, row.until))
			if d := cmp.Diff(row.want, got); d != "" {
				t.Errorf("hand-offs (-want +got):\n%s", d)
			}
		})
	}
}

// walk goes in steps of 30 seconds, and holds at each change that what was announced before came true.
func walk(t *testing.T, roster Roster, from, until time.Time) []string {
	t.Helper()
	team := Team{Rosters: []Roster{roster}}
	var changes []string
	promised := OnCall(team, from)
	for at := from; at.Before(until); at = at.Add(30 * time.Second) {
		users := team.onCall(at)
		if len(users) != 1 {
			t.Fatalf("%v are on call at %v, want one", users, at)
		}
		if users[0] == promised.Users[0] {
			continue
		}
		if !promised.Until.Equal(at) || promised.Next[0] != users[0] {
			t.Errorf("%v came at %v, promised was %v at %v", users, at, promised.Next, promised.Until)
		}
		promised = OnCall(team, at)
		changes = append(changes, promised.Parts[0].Shift.Start.Format(time.RFC3339)+" "+users[0])
		if !promised.Parts[0].Shift.Start.Equal(at) {
			t.Errorf("the shift at %v began at %v", at, promised.Parts[0].Shift.Start)
		}
	}
	return changes
}
