package templates

import (
	"encoding/json"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// did is what a verdict says, in a few words: the title of the option, or what is done with the call.
func (w *Words) did(q loops.Question, v loops.Verdict) slot {
	f := facts{}
	name := didName(q, v)
	if name == "did.option" {
		p, _ := rows(q)
		o, ok := chosen(p, v.Content)
		if !ok {
			name = "did.form"
		}
		f.Option = text(o.Title, 200)
	}
	var out strings.Builder
	for _, p := range w.sentence(name, f) {
		out.WriteString(string(p.slot()))
	}
	return slot(out.String())
}

func didName(q loops.Question, v loops.Verdict) string {
	if v.Action == loops.Decline {
		if q.Call != nil {
			return "did.decline.call"
		}
		return "did.decline"
	}
	if q.Call != nil {
		return didCall(v)
	}
	if q.URL != "" {
		return "did.done"
	}
	if _, ok := rows(q); ok {
		return "did.option"
	}
	if q.Schema == nil || len(q.Schema.Properties) == 0 {
		return "did.seen"
	}
	return "did.form"
}

func didCall(v loops.Verdict) string {
	switch {
	case len(v.Output) > 0:
		return "did.output"
	case len(v.Arguments) > 0:
		return "did.edit"
	case v.Span == loops.Always:
		return "did.always"
	}
	return "did.run"
}

// chosen is the option that content chooses.
func chosen(p loops.Property, content json.RawMessage) (loops.Option, bool) {
	var fields map[string]json.RawMessage
	var value string
	if json.Unmarshal(content, &fields) != nil || json.Unmarshal(fields[p.Name], &value) != nil {
		return loops.Option{}, false
	}
	for _, o := range p.Options {
		if o.Const == value {
			return o, true
		}
	}
	return loops.Option{}, false
}

// closed draws what came of a stop with one question.
func (c *card) closed(q loops.Question) {
	if verdict, ok := c.v.Verdicts[q.Key]; ok && c.v.End == loops.Answered {
		c.bar(true, append(c.verdict(q, verdict), c.ended()...)...)
		return
	}
	c.bar(true, c.ended()...)
}

// verdict is what was answered, by whom, when, for whom, and with which words.
func (c *card) verdict(q loops.Question, v loops.Verdict) []slack.Block {
	f := c.w.who(c.f, v.By, v.At)
	f.Did = c.w.did(q, v)
	head := parse(string(bold(f.Did)))
	head = append(append(head, piece{kind: ownPiece, text: "\n"}), c.w.sentence("by", f)...)
	elements := append([]slack.RichTextElement{section(head)}, c.said(q, v)...)
	blocks := []slack.Block{richBlock(elements...)}
	if p, ok := rows(q); ok && v.Action == loops.Accept {
		f.Names = others(p, v.Content)
		if f.Names != "" {
			blocks = append(blocks, note(c.w.sentence("offered", f)))
		}
	}
	return blocks
}

func others(p loops.Property, content json.RawMessage) slot {
	picked, ok := chosen(p, content)
	var names []slot
	for _, o := range p.Options {
		if !ok || o.Const != picked.Const {
			names = append(names, text(o.Title, 200))
		}
	}
	return list(names, " · ")
}

// said is what a verdict carries beside yes and no, as far as the card has room.
func (c *card) said(q loops.Question, v loops.Verdict) []slack.RichTextElement {
	var out []slack.RichTextElement
	limit := c.budget.said
	if _, single := rows(q); !single && q.Schema != nil && len(v.Content) > 0 {
		if fields := c.fields(q, v.Content); len(fields) > 0 {
			out = append(out, section(fields))
		}
	}
	if len(v.Arguments) > 0 {
		edited := preformatted(cut(prettyJSON(v.Arguments, 72), limit))
		out = append(out, section(c.w.sentence("said.edit", c.f)), edited)
	}
	if len(v.Output) > 0 {
		result := preformatted(cut(outputText(v.Output), limit))
		out = append(out, section(c.w.sentence("said.output", c.f)), result)
	}
	if strings.TrimSpace(v.Message) != "" {
		f := c.f
		f.Reason = text(v.Message, limit)
		name := "note"
		if v.Action == loops.Decline {
			name = "reason"
		}
		out = append(out, section(c.w.sentence(name, f)))
	}
	return out
}

// outputText is an output as people read it: a text is shown as it is.
func outputText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) != "" && raw[0] == '"' {
		return visible(s)
	}
	return prettyJSON(raw, 72)
}

// fields are the entries of a form, one a line.
func (c *card) fields(q loops.Question, content json.RawMessage) []piece {
	var all []piece
	room := c.budget.entry(q)
	for _, e := range c.w.entries(q, content) {
		f := c.f
		f.Property, f.Entry = text(e.title, 60), text(e.value, room)
		if len(all) > 0 {
			all = append(all, piece{kind: ownPiece, text: "\n"})
		}
		all = append(all, c.w.sentence("field", f)...)
	}
	return all
}

type entry struct{ title, value string }

// entries are what was entered, in the order of the schema, by the words that the person saw.
func (w *Words) entries(q loops.Question, content json.RawMessage) []entry {
	var fields map[string]json.RawMessage
	if q.Schema == nil || json.Unmarshal(content, &fields) != nil {
		return nil
	}
	var all []entry
	for _, p := range q.Schema.Properties {
		if raw, ok := fields[p.Name]; ok {
			all = append(all, entry{title: titleOf(p), value: w.entered(p, raw)})
		}
	}
	return all
}

func (w *Words) entered(p loops.Property, raw json.RawMessage) string {
	var s string
	var many []string
	switch {
	case p.Type == loops.MultiSelectProperty && json.Unmarshal(raw, &many) == nil:
		for i := range many {
			many[i] = optionTitle(p, many[i])
		}
		return strings.Join(many, ", ")
	case p.Type == loops.BooleanProperty && string(raw) == "true":
		return w.words("yes", facts{})
	case p.Type == loops.BooleanProperty && string(raw) == "false":
		return w.words("no", facts{})
	case len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return optionTitle(p, s)
	}
	return string(raw)
}

func optionTitle(p loops.Property, value string) string {
	for _, o := range p.Options {
		if o.Const == value {
			return o.Title
		}
	}
	return value
}

// ended is how a stop ended and whether its loop went on.
func (c *card) ended() []slack.Block {
	f := c.f
	f.At = moment(c.v.EndedAt)
	switch c.v.End {
	case loops.Withdrawn:
		return []slack.Block{
			richBlock(section(c.w.sentence("withdrawn", f))), note(c.w.sentence("withdrawn.at", f)),
		}
	case loops.Expired:
		name := "expired.policy"
		if c.v.Origin == loops.OriginAsker {
			name = "expired.asker"
		}
		return []slack.Block{
			richBlock(section(c.w.sentence(name, f))), note(c.w.sentence("expired.at", f)),
		}
	case loops.Answered:
	}
	if c.v.Resumed.IsZero() {
		return []slack.Block{note(c.w.sentence("loop.not", f))}
	}
	f.At = clock(c.v.Resumed)
	return []slack.Block{note(c.w.sentence("loop.went", f))}
}
