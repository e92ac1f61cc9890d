package templates

import (
	"slices"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// callText is the tool of a call and its arguments.
func (c *card) callText(call *loops.Call) []slack.RichTextElement {
	f := c.f
	name, body := arguments(call)
	f.Tool, f.Argument = code(cut(visible(call.Name), 80)), code(cut(visible(name), 80))
	head := c.w.sentence("call.tool", f)
	if name != "" {
		head = c.w.sentence("call.argument", f)
	}
	return []slack.RichTextElement{section(head), preformatted(cut(visible(body), c.budget.arguments))}
}

// may is what the loop can carry out on a call, in our order.
func may(call *loops.Call) []loops.May {
	allowed := call.May
	if len(allowed) == 0 {
		allowed = []loops.May{loops.MayRun, loops.MayDecline}
	}
	var all []loops.May
	for _, m := range []loops.May{loops.MayRun, loops.MayAlways, loops.MayEdit, loops.MayOutput, loops.MayDecline} {
		if slices.Contains(allowed, m) {
			all = append(all, m)
		}
	}
	return all
}

// editable is the arguments as they stand in the window that edits them; not ok where they do not fit it.
func editable(call *loops.Call) (string, bool) {
	s := prettyJSON(call.Arguments, 0)
	return s, width(s) <= maxText
}

// offered is what a card offers a button for.
func offered(call *loops.Call) []loops.May {
	return slices.DeleteFunc(may(call), func(m loops.May) bool {
		if m != loops.MayEdit {
			return false
		}
		_, fit := editable(call)
		return !fit
	})
}

func (c *card) callButtons(i int, q loops.Question) []slack.Block {
	name, body := arguments(q.Call)
	about := q.Call.Name
	if name != "" {
		about = body
	}
	var buttons []slack.BlockElement
	for _, m := range offered(q.Call) {
		buttons = append(buttons, c.button(c.value(q, string(m)), string(m), numberOf(c.r, i), visible(about)))
	}
	return c.actions(i, buttons...)
}

// callAnswers explains what each button does, and offers them.
func (c *card) callAnswers(q loops.Question) []slack.Block {
	return append(append(c.nothing("calls"), c.explain(q)), c.callButtons(0, q)...)
}

// explain is a line for each thing that may be done with a call.
func (c *card) explain(q loops.Question) slack.Block {
	f := c.f
	f.Unchecked = len(q.Call.Schema) == 0
	var lines []piece
	add := func(name string) {
		if len(lines) > 0 {
			lines = append(lines, piece{kind: ownPiece, text: "\n"})
		}
		lines = append(lines, c.w.sentence(name, f)...)
	}
	for _, m := range offered(q.Call) {
		add("call." + string(m))
	}
	if _, fit := editable(q.Call); !fit && slices.Contains(may(q.Call), loops.MayEdit) {
		f.Command = code(c.command(q, "--accept --arguments JSON"))
		add("call.command")
	}
	return note(lines)
}

// batch draws a stop with several calls: a bar for each, grey and without buttons once it has its verdict.
func (c *card) batch() {
	c.ask(c.w.words("batch.message", c.f))
	if c.open() {
		c.top = append(c.top, c.nothing("calls")...)
		c.top = append(c.top, c.explainAll())
	}
	for i, q := range c.r.Questions {
		c.batchCall(i, q)
	}
	if c.open() {
		last := &c.bars[len(c.bars)-1].Blocks
		if c.waiting {
			last.BlockSet = append(last.BlockSet, note(c.w.sentence("buttons.wait", c.f)))
		}
		last.BlockSet = append(last.BlockSet, c.standing())
		return
	}
	c.bar(true, c.ended()...)
}

// explainAll explains each button that one of the calls without a verdict has.
func (c *card) explainAll() slack.Block {
	union := loops.Question{Call: &loops.Call{Schema: []byte("{}"), Arguments: []byte("{}")}}
	for _, q := range c.r.Questions {
		if _, ok := c.v.Verdicts[q.Key]; ok || q.Call == nil {
			continue
		}
		union.Call.May = append(union.Call.May, offered(q.Call)...)
		if len(q.Call.Schema) == 0 {
			union.Call.Schema = nil
		}
	}
	return c.explain(union)
}

func (c *card) batchCall(i int, q loops.Question) {
	verdict, ok := c.v.Verdicts[q.Key]
	f := c.f
	f.Number = numberOf(c.r, i)
	switch {
	case ok:
		c.bar(true, richBlock(c.batchDecided(f, q, verdict)...))
	case !c.open():
		c.bar(true, richBlock(c.batchText(c.w.sentence("batch.undecided", f), q, false)...))
	default:
		f.Question = text(q.Message, c.budget.message)
		blocks := []slack.Block{richBlock(c.batchText(c.w.sentence("batch.call", f), q, true)...)}
		if !c.waiting && q.Call != nil {
			blocks = append(blocks, c.callButtons(i, q)...)
		}
		c.bar(false, blocks...)
	}
}

// batchText is the head of a call, what it quotes, and the call, with a mark where something of it is cut.
func (c *card) batchText(head []piece, q loops.Question, whole bool) []slack.RichTextElement {
	out := []slack.RichTextElement{section(head)}
	isCut := whole && width(visible(q.Message)) > c.budget.message
	if q.Quote != "" && whole {
		out = append(out, quoted(cut(visible(q.Quote), c.budget.quote)))
		isCut = isCut || width(visible(q.Quote)) > c.budget.quote
	}
	if q.Call != nil {
		out = append(out, c.callText(q.Call)...)
		_, body := arguments(q.Call)
		isCut = isCut || width(visible(body)) > c.budget.arguments
	}
	if isCut && c.v.Thread {
		out = append(out, section(c.w.sentence("cut.short", c.f)))
	}
	return out
}

func (c *card) batchDecided(f facts, q loops.Question, verdict loops.Verdict) []slack.RichTextElement {
	f = c.w.who(f, verdict.By, verdict.At)
	f.Did = c.w.did(q, verdict)
	out := c.batchText(c.w.sentence("batch.decided", f), q, false)
	return append(out, c.said(q, verdict)...)
}
