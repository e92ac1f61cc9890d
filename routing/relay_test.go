package routing

import (
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
