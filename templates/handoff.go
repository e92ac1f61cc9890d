package templates

import (
	"time"

	"github.com/slack-go/slack"
)

// HandOff is a change of who is on call for a role.
type HandOff struct {
	Role               string
	Outgoing, Incoming []string // Slack user ids
	Until              time.Time
	Next               []string
	Open               int   // how many stops it inherits
	Rows               []Row // the first of them
}

// HandedOff renders the announcement of a hand-off in the role's channel.
func (w *Words) HandedOff(h HandOff) Message {
	f := facts{
		Glyph: text(glyph(h.Role), 4), Role: text(capital(roleWord(h.Role)), 60), Who: people(h.Incoming), Names: people(h.Outgoing),
		Until: moment(h.Until), Person: people(h.Next), Total: h.Open, Count: h.Open - len(h.Rows),
	}
	said := w.sentence("handoff", f)
	blocks := []slack.Block{richBlock(section(said))}
	for _, r := range h.Rows {
		blocks = append(blocks, richBlock(section(w.row(r))))
	}
	if len(h.Rows) > 0 && f.Count > 0 {
		blocks = append(blocks, note(w.sentence("handoff.more", f)))
	}
	return Message{Text: topText(plain(said), maxTop), Blocks: blocks}
}
