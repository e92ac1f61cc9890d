package bot_test

import (
	"errors"
	"net/http"
	"testing"

	"flagstop/bot"
	"flagstop/templates"
)

type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no network")
}

// A bot without a ledger panics at the first click. That may cost the click, and not the bot.
func TestAPanicCostsOneClickAndNotTheBot(t *testing.T) {
	t.Parallel()
	b := bot.New(bot.Options{
		Words: templates.Default(),
		Slack: bot.NewSlack(bot.SlackOptions{BotToken: "xoxb-1", HTTPClient: &http.Client{Transport: unreachable{}}}),
	})
	if ack := b.Receive(t.Context(), clickOf(t, "U0ANA", `["s1","q",0,1]`)); ack != nil {
		t.Errorf("ack = %s, want an empty one", ack)
	}
}
