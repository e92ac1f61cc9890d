package templates

import (
	"github.com/slack-go/slack"
)

// List renders a page of a list: the rows that fit, how many more there are, the words and the buttons that show them, and how
// many are not the person's to read.
func (w *Words) List(l Listing) Message {
	if l.Total == 0 {
		return private(append(w.sentence("list.none", facts{}), w.beyond(l)...))
	}
	head := l.head(w)
	blocks := []slack.Block{slack.NewHeaderBlock(plainText(head, maxHeader))}
	sum, shown := 0, 0
	for _, r := range l.Rows {
		block := richBlock(section(w.row(r)))
		if sum += textOf(block); sum > maxSum-500 || len(blocks) >= maxBlocks-2 {
			break
		}
		blocks = append(blocks, block)
		shown++
	}
	name, left := "list.all", max(0, l.Total-l.Earlier-shown)
	if left > 0 {
		name = "list.more"
	}
	said := append(w.sentence(name, facts{Count: left, Command: text(l.Page.next(left).words(), 100)}), w.beyond(l)...)
	blocks = append(blocks, note(said))
	if b := w.turns(l.Page, left); b != nil {
		blocks = append(blocks, b)
	}
	return Message{Text: topText(head+". "+plain(said), maxTop), Blocks: blocks}
}

// head says how many there are, and which of them are here where not all are.
func (l Listing) head(w *Words) string {
	f := facts{Total: l.Total}
	if first, last := l.Earlier+1, l.Earlier+len(l.Rows); last >= first && len(l.Rows) < l.Total {
		f.Shown = own(w.words("list.range", facts{Min: number(first), Max: number(last)}))
	}
	return w.words("list.head", f)
}

// beyond says what is not in the list.
func (w *Words) beyond(l Listing) []piece {
	var said []piece
	space := piece{kind: ownPiece, text: " "}
	if l.Hidden > 0 {
		said = append(append(said, space), w.sentence("list.hidden", facts{Count: l.Hidden, Total: l.Total})...)
	}
	if l.Part {
		said = append(append(said, space), w.sentence("list.part", facts{})...)
	}
	return said
}

// turns are the buttons that turn the page, nil where there is only one.
func (w *Words) turns(p ListPage, left int) slack.Block {
	var all []slack.BlockElement
	turn := func(name string, to ListPage) {
		if to.valid() {
			label := plainText(w.words("button."+name, facts{}), maxLabel)
			all = append(all, slack.NewButtonBlockElement(name, to.Encode(), label))
		}
	}
	if p.Page > 1 {
		turn("list-back", ListPage{p.Command, p.What, p.Page - 1})
	}
	if left > 0 {
		turn("list-next", p.next(left))
	}
	if len(all) == 0 {
		return nil
	}
	return slack.NewActionBlock("", all...)
}

func (w *Words) row(r Row) []piece {
	if r.View.Record == nil || len(r.View.Record.Questions) == 0 {
		return w.sentence("say.unknown", facts{})
	}
	c := &card{w: w, v: r.View, r: r.View.Record, f: w.facts(r.View)}
	f := c.f
	f.State, f.At = own(w.words(c.state(), f)), moment(r.Asked)
	f.Question = text(c.r.Questions[0].Message, 100)
	if _, ok := linkable(r.Link); ok {
		f.Link = link(linkTarget(r.Link), w.words("list.open", f))
	}
	return w.sentence("list.row", f)
}

// showLines is how many entries of a log are shown.
const showLines = 20

// Show renders `/stops show ID`: the card's content without buttons, with its log.
func (w *Words) Show(v View, log []LogLine) Message {
	v.Thread = true
	m := w.draw(v, true)
	if len(log) == 0 || m.Blocks == nil {
		return m
	}
	m.Blocks = append(m.Blocks, attached(m.Attachments)...)
	m.Attachments = nil
	earlier := max(0, len(log)-showLines)
	for lines := log[earlier:]; len(lines) > 0; lines, earlier = lines[1:], earlier+1 {
		with := m
		with.Blocks = append(append([]slack.Block{}, m.Blocks...), w.logBlocks(v, lines, earlier)...)
		if fits(with) {
			return with
		}
	}
	return m
}

func attached(all []slack.Attachment) []slack.Block {
	var blocks []slack.Block
	for _, a := range all {
		blocks = append(blocks, a.Blocks.BlockSet...)
	}
	return blocks
}

func (w *Words) logBlocks(v View, lines []LogLine, earlier int) []slack.Block {
	said := bolded(own(w.words("show.log", facts{})))
	if earlier > 0 {
		said = append(append(said, piece{kind: ownPiece, text: "\n"}), w.sentence("show.more", facts{Count: earlier})...)
	}
	for _, l := range lines {
		said = append(append(said, piece{kind: ownPiece, text: "\n"}), w.logLine(v, l)...)
	}
	return []slack.Block{slack.NewDividerBlock(), richBlock(section(said))}
}

func (w *Words) logLine(v View, l LogLine) []piece {
	f := facts{At: moment(l.At), Kind: w.named("log."+l.Kind, text(l.Kind, 40)), Person: person(l.By), Entry: text(l.Text, 120)}
	if l.Kind == "turned-away" {
		f.Entry = w.named("why."+l.Text, f.Entry)
	}
	if f.At == "" {
		f.At = own("–")
	}
	if _, ok := question(v.Record, l.Key); ok && len(v.Record.Questions) > 1 {
		f.Number = text(l.Key, 40)
	}
	if l.Verdict != nil {
		f.Did = w.didOn(v.Record, l.Key, *l.Verdict)
	}
	return w.sentence("show.line", f)
}

// named is the word for a name of the log, or the name itself where there is none.
func (w *Words) named(name string, otherwise slot) slot {
	if w.set.Lookup(name) == nil {
		return otherwise
	}
	return own(w.words(name, facts{}))
}
