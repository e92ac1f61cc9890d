package stories

import "testing"

func TestARaiseThatWasLostIsRaisedAgainByItsLoop(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		record := []byte(Judgement("s1"))
		w.Raise(string(record))
		w.must(w.Redis.Del(t.Context(), keys().In(0, "inbox")).Err()) // Redis forgot it before any bot read it
		w.StartBot()
		w.Connected()
		resumed := make(chan error, 1)
		go func() {
			_, err := w.Loops.Wait(t.Context(), record)
			resumed <- err
		}()
		w.Click(Ana, w.SeeText(Product, "Choose"), "Choose", 0)
		w.must(<-resumed)
		w.SeeText(Product, "answered")
	})
}
