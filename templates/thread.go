package templates

import (
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

const (
	chunk       = 2800 // of a long text in one block
	chunksInOne = 3    // blocks of it in one message
)

// ThreadParts renders what is too long for the card (quote, arguments, long message), in order; empty when all fits.
// Posted in the card's thread before its buttons appear. It is the same for every view of a record.
func (w *Words) ThreadParts(v View) []Message {
	if v.Record == nil {
		return nil
	}
	var all []Message
	for _, p := range w.parts(v.Record) {
		all = append(all, w.whole(p)...)
	}
	return all
}

// whole renders a long text over as many messages as it needs, nothing left out.
func (w *Words) whole(p part) []Message {
	all := chunks(p.body, chunk)
	total := (len(all) + chunksInOne - 1) / chunksInOne
	var out []Message
	for i := range total {
		some := all[i*chunksInOne : min(len(all), (i+1)*chunksInOne)]
		f := facts{Title: p.title, Number: p.number, Length: number(runes(p.body)), Count: i + 1, Total: total}
		head := w.sentence("whole.head", f)
		blocks := []slack.Block{note(head)}
		for _, s := range some {
			if p.code {
				blocks = append(blocks, richBlock(preformatted(s)))
			} else {
				blocks = append(blocks, richBlock(quoted(s)))
			}
		}
		out = append(out, Message{Text: topText(plain(head)+"\n"+strings.Join(some, ""), maxTop), Blocks: blocks})
	}
	return out
}

// ThreadLine renders the audit trail in the thread for a change from one view to the next: a line for each new
// verdict, an end, that the page is done, that the loop went on; each followed by what of it is too long for the
// card. Empty when there is nothing to say. People are named, not mentioned: they know what they did.
func (w *Words) ThreadLine(before, after View) []Message {
	if after.Record == nil {
		return nil
	}
	f := w.facts(after)
	var all []Message
	for i, q := range after.Record.Questions {
		verdict, now := after.Verdicts[q.Key]
		if _, was := before.Verdicts[q.Key]; now && !was {
			all = append(all, w.verdictLine(after, i, verdict)...)
		}
	}
	if before.End == "" && after.End != "" {
		all = append(all, w.endLine(f, after)...)
	}
	all = append(all, w.standingLines(before, after)...)
	if before.Completed.IsZero() && !after.Completed.IsZero() {
		f.At = moment(after.Completed)
		all = append(all, line(w.sentence("thread.completed", f)))
	}
	if before.Resumed.IsZero() && !after.Resumed.IsZero() {
		f.At = moment(after.Resumed)
		all = append(all, line(w.sentence("thread.went", f)))
	}
	return all
}

func (w *Words) endLine(f facts, v View) []Message {
	switch v.End {
	case loops.Withdrawn:
		return append([]Message{line(w.sentence("thread.withdrawn", f))}, w.ifLong("whole.reason", v.Reason, 300, "", false)...)
	case loops.Expired:
		return []Message{line(w.sentence("thread.expired", f))}
	case loops.Answered:
		if len(v.Record.Questions) > 1 {
			return []Message{line(w.sentence("thread.all", f))}
		}
	}
	return nil
}

func (w *Words) verdictLine(v View, i int, verdict loops.Verdict) []Message {
	q := v.Record.Questions[i]
	f := w.who(w.facts(v), verdict.By, verdict.At)
	f.Person, f.Did, f.Number = named(verdict.By), w.did(q, verdict), numberOf(v.Record, i)
	said := w.sentence("thread.verdict", f)
	if strings.TrimSpace(verdict.Message) != "" {
		name := "note"
		if verdict.Action == loops.Decline {
			name = "reason"
		}
		f.Reason = text(verdict.Message, 300)
		said = append(append(said, piece{kind: ownPiece, text: "\n"}), w.sentence(name, f)...)
	}
	b := budgetFor(len(v.Record.Questions))
	all := []Message{line(said)}
	all = append(all, w.ifLong("whole.reason", verdict.Message, b.said, f.Number, false)...)
	all = append(all, w.ifLong("whole.edited", prettyJSON(verdict.Arguments, 72), b.said, f.Number, true)...)
	all = append(all, w.ifLong("whole.output", outputText(verdict.Output), b.said, f.Number, true)...)
	for _, e := range w.entries(q, verdict.Content) {
		all = append(all, w.ifLong("whole.entry", e.value, b.entry(q), f.Number, false)...)
	}
	return all
}

// ifLong renders whole what the card cuts.
func (w *Words) ifLong(name, body string, limit int, n slot, code bool) []Message {
	body = visible(body)
	if width(body) <= limit {
		return nil
	}
	return w.whole(part{title: own(w.words(name, facts{})), number: n, body: body, code: code})
}

// named is a person by name, without a mention, where a name is known.
func named(by *loops.By) slot {
	if by == nil || by.Name == "" {
		return person(by)
	}
	return text(by.Name, 80)
}

// line is a message of one sentence.
func line(said []piece) Message {
	return Message{
		Text:   topText(plain(said), maxTop),
		Blocks: []slack.Block{richBlock(section(said))},
	}
}
