package routing

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAnOverrideTouchesOnlyWhomItNames is R17.
func TestAnOverrideTouchesOnlyWhomItNames(t *testing.T) {
	t.Parallel()
	r := rotation(t, "UTC 2026-06-01 09:00 1d u1")
	r.Hours = Hours{9 * 60, 17 * 60}
	roster := only(r)
	roster.Overrides = []Override{
		{Out: "u1", In: "u2", From: instant(t, "2026-06-02T08:00:00Z"), Until: instant(t, "2026-06-02T10:00:00Z")},
		{Out: "u9", In: "u2", From: instant(t, "2026-06-02T12:00:00Z"), Until: instant(t, "2026-06-02T13:00:00Z")},
	}
	hold(t, roster, []at{
		{"2026-06-02T08:30:00Z", ""}, {"2026-06-02T09:30:00Z", "u2"}, {"2026-06-02T10:00:00Z", "u1"}, {"2026-06-02T12:30:00Z", "u1"},
	})
}

// TestOverridesNest is R19, whatever order they are kept in.
func TestOverridesNest(t *testing.T) {
	t.Parallel()
	roster := only(rotation(t, "UTC 2026-06-01 09:00 1w ana"))
	roster.Overrides = []Override{
		{Out: "ana", In: "ben", From: instant(t, "2026-06-02T10:00:00Z"), Until: instant(t, "2026-06-02T18:00:00Z"), Made: instant(t, "2026-06-01T10:00:00Z")},
		{Out: "ben", In: "cleo", From: instant(t, "2026-06-02T12:00:00Z"), Until: instant(t, "2026-06-02T13:00:00Z"), Made: instant(t, "2026-06-01T11:00:00Z")},
	}
	want := []at{
		{"2026-06-02T09:59:59Z", "ana"},
		{"2026-06-02T11:00:00Z", "ben"},
		{"2026-06-02T12:30:00Z", "cleo"},
		{"2026-06-02T13:00:00Z", "ben"},
		{"2026-06-02T18:00:00Z", "ana"},
	}
	hold(t, roster, want)
	slices.Reverse(roster.Overrides)
	hold(t, roster, want)
}

func TestAnOverrideAddsOrRemoves(t *testing.T) {
	t.Parallel()
	roster := only(rotation(t, "UTC 2026-06-01 09:00 1w ana"))
	roster.Overrides = []Override{
		{In: "ben", From: instant(t, "2026-06-02T10:00:00Z"), Until: instant(t, "2026-06-02T12:00:00Z")},
		{Out: "ana", From: instant(t, "2026-06-02T11:00:00Z"), Until: instant(t, "2026-06-02T13:00:00Z")},
	}
	hold(t, roster, []at{
		{"2026-06-02T09:00:00Z", "ana"},
		{"2026-06-02T10:00:00Z", "ana+ben"},
		{"2026-06-02T11:00:00Z", "ben"},
		{"2026-06-02T12:00:00Z", ""},
		{"2026-06-02T13:00:00Z", "ana"},
	})
}

// TestASwapMovesWithItsShifts is R20: the hand-off moves from 10:00 to 09:00, and the swap is at 09:00 then.
func TestASwapMovesWithItsShifts(t *testing.T) {
	t.Parallel()
	ten := rotation(t, "UTC 2026-06-01 10:00 1w ana ben cleo")
	nine := rotation(t, "UTC 2026-06-01 09:00 1w ana ben cleo")
	roster := only(ten)
	roster.Swaps = []Swap{{A: ten.day(5), B: ten.day(7)}} // cleo's of 6 July and ben's of 20 July
	hold(t, roster, []at{
		{"2026-07-06T09:59:59Z", "ben"},
		{"2026-07-06T10:00:00Z", "ben"},
		{"2026-07-13T09:59:59Z", "ben"},
		{"2026-07-13T10:00:00Z", "ana"},
		{"2026-07-20T10:00:00Z", "cleo"},
		{"2026-07-27T10:00:00Z", "cleo"},
	})
	roster.Versions = append(roster.Versions, Version{Rotation: nine, Loaded: instant(t, "2026-06-17T12:00:00Z")})
	hold(t, roster, []at{
		{"2026-06-22T09:59:59Z", "cleo"},
		{"2026-06-22T10:00:00Z", "ana"}, // the next old hand-off is still the old one
		{"2026-06-29T08:59:59Z", "ana"},
		{"2026-06-29T09:00:00Z", "ben"},
		{"2026-07-13T08:59:59Z", "ben"},
		{"2026-07-13T09:00:00Z", "ana"},
		{"2026-07-20T08:59:59Z", "ana"},
		{"2026-07-20T09:00:00Z", "cleo"},
		{"2026-07-27T08:59:59Z", "cleo"},
	})
	if lost := roster.Lost(); len(lost) > 0 {
		t.Errorf("Lost = %v, want none", lost)
	}
}

func TestASwapOfAShiftThatIsNotThereChangesNothingAndIsNamed(t *testing.T) {
	t.Parallel()
	roster := only(rotation(t, "UTC 2026-06-01 10:00 1w ana ben cleo"))
	gone := Swap{A: date(t, "2026-06-09"), B: date(t, "2026-06-15")}
	roster.Swaps = []Swap{gone, {A: date(t, "2026-06-08"), B: date(t, "2026-06-15"), Made: instant(t, "2026-06-01T00:00:00Z")}}
	hold(t, roster, []at{{"2026-06-08T12:00:00Z", "cleo"}, {"2026-06-15T12:00:00Z", "ben"}})
	if d := cmp.Diff([]Swap{gone}, roster.Lost()); d != "" {
		t.Errorf("Lost (-want +got):\n%s", d)
	}
}

func TestASecondSwapSeesTheFirst(t *testing.T) {
	t.Parallel()
	roster := only(rotation(t, "UTC 2026-06-01 10:00 1w ana ben cleo"))
	one, two, three := date(t, "2026-06-01"), date(t, "2026-06-08"), date(t, "2026-06-15")
	roster.Swaps = []Swap{{A: one, B: two, Made: instant(t, "2026-05-01T00:00:00Z")}, {A: two, B: three, Made: instant(t, "2026-05-02T00:00:00Z")}}
	// ana and ben change, and then ana, who has the second week now, with cleo.
	hold(t, roster, []at{{"2026-06-02T00:00:00Z", "ben"}, {"2026-06-09T00:00:00Z", "cleo"}, {"2026-06-16T00:00:00Z", "ana"}})
}
