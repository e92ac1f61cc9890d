package stories

import (
	"maps"
	"testing"

	"flagstop/loops"
	"flagstop/routing"
)

func TestWhoMayNoLongerIsTurnedAwayWhenTheWindowIsSent(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Click(Bob, w.SeeText(Facil, "Decline…"), "Decline…", 0)
		w.Configure(func(c *routing.Config) {
			roles := map[string]routing.Role{}
			maps.Copy(roles, c.Roles)
			roles[loops.Facilitator] = routing.Role{Name: loops.Facilitator, Channel: Facil, Answerers: []string{Chi}}
			c.Roles = roles
		})
		w.Submit(Bob, map[string]any{"reason": "I was on call when I opened this."})
		said(t, w, Bob, 1, "Not recorded. You may not answer this one.", "U0CHI")
		untouched(t, w, "s1")
	})
}
