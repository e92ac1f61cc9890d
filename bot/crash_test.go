package bot_test

import (
	"sync"
	"testing"
	"time"

	"flagstop/internal/stories"
	"flagstop/loops"
)

func TestABotThatDiesWhilePostingLeavesOneMessage(t *testing.T) {
	for name, after := range map[string]bool{"before the post is sent": false, "after Slack took it": true} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				b := w.StartBot()
				died := b.DieAt("chat.postMessage", after)
				ref := w.Raise(stories.Judgement("s1"))
				<-died
				b.Stop()
				w.StartBot()
				w.Shown()
				card := w.SeeText(stories.Product, "Choose")
				click(t, w, stories.Ana, card, "Choose", 0)
				w.GoOn(ref, "loop-s1")
				w.SeeText(stories.Product, "went on", "!Choose")
				w.Shown()
				if n := len(w.Slack.Thread(stories.Product, card.TS)); n != 2 {
					t.Errorf("the thread has %d lines, want two", n)
				}
			})
		})
	}
}

func TestABotThatDiesInTheThreadLeavesEachPartOnce(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		w.Raise(stories.LongQuote("whole"))
		w.Shown()
		want := len(w.Slack.Thread(stories.Product, w.See(stories.Product, 1)[0].TS))
		b.Stop()

		b = w.StartBot()
		w.Raise(stories.LongQuote("s1"))
		w.See(stories.Product, 2)
		died := b.DieAt("chat.postMessage", true) // of the first part of the thread
		<-died
		b.Stop()
		w.StartBot()
		w.Shown()
		cards := w.See(stories.Product, 2)
		if got := len(w.Slack.Thread(stories.Product, cards[1].TS)); got != want || !stories.Shows(cards[1], "Choose") {
			t.Errorf("the thread has %d parts, want %d, and then buttons", got, want)
		}
	})
}

func TestABotThatDiesWhileUpdatingLeavesTheNewestState(t *testing.T) {
	for name, after := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				b := w.StartBot()
				ref := w.Raise(stories.Judgement("s1"))
				card := w.SeeText(stories.Product, "Choose")
				w.Shown()
				died := b.DieAt("chat.update", after)
				click(t, w, stories.Ana, card, "Choose", 0)
				<-died
				b.Stop()
				w.StartBot()
				w.GoOn(ref, "loop-s1")
				w.SeeText(stories.Product, "went on", "!Choose")
				w.Shown()
			})
		})
	}
}

func TestTwoBotsShowEachStopOnceAndRecordOneOfManyClicks(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		w.StartBot()
		var refs []loops.Ref
		for _, id := range []string{"a", "b", "c", "d", "e", "f"} {
			refs = append(refs, w.Raise(stories.Calls(id, "ls "+id)))
		}
		cards := w.See(stories.Facil, len(refs))
		w.Shown()
		var wg sync.WaitGroup
		for _, card := range cards {
			for i, user := range []string{stories.Bob, stories.Chi, stories.Bob, stories.Chi, stories.Bob} {
				wg.Go(func() {
					<-time.After(time.Duration(i) * 40 * time.Millisecond)
					verb := []string{`"run"`, `"always"`}[i%2]
					_ = w.Slack.As(user).ClickValue(t.Context(), card, actionOf(t, card, verb), valueOf(t, card, verb))
				})
			}
		}
		wg.Wait()
		for _, ref := range refs {
			w.GoOn(ref, "loop")
		}
		w.Shown()
		for _, card := range w.See(stories.Facil, len(refs)) {
			if !stories.Shows(card, "went on", "!Decline…") {
				t.Errorf("the card of %s does not show the end", stories.StopOf(card))
			}
			if n := len(w.Slack.Thread(stories.Facil, card.TS)); n != 2 {
				t.Errorf("the thread of %s has %d lines, want two", stories.StopOf(card), n)
			}
		}
		// Of five clicks on each card one is recorded; each of the others is told something.
		if n := len(w.Slack.Ephemerals(stories.Bob)) + len(w.Slack.Ephemerals(stories.Chi)); n != 4*len(refs) {
			t.Errorf("%d things were told, want %d", n, 4*len(refs))
		}
	})
}

func TestAStopIsShownOverSocketMode(t *testing.T) {
	inBubble(t, stories.Options{Socket: true}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Until(func() bool { return w.Slack.Sockets() >= 2 }, "two sockets")
		click(t, w, stories.Ana, card, "Choose", 2)
		w.GoOn(ref, "loop-s1")
		w.SeeText(stories.Product, "went on", "!Choose")
	})
}
