package bot

import (
	"slices"
	"strings"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
)

// settle is how long the card of an answered stop waits for the loop to go on, so that both are one update. Until then
// its buttons stay, so it is short.
const settle = 2 * time.Second

// plan says which cards a stop should have. What ended without an answer before anybody saw it gets none.
func plan(s ledger.Stop, c routing.Config) []want {
	unseen := len(s.State.Cards) == 0
	if unseen && (s.State.Phase == ledger.Withdrawn || s.State.Phase == ledger.Expired) {
		return nil
	}
	wanted := func(place, role string) want {
		return want{place: place, channel: routing.Channel(c, role, s.Record.Loop.Repository), fallback: c.FallbackChannel}
	}
	asked := wanted(askedPlace, s.Record.Addressee)
	wants, passed := []want{asked}, passedOver(s, c)
	if passed {
		wants = nil
	}
	for _, card := range s.State.Cards { // what stands is kept in line to the end
		if role, held := strings.CutPrefix(card.Place, heldPlace); held {
			wants = append(wants, wanted(card.Place, role))
		}
	}
	next := wanted(heldPlace+s.State.Holder, s.State.Holder)
	stands := slices.ContainsFunc(wants, func(w want) bool { return w.place == next.place })
	elsewhere := s.State.Holder != "" && s.State.Holder != s.Record.Addressee && (passed || next.channel != asked.channel)
	if s.State.Phase == ledger.Open && elsewhere && !stands {
		wants = append(wants, next)
	}
	return wants
}

// passedOver reports whether the role that was asked sees one question at a time, and the stop came to another before it was
// shown there: then it is not shown there any more, unless nobody else was shown it either and it has its answer.
func passedOver(s ledger.Stop, c routing.Config) bool {
	gone := s.State.Holder != "" && s.State.Holder != s.Record.Addressee
	return gone && c.Roles[s.Record.Addressee].OneAtATime && !hasCard(s, askedPlace) &&
		(s.State.Phase == ledger.Open || len(s.State.Cards) > 0)
}

// placeOf is the card of a stop at which its holder is spoken to.
func placeOf(s ledger.Stop, holder string) string {
	held := heldPlace + holder
	if slices.ContainsFunc(s.State.Cards, func(c ledger.Card) bool { return c.Place == held }) {
		return held
	}
	return askedPlace
}

// cardAt is the card of a place as the ledger has it, or a new one.
func cardAt(s ledger.Stop, place string) ledger.Card {
	for _, c := range s.State.Cards {
		if c.Place == place {
			return c
		}
	}
	return ledger.Card{Place: place}
}

// settling is how much longer an answered stop waits for its loop, 0 when it need not.
func settling(s ledger.Stop, now time.Time) time.Duration {
	if s.State.Phase != ledger.Answered || s.State.Resumed != nil {
		return 0
	}
	return max(s.State.End.At.Add(settle).Sub(now), 0)
}

// nextLook is how long to wait before looking again for a message whose answer was lost, from how long ago it was sent;
// 0 when it may be sent again. Slack promises no read after write.
func nextLook(since time.Duration) time.Duration {
	for _, look := range []time.Duration{2 * time.Second, 7 * time.Second, 22 * time.Second} {
		if since < look {
			return look - since
		}
	}
	return 0
}
