package routing

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func house() Config {
	return Config{
		Roles: map[string]Role{
			"product-thinker": {Name: "product-thinker", Channel: "C0PRODUCT", Answerers: []string{"U0ANA"}},
			"facilitator":     {Name: "facilitator", Channel: "C0FACIL", Answerers: []string{"U0BOB", "cli:bob@desk"}},
			"security":        {Name: "security", Channel: "C0SEC", Answerers: []string{"@S0SEC", "U0EVE"}},
			"robots":          {Name: "robots", Answerers: []string{"U0BOB"}, MachineAnswers: "all"},
			"nobody":          {Name: "nobody", Channel: "C0NOBODY"},
			"all":             {Name: "all", Answerers: []string{"rotation:turns"}},
		},
		Rotations: map[string]Roster{"turns": {Versions: []Version{
			{Rotation: turns("U0ANA"), Loaded: time.Unix(1, 0)},
			{Rotation: turns("U0EVE", "U0BOB"), Loaded: time.Unix(2, 0)},
		}, Overrides: []Override{{In: "U0MAL", From: time.Unix(100, 0), Until: time.Unix(200, 0)}}}},
		Machines: map[string]Machine{"hook": {Name: "hook", MayAnswerAs: []string{"facilitator", "robots"}}},
	}
}

// turns is a rotation of which nobody is on call for a long time.
func turns(participants ...string) Rotation {
	start := DateOf(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	return Rotation{Name: "turns", Zone: time.UTC, Start: start, HandOff: 9 * 60, Every: 7, Participants: participants}
}

// TestWhoMayAnswer is the truth table of house rule 5 and of rule 8 of contract §2.
func TestWhoMayAnswer(t *testing.T) {
	t.Parallel()
	const (
		ana, bob, eve, mallory = "slack:T0/U0ANA", "slack:T0/U0BOB", "slack:T0/U0EVE", "slack:T0/U0MAL"
	)
	product := Asked{Addressee: "product-thinker", Holder: "product-thinker"}
	escalated := Asked{Addressee: "product-thinker", Holder: "facilitator"}
	call := Asked{Addressee: "facilitator", Holder: "facilitator", Call: true, Owner: "U0MAL"}
	fact := Asked{Addressee: "facilitator", Holder: "facilitator", Fact: true}
	page := Asked{Addressee: "facilitator", Holder: "facilitator", Fact: true, URL: true}
	security := Asked{Addressee: "security", Holder: "security"}
	rows := []struct {
		name   string
		asked  Asked
		who    Answerer
		role   string // "" may not
		reason string // a piece of it
	}{
		{"the addressee may", product, Answerer{ID: ana}, "product-thinker", ""},
		{"another role may not", product, Answerer{ID: bob}, "", "not among those who answer as product-thinker"},
		{"the holder may", escalated, Answerer{ID: bob}, "facilitator", ""},
		{"the addressee still may after it moved", escalated, Answerer{ID: ana}, "product-thinker", ""},
		{"a stranger may not after it moved", escalated, Answerer{ID: eve}, "", "not among those"},
		{"its owner may not by owning it", call, Answerer{ID: mallory}, "", "not among those"},
		{"a user id without the slack prefix may not", product, Answerer{ID: "U0ANA"}, "", "not among those"},
		{"an empty id may not", product, Answerer{}, "", "not among those"},
		{"a team without a user may not", product, Answerer{ID: "slack:T0/"}, "", "not among those"},
		{"a name is no identity", product, Answerer{ID: "slack:U0ANA"}, "", "not among those"},
		{"a configured command line may", call, Answerer{ID: "cli:bob@desk"}, "facilitator", ""},
		{"the same user on another host may not", call, Answerer{ID: "cli:bob@elsewhere"}, "", "not among those"},
		{"a command line does not become a Slack user", product, Answerer{ID: "cli:U0ANA"}, "", "not among those"},
		{"a member of the group may", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: FullMember}, "security", ""},
		{"a member of another group may not", security, Answerer{ID: mallory, Groups: []string{"S0OTHER"}}, "", "not among"},
		{"a group that cannot be read fails closed", security, Answerer{ID: mallory, GroupsUnknown: true}, "", "Slack did not say"},
		{"who is named may although the group cannot be read", security, Answerer{ID: eve, GroupsUnknown: true}, "security", ""},
		{"a guest of the group may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: Guest}, "", "Guests answer only"},
		{"a bot of the group may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: AppMember}, "", "Apps answer only"},
		{"a deactivated member of the group may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: Deactivated}, "", "deactivated"},
		{"a member of another workspace may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: Foreign}, "", "other workspaces"},
		{"whom Slack did not name may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}, Member: Unreadable}, "", "Press again"},
		{"whom nobody asked for may not", security, Answerer{ID: mallory, Groups: []string{"S0SEC"}}, "", "Press again"},
		{"a guest who is named may", product, Answerer{ID: ana, Member: Guest}, "product-thinker", ""},
		{"a stranger of whom nothing is known is a stranger", product, Answerer{ID: mallory, Member: Unreadable}, "", "not among those"},
		{"every participant may where all are named", Asked{Addressee: "all"}, Answerer{ID: eve, Member: Guest}, "all", ""},
		{"whom an override adds may while it lasts", Asked{Addressee: "all", At: time.Unix(100, 0)}, Answerer{ID: mallory, Member: FullMember}, "all", ""},
		{"whom an override adds may not before", Asked{Addressee: "all", At: time.Unix(99, 0)}, Answerer{ID: mallory, Member: FullMember}, "", "not among those"},
		{"whom an override adds may not after", Asked{Addressee: "all", At: time.Unix(200, 0)}, Answerer{ID: mallory, Member: FullMember}, "", "not among those"},
		{"a guest whom an override adds may not", Asked{Addressee: "all", At: time.Unix(100, 0)}, Answerer{ID: mallory, Member: Guest}, "", "Guests answer only"},
		{"every participant may while an override adds one", Asked{Addressee: "all", At: time.Unix(100, 0)}, Answerer{ID: eve}, "all", ""},
		{"who is no participant may not", Asked{Addressee: "all"}, Answerer{ID: ana, Member: FullMember}, "", "not among those"},
		{"a command line is in no group", security, Answerer{ID: "cli:x@y", Groups: []string{"S0SEC"}}, "", "not among"},
		{"nobody configured means nobody may", Asked{Addressee: "nobody"}, Answerer{ID: ana}, "", "Nobody is configured"},
		{"an unknown role means nobody may", Asked{Addressee: "gone"}, Answerer{ID: ana}, "", "Nobody is configured"},
		{"a machine may on a fact", fact, Answerer{ID: "machine:hook"}, "facilitator", ""},
		{"a machine may not on a judgement", call, Answerer{ID: "machine:hook"}, "", "kind fact only"},
		{"a machine may not visit a page", page, Answerer{ID: "machine:hook"}, "", "page"},
		{"a machine may on anything where all is set", Asked{Addressee: "robots", URL: true}, Answerer{ID: "machine:hook"}, "robots", ""},
		{"a machine may not as another role", product, Answerer{ID: "machine:hook"}, "", "not configured to answer as product-thinker"},
		{"an unknown machine may not", fact, Answerer{ID: "machine:other"}, "", "not configured"},
		{"a machine without a name may not", fact, Answerer{ID: "machine:"}, "", "not among those"},
	}
	for _, row := range rows {
		d := May(house(), row.asked, row.who)
		if d.OK != (row.role != "") || d.Role != row.role || !strings.Contains(d.Reason, row.reason) {
			t.Errorf("%s: May = %+v, want role %q and reason %q", row.name, d, row.role, row.reason)
		}
		if !d.OK && d.Reason == "" {
			t.Errorf("%s: May says no without a reason", row.name)
		}
	}
}

func TestWhoMayInstead(t *testing.T) {
	t.Parallel()
	d := May(house(), Asked{Addressee: "product-thinker", Holder: "facilitator"}, Answerer{ID: "slack:T0/U0EVE"})
	if diff := cmp.Diff([]string{"U0ANA", "U0BOB", "cli:bob@desk"}, d.Who); diff != "" {
		t.Errorf("May(stranger).Who (-want +got):\n%s", diff)
	}
}

func TestWhoMaySee(t *testing.T) {
	t.Parallel()
	call := Asked{Addressee: "facilitator", Holder: "facilitator", Owner: "U0MAL"}
	rows := []struct {
		name      string
		asked     Asked
		who       Answerer
		inChannel bool
		want      bool
	}{
		{"who may answer", call, Answerer{ID: "slack:T0/U0BOB"}, false, true},
		{"its owner", call, Answerer{ID: "slack:T0/U0MAL"}, false, true},
		{"a member of its card's channel", call, Answerer{ID: "slack:T0/U0EVE"}, true, true},
		{"a machine of the role, although it may not answer", call, Answerer{ID: "machine:hook"}, false, true},
		{"a stranger", call, Answerer{ID: "slack:T0/U0EVE"}, false, false},
		{"nobody owns a stop without an owner", Asked{Addressee: "facilitator"}, Answerer{ID: "cli:x@y"}, false, false},
		{"a command line with the owner's name", call, Answerer{ID: "cli:U0MAL"}, false, false},
	}
	for _, row := range rows {
		d := MaySee(house(), row.asked, row.who, row.inChannel)
		if d.OK != row.want || !d.OK && d.Reason == "" {
			t.Errorf("%s: MaySee = %+v, want %t", row.name, d, row.want)
		}
	}
}

func TestWhichGroupsHaveToBeKnown(t *testing.T) {
	t.Parallel()
	got := Groups(house(), Asked{Addressee: "security", Holder: "facilitator"})
	if diff := cmp.Diff([]string{"S0SEC"}, got); diff != "" {
		t.Errorf("Groups (-want +got):\n%s", diff)
	}
	if got := Channel(house(), "security", "acme/shop"); got != "C0SEC" {
		t.Errorf("Channel(security) = %q, want C0SEC", got)
	}
	if got := Channel(house(), "robots", "acme/shop"); got != "" {
		t.Errorf("Channel(robots) = %q, want none", got)
	}
}
