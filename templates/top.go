package templates

import (
	"strings"

	"flagstop/loops"
)

// text is the top-level text of a card: whose question it is, the question, each answer with its example, the
// sentence that nothing is recommended, the silence; and what came of it first, once something did.
func (c *card) text() string {
	var said []string
	add := func(name string, f facts) { said = append(said, c.w.words(name, f)) }
	switch {
	case !c.open():
		c.textEnded(add)
	case len(c.r.Questions) > 1:
		c.textBatch(add)
	default:
		c.textOpen(add, c.r.Questions[0])
	}
	if c.open() {
		if c.r.Kind != loops.Fact {
			add("nothing.calls", c.f)
		}
		if c.waiting {
			add("buttons.wait", c.f)
		}
		for _, sentence := range c.stands() {
			said = append(said, plain(sentence))
		}
		c.ahead(add)
	}
	return topText(strings.Join(said, " "), maxTop)
}

func (c *card) textOpen(add func(string, facts), q loops.Question) {
	f := c.f
	f.Question = text(q.Message, 1500)
	switch p, single := rows(q); {
	case q.Call != nil:
		_, body := arguments(q.Call)
		f.Tool, f.Entry = text(q.Call.Name, 80), text(body, 600)
		add("text.call", f)
		f.Names = c.mayNames(q.Call)
		if f.Names != "" {
			add("text.may", f)
		}
	case q.URL != "":
		f.Host = text(hostOf(q.URL), 260)
		add("text.page", f)
	case single:
		add("text.question", f)
		add("text.options", f)
		for _, o := range p.Options {
			f.Option, f.Example = text(o.Title, 300), text(o.Description, 300)
			add("text.option", f)
		}
	case q.Schema == nil || len(q.Schema.Properties) == 0:
		add("text.fact", f)
	default:
		f.Count, f.Names = len(q.Schema.Properties), propertyNames(q)
		add("text.form", f)
	}
	if q.Quote != "" {
		add("text.quote", f)
	}
}

func (c *card) mayNames(call *loops.Call) slot {
	var names []slot
	for _, m := range offered(call) {
		names = append(names, own(strings.TrimSuffix(c.w.words("button."+string(m), c.f), ellipsis)))
	}
	return list(names, ", ")
}

func (c *card) textBatch(add func(string, facts)) {
	add("text.batch", c.f)
	for i, q := range c.r.Questions {
		if q.Call == nil {
			continue
		}
		f := c.f
		f.Number, f.Tool, f.Question = numberOf(c.r, i), text(q.Call.Name, 60), text(q.Message, 100)
		if v, ok := c.v.Verdicts[q.Key]; ok {
			f = c.w.who(f, v.By, v.At)
			f.Did = c.w.did(q, v)
			add("text.batch.decided", f)
		} else {
			add("text.batch.call", f)
		}
	}
}

func (c *card) textEnded(add func(string, facts)) {
	switch c.v.End {
	case loops.Withdrawn:
		add("text.withdrawn", c.f)
	case loops.Expired:
		add("text.expired", c.f)
	case loops.Answered:
		c.textAnswered(add)
	}
	f := c.f
	f.Question = text(c.r.Questions[0].Message, 1500)
	if len(c.r.Questions) == 1 {
		add("text.was", f)
	}
}

func (c *card) textAnswered(add func(string, facts)) {
	if len(c.r.Questions) > 1 {
		add("text.answered.batch", c.f)
	} else if v, ok := c.v.Verdicts[c.r.Questions[0].Key]; ok {
		f := c.w.who(c.f, v.By, v.At)
		f.Did, f.Reason = c.w.did(c.r.Questions[0], v), text(v.Message, 600)
		if v.Action == loops.Decline && f.Reason != "" {
			add("text.declined", f)
		} else {
			add("text.answered", f)
		}
	}
	if c.v.Resumed.IsZero() {
		add("text.not", c.f)
	} else {
		add("text.went", c.f)
	}
}

// Plain renders the degraded form: short plain text and the command that answers, for when Slack refuses the card's
// content. It has no blocks, so that there is nothing left to refuse.
func (w *Words) Plain(v View) Message {
	if v.Record == nil || len(v.Record.Questions) == 0 {
		return Message{Text: topText(w.words("say.unknown", facts{}), maxTop)}
	}
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v), budget: budgetFor(len(v.Record.Questions))}
	said := c.text()
	f := c.f
	f.Show = text("flagstop show "+c.r.ID, 100)
	name := "plain.show"
	if c.open() && len(c.r.Questions) == 1 {
		name = "plain.answer"
		f.Command = text(c.command(c.r.Questions[0], ""), 200)
	}
	how := topText(w.words(name, f), 800)
	head := topText(c.badge(), maxHeader)
	return Message{Text: head + "\n" + cutEscaped(said, maxTop-runes(head)-runes(how)-2) + "\n" + how}
}

// cutEscaped cuts text that is escaped already, without tearing an entity.
func cutEscaped(s string, limit int) string {
	if runes(s) <= limit {
		return s
	}
	raw := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)
	return escape(cut(raw, limit))
}
