package bot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/internal/stories"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// click presses a button and fails the test where Slack shows an error to the person.
func click(t *testing.T, w *stories.World, user string, m standin.Message, label string, nth int) {
	t.Helper()
	if err := w.Slack.As(user).Click(t.Context(), m, label, nth); err != nil {
		t.Fatalf("%s clicks %q: %v", user, label, err)
	}
}

// told fails the test unless user has been told exactly one thing, with each of the texts.
func told(t *testing.T, w *stories.World, user string, texts ...string) {
	t.Helper()
	if m := w.Told(user, 1)[0]; !stories.Shows(m, texts...) {
		t.Errorf("%s was told %q, want %q in it", user, m.Text, texts)
	}
}

func turnedAway(s ledger.Stop) (n int) {
	for _, e := range s.Log {
		if e.Kind == ledger.TurnedAwayEntry {
			n++
		}
	}
	return n
}

func TestAStrangerIsTurnedAwayPrivatelyAndNoted(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		click(t, w, stories.Mallory, card, "Choose", 0)
		told(t, w, stories.Mallory, "Not recorded", "may not answer")
		w.Until(func() bool { return turnedAway(w.Stop("s1")) == 1 }, "the note of who was turned away")
		if s := w.Stop("s1"); s.State.Phase != ledger.Open || s.State.Rev != 1 {
			t.Errorf("the stop is %s at rev %d, want open at 1", s.State.Phase, s.State.Rev)
		}
		if n := len(w.Slack.Calls("chat.update")); n != 0 {
			t.Errorf("%d updates, want none", n)
		}
	})
}

func TestAClickOnABrokenStopEndsAndHoldsNoPlace(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		log := loops.Keys{Prefix: stories.Prefix, Partitions: 1}.Of("s1", "log")
		if err := w.Redis.Do(t.Context(), "SET", log, "not a list").Err(); err != nil {
			t.Fatal(err)
		}
		click(t, w, stories.Ana, card, "Choose", 0)
		told(t, w, stories.Ana, "Not recorded")
	})
}

func TestTheSecondPersonIsToldWhoWasFirst(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Calls("s1", "ls"))
		card := w.SeeText(stories.Facil, "Approve")
		click(t, w, stories.Bob, card, "Approve", 0)
		w.Outcome(ref)
		if err := w.Slack.As(stories.Chi).ClickValue(t.Context(), card, actionOf(t, card, "always"), valueOf(t, card, "always")); err != nil {
			t.Fatal(err)
		}
		told(t, w, stories.Chi, "Not recorded", "first")
	})
}

func TestTheSameAgainIsToldThatItIsRecordedAlready(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		click(t, w, stories.Ana, card, "Choose", 0)
		w.Outcome(ref)
		if err := w.Slack.As(stories.Ana).ClickValue(t.Context(), card, actionOf(t, card, `0,`), valueOf(t, card, `0,`)); err != nil {
			t.Fatal(err)
		}
		told(t, w, stories.Ana, "Already recorded")
	})
}

func TestAClickAfterTheLoopWithdrewIsToldSo(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		action, value := actionOf(t, card, `0,`), valueOf(t, card, `0,`)
		if err := w.Loops.Withdraw(t.Context(), "s1", "no longer needed"); err != nil {
			t.Fatal(err)
		}
		w.Outcome(ref)
		w.SeeText(stories.Product, "ithdrawn", "!Choose")
		if err := w.Slack.As(stories.Ana).ClickValue(t.Context(), card, action, value); err != nil {
			t.Fatal(err)
		}
		told(t, w, stories.Ana, "Not recorded")
	})
}

func TestForgedAndGarbledClicksAreAnswered(t *testing.T) {
	for name, value := range map[string]string{
		"not a value":                             `approve`,
		"another shape":                           `{"stop":"s1"}`,
		"an unknown question":                     `["s1","other",0,1]`,
		"an option out of range":                  `["s1","q",9,1]`,
		"a verb that the question does not offer": `["s1","q","run",1]`,
		"a form that is not there":                `["s1","q","edit",1]`,
		"nobody's stop":                           `["unknown","q",0,1]`,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				w.StartBot()
				w.Raise(stories.Judgement("s1"))
				card := w.SeeText(stories.Product, "Choose")
				if err := w.Slack.As(stories.Ana).ClickValue(t.Context(), card, actionOf(t, card, `0,`), value); err != nil {
					t.Fatal(err)
				}
				w.Told(stories.Ana, 1)
				if s := w.Stop("s1"); len(s.State.Verdicts) != 0 {
					t.Errorf("verdicts = %v, want none", s.State.Verdicts)
				}
			})
		})
	}
}

func TestAnOldCardsAnswerCountsWhileItsQuestionIsOpen(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Calls("s1", "ls", "pwd"))
		old := w.SeeText(stories.Facil, "Approve")
		click(t, w, stories.Bob, old, "Approve", 0)
		w.SeeText(stories.Facil, "1 of 2")
		second := `["s1","call_b","run",1]`
		if err := w.Slack.As(stories.Chi).ClickValue(t.Context(), old, actionOf(t, old, "run"), second); err != nil {
			t.Fatal(err)
		}
		o := w.Outcome(ref)
		if by := o.Verdicts["call_b"].By; by == nil || by.ID != "slack:T0LOCAL/U0CHI" {
			t.Errorf("the second verdict is by %+v, want Chi", by)
		}
		if n := len(w.Slack.Ephemerals(stories.Chi)); n != 0 {
			t.Errorf("Chi was told %d things, want none", n)
		}
	})
}

func TestMembersOfAUserGroupMayAndAnUnreadableGroupFailsClosed(t *testing.T) {
	security := strings.ReplaceAll(stories.Calls("s1", "ls"), `"facilitator"`, `"security"`)
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "usergroups.users.list", Error: "internal_error"})
		w.StartBot()
		ref := w.Raise(security)
		card := w.SeeText(stories.Security, "Approve")
		click(t, w, stories.Eve, card, "Approve", 0)
		told(t, w, stories.Eve, "Not recorded", "user group")
		w.Slack.Heal()
		pass(time.Minute)
		click(t, w, stories.Mallory, card, "Approve", 0)
		told(t, w, stories.Mallory, "Not recorded")
		click(t, w, stories.Eve, card, "Approve", 0)
		if by := w.Outcome(ref).By; by.ID != "slack:T0LOCAL/U0EVE" || by.Role != "security" {
			t.Errorf("answered by %+v, want Eve as security", by)
		}
		if n := len(w.Slack.Calls("usergroups.users.list")); n > 3 {
			t.Errorf("the group was read %d times, want it kept", n)
		}
	})
}

func TestDeclineAsksForAReasonThatTheLoopGets(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Calls("s1", "rm -rf build"))
		card := w.SeeText(stories.Facil, "Decline…")
		click(t, w, stories.Bob, card, "Decline…", 0)
		bob := w.Slack.As(stories.Bob)
		if bob.View() == nil {
			t.Fatal("no window is open")
		}
		if err := bob.Submit(t.Context(), map[string]any{"reason": "Use make clean."}); err != nil {
			t.Fatal(err)
		}
		v := w.Outcome(ref).Verdicts["call_a"]
		if v.Action != loops.Decline || v.Message != "Use make clean." {
			t.Errorf("verdict = %s %q, want a decline with the reason", v.Action, v.Message)
		}
		w.SeeText(stories.Facil, "Use make clean.", "!Approve")
	})
}

func TestEditedArgumentsThatAreNoJSONAreShownAtTheField(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Calls("s1", "ls"))
		card := w.SeeText(stories.Facil, "Edit…")
		click(t, w, stories.Bob, card, "Edit…", 0)
		bob := w.Slack.As(stories.Bob)
		_ = bob.Submit(t.Context(), map[string]any{"arguments": "{nonsense"}) // the fault is looked at below
		if v := bob.View(); v == nil || v.Errors["arguments"] == "" {
			t.Fatalf("view = %+v, want a fault at the arguments", v)
		}
		if err := bob.Submit(t.Context(), map[string]any{"arguments": `{"command":"ls -la"}`}); err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(w.Outcome(ref).Verdicts["call_a"].Arguments, &got); err != nil || got["command"] != "ls -la" {
			t.Errorf("arguments = %v, %v, want the edited ones", got, err)
		}
	})
}

func TestAWindowClosedWithoutSendingIsNotedAndAnswersNothing(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Calls("s1", "ls"))
		click(t, w, stories.Bob, w.SeeText(stories.Facil, "Decline…"), "Decline…", 0)
		if err := w.Slack.As(stories.Bob).Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Until(func() bool {
			log := w.Stop("s1").Log
			last := log[len(log)-1]
			return last.Kind == ledger.DismissedEntry && last.Key == "call_a" && last.By.ID == "slack:T0LOCAL/U0BOB"
		}, "the dismissal in the log")
		if s := w.Stop("s1"); s.State.Phase != ledger.Open || s.State.Rev != 1 {
			t.Errorf("the stop is %s at rev %d, want open at 1", s.State.Phase, s.State.Rev)
		}
	})
}

func TestATriggerThatExpiredIsToldToPressAgain(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "views.open", Times: 1, Error: "expired_trigger_id"})
		w.StartBot()
		w.Raise(stories.Calls("s1", "ls"))
		click(t, w, stories.Bob, w.SeeText(stories.Facil, "Decline…"), "Decline…", 0)
		told(t, w, stories.Bob, "again")
	})
}

func TestAClickWhileRedisIsAwayIsKeptAndRecordedWhenItIsBack(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		start := time.Now()
		click(t, w, stories.Ana, card, "Choose", 0)
		if took := time.Since(start); took > 2500*time.Millisecond {
			t.Errorf("the ack took %v, want about 2 s", took)
		}
		told(t, w, stories.Ana, "not sure")
		pass(5 * time.Minute)
		b.RedisAway(false)
		if by := w.Outcome(ref).By; by.ID != "slack:T0LOCAL/U0ANA" {
			t.Errorf("answered by %+v, want Ana", by)
		}
		if m := w.Told(stories.Ana, 2)[1]; !stories.Shows(m, "ecorded", "!Not recorded") {
			t.Errorf("Ana was told at last %q, want that it was recorded", m.Text)
		}
	})
}

func TestAKeptClickThatComesLateIsToldWhoWasFirst(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.Calls("s1", "ls"))
		card := w.SeeText(stories.Facil, "Approve")
		w.Shown()
		b.RedisAway(true)
		click(t, w, stories.Bob, card, "Approve", 0)
		w.Told(stories.Bob, 1)
		decline := loops.Verdict{Action: loops.Decline, Message: "no"}
		by := loops.By{ID: "cli:chi@desk", Role: loops.Facilitator, Through: "cli"}
		if _, _, err := w.Ledger.Do(t.Context(), "s1", ledger.Answer{By: by, Verdicts: map[string]loops.Verdict{"call_a": decline}}); err != nil {
			t.Fatal(err)
		}
		b.RedisAway(false)
		if m := w.Told(stories.Bob, 2)[1]; !stories.Shows(m, "Not recorded", "first") {
			t.Errorf("Bob was told at last %q, want that another was first", m.Text)
		}
		if v := w.Outcome(ref).Verdicts["call_a"]; v.Action != loops.Decline {
			t.Errorf("verdict = %s, want the first one", v.Action)
		}
	})
}

func TestAWindowSentWhileRedisIsAwayKeepsWhatWasTyped(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.Calls("s1", "ls"))
		click(t, w, stories.Bob, w.SeeText(stories.Facil, "Decline…"), "Decline…", 0)
		b.RedisAway(true)
		bob := w.Slack.As(stories.Bob)
		if err := bob.Submit(t.Context(), map[string]any{"reason": "Use make clean."}); err != nil {
			t.Fatal(err)
		}
		if v := bob.View(); v == nil || !strings.Contains(string(v.JSON), "Use make clean.") {
			t.Fatalf("view = %+v, want one that keeps what was typed", v)
		}
		b.RedisAway(false)
		if v := w.Outcome(ref).Verdicts["call_a"]; v.Message != "Use make clean." {
			t.Errorf("reason = %q, want what was typed", v.Message)
		}
		told(t, w, stories.Bob, "ecorded", "!Not recorded")
	})
}

func TestShutdownWaitsForAKeptClickAndThenSaysThatItIsNotRecorded(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		click(t, w, stories.Ana, card, "Choose", 0)
		w.Told(stories.Ana, 1)
		start := time.Now()
		b.Stop()
		if took := time.Since(start); took < 7*time.Second || took > 12*time.Second {
			t.Errorf("it stopped after %v, want after about 8 s", took)
		}
		if m := w.Told(stories.Ana, 2)[1]; !stories.Shows(m, "ot recorded") {
			t.Errorf("Ana was told at last %q, want that it was not recorded", m.Text)
		}
	})
}

func TestADeliveryThatComesAgainHasNoSecondEffect(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		b := w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.SeeText(stories.Product, "Choose")
		d := clickOf(t, stories.Mallory, `["s1","q",0,1]`)
		b.Receive(t.Context(), d)
		w.Told(stories.Mallory, 1)
		pass(time.Minute)
		d.Retry = 1
		b.Receive(t.Context(), d)
		pass(time.Minute)
		w.Told(stories.Mallory, 1)
	})
}

func TestWhatNobodyKnowsIsAckedAndAnswered(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		for _, d := range strangeDeliveries() {
			if ack := b.Receive(t.Context(), d); ack != nil {
				t.Errorf("ack of %s %s = %s, want an empty one", d.Kind, d.Payload, ack)
			}
		}
		pass(time.Minute)
	})
}

func TestTheCommandListsWhatIsTheirs(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("product-1"))
		w.Raise(stories.Calls("facil-1", "ls"))
		w.SeeText(stories.Product, "Choose")
		w.SeeText(stories.Facil, "Approve")
		w.Shown()
		for user, want := range map[string][]string{
			stories.Ana:     {"product-1", "!facil-1"},
			stories.Bob:     {"facil-1", "!product-1"},
			stories.Mallory: {"facil-1", "!product-1"}, // its owner
			stories.Eve:     {"!facil-1", "!product-1"},
		} {
			if err := w.Slack.As(user).Command(t.Context(), stories.Ops, "/stops"); err != nil {
				t.Fatal(err)
			}
			told(t, w, user, want...)
		}
	})
}

func TestTheCommandShowsAStopToWhoMaySeeIt(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.SeeText(stories.Product, "Choose")
		w.Shown()
		for i, text := range []string{"/stops show s1", "/stops show nothing", "/stops help", "/stops dance"} {
			if err := w.Slack.As(stories.Ana).Command(t.Context(), stories.Ops, text); err != nil {
				t.Fatal(err)
			}
			w.Told(stories.Ana, i+1) // commands that are given at once are answered in any order
		}
		all := w.Told(stories.Ana, 4)
		for i, want := range []string{"different things", "No stop of yours has this id", "show ID", "show ID"} {
			if !stories.Shows(all[i], want) {
				t.Errorf("answer %d = %q, want %q in it", i, all[i].Text, want)
			}
		}
	})
}

func TestAStopIsNotShownToWhoMayNotSeeIt(t *testing.T) {
	outsiders := func(c *routing.Config) {
		r := c.Roles[loops.ProductThinker]
		r.Channel = "C0PRIVATE"
		c.Roles[loops.ProductThinker] = r
	}
	inBubble(t, stories.Options{Config: outsiders}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.SeeText("C0PRIVATE", "Choose")
		if err := w.Slack.As(stories.Mallory).Command(t.Context(), stories.Ops, "/stops show s1"); err != nil {
			t.Fatal(err)
		}
		told(t, w, stories.Mallory, "No stop of yours has this id", "!different things")
	})
}
