package bot_test

import (
	"encoding/json"
	"testing"
	"time"

	"flagstop/bot"
	"flagstop/internal/standin"
	"flagstop/internal/stories"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// The inputs of docs/reports.md that cost others a click or a card.

func TestAClickBesideAnElementThatNobodyKnowsIsRecorded(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.Judgement("s1"))
		w.SeeText(stories.Product, "Choose")
		b.Receive(t.Context(), clickOf(t, stories.Ana, `["s1","q",0,1]`))
		if o := w.Outcome(ref); o.End != loops.Answered {
			t.Errorf("the outcome is %s, want answered", o.End)
		}
	})
}

func TestAClickThatCannotBeReadIsSaidToItsPersonAndLeavesTheStopOpen(t *testing.T) {
	for name, action := range map[string]string{
		"an element that nobody knows": `{"type":"hologram","gesture":{"at":[1,2]}}`,
		"a button without a value":     `{"type":"button","action_id":"choose.0"}`,
		"a value that is null":         `{"type":"button","action_id":"choose.0","value":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				b := w.StartBot()
				w.Raise(stories.Judgement("s1"))
				w.SeeText(stories.Product, "Choose")
				payload := `{"type":"block_actions","user":{"id":"U0ANA","team_id":"T0LOCAL"},"channel":{"id":"C0PRODUCT"},"trigger_id":"1.2.x","actions":[` + action + `]}`
				b.Receive(t.Context(), bot.Delivery{Kind: bot.Interactive, Payload: json.RawMessage(payload)})
				told(t, w, stories.Ana, "Not recorded", "could not be read")
				if s := w.Stop("s1").State; s.Phase != ledger.Open || len(s.Verdicts) > 0 {
					t.Errorf("the stop is %s with %d verdicts, want open with none", s.Phase, len(s.Verdicts))
				}
			})
		})
	}
}

// Slack's last try comes five minutes after the first; what is remembered outlives the bot, and the verdict outlives both.
func TestADeliveryFromBeforeARestartHasNoSecondEffect(t *testing.T) {
	for _, later := range []time.Duration{0, 5 * time.Minute, 3 * time.Hour} {
		t.Run(later.String(), func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				b := w.StartBot()
				ref := w.Raise(stories.Judgement("s1"))
				w.SeeText(stories.Product, "Choose")
				d := clickOf(t, stories.Ana, `["s1","q",0,1]`)
				b.Receive(t.Context(), d)
				first := w.Outcome(ref).JWS
				w.Shown()
				b.Stop()
				pass(later)
				b = w.StartBot()
				d.Retry = 1
				b.Receive(t.Context(), d)
				w.Shown()
				s := w.Stop("s1")
				verdicts := 0
				for _, e := range s.Log {
					if e.Kind == ledger.VerdictEntry {
						verdicts++
					}
				}
				if verdicts != 1 || s.Outcome != first {
					t.Errorf("%d verdicts, and the outcome changed: %v; want one and the first", verdicts, s.Outcome != first)
				}
			})
		})
	}
}

func TestAnUpdateThatItsChannelRefusesStandsElsewhere(t *testing.T) {
	for _, code := range []string{"is_archived", "not_in_channel", "channel_not_found", "message_not_found", "edit_window_closed"} {
		t.Run(code, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				w.StartBot()
				ref := w.Raise(stories.Judgement("s1"))
				card := w.SeeText(stories.Product, "Choose")
				w.Shown()
				w.Slack.Break(standin.Fault{Method: "chat.update", Error: code})
				click(t, w, stories.Ana, card, "Choose", 0)
				w.Outcome(ref)
				w.Until(func() bool {
					for _, m := range append(w.Slack.Messages(stories.Product), w.Slack.Messages(stories.Ops)...) {
						if stories.Shows(m, "answered", "!Choose") {
							return true
						}
					}
					return false
				}, "a card that shows the answer")
			})
		})
	}
}

func TestAWindowThatSlackRefusesIsSaidToItsPerson(t *testing.T) {
	for _, code := range []string{"invalid_arguments", "view_too_large"} {
		t.Run(code, func(t *testing.T) {
			inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
				w.Slack.Break(standin.Fault{Method: "views.open", Times: 1, Error: code})
				w.StartBot()
				w.Raise(stories.Calls("s1", "ls"))
				click(t, w, stories.Bob, w.SeeText(stories.Facil, "Decline…"), "Decline…", 0)
				told(t, w, stories.Bob, "Not recorded")
				if w.Stop("s1").State.Phase != ledger.Open {
					t.Error("the stop is closed")
				}
			})
		})
	}
}

func TestACardUnderAThreadWhoseParentIsGoneIsStillFinished(t *testing.T) {
	inBubble(t, stories.Options{}, func(t *testing.T, w *stories.World) {
		b := w.StartBot()
		ref := w.Raise(stories.LongQuote("s1"))
		card := w.SeeText(stories.Product, "Choose")
		w.Shown()
		b.Stop() // nobody hears that the card was deleted
		w.Slack.Delete(stories.Product, card.TS)
		b = w.StartBot()
		b.Receive(t.Context(), clickOf(t, stories.Ana, `["s1","q",0,1]`))
		w.GoOn(ref, "loop-s1")
		w.Until(func() bool {
			for _, m := range w.Slack.Messages(stories.Product) {
				if stories.Shows(m, "went on", "!Choose") {
					return true
				}
			}
			return false
		}, "a card that shows the end")
		w.Shown()
	})
}
