package stories

import (
	"testing"
	"time"

	"flagstop/loops"
)

func TestAClickWhileRedisIsAwayIsToldThatItIsNotSureAndThenThatItIsRecorded(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		start := time.Now()
		w.Click(Ana, card, "Choose", 0)
		if took := time.Since(start); took < 1900*time.Millisecond || took > 2900*time.Millisecond {
			t.Errorf("the ack took %v, want about 2 s: Slack waits for 3", took)
		}
		said(t, w, Ana, 1, "It is not sure yet that it was recorded")
		b.RedisAway(false)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		said(t, w, Ana, 2, "Recorded.", "Keep both")
		w.SeeText(Product, "answered", "!Choose")
	})
}
