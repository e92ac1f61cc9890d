package stories

import (
	"fmt"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/routing"
)

// oneAtATime has the product thinker, who is Ana, see one question at a time, and the facilitators too.
func oneAtATime(c *routing.Config) {
	for _, name := range []string{loops.ProductThinker, loops.Facilitator} {
		r := c.Roles[name]
		r.OneAtATime = true
		c.Roles[name] = r
	}
}

// shownIn is the stops whose cards stand in a channel, in order, once there are n.
func shownIn(w *World, channel string, n int) []string {
	w.TB.Helper()
	var ids []string
	for _, m := range w.See(channel, n) {
		ids = append(ids, StopOf(m))
	}
	return ids
}

// ask raises judgements one after another.
func ask(w *World, ids ...string) {
	w.TB.Helper()
	for _, id := range ids {
		w.Raise(Judgement(id))
		w.Until(func() bool {
			_, err := w.Ledger.Read(w.TB.Context(), id)
			return err == nil
		}, "the stop %s", id)
	}
}

func TestThreeQuestionsAreShownOneAfterAnother(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2", "s3")
		for i, waiting := range []string{"2 others wait", "1 other waits", "!wait until"} {
			id := []string{"s1", "s2", "s3"}[i]
			w.Until(func() bool { return len(w.Slack.Messages(Product)) == i+1 }, "the card of %s", id)
			cards := w.See(Product, i+1)
			if got := StopOf(cards[i]); got != id {
				t.Fatalf("%s was shown, want %s", got, id)
			}
			w.Until(func() bool { return Shows(w.Slack.Messages(Product)[i], waiting) }, "%q on the card of %s", waiting, id)
			w.Shown()
			w.See(Product, i+1)
			asked := time.Now()
			w.Click(Ana, w.Slack.Messages(Product)[i], "Choose", 0)
			if i < 2 {
				w.Until(func() bool { return len(w.Slack.Messages(Product)) == i+2 }, "the next card")
				if took := time.Since(asked); took > 3*time.Second && !w.real {
					t.Errorf("the next was shown after %s", took)
				}
			}
			w.GoOn(loops.Ref{ID: id, Digest: w.Stop(id).State.Digest}, "loop-"+id)
			w.Until(func() bool { return Shows(w.Slack.Messages(Product)[i], "The loop went on") }, "the end of %s on its card", id)
		}
	})
}

func TestOneThatIsTakenOrSnoozedLetsTheNextCome(t *testing.T) {
	tellLong(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2", "s3")
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 1 }, "the first card")
		w.Shown()
		w.Click(Ana, w.See(Product, 1)[0], "I’m on it", 0)
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 2 }, "the second card")
		w.Shown()
		w.Type(Ana, Ops, "/stops snooze s2 1h")
		said(t, w, Ana, 1, "Recorded.")
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 3 }, "the third card")
		if got := shownIn(w, Product, 3); got[0] != "s1" || got[1] != "s2" || got[2] != "s3" {
			t.Errorf("shown in the order %v", got)
		}
		ask(w, "s4")
		w.Shown()
		w.Pass(2 * time.Hour) // s2 is not snoozed any more, and stays; s3 has the turn
		for i, answered := range []int{2, 1} {
			w.Shown()
			w.See(Product, 3)
			w.Click(Ana, w.Slack.Messages(Product)[answered], "Choose", i)
			w.Pass(time.Minute)
		}
		w.See(Product, 4) // s1 is still with Ana, who is on it
		w.Click(Ana, w.Slack.Messages(Product)[0], "Let go of it", 0)
		ask(w, "s5")
		w.Pass(time.Minute)
		w.Until(func() bool { return Shows(w.Slack.Messages(Product)[3], "1 other waits") }, "s5 to wait for s4")
		w.See(Product, 4)
	})
}

func TestOneThatIsWithdrawnBeforeItsTurnIsNeverShown(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2", "s3")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "2 others wait") }, "two to wait")
		w.Withdraw("s2", "not needed")
		w.Until(func() bool { return Shows(w.Slack.Messages(Product)[0], "1 other waits") }, "one to wait")
		w.Click(Ana, w.See(Product, 1)[0], "Choose", 0)
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 2 }, "the next card")
		if got := StopOf(w.See(Product, 2)[1]); got != "s3" {
			t.Errorf("%s was shown, want s3", got)
		}
	})
}

func TestOneThatGoesElsewhereBeforeItsTurnIsShownThereOnly(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("c1", "ls"))
		w.See(Facil, 1)
		ask(w, "s1", "s2", "s3")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "2 others wait") }, "two to wait")
		w.Type(Ana, Ops, "/stops not-mine s2")
		said(t, w, Ana, 1, "Recorded.")
		w.Until(func() bool { return Shows(w.Slack.Messages(Product)[0], "1 other waits") }, "one to wait")
		w.Until(func() bool { return Shows(w.See(Facil, 1)[0], "1 other waits") }, "it to wait with the facilitators")
		w.Click(Bob, w.See(Facil, 1)[0], "Approve", 0)
		w.Until(func() bool { return len(w.Slack.Messages(Facil)) == 2 }, "its card with the facilitators")
		if got := StopOf(w.See(Facil, 2)[1]); got != "s2" {
			t.Errorf("%s was shown, want s2", got)
		}
		w.Click(Bob, w.Slack.Messages(Facil)[1], "Choose", 0)
		w.Until(func() bool { return w.Stop("s2").State.End != nil }, "the end of s2")
		w.See(Product, 1)
	})
}

func TestABotThatDiesWithTheTurnHoldsUpNobody(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		first := w.StartBot()
		died := first.DieAfter("turn:product-thinker:" + Product)
		w.Raise(Judgement("s1"))
		<-died
		w.StartBot()
		ask(w, "s2")
		w.Until(func() bool { return len(w.Slack.Messages(Product)) > 0 }, "a card")
		if got := shownIn(w, Product, 1); got[0] != "s1" {
			t.Errorf("%v was shown", got)
		}
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "1 other waits") }, "s2 to wait")
	})
}

func TestABotThatDiesWhileItHandsTheTurnOnHoldsUpNobody(t *testing.T) {
	tellLong(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		first := w.StartBot()
		w.Connected()
		ask(w, "s1", "s2")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "1 other waits") }, "s2 to wait")
		w.Shown()
		died := first.DieAfter("s2") // the script that hands it on names s2, and comes before anything else does
		w.Click(Ana, w.See(Product, 1)[0], "Choose", 0)
		<-died
		w.StartBot()
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 2 }, "the next card")
		if got := StopOf(w.See(Product, 2)[1]); got != "s2" {
			t.Errorf("%s was shown", got)
		}
	})
}

func TestALostTurnIsFoundAgain(t *testing.T) {
	tellLong(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2", "s3")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "2 others wait") }, "two to wait")
		for _, lost := range []string{"", "nobody"} {
			key := "{" + Prefix + "}:turn:" + loops.ProductThinker + ":" + Product
			w.must(w.Redis.Del(t.Context(), key, "{"+Prefix+"}:turns").Err())
			if lost == "nobody" {
				w.must(w.Redis.Set(t.Context(), key, lost, 0).Err())
			}
			w.Pass(2 * time.Minute)
			w.See(Product, 1)
			if id := w.Redis.Get(t.Context(), key).Val(); id != "s1" {
				t.Errorf("the turn is with %q", id)
			}
		}
	})
}

func TestWhatWaitedIsShownWhenTheRoleSeesAllAtOnceAgain(t *testing.T) {
	tellLong(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2", "s3")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "2 others wait") }, "two to wait")
		w.Configure(func(c *routing.Config) { *c = configuration() })
		w.Pass(2 * time.Minute)
		w.See(Product, 3)
	})
}

func TestOfManyAskedAtOnceOneIsOpenAtATime(t *testing.T) {
	tellLong(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		const n = 12
		for i := range n {
			w.Raise(Judgement(fmt.Sprintf("s%d", i)))
		}
		for i := range n {
			w.Until(func() bool { return len(w.Slack.Messages(Product)) == i+1 }, "card %d", i+1)
			w.Pass(90 * time.Second) // in which every turn is looked at
			cards := w.See(Product, i+1)
			w.Click(Ana, cards[i], "Choose", 0)
		}
		w.Shown()
		seen := map[string]bool{}
		for _, id := range shownIn(w, Product, n) {
			seen[id] = true
		}
		if len(seen) != n {
			t.Errorf("%d of %d were shown", len(seen), n)
		}
	})
}
