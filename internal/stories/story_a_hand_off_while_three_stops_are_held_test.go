package stories

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// The bubble's clock begins at midnight of 1 January 2000, in the shift of Bob; Chi comes at 00:10.
func TestAHandOffWhileThreeStopsAreHeld(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		for _, id := range []string{"s1", "s2", "s3"} {
			w.Raise(Calls(id, "ls"))
		}
		cards := w.See(Facil, 3)
		w.Shown()
		w.Click(Bob, cards[2], "I’m on it", 0)
		w.Pass(11 * time.Minute)
		all := w.See(Facil, 4)
		if !Shows(all[3], "is on call now", Chi, "after ", Bob, "3 stops are open:", "s1", "s3") {
			t.Errorf("the announcement is %s%s", all[3].Text, all[3].Blocks)
		}
		w.Shown()
		for _, m := range all[:2] {
			thread(t, w, m, "U0CHI, you are on call now")
		}
		thread(t, w, all[2], "is on it") // it stays Bob's, who said so
		w.Pass(20 * time.Minute)
		w.See(Facil, 4)
		if n := entries(w, "s1", ledger.HandedOffEntry); n != 1 {
			t.Errorf("%d hand-offs in the log, want one", n)
		}
	})
}

func TestNobodyIsAnnouncedWhoWasThereBefore(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Pass(2 * time.Minute)
		b.Stop()
		w.Pass(48*time.Hour - 5*time.Minute) // Chi came and went: it is Bob again
		w.StartBot()
		w.Pass(2 * time.Minute)
		w.See(Facil, 0)
	})
}

func TestAHandOffSurvivesABotThatDiesWhileItAnnouncesIt(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.SeeText(Facil, "Approve")
		w.Shown()
		died := b.DieAt("chat.postMessage", true) // Slack has it, and the bot never hears of it
		w.Pass(11 * time.Minute)
		<-died
		b.Stop()
		w.StartBot()
		w.Connected()
		w.Pass(5 * time.Minute)
		all := w.See(Facil, 2)
		w.Shown()
		thread(t, w, all[0], "U0CHI, you are on call now")
	})
}

func TestAUserGroupIsWhoIsOnCall(t *testing.T) {
	withGroup := func(c *routing.Config) {
		onCall()(c)
		role := c.Roles[loops.Facilitator]
		role.UserGroup = "S0DESK"
		c.Roles[loops.Facilitator] = role
	}
	group := func(o *standin.Options) {
		o.Groups = append(o.Groups, standin.Group{ID: "S0DESK", Handle: "desk", Users: []string{Mallory}})
	}
	tellLong(t, Options{Config: withGroup, Workspace: group}, func(t testing.TB, w *World) {
		w.Refusals("user_not_found")
		is := func(want ...string) {
			t.Helper()
			w.Until(func() bool { return slices.Equal(w.Slack.Group("S0DESK"), want) }, "a group of %v", want)
		}
		w.StartBot()
		w.StartBot()
		w.Connected()
		is(Bob)
		w.Type(Bob, Ops, "/oncall override <@U0GONE> for <@U0BOB> 4m")
		w.Told(Bob, 1)
		w.See(Facil, 1)
		w.Pass(2 * time.Minute)
		is(Bob) // nobody knows who that is: it is left as it was
		w.Pass(9 * time.Minute)
		is(Chi)
		w.See(Facil, 1+3) // the override, whom it brought, who came back, and Chi
	})
}

func TestAHandOffOfAStopThatMovedMentionsWhoComesOnce(t *testing.T) {
	tellLong(t, Options{Config: onCall(), Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		first := w.SeeText(Product, "Choose")
		w.Click(Ana, first, "Not mine to answer", 0)
		second := w.SeeText(Facil, "Asked first in", "Choose")
		w.Shown()
		w.Pass(11 * time.Minute)
		w.See(Facil, 2) // and who is on call now
		thread(t, w, first, "said that it is not for", "Somebody else is on call for the facilitator now")
		thread(t, w, second, "said that it is not for", "U0CHI, you are on call now")
		var mentions int
		for _, card := range []standin.Message{first, second} {
			for _, line := range w.Slack.Thread(card.Channel, card.TS) {
				mentions += strings.Count(string(line.Blocks), `"user_id":"`+Chi+`"`)
			}
		}
		if mentions != 1 {
			t.Errorf("Chi is mentioned %d times in the threads, want once", mentions)
		}
		w.SeeText(Product, "On call: ", "until")
	})
}
