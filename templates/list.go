package templates

import (
	"github.com/slack-go/slack"
)

// List renders a page of a list: the rows that fit after those of earlier pages, how many more there are, and the words
// that show them.
func (w *Words) List(rows []Row, more, earlier int, next string) Message {
	if len(rows) == 0 && more == 0 {
		return private(w.sentence("list.none", facts{}))
	}
	head := w.words("list.head", facts{Total: earlier + len(rows) + more})
	blocks := []slack.Block{slack.NewHeaderBlock(plainText(head, maxHeader))}
	sum := 0
	shown := 0
	for _, r := range rows {
		block := richBlock(section(w.row(r)))
		if sum += textOf(block); sum > maxSum-500 || len(blocks) >= maxBlocks-1 {
			break
		}
		blocks = append(blocks, block)
		shown++
	}
	name, left := "list.all", len(rows)-shown+more
	if left > 0 {
		name = "list.more"
	}
	f := facts{Count: left, Command: text(next, 100)}
	blocks = append(blocks, note(w.sentence(name, f)))
	return Message{Text: topText(head+". "+w.words(name, f), maxTop), Blocks: blocks}
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
	if l.Key != "" && len(v.Record.Questions) > 1 {
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
