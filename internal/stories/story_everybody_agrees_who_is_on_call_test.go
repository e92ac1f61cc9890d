package stories

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/routing"
)

// TestTheCommandTheGroupAndWhoMayAgreeAtEveryInstant walks a day with an override and a swap: the command, the user group, the
// announcements and who may answer say the same, since all ask one function.
func TestTheCommandTheGroupAndWhoMayAgreeAtEveryInstant(t *testing.T) {
	config := func(c *routing.Config) {
		onCall()(c)
		role := c.Roles[loops.Facilitator]
		role.UserGroup = "S0DESK"
		c.Roles[loops.Facilitator] = role
	}
	group := func(o *standin.Options) {
		o.Groups = append(o.Groups, standin.Group{ID: "S0DESK", Handle: "desk", Users: []string{Mallory}})
	}
	tellLong(t, Options{Config: config, Workspace: group}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Type(Bob, Ops, "/oncall override <@U0ANA> for <@U0CHI> from 2000-01-01T01:00 until 2000-01-01T02:00")
		w.Told(Bob, 1)
		said := 1
		for step := range 9 {
			w.Pass(15 * time.Minute)
			want := routing.OnCall(w.Live().Team(loops.Facilitator), time.Now()).Users
			if got := w.Slack.Group("S0DESK"); !slices.Equal(got, want) {
				t.Errorf("at %s the group is %v, want %v", time.Now(), got, want)
			}
			w.Type(Eve, Ops, "/oncall")
			if m := w.Told(Eve, step+1)[step]; !Shows(m, want...) {
				t.Errorf("at %s the command says %s, want %v", time.Now(), m.Text, want)
			}
			for _, user := range []string{Ana, Bob, Chi} {
				d := routing.May(w.Live(), routing.Asked{Addressee: loops.Facilitator, At: time.Now()}, routing.Answerer{ID: "slack:T0LOCAL/" + user, Member: routing.FullMember})
				if d.OK != slices.Contains(want, user) {
					t.Errorf("at %s %s may: %t, and on call is %v", time.Now(), user, d.OK, want)
				}
			}
			all := w.Slack.Messages(Facil)
			if last := all[len(all)-1]; len(all) > said && strings.Contains(last.Text, "is on call now") && !Shows(last, want...) {
				t.Errorf("at %s the announcement is %s, want %v", time.Now(), last.Text, want)
			}
			said = len(all)
		}
		w.See(Facil, 1+3) // the override; Chi, Ana in Chi's place, and Chi again
	})
}
