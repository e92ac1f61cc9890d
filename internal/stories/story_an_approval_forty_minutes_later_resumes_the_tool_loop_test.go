package stories

import (
	"testing"
	"time"
)

func TestAnApprovalFortyMinutesLaterResumesTheToolLoop(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		var b box
		devSuspended(t, w, &b)
		w.Pass(40 * time.Minute)
		w.Click(Bob, w.SeeText(Facil, "Approve"), "Approve", 0)
		devDone(t, w, &b)
	})
}
