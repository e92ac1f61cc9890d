package bot

import (
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
	return []want{{
		place: askedPlace, channel: routing.Channel(c, s.Record.Addressee, s.Record.Loop.Repository), fallback: c.FallbackChannel,
	}}
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
