package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/routing"
)

// relays lets the facilitator speak for the product thinker.
func relays(c *routing.Config) {
	role := c.Roles[loops.Facilitator]
	role.RelaysFor = []string{loops.ProductThinker}
	c.Roles[loops.Facilitator] = role
}

func TestWhoRelaysConfirmsForWhom(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Choose", 1)
		w.Until(func() bool { return textShows(w.Window(Bob), "You answer for the", "product thinker", "Keep only no") }, "a window that asks once more")
		untouched(t, w, "s1")
		w.Submit(Bob, nil)
		v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept)
		if v.By.Role != loops.Facilitator || v.By.For != loops.ProductThinker {
			t.Errorf("it is by %+v", v.By)
		}
		w.SeeText(Product, "Keep only no", "for the product thinker")
	})
}

func TestWhoRelaysDeclinesForThem(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Decline…", 0)
		w.Until(func() bool { return textShows(w.Window(Bob), "You answer for the", "Reason") }, "a window for the reason")
		w.Submit(Bob, map[string]any{"reason": "She says: not before the release."})
		if v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Decline); v.By.For != loops.ProductThinker {
			t.Errorf("it is by %+v", v.By)
		}
		w.SeeText(Product, "not before the release", "for the product thinker")
	})
}

func TestWhoClosesTheWindowHasRelayedNothing(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Choose", 1)
		w.Until(func() bool { return w.Window(Bob) != "" }, "a window")
		w.Close(Bob)
		untouched(t, w, "s1")
	})
}

func TestWhoMayNoLongerRelayIsTurnedAwayAtTheWindow(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Choose", 1)
		w.Until(func() bool { return w.Window(Bob) != "" }, "a window")
		w.Configure(func(c *routing.Config) {
			roles := map[string]routing.Role{}
			for name, role := range c.Roles {
				role.RelaysFor = nil
				roles[name] = role
			}
			c.Roles = roles
		})
		w.Submit(Bob, nil)
		said(t, w, Bob, 1, "You may not answer this one", "not among those who answer for product-thinker")
		untouched(t, w, "s1")
	})
}

func TestWhoRelaysForNobodyIsTurnedAway(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Choose", 1)
		said(t, w, Bob, 1, "You may not answer this one")
		untouched(t, w, "s1")
	})
}

func TestWhoRelaysIsToldWhoAnsweredMeanwhile(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Click(Bob, card, "Choose", 1)
		w.Until(func() bool { return w.Window(Bob) != "" }, "a window")
		w.Click(Ana, card, "Choose", 0)
		answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
		w.Submit(Bob, nil)
		said(t, w, Bob, 1, "Not recorded.", "answered first", "Keep both")
		w.SeeText(Product, "Answered", "!for the product thinker")
	})
}

func TestWhoRelaysIsToldToPressAgainWhenTheWindowComesTooLate(t *testing.T) {
	tell(t, Options{Config: relays}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		w.Click(Bob, card, "Choose", 1)
		said(t, w, Bob, 1, "It is not sure yet that it was recorded")
		b.RedisAway(false)
		said(t, w, Bob, 2, "Not recorded. The window could not be opened in time.", "Click again", "!You may not")
		untouched(t, w, "s1")
	})
}

func TestWhoAnswersThemselvesDoesNotRelay(t *testing.T) {
	both := func(c *routing.Config) {
		relays(c)
		role := c.Roles[loops.ProductThinker]
		role.Answerers = []string{Ana, Bob}
		c.Roles[loops.ProductThinker] = role
	}
	tell(t, Options{Config: both}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Product, "Choose"), "Choose", 1)
		if v := answeredBy(t, w.Outcome(ref), Bob, "q", loops.Accept); v.By.Role != loops.ProductThinker || v.By.For != "" {
			t.Errorf("it is by %+v", v.By)
		}
		w.SeeText(Product, "Answered")
	})
}
