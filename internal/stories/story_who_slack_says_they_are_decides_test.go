package stories

import (
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/routing"
)

// toSecurity is a call that asks the role whose answerers are a user group.
func toSecurity(id string) string {
	return instead(Calls(id, "ls"), `"facilitator"`, `"security"`, `"owner":"U0MALLORY"`, `"owner":""`)
}

// inGroup makes of Eve, who is in the group by which security answers, somebody else.
func inGroup(change func(*standin.User)) func(*standin.Options) {
	return func(o *standin.Options) {
		for i := range o.Users {
			if o.Users[i].ID == Eve {
				change(&o.Users[i])
			}
		}
	}
}

func TestWhoIsNoFullMemberAnswersOnlyWhereNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*standin.User)
		told   string
	}{
		"a guest":                       {func(u *standin.User) { u.Guest = true }, "Guests answer only where"},
		"a deactivated member":          {func(u *standin.User) { u.Deleted = true }, "This account is deactivated"},
		"a bot":                         {func(u *standin.User) { u.Bot = true }, "Apps answer only where"},
		"a member of another workspace": {func(u *standin.User) { u.Team = "T0OTHER" }, "Members of other workspaces answer only where"},
	} {
		t.Run(name, func(t *testing.T) {
			tell(t, Options{Workspace: inGroup(tc.change)}, func(t testing.TB, w *World) {
				w.StartBot()
				w.Connected()
				ref := w.Raise(toSecurity("s1"))
				card := w.SeeText(Security, "Approve")
				w.Click(Eve, card, "Approve", 0)
				said(t, w, Eve, 1, "You may not answer this one", tc.told)
				untouched(t, w, "s1")
				named := func(c *routing.Config) {
					c.Roles = map[string]routing.Role{"security": {Name: "security", Channel: Security, Answerers: []string{Eve}}}
				}
				w.Configure(named)
				w.Click(Eve, card, "Approve", 0)
				if v := w.Outcome(ref).Verdicts["call_a"]; v.By == nil || v.By.Role != "security" {
					t.Errorf("it is by %+v", v.By)
				}
				w.SeeText(Security, "Approved")
			})
		})
	}
}

func TestAMemberOfAnotherWorkspaceOfTheSameOrganisationAnswers(t *testing.T) {
	grid := func(o *standin.Options) {
		o.Enterprise = "E0LOCAL"
		inGroup(func(u *standin.User) { u.Team, u.Enterprise = "T0SIBLING", "E0LOCAL" })(o)
	}
	tell(t, Options{Workspace: grid}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(toSecurity("s1"))
		w.Click(Eve, w.SeeText(Security, "Approve"), "Approve", 0)
		if v := w.Outcome(ref).Verdicts["call_a"]; v.By == nil || v.By.Role != "security" {
			t.Errorf("it is by %+v", v.By)
		}
		w.SeeText(Security, "Approved")
	})
}

func TestWhatSlackSaysOfAPersonIsBelievedForTenMinutes(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i, wait := range []time.Duration{0, 9 * time.Minute, 2 * time.Minute} {
			w.Pass(wait)
			ref := w.Raise(toSecurity([]string{"s1", "s2", "s3"}[i]))
			w.Click(Eve, w.See(Security, i+1)[i], "Approve", 0)
			answeredBy(t, w.Outcome(ref), Eve, "call_a", loops.Accept)
			if n, want := len(w.Slack.Calls("users.info")), []int{1, 1, 2}[i]; n != want {
				t.Errorf("after %d stops Slack was asked %d times, want %d", i+1, n, want)
			}
		}
	})
}

func TestWhomSlackDoesNotNameIsToldToPressAgain(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(toSecurity("s1"))
		card := w.SeeText(Security, "Approve")
		w.Refusals("missing_scope")
		w.Slack.Break(standin.Fault{Method: "users.info", Times: 1, Error: "missing_scope"})
		w.Click(Eve, card, "Approve", 0)
		said(t, w, Eve, 1, "Slack did not say who you are. Press again in a minute.")
		untouched(t, w, "s1")
		w.Click(Eve, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Eve, "call_a", loops.Accept)
		w.SeeText(Security, "Approved")
	})
}

func TestAnEmptyGroupLetsNobodyAnswer(t *testing.T) {
	empty := func(o *standin.Options) { o.Groups[0].Users = nil }
	tell(t, Options{Workspace: empty}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(toSecurity("s1"))
		w.Click(Eve, w.SeeText(Security, "Approve"), "Approve", 0)
		said(t, w, Eve, 1, "You may not answer this one", "not among those who answer as security")
		untouched(t, w, "s1")
	})
}

func TestAGroupThatCannotBeReadLetsNobodyOfItAnswer(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(toSecurity("s1"))
		w.Refusals("missing_scope")
		w.Slack.Break(standin.Fault{Method: "usergroups.users.list", Times: 1, Error: "missing_scope"})
		w.Click(Eve, w.SeeText(Security, "Approve"), "Approve", 0)
		said(t, w, Eve, 1, "Slack did not say who is in the user group of security")
		untouched(t, w, "s1")
	})
}

func TestEveryParticipantAnswersWhereAllAreNamed(t *testing.T) {
	everybody := func(c *routing.Config) {
		onCall()(c)
		c.Roles[loops.Facilitator] = routing.Role{Name: loops.Facilitator, Channel: Facil, Answerers: []string{"rotation:desk"}}
	}
	tell(t, Options{Config: everybody}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i, user := range []string{Bob, Chi} {
			id := []string{"s1", "s2"}[i]
			ref := w.Raise(Calls(id, "ls"))
			w.Until(func() bool { return len(w.Slack.Messages(Facil)) == i+1 }, "a card of %s", id)
			w.Click(user, w.See(Facil, i+1)[i], "Approve", 0)
			answeredBy(t, w.Outcome(ref), user, "call_a", loops.Accept)
		}
	})
}
