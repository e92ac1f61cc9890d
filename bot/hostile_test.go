package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"flagstop/bot"
	"flagstop/internal/stories"
	"flagstop/loops/ledger"
	"flagstop/templates"
)

// Anybody can delete messages of their own, or list stops: that takes no click its place.
func TestManyEventsThatCannotBeHandledLeaveRoomForClicks(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		var events sync.WaitGroup
		for i := range 100 {
			payload := fmt.Sprintf(
				`{"event_id":"Ev%d","event":{"type":"message","subtype":"message_deleted","channel":"C0PRODUCT","deleted_ts":"1.%d"}}`, i, i)
			events.Go(func() { b.Receive(t.Context(), bot.Delivery{Kind: bot.EventsAPI, Payload: json.RawMessage(payload)}) })
		}
		events.Wait()
		click(t, w, stories.Ana, card, "Choose", 0)
		told(t, w, stories.Ana, "not sure")
		b.RedisAway(false)
		w.Outcome(ref)
	})
}

// Whoever reads "Not recorded" may send something else: what they sent first must not count after that.
func TestAWindowWhosePersonWasToldThatItIsNotRecordedIsNotRecordedLater(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		first := w.StartBot()
		w.Raise(stories.Calls("s1", "ls"))
		w.SeeText(stories.Facil, "Approve")
		w.Shown()
		first.Stop()
		b := w.StartBot() // it has not read the record yet
		b.RedisSlow(2500 * time.Millisecond)
		payload := `{"type":"view_submission","user":{"id":"` + stories.Bob + `","team_id":"T0LOCAL"},"view":{
			"private_metadata":"[\"s1\",\"call_a\",\"decline\",1]","blocks":[{"type":"input","block_id":"reason"}],
			"state":{"values":{"reason":{"v":{"type":"plain_text_input","value":"Use make clean."}}}}}}`
		ack := b.Receive(t.Context(), bot.Delivery{Kind: bot.Interactive, Payload: json.RawMessage(payload)})
		if !strings.Contains(string(ack), "Not recorded") {
			t.Fatalf("ack = %s, want that it is not recorded", ack)
		}
		b.RedisSlow(0)
		pass(time.Minute)
		if s := w.Stop("s1"); s.State.Phase != ledger.Open || len(s.State.Verdicts) != 0 {
			t.Errorf("the stop is %s with %d verdicts, want open with none", s.State.Phase, len(s.State.Verdicts))
		}
	})
}

// A bot without words panics at the first card. That may cost the card, and not the bot with all others.
func TestACardThatPanicsIsTriedAgainAndDoesNotEndTheBot(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.Raise(stories.Judgement("s1"))
		broken := bot.New(bot.Options{
			Ledger: w.Ledger, Redis: w.Redis, Prefix: stories.Prefix, Book: w.Book, Words: new(templates.Words),
			Slack: bot.NewSlack(bot.SlackOptions{BotToken: "xoxb-1", HTTPClient: &http.Client{Transport: unreachable{}}}),
			Log:   slog.New(slog.DiscardHandler),
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- broken.Run(ctx) }()
		pass(time.Minute)
		if s := w.Stop("s1"); s.State.Phase != ledger.Open {
			t.Errorf("the stop is %s, want open", s.State.Phase)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		w.StartBot()
		w.SeeText(stories.Product, "Choose")
	})
}

// Slack gives out few links a minute. A list without some of its links is of more use than one that comes minutes later.
func TestAListDoesNotWaitForLinksThatSlackLimits(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		w.StartBot()
		const stops, lists = 15, 5
		for i := range stops {
			w.Raise(stories.Judgement(fmt.Sprintf("s%d", i)))
		}
		w.See(stories.Product, stops)
		w.Shown()
		start := time.Now()
		for range lists {
			w.Type(stories.Ana, stories.Product, "/stops")
		}
		w.Told(stories.Ana, lists)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%d lists took %v, want seconds", lists, took)
		}
	})
}
