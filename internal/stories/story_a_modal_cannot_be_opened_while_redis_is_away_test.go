package stories

import "testing"

func TestAWindowThatCannotBeOpenedBecauseRedisIsAwayIsToldSo(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Edit…")
		w.Shown()
		b.RedisAway(true)
		w.Click(Bob, card, "Edit…", 0)
		said(t, w, Bob, 1, "Not recorded. Flagstop cannot reach its store.")
		b.RedisAway(false)
		w.Click(Bob, card, "Edit…", 0)
		if w.Window(Bob) == "" {
			t.Error("no window is open although Redis is back")
		}
		untouched(t, w, "s1")
	})
}
