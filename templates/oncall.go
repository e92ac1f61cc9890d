package templates

import (
	"time"

	"github.com/slack-go/slack"
)

// OnDuty is who is on call for a role, until when, and who comes after.
type OnDuty struct {
	Role     string
	Users    []string // Slack user ids; none: nobody is
	Until    time.Time
	Next     []string
	NextFrom time.Time
	Why      string // in words
	Coming   []Turn
}

// Turn is who comes on call when, nobody included.
type Turn struct {
	At    time.Time
	Users []string
}

// RotaChange is an override, a swap, or that one of them does not count any more.
type RotaChange struct {
	ID, Rotation string
	By           string // a Slack user id
	Out, In      string // likewise
	From, Until  time.Time
	A, B         string // of a swap: days
	Clears       string
	Cleared      bool // it does not count any more
}

// maxDutyLines bounds the lines of a list.
const maxDutyLines = 30

// Duties renders who is on call, for each role that has a rotation.
func (w *Words) Duties(all []OnDuty) Message {
	if len(all) == 0 {
		return private(w.sentence("oncall.none", facts{}))
	}
	var said []piece
	lines := 0
	add := func(name string, f facts) {
		if lines++; lines > maxDutyLines {
			return
		}
		if len(said) > 0 {
			said = append(said, piece{kind: ownPiece, text: "\n"})
		}
		said = append(said, w.sentence(name, f)...)
	}
	for _, d := range all {
		f := facts{
			Glyph: text(glyph(d.Role), 4), Role: text(capital(roleWord(d.Role)), 60), Who: people(d.Users), Until: moment(d.Until),
			Names: people(d.Next), At: moment(d.NextFrom), Reason: text(d.Why, 200),
		}
		if !d.NextFrom.After(d.Until) {
			f.At = ""
		}
		add("oncall.now", f)
		for _, t := range d.Coming {
			add("oncall.turn", facts{At: moment(t.At), Who: people(t.Users)})
		}
	}
	return private(said)
}

// RotaChanged renders what was changed, for the person who did it, or for everybody in the role's channel.
func (w *Words) RotaChanged(c RotaChange) Message {
	said := w.changed(c)
	return Message{Text: topText(plain(said), maxTop), Blocks: []slack.Block{richBlock(section(said))}}
}

// RotaLog renders the latest changes of a rotation, oldest first.
func (w *Words) RotaLog(all []RotaChange) Message {
	if len(all) == 0 {
		return private(w.sentence("oncall.unchanged", facts{}))
	}
	var said []piece
	for _, c := range all[max(0, len(all)-showLines):] {
		if len(said) > 0 {
			said = append(said, piece{kind: ownPiece, text: "\n"})
		}
		said = append(said, w.changed(c)...)
	}
	return private(said)
}

func (w *Words) changed(c RotaChange) []piece {
	f := facts{
		ID: text(c.ID, 20), Role: text(c.Rotation, 60), Person: people([]string{c.By}), Until: moment(c.Until), At: moment(c.From),
		Title: text(c.A, 20), Entry: text(c.B, 20), Label: text(c.Clears, 20), Expired: c.Cleared,
	}
	if c.In != "" {
		f.Who = people([]string{c.In})
	}
	if c.Out != "" {
		f.Names = people([]string{c.Out})
	}
	switch {
	case c.Clears != "":
		return w.sentence("oncall.cleared", f)
	case c.A != "":
		return w.sentence("oncall.swapped", f)
	case c.In == "":
		return w.sentence("oncall.out", f)
	case c.Out == "":
		return w.sentence("oncall.in", f)
	}
	return w.sentence("oncall.instead", f)
}

// RotaRefused says why nothing was changed.
func (w *Words) RotaRefused(reason string) Message {
	return private(w.sentence("oncall.refused", facts{Reason: text(reason, 500)}))
}

// RotaHelp renders `/oncall help`, with what was typed and not understood, "" nothing.
func (w *Words) RotaHelp(command, unread string) Message {
	return private(w.sentence("oncall.help", facts{Command: text(command, 40), Help: text(command+" help", 60), Entry: text(unread, 100)}))
}
