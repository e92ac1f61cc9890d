package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/routing"
)

// inPrivate has the product thinker's stops in a channel that only Ana is in.
func inPrivate(c *routing.Config) {
	r := c.Roles[loops.ProductThinker]
	r.Channel = Private
	c.Roles[loops.ProductThinker] = r
}

func TestTheCommandShowsAStopToWhoMaySeeItAndToNobodyElse(t *testing.T) {
	tell(t, Options{Config: inPrivate}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Raise(instead(Calls("s2", "ls"), `"facilitator"`, `"security"`, `"owner":"U0MALLORY"`, `"owner":""`))
		card := w.SeeText(Private, "Choose")
		w.SeeText(Security, "Approve")
		w.Type(Mallory, Ops, "/stops show s1")
		said(t, w, Mallory, 1, "No stop of yours has this id.", "!different things", "!Keep both")
		w.Type(Bob, Ops, "/stops show s1") // in another role
		said(t, w, Bob, 1, "No stop of yours has this id.", "!different things")
		w.Type(Chi, Ops, "/stops show s2") // in its channel
		said(t, w, Chi, 1, "terminal", "!You may not")
		w.Type(Ana, Ops, "/stops show s1")
		said(t, w, Ana, 1, "different things", "Keep both")
		w.Click(Ana, card, "Choose", 1)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Private, "went on")
		w.Type(Ana, Ops, "/stops show s1")
		said(t, w, Ana, 2, "Keep only no", "What happened", "raised", "answered", "the loop went on")
	})
}

func TestTheDetailsOfACardAreOpenToWhoMaySeeItsStop(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Details…")
		w.Shown()
		for _, user := range []string{Ana, Mallory} { // Mallory may not answer, and is in the channel
			w.Click(user, card, "Details…", 0)
			if got := w.Window(user); got == "" {
				t.Errorf("no window is open for %s", user)
			}
			w.Close(user)
		}
		w.Settle()
		untouched(t, w, "s1")
		if n := len(w.Stop("s1").Log); n != 1 {
			t.Errorf("the log has %d entries, want one: looking is not noted", n)
		}
	})
}
