package routing

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func hardZones() []string {
	return []string{
		"UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "Pacific/Apia",
		"Asia/Kathmandu", "Africa/Casablanca", "Africa/Monrovia", "Pacific/Kwajalein", "Antarctica/Troll", "America/St_Johns",
	}
}

// anyRotation is random; years 1970 to 2037.
func anyRotation(t *testing.T, rnd *rand.Rand) Rotation {
	t.Helper()
	r := Rotation{
		Name: "r", Zone: zone(t, hardZones()[rnd.IntN(len(hardZones()))]), Start: Date(rnd.IntN(67 * 365)), HandOff: Clock(rnd.IntN(24 * 60)),
		Every: 1 + rnd.IntN(4), Weeks: rnd.IntN(2) == 0, Participants: []string{"a", "b", "c", "d", "e"}[:1+rnd.IntN(5)],
	}
	if rnd.IntN(2) == 0 {
		r.Days = Weekdays(rnd.IntN(1 << 7))
	}
	if rnd.IntN(2) == 0 {
		r.Hours = Hours{Clock(rnd.IntN(24 * 60)), Clock(1 + rnd.IntN(24*60))}
	}
	return r
}

// soon is an instant within about three months of the start.
func soon(r Rotation, rnd *rand.Rand) time.Time {
	return r.handOff(0).Add(time.Duration(rnd.Int64N(int64(90 * 24 * time.Hour))))
}

// TestShiftsTileTime is P1. A shift is empty only where its whole day never was.
func TestShiftsTileTime(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		r := anyRotation(t, rnd)
		k := rnd.IntN(200) - 100
		start, end := r.handOff(k), r.handOff(k+1)
		if !start.Before(end) && DateOf(start) == r.day(k) {
			t.Fatalf("shift %d of %+v ends %v and begins %v", k, r, end, start)
		}
		if !start.Before(end) {
			continue
		}
		for _, at := range []time.Time{start, end.Add(-1), start.Add(end.Sub(start) / 2)} {
			if got := r.shiftAt(at); got != k {
				t.Fatalf("shiftAt(%v) of %+v = %d, want %d", at, r, got, k)
			}
		}
		if on, ok := r.beginsOn(r.day(k)); on != k || !ok {
			t.Fatalf("beginsOn(%v) of %+v = %d, %t, want %d", r.day(k), r, on, ok, k)
		}
	}
}

// TestATimeIsResolvedToTheFirstInstantThatShowsItOrLater is the one rule of civil time, tried around every change of the clock.
func TestATimeIsResolvedToTheFirstInstantThatShowsItOrLater(t *testing.T) {
	t.Parallel()
	wall := func(x time.Time) time.Time {
		_, offset := x.Zone()
		return x.UTC().Add(time.Duration(offset) * time.Second)
	}
	for _, name := range hardZones() {
		z := zone(t, name)
		for at := time.Date(1970, 1, 2, 0, 0, 0, 0, z); at.Year() < 2038; {
			_, end := at.ZoneBounds()
			if end.IsZero() {
				break
			}
			for minutes := -90; minutes <= 90; minutes += 15 {
				w := wall(end).Add(time.Duration(minutes) * time.Minute).Truncate(time.Minute)
				got := Resolve(z, DateOf(w), Clock(w.Hour()*60+w.Minute()))
				if wall(got).Before(w) {
					t.Fatalf("%s: %v is resolved to %v, which is before it", name, w, got)
				}
				for earlier := got.Add(-time.Second); got.Sub(earlier) < 30*time.Hour; earlier = earlier.Add(-10 * time.Minute) {
					if !wall(earlier).Before(w) {
						t.Fatalf("%s: %v is resolved to %v, but %v shows it already", name, w, got, earlier)
					}
				}
			}
			at = end
		}
	}
}

// TestWhatIsListedIsWhatIs is P2: the list of duties, one by one, and the answer at any instant within them, agree.
func TestWhatIsListedIsWhatIs(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 60 {
		r := anyRotation(t, rnd)
		roster := anyRoster(t, r, rnd)
		team := Team{Rosters: []Roster{roster}}
		n := 0
		for d := range Duties(team, soon(r, rnd)) {
			end := d.Until
			if end.IsZero() {
				end = d.At.Add(horizon)
			}
			for range 5 {
				at := d.At.Add(time.Duration(rnd.Int64N(int64(end.Sub(d.At)))))
				if got := team.onCall(at); !slices.Equal(got, d.Users) {
					t.Fatalf("%v are on call at %v, listed are %v from %v until %v\n%+v", got, at, d.Users, d.At, d.Until, roster)
				}
			}
			if !d.Until.IsZero() && slices.Equal(team.onCall(d.Until), d.Users) {
				t.Fatalf("%v are listed until %v and are on call then\n%+v", d.Users, d.Until, roster)
			}
			if n++; n == 20 {
				break
			}
		}
	}
}

// anyRoster is a rotation with edits of any kind, also of zone and start, with overrides and swaps.
func anyRoster(t *testing.T, r Rotation, rnd *rand.Rand) Roster {
	t.Helper()
	roster := Roster{Versions: []Version{{Rotation: r}}, Overrides: anyOverrides(r, rnd)}
	for range rnd.IntN(4) {
		edited := anyRotation(t, rnd)
		edited.Start, edited.Rollout = r.Start+Date(rnd.IntN(60)-30), Rollout(rnd.IntN(2))
		roster.Versions = append(roster.Versions, Version{Rotation: edited, Loaded: soon(r, rnd)})
	}
	for range rnd.IntN(3) {
		roster.Swaps = append(roster.Swaps, Swap{A: r.day(rnd.IntN(9)), B: r.day(rnd.IntN(9))})
	}
	return roster
}

func anyOverrides(r Rotation, rnd *rand.Rand) []Override {
	var out []Override
	for range rnd.IntN(4) {
		from := soon(r, rnd)
		o := Override{From: from, Until: from.Add(time.Duration(rnd.IntN(200)) * time.Hour), Made: soon(r, rnd)}
		if rnd.IntN(3) > 0 {
			o.Out = r.Participants[rnd.IntN(len(r.Participants))]
		}
		if o.Out == "" || rnd.IntN(2) == 0 {
			o.In = string(rune('x' + rnd.IntN(3)))
		}
		out = append(out, o)
	}
	return out
}

// TestAnOverrideStaysInItsRotation is P3.
func TestAnOverrideStaysInItsRotation(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		a, b := anyRotation(t, rnd), anyRotation(t, rnd)
		b.Participants = []string{"other"}
		at := soon(b, rnd)
		with := only(a)
		with.Overrides = anyOverrides(a, rnd)
		alone := OnCall(Team{Rosters: []Roster{only(b)}}, at)
		both := OnCall(Team{Rosters: []Roster{with, only(b)}}, at)
		if !slices.Equal(both.Parts[1].Users, alone.Users) || slices.Contains(both.Users, "other") != (len(alone.Users) > 0) {
			t.Fatalf("overrides of one rotation made %v of %v in another", both.Parts[1].Users, alone.Users)
		}
	}
}

// TestAnEditNeverChangesWhatWasBeforeIt holds that history stands, and P6: whoever is on call at an edit that removes nobody
// stays so.
func TestAnEditNeverChangesWhatWasBeforeIt(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 1000 {
		r := anyRotation(t, rnd)
		before := Roster{Versions: []Version{{Rotation: r}}}
		edited := anyRotation(t, rnd)
		edited.Start, edited.Zone = r.Start-Date(rnd.IntN(30)), r.Zone
		loaded := soon(r, rnd)
		if rnd.IntN(2) == 0 { // an append
			edited = r
			edited.Participants = append(slices.Clone(r.Participants), "new")
		}
		edited.Rollout = Rollout(rnd.IntN(2))
		after := Roster{Versions: append(slices.Clone(before.Versions), Version{Rotation: edited, Loaded: loaded})}
		for range 5 {
			at := loaded.Add(-time.Duration(rnd.Int64N(int64(90 * 24 * time.Hour))))
			if got, want := on(after, at), on(before, at); at.Before(loaded) && got != want {
				t.Fatalf("an edit at %v made %q of %q at %v", loaded, got, want, at)
			}
		}
		if appended := len(edited.Participants) == len(r.Participants)+1 && slices.Contains(edited.Participants, "new"); appended {
			if got, want := on(after, loaded), on(before, loaded); got != want {
				t.Fatalf("appending at %v (%v) made %q of %q\n%+v", loaded, edited.Rollout, got, want, r)
			}
		}
	}
}

// TestASearchEnds is P4: every edge is later, and one person for ever has no end within a year.
func TestASearchEnds(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		r := anyRotation(t, rnd)
		p := anyRoster(t, r, rnd).rota()
		at := soon(r, rnd)
		for range 20 {
			next := p.edge(at)
			if !next.After(at) {
				t.Fatalf("the edge after %v is %v\n%+v", at, next, r)
			}
			at = next
		}
	}
	d := OnCall(Team{Rosters: []Roster{only(rotation(t, "UTC 2026-06-01 09:00 1d ana"))}}, instant(t, "2026-06-02T00:00:00Z"))
	if !d.Until.IsZero() || len(d.Next) > 0 || strings.Join(d.Users, "") != "ana" {
		t.Errorf("the only participant is on call until %v, next %v", d.Until, d.Next)
	}
}

// TestShiftsOfAnEditedRotationTileTime is P1 over edits: each shift begins where the last one ended, and contains what is asked.
func TestShiftsOfAnEditedRotationTileTime(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(6, 6))
	for range 500 {
		r := anyRotation(t, rnd)
		p := anyRoster(t, r, rnd).rota()
		at := soon(r, rnd)
		shift := p.scheduled(at).Shift
		if shift.Start.IsZero() {
			continue // an edit put the start later
		}
		for range 20 {
			if at.Before(shift.Start) || !at.Before(shift.End) {
				t.Fatalf("the shift at %v is from %v until %v", at, shift.Start, shift.End)
			}
			at = shift.End
			next := p.scheduled(at).Shift
			if !next.Start.Equal(shift.End) {
				t.Fatalf("a shift ends %v and the next begins %v", shift.End, next.Start)
			}
			if last := p.scheduled(at.Add(-1)).Shift; last != shift {
				t.Fatalf("a moment before its end the shift is %v and not %v", last, shift)
			}
			shift = next
		}
	}
}

func BenchmarkWhoMay(b *testing.B) {
	r := rotation(b, "Europe/Berlin 2026-06-01 09:00 1d U0ANA U0BOB")
	r.Days, r.Hours = monToFri, Hours{9 * 60, 17 * 60}
	c := Config{Rotations: map[string]Roster{"r": only(r)}, Roles: map[string]Role{"desk": {Name: "desk", Rotation: "r"}}}
	asked := Asked{Addressee: "desk", At: instant(b, "2027-06-02T10:00:00Z")}
	for b.Loop() {
		May(c, asked, Answerer{ID: "slack:T0/U0EVE"})
	}
}
