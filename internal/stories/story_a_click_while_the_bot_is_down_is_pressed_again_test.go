package stories

import (
	"errors"
	"testing"

	"flagstop/internal/standin"
)

func TestAClickWhileTheBotIsDownFailsInSlackAndIsPressedAgain(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		bot := w.StartBot()
		var b box
		devSuspended(t, w, &b)
		w.Shown()
		bot.Stop()
		card := w.SeeText(Facil, "Approve")
		if err := w.Slack.As(Bob).Click(t.Context(), card, "Approve", 0); !errors.Is(err, standin.ErrUnanswered) {
			t.Errorf("the click while no bot runs = %v, want %v", err, standin.ErrUnanswered)
		}
		w.StartBot()
		w.Connected()
		w.Click(Bob, card, "Approve", 0)
		devDone(t, w, &b)
	})
}
