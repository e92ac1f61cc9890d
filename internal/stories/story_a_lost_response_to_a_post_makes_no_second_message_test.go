package stories

import (
	"testing"

	"flagstop/internal/standin"
)

func TestAPostWhoseResponseWasLostIsFoundAndNotSentAgain(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Lose: true})
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		w.GoOn(ref, "loop-s1")
		card := w.SeeText(Product, "went on")
		thread(t, w, card, "Keep both", "went on")
		if n := len(w.Slack.Calls("chat.postMessage")); n != 3 {
			t.Errorf("%d posts were sent, want the card and two lines of its thread", n)
		}
	})
}
