package stories

import (
	"strings"
	"testing"
	"time"

	"flagstop/loops"
)

// The bubble's clock begins at midnight of 1 January 2000, in the shift of Bob; Chi comes at 00:10.
func TestAnOverrideThatStartsWhileACardIsOpen(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Type(Bob, Ops, "/oncall override <@U0ANA|ana> for <@U0BOB|bob> from 2000-01-01T00:05 until 2000-01-01T00:09")
		said(t, w, Bob, 1, "desk: ", "is on call in the place of", Ana, Bob)
		all := w.See(Facil, 2)
		if !Shows(all[1], "is on call in the place of", Ana, "by ", Bob) {
			t.Errorf("the channel was told %s", all[1].Text)
		}
		w.Click(Ana, card, "Approve", 0)
		said(t, w, Ana, 1, "You may not answer this one")
		w.Pass(5 * time.Minute)
		w.Click(Bob, card, "Approve", 0)
		said(t, w, Bob, 2, "You may not answer this one", Ana)
		w.Type(Chi, Ops, "/oncall")
		said(t, w, Chi, 1, "Facilitator", Ana)
		w.Click(Ana, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Ana, "call_a", loops.Accept)
		w.See(Facil, 3) // that Ana is on call now
	})
}

func TestWhoIsNoParticipantChangesNothing(t *testing.T) {
	tell(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i, step := range []struct{ user, typed, told string }{
			{Mallory, "override <@U0MALLORY> 4h", "Not changed. You are neither a participant of desk"},
			{Mallory, "swap 2000-01-03 2000-01-04", "Not changed."},
			{Mallory, "clear abcdef", "Not changed."},
			{Mallory, "log", "Nothing was changed."},
			{Mallory, "next 0", "Not understood: next 0"},
			{Mallory, "override @mallory 4h", "Not changed."},
		} {
			w.Type(step.user, Ops, "/oncall "+step.typed)
			said(t, w, step.user, i+1, step.told)
		}
		for i, step := range []struct{ typed, told string }{
			{"override chi 4h", "Not understood: override chi 4h"},
			{"override none 4h", "Say who comes, who goes, or both"},
			{"override <@U0CHI> 100d", "more than 90 days"},
			{"override <@U0CHI> from tomorrow 4h", "is no time written like"},
			{"swap 1999-11-01 1999-11-02", "Not changed."},
			{"clear abcdef", "there is no such change"},
			{"help", "puts her on call in addition"},
		} {
			w.Type(Bob, Ops, "/oncall "+step.typed)
			said(t, w, Bob, i+1, step.told)
		}
	})
}

func TestASwapIsMadeShownAndCleared(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Type(Bob, Ops, "/oncall swap 2000-01-01 2000-01-02")
		m := w.Told(Bob, 1)[0]
		if !Shows(m, "the shifts that begin on 2000-01-01 and on 2000-01-02 are swapped") {
			t.Fatalf("Bob was told %s", m.Text)
		}
		w.See(Facil, 1)
		id, _, _ := strings.Cut(m.Text, " ")
		w.Pass(10 * time.Minute) // Chi would come; Bob stays
		w.Type(Chi, Ops, "/oncall now")
		said(t, w, Chi, 1, Bob)
		w.Type(Chi, Ops, "/oncall clear "+id)
		said(t, w, Chi, 2, id+" does not count any more")
		w.Until(func() bool { return len(w.Slack.Messages(Facil)) >= 2 }, "a word in the channel")
		w.Type(Chi, Ops, "/oncall log")
		said(t, w, Chi, 3, "are swapped", "cleared", "does not count any more")
		w.Type(Chi, Ops, "/oncall next 2")
		said(t, w, Chi, 4, Chi, Bob)
		w.See(Facil, 3) // the swap, that it was cleared, and that Chi is on call now
	})
}
