package rosters

import (
	"errors"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // as the command has them

	"flagstop/internal/redistest"
	"flagstop/routing"

	"github.com/google/go-cmp/cmp"
)

func rotation(t testing.TB, people ...string) routing.Rotation {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	start, err := routing.ParseDate("2026-01-05")
	if err != nil {
		t.Fatal(err)
	}
	return routing.Rotation{
		Name: "desk", Zone: zone, Start: start, HandOff: 9 * 60, Every: 1, Weeks: true, Participants: people, Days: 0b0111110,
		Hours: routing.Hours{From: 9 * 60, Until: 19 * 60}, Rollout: routing.Immediate,
	}
}

func file(r routing.Rotation) map[string]routing.Roster {
	return map[string]routing.Roster{r.Name: {Versions: []routing.Version{{Rotation: r}}}}
}

var zones = cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })

func TestEachVersionIsNotedOnceHoweverManyLoadIt(t *testing.T) {
	t.Parallel()
	r := redistest.Start(t, redistest.Options{}).Client(t)
	load := func(c map[string]routing.Roster) {
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if err := New(r, "fs").Load(t.Context(), c); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	before := time.Now().Add(-time.Second)
	one, two := rotation(t, "U0ANA", "U0BOB"), rotation(t, "U0ANA", "U0BOB", "U0CHI")
	load(file(one))
	load(file(one))
	load(file(two))
	load(file(one))
	all, err := New(r, "fs").With(t.Context(), file(one))
	if err != nil {
		t.Fatal(err)
	}
	var got []routing.Rotation
	for _, v := range all["desk"].Versions {
		got = append(got, v.Rotation)
		if v.Loaded.Before(before) {
			t.Errorf("loaded at %s", v.Loaded)
		}
	}
	if diff := cmp.Diff([]routing.Rotation{one, two, one}, got, zones); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
}

func TestARotationOfWhichNothingWasNotedIsAsInTheFile(t *testing.T) {
	t.Parallel()
	r := redistest.Start(t, redistest.Options{}).Client(t)
	want := file(rotation(t, "U0ANA"))
	got, err := New(r, "fs").With(t.Context(), want)
	if diff := cmp.Diff(want, got, zones); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestChangesCountUntilTheyAreClearedAndAreNeverForgotten(t *testing.T) {
	t.Parallel()
	r := redistest.Start(t, redistest.Options{}).Client(t)
	s := New(r, "fs")
	from := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	add := func(c Change) Change {
		t.Helper()
		c, err := s.Add(t.Context(), "desk", c)
		if err != nil || c.ID == "" || time.Since(c.Made).Abs() > time.Minute {
			t.Fatalf("%+v, %v", c, err)
		}
		return c
	}
	one := add(Change{By: "cli:bob@desk", Out: "U0ANA", In: "U0CHI", From: from, Until: from.Add(4 * time.Hour)})
	two := add(Change{By: "slack:T0/U0BOB", A: "2026-12-07", B: "2026-12-14"})
	if _, err := s.Clear(t.Context(), "desk", one.ID, "slack:T0/U0ANA"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{one.ID, "nobody", ""} {
		if _, err := s.Clear(t.Context(), "desk", id, "slack:T0/U0ANA"); !errors.Is(err, ErrUnknown) {
			t.Errorf("clear %q: %v, want ErrUnknown", id, err)
		}
	}
	all, err := s.Changes(t.Context(), "desk")
	if err != nil || len(all) != 3 || all[0].By != "cli:bob@desk" || all[2].Clears != one.ID || all[2].By != "slack:T0/U0ANA" {
		t.Errorf("the log is %+v, %v", all, err)
	}
	live, err := s.With(t.Context(), file(rotation(t, "U0ANA")))
	if err != nil {
		t.Fatal(err)
	}
	got := live["desk"]
	if len(got.Overrides) != 0 || len(got.Swaps) != 1 || got.Swaps[0].A.String() != "2026-12-07" || !got.Swaps[0].Made.Equal(two.Made) {
		t.Errorf("%+v", got)
	}
	if other, err := s.Changes(t.Context(), "another"); err != nil || len(other) > 0 {
		t.Errorf("another rotation has %v, %v", other, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add(`1 {"id":"a","by":"b","made":"0001-01-01T00:00:00Z","in":"U0"}`)
	f.Add(`1764579600000 {"zone":"Europe/Lisbon","start":"2026-01-05","hand_off":540,"every":1,"participants":["U0"]}`)
	f.Add(`1 {"zone":"Local"}`)
	f.Add("")
	f.Fuzz(func(t *testing.T, line string) {
		if v, err := decodeVersion("desk", line); err == nil {
			if v.Zone == nil || v.Every < 1 || len(v.Participants) == 0 {
				t.Errorf("%q is %+v", line, v)
			}
			routing.OnCall(routing.Team{Rosters: []routing.Roster{{Versions: []routing.Version{v}}}}, time.Unix(1_800_000_000, 0))
		}
		if all, err := decodeChanges([]string{line}); err == nil {
			_, _ = roster("desk", routing.Roster{}, nil, []string{line})
			Counting(all)
		}
	})
}
