package stories

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"flagstop/internal/standin"
)

// Click presses the button, or picks the menu item, with that label, and fails the test where Slack shows an error.
func (w *World) Click(user string, m standin.Message, label string, nth int) {
	w.TB.Helper()
	if err := w.Slack.As(user).Click(w.TB.Context(), m, label, nth); err != nil {
		w.TB.Fatalf("%s clicks %q: %v", user, label, err)
	}
}

// ClickOld presses the button of a message as it once stood whose value has the text in it.
func (w *World) ClickOld(user string, m standin.Message, text string) {
	w.TB.Helper()
	action, value := w.Control(m, text)
	w.Forge(user, m, action, value)
}

// Forge presses a button with that action and value, whether m has one or not.
func (w *World) Forge(user string, m standin.Message, action, value string) {
	w.TB.Helper()
	if err := w.Slack.As(user).ClickValue(w.TB.Context(), m, action, value); err != nil {
		w.TB.Fatalf("%s clicks %s: %v", user, value, err)
	}
}

// Control is the action and the value of the button, or the menu's item, whose value has the text in it.
func (w *World) Control(m standin.Message, text string) (action, value string) {
	w.TB.Helper()
	var walk func(v any, within string)
	walk = func(v any, within string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, within)
			}
		case map[string]any:
			if id, ok := v["action_id"].(string); ok {
				within = id
			}
			if s, _ := v["value"].(string); action == "" && within != "" && strings.Contains(s, text) {
				action, value = within, s
			}
			for _, e := range v {
				walk(e, within)
			}
		}
	}
	walk(decoded(m.Attachments), "")
	walk(decoded(m.Blocks), "")
	if action == "" {
		w.TB.Fatalf("no button has %q in its value:\n%s%s", text, m.Blocks, m.Attachments)
	}
	return action, value
}

func decoded(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v) // nothing there is nothing to walk
	return v
}

// Submit fills and sends the window that is open, and fails the test where it does not go through.
func (w *World) Submit(user string, values map[string]any) {
	w.TB.Helper()
	if err := w.Slack.As(user).Submit(w.TB.Context(), values); err != nil {
		w.TB.Fatalf("%s sends the window: %v", user, err)
	}
}

// TurnedBack sends the window that is open, and returns the faults that the bot shows at its fields. It fails the test
// where it goes through, or where Slack itself turns it back.
func (w *World) TurnedBack(user string, values map[string]any) map[string]string {
	w.TB.Helper()
	err := w.Slack.As(user).Submit(w.TB.Context(), values)
	back, ok := errors.AsType[*standin.TurnedBackError](err)
	if !ok || !back.ByApp {
		w.TB.Fatalf("%s sends the window: %v, want it turned back by the bot", user, err)
	}
	return back.Errors
}

// Window is what the window that is open for a person shows, as JSON; "" when none is.
func (w *World) Window(user string) string {
	if v := w.Slack.As(user).View(); v != nil {
		return string(v.JSON)
	}
	return ""
}

// Close closes the window that is open, without sending.
func (w *World) Close(user string) {
	w.TB.Helper()
	w.must(w.Slack.As(user).Close(w.TB.Context()))
}

// Reply types in the thread of a card.
func (w *World) Reply(user string, card standin.Message, text string) {
	w.TB.Helper()
	w.replies[card.TS]++
	if err := w.Slack.As(user).Post(w.TB.Context(), card.Channel, card.TS, text); err != nil {
		w.TB.Fatalf("%s replies: %v", user, err)
	}
}

// Type types a slash command.
func (w *World) Type(user, channel, text string) {
	w.TB.Helper()
	if err := w.Slack.As(user).Command(w.TB.Context(), channel, text); err != nil {
		w.TB.Fatalf("%s types %q: %v", user, text, err)
	}
}

// Withdraw has a loop say that it needs the stop no more.
func (w *World) Withdraw(id, reason string) {
	w.TB.Helper()
	w.must(w.Loops.Withdraw(w.TB.Context(), id, reason))
}

// Pass lets time pass, in a bubble.
func (w *World) Pass(d time.Duration) {
	w.TB.Helper()
	if w.real {
		w.TB.Fatal("a story in which time passes is not told in real time")
	}
	<-time.After(d)
}

// Settle lets what is under way come to its end, in a bubble.
func (w *World) Settle() {
	w.TB.Helper()
	if !w.real {
		w.Pass(5 * time.Second)
	}
}

// Connected waits until Slack can deliver: in Socket Mode to two connections of each bot.
func (w *World) Connected() {
	w.TB.Helper()
	if !w.socket {
		return
	}
	n := 2 * len(w.alive())
	w.Until(func() bool { return w.Slack.Sockets() >= n }, "%d sockets", n)
}

// Days lets days pass, in a bubble. Every day the bots are down for most of it, and new ones run for a minute.
func (w *World) Days(n int) {
	w.TB.Helper()
	for range n {
		running := w.alive()
		for _, b := range running {
			b.Stop()
		}
		w.Pass(24*time.Hour - time.Minute)
		for range running {
			w.StartBot()
		}
		w.Pass(time.Minute)
	}
}
