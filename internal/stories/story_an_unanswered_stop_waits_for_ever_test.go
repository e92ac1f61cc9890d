package stories

import (
	"testing"

	"flagstop/loops/ledger"
)

func TestAStopThatNobodyAnswersWaitsAndNobodyIsReminded(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		var b box
		a := devSuspended(t, w, &b)
		w.Shown()
		card := w.SeeText(Facil, "If nobody answers, it waits. No timer is set.")
		a.kill() // it waits without a process: its context is kept
		w.Days(30)
		if s := w.Stop("dev-3"); s.State.Phase != ledger.Open || len(s.Log) != 1 {
			t.Errorf("after 30 days the stop is %s with %d entries, want open with one", s.State.Phase, len(s.Log))
		}
		if now := w.SeeText(Facil, "Approve"); now.TS != card.TS || string(now.Blocks) != string(card.Blocks) {
			t.Error("after 30 days another card stands there")
		}
		newAgent(t, w, "dev", &b, dev).start()
		w.Click(Bob, card, "Approve", 0)
		devDone(t, w, &b)
	})
}
