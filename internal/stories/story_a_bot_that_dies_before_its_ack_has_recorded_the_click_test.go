package stories

import (
	"errors"
	"testing"

	"flagstop/internal/standin"
)

func TestABotThatDiesBetweenRecordingAndAckHasRecordedTheClick(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		died := b.DieAfter(`"entry":"answered"`)
		if err := w.Slack.As(Ana).Click(t.Context(), card, "Choose", 0); !errors.Is(err, standin.ErrUnanswered) {
			t.Errorf("the click = %v, want %v: the bot died before its ack", err, standin.ErrUnanswered)
		}
		<-died
		b.Stop()
		w.StartBot()
		w.Connected()
		w.ClickOld(Ana, card, `"q",0`) // she presses again, as Slack told her to
		said(t, w, Ana, 1, "Already recorded", "Keep both")
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "went on", "!Choose")
		if n := entries(w, "s1", "verdict"); n != 1 {
			t.Errorf("%d verdicts were recorded, want one", n)
		}
	})
}
