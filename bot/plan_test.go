package bot

import (
	"slices"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

func TestWhenToLookAgainForALostMessage(t *testing.T) {
	t.Parallel()
	for since, want := range map[time.Duration]time.Duration{
		0:                2 * time.Second,
		2 * time.Second:  5 * time.Second,
		7 * time.Second:  15 * time.Second,
		15 * time.Second: 7 * time.Second,
		22 * time.Second: 0,
		time.Hour:        0,
	} {
		if got := nextLook(since); got != want {
			t.Errorf("nextLook(%v) = %v, want %v", since, got, want)
		}
	}
}

func TestWhatEndedUnseenGetsNoCard(t *testing.T) {
	t.Parallel()
	config := routing.Config{Roles: map[string]routing.Role{"r": {Channel: "C1"}}, FallbackChannel: "C2"}
	seen := []ledger.Card{{Place: askedPlace, Channel: "C1", TS: "1.2"}}
	for _, row := range []struct {
		phase ledger.Phase
		cards []ledger.Card
		want  int
	}{
		{ledger.Open, nil, 1},
		{ledger.Answered, nil, 1},
		{ledger.Withdrawn, nil, 0},
		{ledger.Expired, nil, 0},
		{ledger.Withdrawn, seen, 1},
		{ledger.Expired, seen, 1},
	} {
		s := ledger.Stop{Record: &loops.Record{Addressee: "r"}, State: ledger.State{Phase: row.phase, Holder: "r", Cards: row.cards}}
		got := plan(s, config)
		if len(got) != row.want {
			t.Errorf("plan(%s with %d cards) = %v, want %d cards", row.phase, len(row.cards), got, row.want)
		}
		if len(got) == 1 && got[0] != (want{askedPlace, "C1", "C2"}) {
			t.Errorf("plan(%s) = %+v, want the role's channel and the fallback", row.phase, got[0])
		}
	}
}

// TestAStopThatMovedHasACardWhereItIs, and those that it had before.
func TestAStopThatMovedHasACardWhereItIs(t *testing.T) {
	t.Parallel()
	config := routing.Config{
		Roles:           map[string]routing.Role{"r": {Channel: "C1"}, "s": {Channel: "C2"}, "near": {Channel: "C1"}, "homeless": {}},
		FallbackChannel: "C9",
	}
	held := func(role string) ledger.Card { return ledger.Card{Place: "held:" + role, Channel: "C2", TS: "1.2"} }
	for name, row := range map[string]struct {
		holder string
		phase  ledger.Phase
		cards  []ledger.Card
		want   []want
	}{
		"with who was asked":         {"r", ledger.Open, nil, nil},
		"with another":               {"s", ledger.Open, nil, []want{{"held:s", "C2", "C9"}}},
		"with one in the same room":  {"near", ledger.Open, nil, nil},
		"with one that has no room":  {"homeless", ledger.Open, nil, []want{{"held:homeless", "", "C9"}}},
		"back with who was asked":    {"r", ledger.Open, []ledger.Card{held("s")}, []want{{"held:s", "C2", "C9"}}},
		"ended":                      {"s", ledger.Answered, []ledger.Card{held("s")}, []want{{"held:s", "C2", "C9"}}},
		"ended before it was posted": {"s", ledger.Answered, nil, nil},
	} {
		s := ledger.Stop{Record: &loops.Record{Addressee: "r"}, State: ledger.State{Phase: row.phase, Holder: row.holder, Cards: row.cards}}
		if got := plan(s, config)[1:]; !slices.Equal(got, row.want) {
			t.Errorf("%s: %+v beside the first, want %+v", name, got, row.want)
		}
	}
}

func TestAnAnsweredCardWaitsAMomentForItsLoop(t *testing.T) {
	t.Parallel()
	now := time.Now()
	answered := ledger.State{Phase: ledger.Answered, End: &ledger.End{At: now.Add(-200 * time.Millisecond)}}
	resumed := answered
	resumed.Resumed = &ledger.Resumed{At: now}
	for name, row := range map[string]struct {
		state ledger.State
		want  time.Duration
	}{
		"answered":                      {answered, 1800 * time.Millisecond},
		"its loop went on":              {resumed, 0},
		"open":                          {ledger.State{Phase: ledger.Open}, 0},
		"withdrawn: no loop will go on": {ledger.State{Phase: ledger.Withdrawn, End: &ledger.End{At: now}}, 0},
		"answered longer than that ago": {ledger.State{Phase: ledger.Answered, End: &ledger.End{At: now.Add(-time.Hour)}}, 0},
	} {
		if got := settling(ledger.Stop{State: row.state}, now); got != row.want {
			t.Errorf("%s: settling = %v, want %v", name, got, row.want)
		}
	}
}

func TestALaneLetsOneStopThroughAtATimeInTheOrderOfAsking(t *testing.T) {
	t.Parallel()
	var l lanes
	now := time.Now()
	first, second := now.Add(-2*time.Minute), now.Add(-time.Minute)
	l.enrol("C1", "b", second, now)
	l.enrol("C1", "a", first, now)
	if wait := l.enter("C1", "b", second, now); wait == 0 {
		t.Error("the second went before the first")
	}
	if wait := l.enter("C1", "a", first, now); wait != 0 {
		t.Errorf("the first has to wait %v", wait)
	}
	if wait := l.enter("C1", "b", second, now); wait == 0 {
		t.Error("the second went while the first is posted")
	}
	if wait := l.enter("C2", "c", second, now); wait != 0 {
		t.Errorf("another channel has to wait %v", wait)
	}
	l.hold("C1", "a", now.Add(laneHold))
	if wait := l.enter("C1", "b", second, now.Add(10*time.Second)); wait == 0 {
		t.Error("the second went while the first is in doubt")
	}
	if wait := l.enter("C1", "b", second, now.Add(time.Minute)); wait != 0 {
		t.Errorf("the second waits %v for one that does not come back", wait)
	}
	if l.leave("C1", "nobody") || !l.leave("C1", "b") || l.leave("C1", "b") {
		t.Error("leave reports something else than that the last one left")
	}
}

func TestTriesWaitLongerEachTimeUpToAMinute(t *testing.T) {
	t.Parallel()
	var tr tries
	var got time.Duration
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		if got = tr.next("s1"); got != want*time.Second {
			t.Errorf("try %d: wait %v, want %v s", i, got, int(want))
		}
	}
	tr.forget("s1")
	if got = tr.next("s1"); got != time.Second {
		t.Errorf("after a success: wait %v, want 1 s", got)
	}
}

func TestRecordsKeptInMemoryAreBounded(t *testing.T) {
	t.Parallel()
	var r records
	for i := range 2 * maxRecords {
		id := string(rune('A'+i%26)) + time.Duration(i).String()
		r.keep(ledger.Stop{ID: id, Record: &loops.Record{ID: id}})
		if r.get(id) == nil {
			t.Fatalf("the record just kept is gone")
		}
	}
	if n := len(r.of); n != maxRecords {
		t.Errorf("%d records are kept, want %d", n, maxRecords)
	}
}

func TestADeliveryKeyTellsDeliveriesApartAndNothingElse(t *testing.T) {
	t.Parallel()
	a := deliveryKey("block_actions", "123.456.secret")
	if b := deliveryKey("block_actions", "123.457.secret"); a == b || len(a) != 32 {
		t.Errorf("keys %q and %q, want two of 32 digits", a, b)
	}
	if deliveryKey("ab", "c") == deliveryKey("a", "bc") {
		t.Error("parts run into each other")
	}
	if got := deliveryKey("view_closed", ""); got != "" {
		t.Errorf("key of a delivery without an id = %q, want none", got)
	}
}

func TestACardGoesToTheChannelOfItsRepository(t *testing.T) {
	t.Parallel()
	config := routing.Config{
		Roles:        map[string]routing.Role{"r": {Channel: "C1"}},
		Repositories: []routing.Repository{{Pattern: "acme/*", Channels: map[string]string{"r": "C3"}}},
	}
	for repository, channel := range map[string]string{"acme/shop": "C3", "other/shop": "C1"} {
		s := ledger.Stop{Record: &loops.Record{Addressee: "r", Loop: loops.Loop{Repository: repository}}, State: ledger.State{Phase: ledger.Open}}
		if got := plan(s, config); len(got) != 1 || got[0].channel != channel {
			t.Errorf("plan(a stop of %s) = %+v, want it in %s", repository, got, channel)
		}
	}
}

// TestWhatWasPassedOverIsShownWhereItWent and not where one question at a time is seen.
func TestWhatWasPassedOverIsShownWhereItWent(t *testing.T) {
	t.Parallel()
	config := routing.Config{Roles: map[string]routing.Role{
		"one": {Channel: "C1", OneAtATime: true}, "s": {Channel: "C2"}, "near": {Channel: "C1"},
	}}
	asked, held := ledger.Card{Place: askedPlace, TS: "1.2"}, ledger.Card{Place: "held:s", TS: "1.2"}
	for name, row := range map[string]struct {
		holder string
		phase  ledger.Phase
		cards  []ledger.Card
		want   []string
	}{
		"with who was asked":                {"one", ledger.Open, nil, []string{askedPlace}},
		"gone before it was shown":          {"s", ledger.Open, nil, []string{"held:s"}},
		"gone to one in the same room":      {"near", ledger.Open, nil, []string{"held:near"}},
		"gone and shown there":              {"s", ledger.Open, []ledger.Card{held}, []string{"held:s"}},
		"gone after it was shown":           {"s", ledger.Open, []ledger.Card{asked}, []string{askedPlace, "held:s"}},
		"back":                              {"one", ledger.Open, []ledger.Card{held}, []string{askedPlace, "held:s"}},
		"answered where it went":            {"s", ledger.Answered, []ledger.Card{held}, []string{"held:s"}},
		"answered before anybody was shown": {"s", ledger.Answered, nil, []string{askedPlace}},
	} {
		s := ledger.Stop{Record: &loops.Record{Addressee: "one"}, State: ledger.State{Phase: row.phase, Holder: row.holder, Cards: row.cards}}
		var got []string
		for _, w := range plan(s, config) {
			got = append(got, w.place)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

func TestWhoMayHaveTheTurn(t *testing.T) {
	t.Parallel()
	now := time.Now()
	config := routing.Config{
		Roles:           map[string]routing.Role{"one": {OneAtATime: true}, "all": {Channel: "C2"}},
		Repositories:    []routing.Repository{{Pattern: "acme/*", Channels: map[string]string{"one": "C1"}}},
		FallbackChannel: "C9",
	}
	here := turnstile{"one", "C1"}
	stop := func(change func(*ledger.Stop)) ledger.Stop {
		s := ledger.Stop{
			Record: &loops.Record{Addressee: "one", Loop: loops.Loop{Repository: "acme/shop"}},
			State:  ledger.State{Phase: ledger.Open, Holder: "one"},
		}
		change(&s)
		return s
	}
	for name, row := range map[string]struct {
		change func(*ledger.Stop)
		want   bool
	}{
		"open":                    {func(*ledger.Stop) {}, true},
		"somebody is on it":       {func(s *ledger.Stop) { s.State.Taken = &ledger.Taken{} }, false},
		"snoozed":                 {func(s *ledger.Stop) { s.State.Snoozed = now.Add(time.Second) }, false},
		"not snoozed any more":    {func(s *ledger.Stop) { s.State.Snoozed = now }, true},
		"answered":                {func(s *ledger.Stop) { s.State.Phase = ledger.Answered }, false},
		"held by another":         {func(s *ledger.Stop) { s.State.Holder = "all" }, false},
		"in another channel":      {func(s *ledger.Stop) { s.Record.Loop.Repository = "other" }, false},
		"nobody knows of it":      {func(s *ledger.Stop) { *s = ledger.Stop{} }, false},
		"asked of another before": {func(s *ledger.Stop) { s.Record.Addressee = "all" }, true},
	} {
		if got := here.mayHave(stop(row.change), config, now); got != row.want {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
	if got := turnstilesIn(config); len(got) != 2 || !slices.Contains(got, here) || !slices.Contains(got, turnstile{"one", "C9"}) {
		t.Errorf("the turnstiles are %v", got)
	}
}
