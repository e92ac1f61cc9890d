package routing

import (
	"slices"
	"strings"
	"time"
)

// Asked is what May needs to know of a stop and its question.
type Asked struct {
	Addressee, Holder string
	Fact              bool      // the stop's kind
	URL               bool      // the question is a page to visit
	Owner             string    // loop.owner
	Call              bool      // the question has a call
	Repository        string    // loop.repository
	At                time.Time // when it is asked: who is on call then; zero: nobody is
}

// Answerer is who wants to answer: the id of loops.By ("slack:T…/U…", "cli:<user>@<host>", "machine:<name>"), and the
// user groups it is known to be in; Groups nil with GroupsUnknown means that they could not be read. Member is what Slack
// knows of a person.
type Answerer struct {
	ID            string
	Groups        []string
	GroupsUnknown bool
	Member        Member
}

// Decision is whether somebody may, in which role, and if not the reason in words for that person.
type Decision struct {
	OK     bool
	Role   string   // in which role
	Reason string   // one sentence, when not OK
	Who    []string // who may instead: entries of the role's answerers
	Member bool     // not OK only because of what Slack knows, or did not say, of the person
}

// May reports whether somebody may answer a question, asked on every click, modal, command and CLI call. Both the
// addressee and the holder may; who is in both answers as the addressee.
func May(c Config, a Asked, who Answerer) Decision {
	var no Decision
	for _, name := range a.roles() {
		d := c.mayAs(name, a, who)
		switch {
		case d.OK && c.barred(a) != "" && c.barred(a) == slackUser(who.ID):
			return Decision{Reason: ownLoop, Who: c.others(a)}
		case d.OK:
			return d
		case no.Reason == "" || !no.Member && d.Reason != c.stranger(name):
			no.Reason, no.Member = d.Reason, d.Member
		}
	}
	no.Who = c.others(a)
	return no
}

// ownLoop is what is said to who would approve a call of the own loop.
const ownLoop = "It is your own loop that asks to run this, so somebody else has to answer."

// others are all who answer a question, but not who is barred, in order.
func (c Config) others(a Asked) []string {
	var who []string
	for _, name := range a.roles() {
		who = append(who, c.Answerers(name, a.At)...)
	}
	slices.Sort(who)
	return slices.DeleteFunc(slices.Compact(who), func(entry string) bool { return entry == c.barred(a) })
}

// MaySee reports whether somebody may see a stop's text: who may answer it, the roles that held it, its owner, and
// members of the channel that its card is in (inChannel).
func MaySee(c Config, a Asked, who Answerer, inChannel bool) Decision {
	if d := May(c, a, who); d.OK {
		return d
	}
	for _, name := range a.roles() {
		if answers(c.Answerers(name, a.At), who) && c.vouched(name, who) || slices.Contains(c.Machines[machine(who.ID)].MayAnswerAs, name) {
			return Decision{OK: true, Role: name}
		}
	}
	if inChannel || a.Owner != "" && a.Owner == slackUser(who.ID) {
		return Decision{OK: true}
	}
	d := May(c, a, who)
	if !who.GroupsUnknown && !d.Member {
		d.Reason = "You are not among those who may read this stop."
	}
	return d
}

// roles are the roles whose stop it is, the addressee first.
func (a Asked) roles() []string {
	if a.Holder == "" || a.Holder == a.Addressee {
		return []string{a.Addressee}
	}
	return []string{a.Addressee, a.Holder}
}

func (c Config) mayAs(name string, a Asked, who Answerer) Decision {
	role := c.Roles[name]
	if m := machine(who.ID); m != "" {
		return c.machineMay(m, name, role, a)
	}
	answerers := c.Answerers(name, a.At)
	var no Decision
	switch {
	case answers(answerers, who) && !c.vouched(name, who):
		return Decision{Reason: who.Member.standing(), Member: true}
	case answers(answerers, who):
		return Decision{OK: true, Role: name}
	case len(answerers) == 0 && role.Rotation != "":
		no.Reason = "Nobody is on call for " + name + ", so nobody may answer for now."
	case len(answerers) == 0:
		no.Reason = "Nobody is configured to answer as " + name + ", so nobody may."
	case who.GroupsUnknown && slices.ContainsFunc(answerers, isGroup):
		no.Reason = "Slack did not say who is in the user group of " + name + ", so nobody of that group may for now."
	default:
		no.Reason = c.stranger(name)
	}
	return no
}

// barred is the person whose loop it is, where the question is to approve a call and the repository does not let such
// persons do so; "" nobody. Roles and speaking for another do not matter.
func (c Config) barred(a Asked) string {
	if !a.Call || c.Repository(a.Repository).SelfApproval {
		return ""
	}
	return a.Owner
}

// vouched reports whether somebody who is among the answerers of a role is who they have to be: a command line, a person whom
// the configuration names, or a full member of the workspace.
func (c Config) vouched(name string, who Answerer) bool {
	user := slackUser(who.ID)
	return user == "" || c.named(name, user) || who.Member == FullMember
}

func (c Config) stranger(name string) string {
	return "You are not among those who answer as " + name + "."
}

// machineMay holds rule 8 of contract §2.
func (c Config) machineMay(m, name string, role Role, a Asked) Decision {
	var no Decision
	switch {
	case !slices.Contains(c.Machines[m].MayAnswerAs, name):
		no.Reason = "Machine " + m + " is not configured to answer as " + name + "."
	case role.MachineAnswers == "all":
		return Decision{OK: true, Role: name}
	case !a.Fact:
		no.Reason = "A machine answers as " + name + " on stops of kind fact only."
	case a.URL:
		no.Reason = "A machine does not answer for a page that somebody has to visit."
	default:
		return Decision{OK: true, Role: name}
	}
	return no
}

// answers reports whether a person or a command line is among answerers.
func answers(answerers []string, who Answerer) bool {
	user := slackUser(who.ID)
	return slices.ContainsFunc(answerers, func(entry string) bool {
		switch {
		case isGroup(entry):
			return user != "" && slices.Contains(who.Groups, entry[1:])
		case strings.HasPrefix(entry, "cli:"):
			return entry == who.ID
		default:
			return entry != "" && entry == user
		}
	})
}

func isGroup(entry string) bool { return strings.HasPrefix(entry, "@") }

// slackUser is the user id in "slack:T…/U…", "" in any other id.
func slackUser(id string) string {
	rest, ok := strings.CutPrefix(id, "slack:")
	if !ok {
		return ""
	}
	_, user, _ := strings.Cut(rest, "/")
	return user
}

// machine is the name in "machine:<name>", "" in any other id.
func machine(id string) string {
	name, _ := strings.CutPrefix(id, "machine:")
	if name == id {
		return ""
	}
	return name
}
