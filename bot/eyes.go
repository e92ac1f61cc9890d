package bot

import (
	"context"
	"slices"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
)

// eyes tell of many stops which a person may see. Slack is asked once for each two roles, and once for each channel.
type eyes struct {
	*hand
	at       time.Time
	sees     map[[3]string]bool // by addressee, holder, and owner where it is the person
	channels map[string]bool    // that the person is in
}

func (h *hand) eyes() *eyes {
	return &eyes{hand: h, at: time.Now(), sees: map[[3]string]bool{}, channels: map[string]bool{}}
}

// sort adds to what was found those of some open stops that the list has, in their order.
func (v *eyes) sort(ctx context.Context, l listing, part []ledger.Held, f *found) error {
	ids := make([]string, 0, len(part))
	for _, open := range part {
		ids = append(ids, open.ID)
	}
	briefs, err := v.ledger.Briefs(ctx, ids)
	if err != nil {
		return err
	}
	may := make(map[string]bool, len(part))
	var doubt []string
	for _, open := range part {
		b, ok := briefs[open.ID]
		if !ok || !l.pick(open.Role, b) {
			continue
		}
		if may[open.ID] = v.inRole(ctx, open.Role, b); !may[open.ID] && !l.mine {
			doubt = append(doubt, open.ID)
		}
	}
	cards, err := v.ledger.Cards(ctx, doubt)
	if err != nil {
		return err
	}
	for _, open := range part {
		switch sees, picked := may[open.ID]; {
		case sees, picked && v.inChannel(ctx, cards[open.ID]):
			f.ids = append(f.ids, open.ID)
		case picked && !l.mine:
			f.hidden++
		}
	}
	return nil
}

// inRole reports whether a stop is the person's to see by a role, or as the one whose loop it is.
func (v *eyes) inRole(ctx context.Context, holder string, b ledger.Brief) bool {
	asked := routing.Asked{Addressee: b.Addressee, Holder: holder, Repository: b.Repository, At: v.at}
	key := [3]string{b.Addressee, holder, ""}
	if b.Owner == v.who.user {
		asked.Owner, key[2] = b.Owner, b.Owner
	}
	sees, known := v.sees[key]
	if !known {
		sees = routing.MaySee(v.config(), asked, v.answerer(ctx, v.who, asked), false).OK
		v.sees[key] = sees
	}
	return sees
}

// inChannel reports whether the person is in the channel of one of the cards.
func (v *eyes) inChannel(ctx context.Context, cards []ledger.Card) bool {
	return slices.ContainsFunc(cards, func(c ledger.Card) bool {
		if c.Channel == "" {
			return false
		}
		if _, known := v.channels[c.Channel]; !known {
			within, cancel := context.WithTimeout(ctx, channelsWithin)
			defer cancel()
			in, err := v.slack.InChannel(within, c.Channel, v.who.user)
			if err != nil {
				v.log.WarnContext(ctx, "the members of a channel were not read", "channel", c.Channel, "err", err)
			}
			v.channels[c.Channel] = err == nil && in
		}
		return v.channels[c.Channel]
	})
}
