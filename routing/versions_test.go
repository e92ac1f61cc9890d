package routing

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhoIsOnCallAfterAnEdit edits "UTC 2026-06-01 09:00 1w a b c" (Mondays) on Wednesday 10 June, in the shift of b.
func TestWhoIsOnCallAfterAnEdit(t *testing.T) {
	t.Parallel()
	const loaded = "2026-06-10T12:00:00Z"
	for _, row := range []struct {
		name, edited string
		rollout      Rollout
		want         []at
	}{
		{"nothing changes when nothing changed", "UTC 2026-06-01 09:00 1w a b c", AfterCurrentShift, []at{
			{loaded, "b"}, {"2026-06-15T08:59:59Z", "b"}, {"2026-06-15T09:00:00Z", "c"}, {"2026-06-22T09:00:00Z", "a"},
		}},
		{"the successor in the new order", "UTC 2026-06-01 09:00 1w b d c a", AfterCurrentShift, []at{
			{loaded, "b"}, {"2026-06-15T09:00:00Z", "d"}, {"2026-06-22T09:00:00Z", "c"}, {"2026-06-29T09:00:00Z", "a"},
		}},
		{"who was removed finishes", "UTC 2026-06-01 09:00 1w a c d", AfterCurrentShift, []at{
			{loaded, "b"}, {"2026-06-15T08:59:59Z", "b"}, {"2026-06-15T09:00:00Z", "c"}, {"2026-06-22T09:00:00Z", "d"},
		}},
		{"who was removed goes at once, and the successor has the rest and a whole shift", "UTC 2026-06-01 09:00 1w a c d", Immediate, []at{
			{"2026-06-10T11:59:59Z", "b"}, {loaded, "c"}, {"2026-06-15T09:00:00Z", "c"}, {"2026-06-22T08:59:59Z", "c"}, {"2026-06-22T09:00:00Z", "d"},
		}},
		{"who is still listed stays at once", "UTC 2026-06-01 09:00 1w d b", Immediate, []at{
			{loaded, "b"}, {"2026-06-15T08:59:59Z", "b"}, {"2026-06-15T09:00:00Z", "d"}, {"2026-06-22T09:00:00Z", "b"},
		}},
		{"everybody was replaced", "UTC 2026-06-01 09:00 1w x y", AfterCurrentShift, []at{
			{loaded, "b"}, {"2026-06-15T09:00:00Z", "x"}, {"2026-06-22T09:00:00Z", "y"},
		}},
		{"the hand-off moves to later", "UTC 2026-06-01 10:00 1w a b c", AfterCurrentShift, []at{
			{"2026-06-15T08:59:59Z", "b"},
			{"2026-06-15T09:00:00Z", "c"},
			{"2026-06-15T10:00:00Z", "c"},
			{"2026-06-22T09:59:59Z", "c"},
			{"2026-06-22T10:00:00Z", "a"},
		}},
		{"the hand-off moves to earlier", "UTC 2026-06-01 08:00 1w a b c", AfterCurrentShift, []at{
			{"2026-06-15T08:00:00Z", "b"}, {"2026-06-15T09:00:00Z", "c"}, {"2026-06-22T07:59:59Z", "c"}, {"2026-06-22T08:00:00Z", "a"},
		}},
		{"the zone changes at the next old hand-off", "America/New_York 2026-06-01 09:00 1w a b c", AfterCurrentShift, []at{
			{"2026-06-15T08:59:59Z", "b"}, {"2026-06-15T09:00:00Z", "c"}, {"2026-06-22T12:59:59Z", "c"}, {"2026-06-22T13:00:00Z", "a"},
		}},
		{"a start that is still to come is a new beginning", "UTC 2026-07-01 09:00 1w x y", AfterCurrentShift, []at{
			{"2026-06-15T09:00:00Z", "c"},
			{"2026-06-29T09:00:00Z", "b"},
			{"2026-07-01T08:59:59Z", "b"},
			{"2026-07-01T09:00:00Z", "x"},
			{"2026-07-08T09:00:00Z", "y"},
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			edited := rotation(t, row.edited)
			edited.Rollout = row.rollout
			hold(t, Roster{Versions: []Version{
				{Rotation: edited, Loaded: instant(t, loaded)},
				{Rotation: rotation(t, "UTC 2026-06-01 09:00 1w a b c")},
			}}, row.want)
		})
	}
}

func TestAnEditReplacesOneThatWasNotInForceYet(t *testing.T) {
	t.Parallel()
	roster := Roster{Versions: []Version{
		{Rotation: rotation(t, "UTC 2026-06-01 09:00 1w a b c")},
		{Rotation: rotation(t, "UTC 2026-06-01 09:00 1w a b x"), Loaded: instant(t, "2026-06-10T12:00:00Z")},
		{Rotation: rotation(t, "UTC 2026-06-01 09:00 1w a b y"), Loaded: instant(t, "2026-06-11T12:00:00Z")},
	}}
	hold(t, roster, []at{{"2026-06-12T00:00:00Z", "b"}, {"2026-06-15T09:00:00Z", "y"}, {"2026-06-22T09:00:00Z", "a"}})
}

func TestAnEditBeforeTheStartIsTheWholeRotation(t *testing.T) {
	t.Parallel()
	first := Version{Rotation: rotation(t, "UTC 2026-06-01 09:00 1w a b")}
	loaded := instant(t, "2026-05-20T12:00:00Z")
	hold(t, Roster{Versions: []Version{first, {Rotation: rotation(t, "UTC 2026-06-08 09:00 1w x y"), Loaded: loaded}}}, []at{
		{"2026-06-01T09:00:00Z", ""}, {"2026-06-08T09:00:00Z", "x"}, {"2026-06-15T09:00:00Z", "y"},
	})
	// A start in the past does not make somebody on call in the past.
	hold(t, Roster{Versions: []Version{first, {Rotation: rotation(t, "UTC 2026-05-11 09:00 1w x y"), Loaded: loaded}}}, []at{
		{"2026-05-20T11:59:59Z", ""}, {"2026-05-20T12:00:00Z", "y"}, {"2026-05-25T09:00:00Z", "x"},
	})
}

func TestDutyIsToldInWords(t *testing.T) {
	t.Parallel()
	r := rotation(t, "Europe/Berlin 2026-06-01 09:00 1d ana ben cleo")
	r.Name, r.Days, r.Hours = "desk", monToFri, Hours{9 * 60, 17 * 60}
	roster := only(r)
	roster.Overrides = []Override{
		{Out: "ben", In: "eve", From: instant(t, "2026-06-02T10:00:00Z"), Until: instant(t, "2026-06-02T11:00:00Z")},
		{In: "eve", From: instant(t, "2026-06-03T10:00:00Z"), Until: instant(t, "2026-06-03T11:00:00Z")},
		{Out: "ana", From: instant(t, "2026-06-04T10:00:00Z"), Until: instant(t, "2026-06-04T11:00:00Z")},
	}
	roster.Swaps = []Swap{{A: date(t, "2026-06-05"), B: date(t, "2026-06-08")}}
	team := Team{Rosters: []Roster{roster}}
	type said struct {
		At, Users, Why, Source, Until, Next, NextFrom string
	}
	var got []said
	for _, x := range []string{
		"2026-05-30T00:00:00Z", "2026-06-01T08:00:00Z", "2026-06-01T20:00:00Z", "2026-06-02T10:30:00Z", "2026-06-03T10:30:00Z",
		"2026-06-04T10:30:00Z", "2026-06-05T08:00:00Z",
	} {
		d := OnCall(team, instant(t, x))
		got = append(got, said{
			x, join(d.Users), d.Why, string(d.Source), d.Until.UTC().Format(time.RFC3339), join(d.Next), d.NextFrom.UTC().Format(time.RFC3339),
		})
	}
	want := []said{
		{"2026-05-30T00:00:00Z", "", "desk has not started", "nobody", "2026-06-01T07:00:00Z", "ana", "2026-06-01T07:00:00Z"},
		{"2026-06-01T08:00:00Z", "ana", "the shift of desk that began on 2026-06-01", "rotation", "2026-06-01T15:00:00Z", "ben", "2026-06-02T07:00:00Z"},
		{"2026-06-01T20:00:00Z", "", "outside the days and hours of desk", "nobody", "2026-06-02T07:00:00Z", "ben", "2026-06-02T07:00:00Z"},
		{"2026-06-02T10:30:00Z", "eve", "an override of desk puts eve in the place of ben", "override", "2026-06-02T11:00:00Z", "ben", "2026-06-02T11:00:00Z"},
		{"2026-06-03T10:30:00Z", "cleo+eve", "an override adds eve to desk", "override", "2026-06-03T11:00:00Z", "cleo", "2026-06-03T11:00:00Z"},
		{"2026-06-04T10:30:00Z", "", "an override takes ana out of desk", "nobody", "2026-06-04T11:00:00Z", "ana", "2026-06-04T11:00:00Z"},
		{"2026-06-05T08:00:00Z", "cleo", "by a swap, the shift of desk that began on 2026-06-05", "rotation", "2026-06-05T15:00:00Z", "ben", "2026-06-08T07:00:00Z"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("duties (-want +got):\n%s", d)
	}
}

func TestATeamIsAUnionAndItsFallbackStandsInWhenNobodyIsOnCall(t *testing.T) {
	t.Parallel()
	day, night := rotation(t, "UTC 2026-06-01 00:00 1d ana"), rotation(t, "UTC 2026-06-01 00:00 1d ben ana")
	day.Hours, night.Hours = Hours{8 * 60, 16 * 60}, Hours{15 * 60, 23 * 60}
	team := Team{Rosters: []Roster{only(day), only(night)}, Fallback: []string{"lead"}}
	for at, want := range map[string]string{
		"2026-06-01T08:00:00Z": "ana rotation", "2026-06-01T15:30:00Z": "ana+ben rotation", "2026-06-01T16:00:00Z": "ben rotation",
		"2026-06-02T15:30:00Z": "ana rotation", "2026-06-01T23:00:00Z": "lead fallback", "2026-05-01T00:00:00Z": "lead fallback",
	} {
		d := OnCall(team, instant(t, at))
		if got := join(d.Users) + " " + string(d.Source); got != want {
			t.Errorf("on call at %s: %s (%s), want %s", at, got, d.Why, want)
		}
	}
	if d := OnCall(Team{}, instant(t, "2026-06-01T08:00:00Z")); len(d.Users) > 0 || d.Source != FromNobody || d.Why == "" {
		t.Errorf("on call of no rotation: %+v, want nobody", d)
	}
}

func TestHoursThatNobodyCoversAreCounted(t *testing.T) {
	t.Parallel()
	r := rotation(t, "Europe/Berlin 2026-06-01 09:00 1d ana")
	r.Days, r.Hours = monToFri, Hours{9 * 60, 19 * 60}
	from := instant(t, "2026-06-08T00:00:00Z")
	total, first := Uncovered(Team{Rosters: []Roster{only(r)}}, from, from.Add(7*24*time.Hour))
	if total != 118*time.Hour || !first.At.Equal(from) || first.Until.UTC().Format(time.RFC3339) != "2026-06-08T07:00:00Z" {
		t.Errorf("Uncovered = %v, first from %v until %v; want 118 hours of 168", total, first.At, first.Until)
	}
	if total, _ := Uncovered(Team{Rosters: []Roster{only(r)}, Fallback: []string{"lead"}}, from, from.Add(7*24*time.Hour)); total != 0 {
		t.Errorf("Uncovered with a fallback = %v, want nothing", total)
	}
	if total, _ := Uncovered(Team{}, from, from.Add(time.Hour)); total != time.Hour {
		t.Errorf("Uncovered of no rotation = %v, want all of an hour", total)
	}
}
