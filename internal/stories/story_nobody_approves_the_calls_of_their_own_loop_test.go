package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/routing"
)

func TestNobodyApprovesTheCallsOfTheirOwnLoop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(instead(Calls("s1", "ls"), Mallory, Bob))
		card := w.SeeText(Facil, "Approve", "Decline…")
		w.Click(Bob, card, "Approve", 0)
		said(t, w, Bob, 1, "Not recorded. You may not answer this one.", "It is your own loop", "U0CHI")
		w.Click(Bob, card, "Decline…", 0)
		said(t, w, Bob, 2, "It is your own loop")
		untouched(t, w, "s1")
		w.Click(Chi, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Chi, "call_a", loops.Accept)
	})
}

func TestARepositoryLetsPeopleApproveTheCallsOfTheirOwnLoops(t *testing.T) {
	allowed := func(c *routing.Config) {
		c.Repositories = []routing.Repository{{Pattern: "acme/*", SelfApproval: true, Channels: map[string]string{loops.Facilitator: Security}}}
	}
	tell(t, Options{Config: allowed}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(instead(Calls("s1", "ls"), Mallory, Bob))
		w.Click(Bob, w.SeeText(Security, "Approve"), "Approve", 0) // and the card is in the repository's channel
		answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Accept)
	})
}
