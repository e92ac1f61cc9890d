package stories

import (
	"testing"
	"time"
)

// Story 3 of the cases: an event that was born and never read. The loop looks by itself once a day only, so nothing but the
// message can wake it.
func TestTheOutcomeReachesTheWaitingLoopAsAnEvent(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		loop := w.NewLoops(24 * time.Hour)
		record := []byte(Judgement("s1"))
		_, err := loop.Raise(t.Context(), record)
		w.must(err)
		card := w.SeeText(Product, "Choose")
		heard := make(chan error, 1)
		go func() {
			_, err := loop.Wait(t.Context(), record)
			heard <- err
		}()
		w.Until(func() bool {
			n, err := w.Redis.PubSubNumSub(t.Context(), keys().Of("s1", "outcome")).Result()
			return err == nil && n[keys().Of("s1", "outcome")] == 1
		}, "the loop listening")
		w.Settle()
		w.Click(Ana, card, "Choose", 0)
		select {
		case err := <-heard:
			w.must(err)
		case <-time.After(w.patience()):
			t.Fatal("the loop was not woken")
		}
		w.SeeText(Product, "answered")
	})
}
