package templates

import (
	"encoding/json"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// maxDetails bounds the JSON of a window's blocks: Slack refuses views above 250 KB.
const maxDetails = 200_000

// details collects blocks until there is no room.
type details struct {
	c      *card
	blocks []slack.Block
	room   int
	left   bool // something did not fit
}

func (d *details) block(b slack.Block) {
	raw, err := json.Marshal(b)
	n := len(raw)
	if err != nil || d.left || n > d.room || len(d.blocks) >= maxModal-1 {
		d.left = true
		return
	}
	d.blocks, d.room = append(d.blocks, b), d.room-n
}

// long adds a text over as many blocks as it needs.
func (d *details) long(s string, code bool) {
	for _, part := range chunks(visible(s), chunk) {
		if code {
			d.block(richBlock(preformatted(part)))
		} else {
			d.block(richBlock(quoted(part)))
		}
	}
}

func (d *details) question(i int, q loops.Question) {
	c := d.c
	f := c.f
	f.Number = numberOf(c.r, i)
	if f.Number != "" {
		d.block(slack.NewDividerBlock())
		d.block(note(bolded(f.Number)))
	}
	for _, part := range chunks(visible(q.Message), chunk) {
		if strings.TrimSpace(part) != "" {
			d.block(slack.NewSectionBlock(plainText(part, maxText), nil, nil))
		}
	}
	d.long(q.Quote, false)
	if q.URL != "" {
		d.long(q.URL, true)
	}
	if q.Call != nil {
		name, body := arguments(q.Call)
		f.Tool, f.Argument = code(cut(visible(q.Call.Name), 200)), code(cut(visible(name), 200))
		head := "call.tool"
		if name != "" {
			head = "call.argument"
		}
		d.block(note(c.w.sentence(head, f)))
		d.long(body, true)
	}
	if q.Schema != nil {
		d.properties(q)
	}
	if v, ok := c.v.Verdicts[q.Key]; ok {
		for _, b := range c.verdict(q, v) {
			d.block(b)
		}
	}
}

func (d *details) properties(q loops.Question) {
	for _, p := range q.Schema.Properties {
		f := d.c.f
		f.Property, f.Example, f.Required = text(titleOf(p), 200), text(p.Description, 1500), required(q, p)
		d.block(richBlock(section(d.c.w.sentence("details.field", f))))
		for _, o := range p.Options {
			f.Option, f.Example = text(o.Title, 300), text(o.Description, 2000)
			d.block(richBlock(section(d.c.w.sentence("option", f))))
		}
	}
}

func bolded(s slot) []piece { return parse(string(bold(s))) }
