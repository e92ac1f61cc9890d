package routing

import (
	"testing"
	"time"
)

func TestWhoMayChangeARotation(t *testing.T) {
	t.Parallel()
	c := house()
	c.Roles["desk"] = Role{Name: "desk", Rotation: "turns", Answerers: []string{"cli:bob@desk", "@S0SEC"}}
	for name, row := range map[string]struct {
		who Answerer
		ok  bool
	}{
		"a participant":           {Answerer{ID: "slack:T0/U0EVE"}, true},
		"a participant of before": {Answerer{ID: "slack:T0/U0ANA"}, false},
		"a command line":          {Answerer{ID: "cli:bob@desk"}, true},
		"another command line":    {Answerer{ID: "cli:bob@elsewhere"}, false},
		"a member of its group":   {Answerer{ID: "slack:T0/U0MAL", Groups: []string{"S0SEC"}, Member: FullMember}, true},
		"a guest of its group":    {Answerer{ID: "slack:T0/U0MAL", Groups: []string{"S0SEC"}, Member: Guest}, false},
		"a machine":               {Answerer{ID: "machine:hook"}, false},
		"a stranger":              {Answerer{ID: "slack:T0/U0MAL"}, false},
	} {
		if d := MayChange(c, "turns", row.who, time.Unix(10, 0)); d.OK != row.ok || !d.OK && d.Reason == "" {
			t.Errorf("%s: %+v, want %t", name, d, row.ok)
		}
	}
	if d := MayChange(c, "another", Answerer{ID: "cli:bob@desk"}, time.Unix(10, 0)); d.OK {
		t.Error("whoever changes one rotation changes another")
	}
}

func TestWhichOverridesMakeSense(t *testing.T) {
	t.Parallel()
	now := instant(t, "2026-06-03T10:00:00Z")
	good := Override{Out: "U0ANA", In: "U0BOB", From: now, Until: now.Add(time.Hour)}
	for name, row := range map[string]struct {
		change func(*Override)
		ok     bool
	}{
		"one for another":      {func(*Override) {}, true},
		"one more":             {func(o *Override) { o.Out = "" }, true},
		"one less":             {func(o *Override) { o.In = "" }, true},
		"nobody":               {func(o *Override) { o.In, o.Out = "", "" }, false},
		"oneself":              {func(o *Override) { o.In = o.Out }, false},
		"a name":               {func(o *Override) { o.In = "bob" }, false},
		"a command line":       {func(o *Override) { o.In = "cli:bob@desk" }, false},
		"backwards":            {func(o *Override) { o.Until = o.From }, false},
		"over":                 {func(o *Override) { o.From, o.Until = now.Add(-2*time.Hour), now }, false},
		"begun":                {func(o *Override) { o.From = now.Add(-2 * time.Hour) }, true},
		"for ninety days":      {func(o *Override) { o.Until = now.Add(90 * 24 * time.Hour) }, true},
		"longer than for that": {func(o *Override) { o.Until = now.Add(90*24*time.Hour + time.Second) }, false},
	} {
		o := good
		row.change(&o)
		if err := o.Check(now); (err == nil) != row.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
