package routing

import (
	"slices"
	"strings"
	"testing"
)

func TestWhoMayAnswerForAnotherRole(t *testing.T) {
	t.Parallel()
	c := house()
	f := c.Roles["facilitator"]
	f.RelaysFor = []string{"product-thinker"}
	c.Roles["facilitator"] = f
	product := Asked{Addressee: "product-thinker", Holder: "product-thinker"}
	for _, row := range []struct {
		name   string
		asked  Asked
		who    string
		behalf string
		role   string // "" may not
		reason string
	}{
		{"a relaying role may", product, "slack:T0/U0BOB", "product-thinker", "facilitator", ""},
		{"so may its command line", product, "cli:bob@desk", "product-thinker", "facilitator", ""},
		{"a role that does not relay may not", product, "slack:T0/U0EVE", "product-thinker", "", "not among those who answer for"},
		{"nobody relays for a role that is not asked", product, "slack:T0/U0BOB", "security", "", "does not ask security"},
		{"the role itself needs no relay", product, "slack:T0/U0ANA", "product-thinker", "", "not among those"},
		{"a machine does not relay a judgement", product, "machine:hook", "product-thinker", "", "not among those"},
	} {
		got := MayFor(c, row.asked, Answerer{ID: row.who}, row.behalf)
		if got.OK != (row.role != "") || got.Role != row.role || !strings.Contains(got.Reason, row.reason) {
			t.Errorf("%s: MayFor = %+v, want role %q and a reason with %q", row.name, got, row.role, row.reason)
		}
	}
}

// TestOnWhoseBehalfSomebodyMayAnswer is the truth table of who relays, by name and by user group.
func TestOnWhoseBehalfSomebodyMayAnswer(t *testing.T) {
	t.Parallel()
	c := house()
	c.Roles["facilitator"] = Role{Name: "facilitator", Answerers: []string{"U0BOB"}, RelaysFor: []string{"product-thinker"}}
	c.Roles["security"] = Role{Name: "security", Answerers: []string{"@S0SEC"}, RelaysFor: []string{"facilitator"}}
	product := Asked{Addressee: "product-thinker", Holder: "product-thinker"}
	moved := Asked{Addressee: "product-thinker", Holder: "facilitator"}
	call := Asked{Addressee: "facilitator", Holder: "facilitator", Call: true, Owner: "U0MAL"}
	const bob, mallory = "slack:T0/U0BOB", "slack:T0/U0MAL"
	inGroup := Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: FullMember}
	guest, unread := inGroup, Answerer{ID: mallory, GroupsUnknown: true}
	guest.Member = Guest
	for _, row := range []struct {
		name   string
		asked  Asked
		who    Answerer
		behalf string // "" on nobody's
		role   string // in which they do
		reason string // exactly "" where nothing but the list keeps them from it
	}{
		{"for who was asked", product, Answerer{ID: bob}, "product-thinker", "facilitator", ""},
		{"for who was asked, after it moved", moved, Answerer{ID: bob}, "product-thinker", "facilitator", ""},
		{"for its holder, by a group", moved, inGroup, "facilitator", "security", ""},
		{"for nobody whom they do not relay for", product, inGroup, "", "", ""},
		{"a stranger for nobody", product, Answerer{ID: mallory}, "", "", ""},
		{"a guest of the group for nobody", moved, guest, "", "", "Guests answer only"},
		{"nobody where the group cannot be read", moved, unread, "", "", "Slack did not say who is in the user group of security"},
		{"nobody approves the calls of their own loop", call, inGroup, "", "", "your own loop"},
	} {
		behalf, d := Relays(c, row.asked, row.who)
		if behalf != row.behalf || d.Role != row.role || d.OK != (behalf != "") {
			t.Errorf("%s: for %q as %+v, want %q as %q", row.name, behalf, d, row.behalf, row.role)
		}
		if !strings.Contains(d.Reason, row.reason) || (d.Reason == "") != (row.reason == "") {
			t.Errorf("%s: the reason is %q, want %q", row.name, d.Reason, row.reason)
		}
	}
}

func TestTheGroupsOfWhoRelaysDecideToo(t *testing.T) {
	t.Parallel()
	c := house()
	c.Roles["facilitator"] = Role{Name: "facilitator", Answerers: []string{"@S0FAC", "@S0SEC"}}
	c.Roles["security"] = Role{Name: "security", Answerers: []string{"@S0SEC", "@S0LEADS"}, RelaysFor: []string{"facilitator"}}
	asked := Asked{Addressee: "facilitator"}
	if got := Groups(c, asked); !slices.Equal(got, []string{"S0FAC", "S0SEC"}) {
		t.Errorf("Groups = %v", got)
	}
	if got := RelayGroups(c, asked); !slices.Equal(got, []string{"S0FAC", "S0SEC", "S0LEADS"}) {
		t.Errorf("RelayGroups = %v", got)
	}
}
