package stories

import (
	"testing"
	"time"

	"flagstop/internal/standin"
)

func TestRevokedCredentialsLoseNothingAndWorkGoesOnWhenTheyAreBack(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Refusals("token_revoked")
		b := w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		w.Slack.Break(standin.Fault{Error: "token_revoked"})
		w.Click(Ana, card, "Choose", 0) // what comes from Slack still counts
		w.Raise(Judgement("s2"))
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) > 0 }, "a fault in Health")
		w.Pass(10 * time.Minute)
		if n := len(w.Slack.Calls("chat.postMessage")); n > 15 {
			t.Errorf("%d posts were tried while Slack refuses the bot, want about one a minute", n)
		}
		w.Slack.Heal()
		cards := w.See(Product, 2)
		w.Until(func() bool { return Shows(w.See(Product, 2)[0], "answered", "!Choose") }, "the answer on the first card")
		if !Shows(cards[1], "Choose") {
			t.Errorf("the second card shows %s", cards[1].Text)
		}
		w.Until(func() bool { return len(b.Health(t.Context(), time.Now())) == 0 }, "a healthy bot")
	})
}
