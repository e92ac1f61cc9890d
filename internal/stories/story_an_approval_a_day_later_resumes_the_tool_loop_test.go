package stories

import "testing"

func TestAnApprovalADayLaterResumesTheToolLoop(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		var b box
		devSuspended(t, w, &b)
		w.Days(1)
		w.Click(Bob, w.SeeText(Facil, "Approve"), "Approve", 0)
		devDone(t, w, &b)
	})
}
