package stories

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/routing"
)

func TestAppHomeListsWhatWaitsForMeAndForMyRoles(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.OpenHome(Bob)
		w.SeeHome(Bob, "Nothing waits for you", "You answer as: facilitator")
		w.Raise(Calls("s1", "ls"))
		w.Raise(Calls("s2", "pwd"))
		w.Raise(Judgement("p1"))
		w.SeeHome(Bob, "Waits for you: 2", "pwd", "!Should these two")
		w.ClickHome(Bob, "I’m on it", 1)
		w.SeeHome(Bob, "Let go of it", "is on it since")
		w.OpenHome(Chi)
		w.SeeHome(Chi, "Waits for you: 1", "With your roles and your loops: 1", "is on it since")
		w.OpenHome(Ana)
		w.SeeHome(Ana, "Waits for you: 1", "Should these two", "!pwd")
		w.OpenHome(Mallory) // the owner of the loops that call
		w.SeeHome(Mallory, "With your roles and your loops: 2", "!Should these two", "!Approve")
		w.See(Facil, 2)
		w.See(Product, 1)
	})
}

func TestAnAnswerInAppHomeResumesTheLoopAndIsSeenThere(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		asked := w.Raise(Judgement("p1"))
		w.See(Facil, 1)
		w.See(Product, 1)
		w.OpenHome(Bob)
		w.SeeHome(Bob, "Waits for you: 1", "Approve")
		w.ClickHome(Bob, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Accept)
		w.SeeHome(Bob, "Nothing waits for you", "Decided in the last 7 days")
		w.OpenHome(Ana)
		w.SeeHome(Ana, "Waits for you: 1")
		w.ClickHome(Ana, "Answer…", 0)
		if window := w.Window(Ana); !strings.Contains(window, "Closing leaves it open") || !strings.Contains(window, "Nothing is recommended.") {
			t.Errorf("the window does not show the examples: %s", window)
		}
		w.Submit(Ana, map[string]any{"p0": "1"})
		answeredBy(t, w.Outcome(asked), Ana, "q", loops.Accept)
		w.SeeHome(Ana, "Nothing waits for you", "Keep only no")
	})
}

func TestSomebodyWithNoRoleSeesNoStopInAppHome(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("p1"))
		w.See(Product, 1)
		w.OpenHome(Mallory)
		w.SeeHome(Mallory, "you are in no role", "ask whoever runs Flagstop", Mallory, "!Should these two")
	})
}

func TestAQuestionThatWaitsForItsTurnIsAnsweredInAppHome(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "1 other waits") }, "s2 to wait")
		w.OpenHome(Ana)
		w.SeeHome(Ana, "Waits for you: 2", "it waits for its turn")
		w.ClickHome(Ana, "Answer…", 1)
		w.Submit(Ana, map[string]any{"p0": "0"})
		answeredBy(t, w.Outcome(loops.Ref{ID: "s2", Digest: w.Stop("s2").State.Digest}), Ana, "q", loops.Accept)
		w.Until(func() bool { return len(w.Slack.Messages(Product)) == 2 }, "the card that says so")
		w.See(Product, 2)
		w.Until(func() bool { return Shows(w.Slack.Messages(Product)[0], "!1 other waits") }, "nobody to wait")
		w.SeeHome(Ana, "Waits for you: 1", "!it waits for its turn")
	})
}

func TestAppHomeComesInPages(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i := range 60 {
			w.Raise(Calls(fmt.Sprintf("s%02d", i), "ls"))
			w.Pass(100 * time.Millisecond)
		}
		w.See(Facil, 60)
		w.Shown()
		w.OpenHome(Bob)
		first := w.SeeHome(Bob, "Waits for you: 60", "Show more", "1 to ", "!Back to the start", `\"s00\"`, `!\"s59\"`)
		if n := strings.Count(first, `"type":"actions"`); n < 20 || n > 50 {
			t.Errorf("%d rows are shown", n)
		}
		w.ClickHome(Bob, "Show more", 0)
		w.SeeHome(Bob, "Waits for you: 60", "to 60 of 60", "Back to the start", "!Show more", `\"s59\"`, `!\"s00\"`)
		w.ClickHome(Bob, "I’m on it", 0)
		w.SeeHome(Bob, "Back to the start")
		w.ClickHome(Bob, "Back to the start", 0)
		w.SeeHome(Bob, "Waits for you: 60", "Show more", "!Back to the start", "Let go of it")
	})
}

func TestAppHomeSaysWhoIsOnCall(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.See(Facil, 1)
		w.OpenHome(Chi)
		w.SeeHome(Chi, "On call", Bob, "Next: ", "!Approve", "!Waits for you", "You answer as: facilitator")
		w.Pass(12 * time.Minute) // the shift of Chi begins, and the home is kept
		w.SeeHome(Chi, "Waits for you: 1", "Approve")
		w.See(Facil, 2)          // the hand-off is announced
		w.Pass(50 * time.Minute) // nobody keeps a home for ever
		calls := len(w.Slack.Calls("views.publish"))
		w.Raise(Calls("s2", "pwd"))
		w.See(Facil, 3)
		w.Pass(time.Minute)
		if n := len(w.Slack.Calls("views.publish")); n != calls {
			t.Errorf("the home that nobody looks at was published %d times", n-calls)
		}
	})
}

func TestWhoIsTurnedAwayInAppHomeIsToldThere(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.See(Facil, 1)[0]
		w.OpenHome(Chi)
		w.SeeHome(Chi, "Approve")
		action, ok := homeAction(w.Slack.As(Chi).Home().JSON, "Approve", 0)
		if !ok {
			t.Fatal("no button")
		}
		id := w.Slack.As(Chi).Home().ID
		w.Configure(func(c *routing.Config) {
			r := c.Roles[loops.Facilitator]
			r.Answerers = []string{Bob}
			c.Roles = map[string]routing.Role{loops.Facilitator: r, loops.ProductThinker: c.Roles[loops.ProductThinker]}
		})
		w.must(w.Slack.As(Chi).ActInView(t.Context(), id, action))
		w.Until(func() bool { return strings.Contains(w.Window(Chi), "You may not answer this one") }, "a word to Chi")
		w.Click(Bob, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Accept)
	})
}

func TestWhatIsNoCardsIsToldToItsPersonAlone(t *testing.T) {
	tell(t, Options{Config: oneAtATime, Partitions: 4}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ask(w, "s1", "s2")
		w.Until(func() bool { return Shows(w.See(Product, 1)[0], "1 other waits") }, "s2 to wait")
		w.OpenHome(Ana)
		w.SeeHome(Ana, "Waits for you: 2")
		w.ClickHome(Ana, "Answer…", 1)
		w.Withdraw("s2", "not needed")
		w.Until(func() bool { return w.Stop("s2").State.End != nil }, "the end of s2")
		w.Submit(Ana, map[string]any{"p0": "0"}) // it has no card, in whose channel she could be told
		alone := "D" + strings.TrimPrefix(Ana, "U")
		w.Until(func() bool { return len(w.Slack.Messages(alone)) == 1 }, "a word to Ana")
		if m := w.Slack.Messages(alone)[0]; !Shows(m, "The asker has withdrawn it", "!Should these two") {
			t.Errorf("she was told: %s", m.Text)
		}
		w.SeeHome(Ana, "Waits for you: 1")
	})
}

func TestAHomeThatOthersWroteIsDrawnAgain(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.StartBot()
		w.Connected()
		w.OpenHome(Bob)
		w.SeeHome(Bob, "Nothing waits for you")
		w.must(w.publish(Bob, `{"type":"home","blocks":[{"type":"divider"}]}`))
		w.Raise(Calls("s1", "ls"))
		w.See(Facil, 1)
		w.SeeHome(Bob, "Waits for you: 1")
		conflicts := 0
		for i, args := range w.Slack.Calls("views.publish") {
			if i > 0 && args["hash"] == nil && args["user_id"] == Bob {
				conflicts++
			}
		}
		if conflicts == 0 {
			t.Error("no home was written over what others had written, by its hash")
		}
	})
}

func TestAHomeThatCannotBeReadSaysSo(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		b.RedisAway(true)
		w.OpenHome(Bob)
		w.SeeHome(Bob, "What is open cannot be read right now")
		b.RedisAway(false)
		w.SeeHome(Bob, "Nothing waits for you")
	})
}
