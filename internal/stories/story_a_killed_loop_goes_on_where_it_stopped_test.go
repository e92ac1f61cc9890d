package stories

import "testing"

func TestALoopThatWasKilledGoesOnWhereItStopped(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		devSuspended(t, w, &b).kill()
		w.Click(Bob, w.SeeText(Facil, "Approve"), "Approve", 0)
		w.SeeText(Facil, "not gone on yet", "!Decline…")
		newAgent(t, w, "dev", &b, dev).start()
		devDone(t, w, &b)
	})
}
