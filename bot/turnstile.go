package bot

import (
	"cmp"
	"slices"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
)

// turnstile lets through one question after another: the open stops of a role that sees one at a time queue at it, one for
// each channel of the role, in the order in which the role got them.
type turnstile struct{ role, channel string }

// turnstileOf is where a stop queues; false where it does not.
func turnstileOf(s ledger.Stop, c routing.Config) (turnstile, bool) {
	if s.Record == nil || s.State.Phase != ledger.Open || !c.Roles[s.State.Holder].OneAtATime {
		return turnstile{}, false
	}
	return turnstileFor(s.State.Holder, s.Record.Loop.Repository, c), true
}

func turnstileFor(role, repository string, c routing.Config) turnstile {
	return turnstile{role, cmp.Or(routing.Channel(c, role, repository), c.FallbackChannel)}
}

// turnstilesOf are where a stop queues, or may have: those of every role that ever had it.
func turnstilesOf(s ledger.Stop, c routing.Config) []turnstile {
	var all []turnstile
	for _, e := range s.Log {
		if e.Holder == "" || !c.Roles[e.Holder].OneAtATime {
			continue
		}
		if t := turnstileFor(e.Holder, s.Record.Loop.Repository, c); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// turnstilesIn are all of a configuration.
func turnstilesIn(c routing.Config) []turnstile {
	var all []turnstile
	for name, role := range c.Roles {
		if !role.OneAtATime {
			continue
		}
		for _, channel := range routing.Channels(c, name) {
			if t := (turnstile{name, cmp.Or(channel, c.FallbackChannel)}); !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// mayHave reports whether a stop may have the turn: it queues here, nobody is on it, and it is not snoozed.
func (t turnstile) mayHave(s ledger.Stop, c routing.Config, now time.Time) bool {
	in, ok := turnstileOf(s, c)
	return ok && in == t && s.State.Taken == nil && !s.State.Snoozed.After(now)
}

// places are those of the cards at which the role can be asked here.
func (t turnstile) places(b ledger.Brief, c routing.Config) []string {
	held := heldPlace + t.role
	switch {
	case b.Addressee == t.role:
		return []string{askedPlace}
	case turnstileFor(b.Addressee, b.Repository, c).channel == t.channel:
		return []string{held, askedPlace}
	}
	return []string{held}
}

// card is the one at which the role is asked here; false where there is, and was, none, and none is being sent.
func (t turnstile) card(s ledger.Stop, c routing.Config) (ledger.Card, bool) {
	return t.cardOf(s.State.Cards, briefOf(s), c)
}

func (t turnstile) cardOf(cards []ledger.Card, b ledger.Brief, c routing.Config) (ledger.Card, bool) {
	for _, place := range t.places(b, c) {
		if i := slices.IndexFunc(cards, func(c ledger.Card) bool { return c.Place == place }); i >= 0 {
			return cards[i], true
		}
	}
	return ledger.Card{}, false
}

func briefOf(s ledger.Stop) ledger.Brief {
	return ledger.Brief{Addressee: s.Record.Addressee, Repository: s.Record.Loop.Repository, Owner: s.Record.Loop.Owner}
}

func hasCard(s ledger.Stop, place string) bool {
	return slices.ContainsFunc(s.State.Cards, func(c ledger.Card) bool { return c.Place == place })
}
