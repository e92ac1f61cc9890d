package bot_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/standin"
	"flagstop/internal/stories"
	"flagstop/loops"
	"flagstop/routing"

	"github.com/google/go-cmp/cmp"
)

// inBubble plays a test in virtual time.
func inBubble(t *testing.T, o stories.Options, play func(t *testing.T, w *stories.World)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { play(t, stories.New(t, o)) })
}

func TestAStopIsShownAndOneClickResumesItsLoop(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Keep both", "Choose")
		if err := w.Slack.As(stories.Ana).Click(t.Context(), card, "Choose", 0); err != nil {
			t.Fatal(err)
		}
		o := w.Outcome(ref)
		if o.End != loops.Answered || o.By.ID != "slack:T0LOCAL/U0ANA" || o.By.Role != loops.ProductThinker {
			t.Errorf("outcome = %s by %+v, want answered by Ana as product thinker", o.End, o.By)
		}
		if got := string(o.Verdicts["q"].Content); got != `{"answer":"both"}` {
			t.Errorf("content = %s, want the first option", got)
		}
		w.SeeText(stories.Product, "answered", "!Choose")
		w.GoOn(ref, "loop-s1")
		w.SeeText(stories.Product, "went on")
		w.Shown()
		if n := len(w.Slack.Ephemerals(stories.Ana)); n != 0 {
			t.Errorf("Ana was told %d things, want none: the card shows it", n)
		}
		thread := w.Slack.Thread(stories.Product, w.See(stories.Product, 1)[0].TS)
		if len(thread) != 2 {
			t.Errorf("the thread has %d lines, want the answer and that the loop went on", len(thread))
		}
	})
}

func TestAnsweredAndWentOnAtOnceAreOneUpdate(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		start := time.Now()
		if err := w.Slack.As(stories.Ana).Click(t.Context(), card, "Choose", 1); err != nil {
			t.Fatal(err)
		}
		w.GoOn(ref, "loop-s1")
		w.SeeText(stories.Product, "went on", "!Choose")
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("the card was updated after %v, want within 2 s", took)
		}
		w.Shown()
		if n := len(w.Slack.Calls("chat.update")); n != 1 {
			t.Errorf("%d updates, want one", n)
		}
	})
}

func TestALoopThatGoesOnWithinTwoSecondsIsStillTheSameUpdate(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		click(t, w, stories.Ana, card, "Choose", 1)
		w.Pass(1500 * time.Millisecond)
		w.GoOn(ref, "loop-s1")
		w.SeeText(stories.Product, "went on", "!Choose")
		w.Shown()
		if n := len(w.Slack.Calls("chat.update")); n != 1 {
			t.Errorf("%d updates, want one", n)
		}
	})
}

func TestTheButtonsGoWithinTwoSecondsWhereNoLoopComes(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		start := time.Now()
		click(t, w, stories.Ana, card, "Choose", 1)
		w.SeeText(stories.Product, "!Choose")
		if took := time.Since(start); took > 2500*time.Millisecond {
			t.Errorf("the buttons went after %v, want about two seconds", took)
		}
	})
}

func TestALostResponseMakesOneMessage(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Lose: true})
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.Shown()
		w.See(stories.Product, 1)
		if n := len(w.Slack.Calls("chat.postMessage")); n != 1 {
			t.Errorf("%d posts were sent, want one: the first was found", n)
		}
	})
}

func TestAPostThatNeverHappenedIsSentAgainAfterLooking(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Error: "fatal_error"})
		w.StartBot()
		start := time.Now()
		w.Raise(stories.Judgement("s1"))
		w.See(stories.Product, 1)
		w.Shown()
		if took := time.Since(start); took < 22*time.Second || took > 40*time.Second {
			t.Errorf("it was sent again after %v, want after looks of 2, 5 and 15 s", took)
		}
		if n := len(w.Slack.Calls("conversations.history")); n < 4 || n > 6 {
			t.Errorf("%d looks, want one at once, three more, and one after the second post", n)
		}
	})
}

func TestALimitedPostWaitsAsSlackSays(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 2, Status: 429, RetryAfter: "30"})
		w.StartBot()
		start := time.Now()
		w.Raise(stories.Judgement("s1"))
		w.See(stories.Product, 1)
		if took := time.Since(start); took < time.Minute || took > 2*time.Minute {
			t.Errorf("it stood after %v, want after the minute that Slack asked for", took)
		}
		w.Shown()
		if n := len(w.Slack.Calls("conversations.history")); n != 0 {
			t.Errorf("%d looks, want none: nothing was sent", n)
		}
	})
}

func TestContentThatSlackRefusesIsSentPlainOnce(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Error: "invalid_blocks"})
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.SeeText(stories.Product, "flagstop answer", "!Choose")
		w.Shown()
		if c := w.Stop("s1").State.Cards[0]; !c.Plain {
			t.Errorf("the card is not marked as plain: %+v", c)
		}
	})
}

func TestAChannelThatCannotBePostedToFallsBack(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Archive(stories.Product)
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Ops, "Choose")
		w.Shown()
		if c := w.Stop("s1").State.Cards[0]; c.Undelivered != "is_archived" || c.Channel != stories.Ops {
			t.Errorf("the card = %+v, want undelivered because is_archived, in the fallback channel", c)
		}
		if err := w.Slack.As(stories.Ana).Click(t.Context(), card, "Choose", 0); err != nil {
			t.Fatal(err)
		}
		w.Outcome(ref)
		w.SeeText(stories.Ops, "answered", "!Choose")
	})
}

func TestAStopWithoutAnyChannelStaysInWorkAndIsPostedWhenThereIsOne(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Configure(func(c *routing.Config) { c.FallbackChannel = "C0GONE" })
		w.Slack.Archive(stories.Product)
		b := w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) > 0 }, "a fault in Health")
		if n, _, err := w.Ledger.Behind(t.Context()); n != 1 || err != nil {
			t.Errorf("Behind = %d, %v, want the stop still in work", n, err)
		}
		if c := w.Stop("s1").State.Cards[0]; c.Undelivered == "" || c.TS != "" {
			t.Errorf("the card = %+v, want undelivered and nowhere", c)
		}
		w.Configure(func(c *routing.Config) { c.FallbackChannel = stories.Ops })
		w.SeeText(stories.Ops, "Choose")
		w.Shown()
		if faults := b.Health(t.Context(), time.Now()); len(faults) > 0 {
			t.Errorf("Health = %q, want nothing", faults)
		}
	})
}

func TestWrongCredentialsStopTheShowingAndKeepEverything(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Error: "token_revoked"})
		b := w.StartBot()
		w.Raise(stories.Judgement("s1"))
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) > 0 }, "a fault in Health")
		calls := len(w.Slack.Calls("chat.postMessage"))
		w.Raise(stories.Judgement("s2"))
		if n := len(w.Slack.Calls("chat.postMessage")); n != calls {
			t.Errorf("%d more posts were tried, want none while Slack refuses", n-calls)
		}
		w.Slack.Heal()
		w.See(stories.Product, 2)
		w.Shown()
		if faults := b.Health(t.Context(), time.Now()); len(faults) > 0 {
			t.Errorf("Health = %q, want nothing", faults)
		}
	})
}

func TestACardThatWasDeletedIsPostedAgain(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		w.Slack.Delete(stories.Product, card.TS)
		w.Until(func() bool {
			all := w.Slack.Messages(stories.Product)
			return len(all) == 1 && all[0].TS != card.TS
		}, "another card")
	})
}

func TestACardIsPostedElsewhereWhenItsChannelGoes(t *testing.T) {
	for name, leave := range map[string]func(*stories.World){
		"archived": func(w *stories.World) { w.Slack.Archive(stories.Product) },
		"kicked":   func(w *stories.World) { w.Slack.Kick(stories.Product) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				w.StartBot()
				w.Raise(stories.Judgement("s1"))
				w.SeeText(stories.Product, "Choose")
				w.Shown()
				leave(w)
				w.SeeText(stories.Ops, "Choose")
			})
		})
	}
}

func TestTheDailyLookPostsACardAgainWhoseEventWasLost(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		b.Stop() // nobody hears the event
		w.Slack.Delete(stories.Product, card.TS)
		start := time.Now()
		w.StartBot()
		for time.Since(start) < 25*time.Hour && len(w.Slack.Messages(stories.Product)) == 0 {
			pass(time.Minute)
		}
		w.See(stories.Product, 1)
	})
}

// pass lets virtual time pass.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestAnUpdateOfAMessageThatIsGonePostsAnother(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Slack.Break(standin.Fault{Method: "chat.update", Times: 1, Error: "cant_update_message"})
		if err := w.Slack.As(stories.Ana).Click(t.Context(), card, "Choose", 0); err != nil {
			t.Fatal(err)
		}
		w.Outcome(ref)
		all := w.See(stories.Product, 2)
		if !stories.Shows(all[1], "answered", "!Choose") {
			t.Errorf("the second card does not show the answer: %s", all[1].Text)
		}
	})
}

func TestNewPostsOfAChannelStandInTheOrderOfAsking(t *testing.T) {
	inBubble(t, stories.Options{RateLimits: true}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Error: "fatal_error"}) // the first is in doubt
		w.StartBot()
		ids := []string{"zz", "mm", "aa", "kk", "bb", "yy", "cc", "xx"}
		for _, id := range ids {
			w.Raise(stories.Judgement(id))
			pass(5 * time.Millisecond)
		}
		all := w.See(stories.Product, len(ids))
		var got []string
		for _, m := range all {
			got = append(got, stories.StopOf(m))
		}
		if diff := cmp.Diff(ids, got); diff != "" {
			t.Errorf("order of the cards (-asked +got):\n%s", diff)
		}
		if n := len(w.Slack.Calls("chat.postMessage")); n != len(ids)+1 {
			t.Errorf("%d posts, want one each and the first again", n)
		}
	})
}

func TestALongQuoteStandsInTheThreadBeforeTheButtonsCome(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.Raise(stories.LongQuote("s1"))
		card := w.SeeText(stories.Product, "Choose")
		if parts := w.Slack.Thread(stories.Product, card.TS); len(parts) == 0 {
			t.Error("the buttons stand and the thread does not")
		}
		if shows := w.Slack.Calls("chat.postMessage"); stories.ArgsShow(shows[0], "Choose") {
			t.Error("the card was posted with buttons before its thread stood")
		}
	})
}

func TestABotWithNothingToShowNoticesThatSlackIsAway(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		w.Pass(time.Hour)
		if faults := b.Health(t.Context(), time.Now()); len(faults) > 0 {
			t.Fatalf("Health = %q, want nothing", faults)
		}
		w.Slack.Break(standin.Fault{Error: "token_revoked"})
		w.Pass(time.Minute)
		if faults := b.Health(t.Context(), time.Now()); len(faults) != 1 || !strings.Contains(faults[0], "Slack refuses") {
			t.Errorf("Health = %q, want that Slack refuses the bot", faults)
		}
		w.Slack.Heal()
		w.Pass(time.Minute)
		if faults := b.Health(t.Context(), time.Now()); len(faults) > 0 {
			t.Errorf("Health = %q, want nothing", faults)
		}
	})
}

func TestASlackThatDoesNotAnswerIsAFaultInHealthUntilItDoes(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Slack.Break(standin.Fault{Status: 503})
		b := w.StartBot()
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) > 0 }, "a fault in Health at the start")
		w.Slack.Heal()
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) == 0 }, "an end of the fault")
		w.Slack.Break(standin.Fault{Status: 503})
		w.Raise(stories.Judgement("s1"))
		w.Until(func() bool {
			faults := b.Health(t.Context(), time.Now())
			return len(faults) == 1 && strings.Contains(faults[0], "Slack does not answer")
		}, "a fault in Health with a card to show")
		w.Slack.Heal()
		w.SeeText(stories.Product, "Choose")
		w.Shown()
		if faults := b.Health(t.Context(), time.Now()); len(faults) > 0 {
			t.Errorf("Health = %q, want nothing", faults)
		}
	})
}
