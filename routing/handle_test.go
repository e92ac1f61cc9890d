package routing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhoMayHandle is the truth table of what is no verdict.
func TestWhoMayHandle(t *testing.T) {
	t.Parallel()
	c := house()
	c.Roles["facilitator"] = Role{Name: "facilitator", Answerers: []string{"U0BOB"}, RelaysFor: []string{"product-thinker"}}
	product := Asked{Addressee: "product-thinker", Holder: "product-thinker"}
	moved := Asked{Addressee: "product-thinker", Holder: "security"}
	for _, row := range []struct {
		name   string
		asked  Asked
		who    Answerer
		role   string // "" may not
		reason string
	}{
		{"whoever answers may", product, Answerer{ID: "slack:T0/U0ANA"}, "product-thinker", ""},
		{"whoever relays may", product, Answerer{ID: "slack:T0/U0BOB"}, "facilitator", ""},
		{"whoever relays may after it moved", moved, Answerer{ID: "slack:T0/U0BOB"}, "facilitator", ""},
		{"the holder may", moved, Answerer{ID: "slack:T0/U0EVE"}, "security", ""},
		{"a member of its group may", moved, Answerer{ID: "slack:T0/U0MAL", Groups: []string{"S0SEC"}, Member: FullMember}, "security", ""},
		{"a stranger may not", product, Answerer{ID: "slack:T0/U0EVE"}, "", "not among those"},
		{"who relays for others may not", Asked{Addressee: "security"}, Answerer{ID: "slack:T0/U0BOB"}, "", "not among those"},
		{"the owner of the loop may, where among those", Asked{Addressee: "facilitator", Call: true, Owner: "U0BOB"}, Answerer{ID: "slack:T0/U0BOB"}, "facilitator", ""},
		{"a member of a group that cannot be read may not", moved, Answerer{ID: "slack:T0/U0MAL", GroupsUnknown: true}, "", "Slack did not say"},
		{"a guest of its group may not", moved, Answerer{ID: "slack:T0/U0MAL", Groups: []string{"S0SEC"}, Member: Guest}, "", "Guests answer only"},
		{"a machine may not", Asked{Addressee: "facilitator", Fact: true}, Answerer{ID: "machine:hook"}, "", "for people"},
	} {
		d := MayHandle(c, row.asked, row.who)
		if d.OK != (row.role != "") || d.Role != row.role || !strings.Contains(d.Reason, row.reason) {
			t.Errorf("%s: MayHandle = %+v, want role %q and reason %q", row.name, d, row.role, row.reason)
		}
	}
}

func TestAStopMovesToAnyOtherRole(t *testing.T) {
	t.Parallel()
	want := []string{"all", "facilitator", "nobody", "robots", "security"}
	if diff := cmp.Diff(want, MayMoveTo(house(), Asked{Addressee: "product-thinker"})); diff != "" {
		t.Error(diff)
	}
	want = []string{"all", "facilitator", "nobody", "product-thinker", "robots"}
	if diff := cmp.Diff(want, MayMoveTo(house(), Asked{Addressee: "product-thinker", Holder: "security"})); diff != "" {
		t.Error(diff)
	}
}
