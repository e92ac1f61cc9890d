package escalation

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

var (
	ana = loops.By{ID: "slack:T0/U0ANA", Through: "slack"}
	bob = loops.By{ID: "slack:T0/U0BOB", Through: "slack"}
)

// tale is a stop to which things happen at moments.
type tale struct {
	t      *testing.T
	policy Policy
	config routing.Config
	stop   ledger.Stop
}

// raised begins with a stop that is raised, and seen, at a moment.
func raised(t *testing.T, p Policy, when string) *tale {
	t.Helper()
	x := &tale{t: t, policy: p, config: house(t), stop: ledger.Stop{ID: "s"}}
	x.does(when, ledger.Raise{Record: record(t, nil), Policy: p.ID()})
	x.does(when, ledger.Visible{})
	return x
}

// record is a judgement to the product thinker.
func record(t testing.TB, more map[string]any) *loops.Record {
	t.Helper()
	r := map[string]any{
		"v": 1, "id": "s", "addressee": loops.ProductThinker, "kind": "judgement", "concern": "scope",
		"loop": map[string]any{"id": "dev/1", "repository": "acme/shop"},
		"questions": []any{map[string]any{
			"key": "q", "message": "Keep both?", "null_option": "none",
			"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{
				"type": "string", "oneOf": []any{
					map[string]any{"const": "yes", "title": "Keep", "description": "Both stay."},
					map[string]any{"const": "none", "title": "Neither"},
				},
			}}},
		}},
	}
	maps.Copy(r, more)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	rec, faults := loops.Check(b, loops.CheckOptions{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return rec
}

// house is a configuration in which Ana and Ben take weekly turns, from 2026-03-02 09:00 in Berlin on.
func house(t testing.TB) routing.Config {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	start, err := routing.ParseDate("2026-03-02")
	if err != nil {
		t.Fatal(err)
	}
	r := routing.Rotation{
		Name: "facilitators", Zone: zone, Start: start, HandOff: 9 * 60, Every: 1, Weeks: true,
		Participants: []string{"U0ANA", "U0BEN"}, Days: 0b0111110,
	}
	return routing.Config{
		Roles: map[string]routing.Role{
			loops.ProductThinker: {Name: loops.ProductThinker, Channel: "C0PRODUCT", Answerers: []string{"U0PAT"}},
			loops.Facilitator:    {Name: loops.Facilitator, Channel: "C0FACIL", Rotation: "facilitators"},
			"lead":               {Name: "lead", Channel: "C0LEAD", Answerers: []string{"U0LEAD", "@S0LEADS", "cli:lead@desk"}},
			"nobody":             {Name: "nobody", Channel: "C0NOBODY"},
		},
		Rotations: map[string]routing.Roster{"facilitators": {Versions: []routing.Version{{Rotation: r}}}},
	}
}

// does has something happen, and fails where it cannot.
func (x *tale) does(when string, c ledger.Command) {
	x.t.Helper()
	switch s := c.(type) {
	case ledger.Step:
		s.Seq = x.stop.State.Seq
		c = s
	case ledger.Remind:
		s.Seq = x.stop.State.Seq
		c = s
	}
	change, err := ledger.Decide(x.stop, c, at(when))
	if err != nil {
		x.t.Fatalf("%T at %s: %v", c, when, err)
	}
	x.stop = x.stop.With(change)
}

// sweep does at a moment what is due, as a sweep does, and returns the acts.
func (x *tale) sweep(when string) []ledger.Command {
	x.t.Helper()
	var did []ledger.Command
	stepped := false
	for {
		c := Plan(x.policy, x.config, x.stop, at(when), stepped)
		if c == nil {
			return did
		}
		if _, is := c.(ledger.Step); is {
			stepped = true
		}
		did = append(did, c)
		x.does(when, c)
	}
}

// next is when a stop is looked at next, for each act; "" never.
func (x *tale) next(act Act) string {
	x.t.Helper()
	for _, m := range Moments(x.policy, x.stop) {
		if m.Act == act {
			return m.At.UTC().Format(time.RFC3339)
		}
	}
	return ""
}

func (x *tale) want(act Act, when string) {
	x.t.Helper()
	if got := x.next(act); got != when {
		x.t.Errorf("%s at %q, want %q", act, got, when)
	}
}

// steps is a policy with steps on the ticks of a schedule.
func steps(t *testing.T, ticks string, all ...Step) Policy {
	t.Helper()
	return Policy{Schedule: schedule(t, ticks), Steps: all}
}
