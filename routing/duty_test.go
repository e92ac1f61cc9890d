package routing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhoMayAnswerByTheRotation is the truth table of roles with a rotation, at a time at which somebody is on call and at
// one at which nobody is.
func TestWhoMayAnswerByTheRotation(t *testing.T) {
	t.Parallel()
	const working, evening = "2026-06-02T10:00:00Z", "2026-06-02T20:00:00Z"
	r := rotation(t, "UTC 2026-06-01 09:00 1d U0ANA U0BOB")
	r.Hours = Hours{9 * 60, 17 * 60}
	roster := only(r)
	roster.Overrides = []Override{{Out: "U0ANA", In: "U0CHI", From: instant(t, "2026-06-03T10:00:00Z"), Until: instant(t, "2026-06-03T11:00:00Z")}}
	c := Config{
		Rotations: map[string]Roster{"r": roster},
		Roles: map[string]Role{
			"desk":    {Name: "desk", Rotation: "r"},
			"helped":  {Name: "helped", Rotation: "r", Answerers: []string{"U0LEAD", "cli:lead@desk"}},
			"covered": {Name: "covered", Rotation: "r", Fallback: []string{"U0LEAD"}, RelaysFor: []string{"desk"}},
		},
	}
	for _, row := range []struct {
		name, role, at, who string
		ok                  bool
		reason              string
	}{
		{"who is on call may", "desk", working, "slack:T0/U0BOB", true, ""},
		{"a participant who is not on call may not", "desk", working, "slack:T0/U0ANA", false, "not among those"},
		{"nobody may when nobody is on call", "desk", evening, "slack:T0/U0BOB", false, "Nobody is on call for desk"},
		{"who is named may too", "helped", working, "slack:T0/U0LEAD", true, ""},
		{"so may a command line", "helped", working, "cli:lead@desk", true, ""},
		{"who is on call may where others are named", "helped", working, "slack:T0/U0BOB", true, ""},
		{"who is named may when nobody is on call", "helped", evening, "slack:T0/U0LEAD", true, ""},
		{"who was on call may not", "helped", evening, "slack:T0/U0BOB", false, "not among those"},
		{"the fallback may when nobody is on call", "covered", evening, "slack:T0/U0LEAD", true, ""},
		{"the fallback may not while somebody is", "covered", working, "slack:T0/U0LEAD", false, "not among those"},
		{"an override may", "desk", "2026-06-03T10:30:00Z", "slack:T0/U0CHI", true, ""},
		{"whom it replaces may not", "desk", "2026-06-03T10:30:00Z", "slack:T0/U0ANA", false, "not among those"},
		{"at no time nobody is on call", "desk", "0001-01-01T00:00:00Z", "slack:T0/U0BOB", false, "Nobody is on call for desk"},
		{"at no time the fallback does not stand in", "covered", "0001-01-01T00:00:00Z", "slack:T0/U0LEAD", false, "Nobody is on call"},
		{"a command line is not on call", "desk", working, "cli:U0BOB", false, "not among those"},
	} {
		d := May(c, Asked{Addressee: row.role, At: instant(t, row.at)}, Answerer{ID: row.who, Member: FullMember})
		if d.OK != row.ok || !strings.Contains(d.Reason, row.reason) || !d.OK && d.Reason == "" {
			t.Errorf("%s: May = %+v, want %t and %q", row.name, d, row.ok, row.reason)
		}
		if sees := MaySee(c, Asked{Addressee: row.role, At: instant(t, row.at)}, Answerer{ID: row.who, Member: FullMember}, false); sees.OK != row.ok {
			t.Errorf("%s: MaySee = %+v, want %t", row.name, sees, row.ok)
		}
	}
	guest := Answerer{ID: "slack:T0/U0CHI", Member: Guest}
	if d := May(c, Asked{Addressee: "desk", At: instant(t, "2026-06-03T10:30:00Z")}, guest); d.OK || !d.Member {
		t.Errorf("a guest whom an override names, and the configuration does not: %+v", d)
	}
	if d := MayFor(c, Asked{Addressee: "desk", At: instant(t, evening)}, Answerer{ID: "slack:T0/U0LEAD"}, "desk"); d.Role != "covered" {
		t.Errorf("MayFor(the fallback of a role that relays) = %+v, want as covered", d)
	}
	d := May(c, Asked{Addressee: "helped", At: instant(t, working)}, Answerer{ID: "slack:T0/U0EVE"})
	if diff := cmp.Diff([]string{"U0BOB", "U0LEAD", "cli:lead@desk"}, d.Who); diff != "" {
		t.Errorf("who may instead (-want +got):\n%s", diff)
	}
}

// TestWhoMayApproveTheCallsOfTheOwnLoop is the truth table of self_approval.
func TestWhoMayApproveTheCallsOfTheOwnLoop(t *testing.T) {
	t.Parallel()
	c := house()
	f := c.Roles["facilitator"]
	f.RelaysFor = []string{"product-thinker"}
	f.Answerers = append(f.Answerers, "U0CHI")
	c.Roles["facilitator"] = f
	c.Repositories = []Repository{{Pattern: "lab/*", SelfApproval: true}, {Pattern: "*"}}
	const own = "your own loop"
	call := func(repository, owner string) Asked {
		return Asked{Addressee: "product-thinker", Holder: "facilitator", Call: true, Owner: owner, Repository: repository}
	}
	question := call("acme/shop", "U0BOB")
	question.Call = false
	for _, row := range []struct {
		name, who string
		asked     Asked
		behalf    string
		ok        bool
		reason    string
	}{
		{"the owner may not", "slack:T0/U0BOB", call("acme/shop", "U0BOB"), "", false, own},
		{"nor from another workspace", "slack:T9/U0BOB", call("acme/shop", "U0BOB"), "", false, own},
		{"nor as the addressee", "slack:T0/U0ANA", call("acme/shop", "U0ANA"), "", false, own},
		{"nor for a role", "slack:T0/U0BOB", call("acme/shop", "U0BOB"), "product-thinker", false, own},
		{"nor where no pattern matches", "slack:T0/U0BOB", call("", "U0BOB"), "", false, own},
		{"another may", "slack:T0/U0CHI", call("acme/shop", "U0BOB"), "", true, ""},
		{"another may for a role", "slack:T0/U0CHI", call("acme/shop", "U0BOB"), "product-thinker", true, ""},
		{"the owner may answer a question", "slack:T0/U0BOB", question, "", true, ""},
		{"the owner may where the repository says so", "slack:T0/U0BOB", call("lab/x", "U0BOB"), "", true, ""},
		{"also for a role", "slack:T0/U0BOB", call("lab/x", "U0BOB"), "product-thinker", true, ""},
		{"an owner of no role hears that", "slack:T0/U0EVE", call("acme/shop", "U0EVE"), "", false, "not among those"},
		{"a loop without an owner bars nobody", "slack:T0/U0BOB", call("acme/shop", ""), "", true, ""},
	} {
		d := May(c, row.asked, Answerer{ID: row.who})
		if row.behalf != "" {
			d = MayFor(c, row.asked, Answerer{ID: row.who}, row.behalf)
		}
		if d.OK != row.ok || !strings.Contains(d.Reason, row.reason) {
			t.Errorf("%s: %+v, want %t and %q", row.name, d, row.ok, row.reason)
		}
	}
	d := May(c, call("acme/shop", "U0BOB"), Answerer{ID: "slack:T0/U0BOB"})
	if diff := cmp.Diff([]string{"U0ANA", "U0CHI", "cli:bob@desk"}, d.Who); diff != "" {
		t.Errorf("who may instead (-want +got):\n%s", diff)
	}
	if sees := MaySee(c, call("acme/shop", "U0BOB"), Answerer{ID: "slack:T0/U0BOB"}, false); !sees.OK {
		t.Errorf("MaySee(the owner) = %+v, want that they may", sees)
	}
}
