package templates

import (
	"fmt"
	"net/url"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// single draws a stop with one question.
func (c *card) single(q loops.Question) {
	c.ask(q.Message)
	if q.Quote != "" {
		quote := visible(q.Quote)
		c.top = append(c.top, richBlock(quoted(cut(quote, c.budget.quote))))
		c.cutNote(quote, c.budget.quote)
	}
	if q.Call != nil {
		c.top = append(c.top, richBlock(c.callText(q.Call)...))
		_, body := arguments(q.Call)
		c.cutNote(body, c.budget.arguments)
	}
	if !c.open() {
		c.closed(q)
		return
	}
	if verdict, ok := c.v.Verdicts[q.Key]; ok {
		c.bar(true, c.verdict(q, verdict)...)
		return
	}
	if c.waiting {
		c.bar(false, note(c.w.sentence("buttons.wait", c.f)), c.standing())
		return
	}
	c.bar(false, append(c.answers(q), c.standing())...)
}

// answers are the ways to answer a question.
func (c *card) answers(q loops.Question) []slack.Block {
	switch {
	case q.Call != nil:
		return c.callAnswers(q)
	case q.URL != "":
		return c.pageAnswers(q)
	}
	if p, ok := rows(q); ok {
		return c.optionRows(q, p)
	}
	if q.Schema == nil || len(q.Schema.Properties) == 0 {
		return c.actions(0, c.button(c.value(q, VerbSeen), "seen", "", q.Message))
	}
	return c.formAnswers(q)
}

// nothing is the sentence that nothing is recommended. A fact has none: hedging a fact is false balance.
func (c *card) nothing(name string) []slack.Block {
	if c.r.Kind == loops.Fact {
		return nil
	}
	return []slack.Block{note(c.w.sentence("nothing."+name, c.f))}
}

func (c *card) optionRows(q loops.Question, p loops.Property) []slack.Block {
	blocks := c.nothing("options")
	var said [][]piece
	emphasis := true
	for _, o := range p.Options {
		f := c.f
		f.Option, f.Example = text(o.Title, 300), text(o.Description, c.budget.example)
		row := c.w.sentence("option", f)
		said = append(said, row)
		emphasis = emphasis && harmless(row) && width(markdown(row)) <= maxText
	}
	for i, o := range p.Options {
		block := slack.NewSectionBlock(rowText(said[i], emphasis), nil, nil)
		if !c.mute {
			v := Value{Stop: c.r.ID, Key: q.Key, Option: i, Rev: c.v.Rev}
			block.BlockID = fmt.Sprintf("q0.o%d.r%d", i, c.v.Rev)
			block.Accessory = slack.NewAccessory(c.button(v, "choose", "", o.Title))
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// rowText has its title in bold only where each row of the card can have it: one bold row would look recommended.
func rowText(said []piece, emphasis bool) *slack.TextBlockObject {
	if emphasis {
		return slack.NewTextBlockObject(slack.MarkdownType, markdown(said), false, true)
	}
	return plainText(plain(said), maxText)
}

func (c *card) formAnswers(q loops.Question) []slack.Block {
	f := c.f
	f.Count, f.Names = len(q.Schema.Properties), propertyNames(q)
	asks := slack.NewSectionBlock(plainText(c.w.words("form.asks", f), maxText), nil, nil)
	blocks := append(c.nothing(offers(q)), asks)
	if !formFits(q) {
		f.Command = code(c.command(q, "--accept --content JSON"))
		return append(blocks, richBlock(section(c.w.sentence("form.command", f))))
	}
	return append(blocks, c.actions(0, c.button(c.value(q, VerbAnswer), "answer", "", q.Message))...)
}

func propertyNames(q loops.Question) slot {
	names := make([]slot, 0, len(q.Schema.Properties))
	for _, p := range q.Schema.Properties {
		names = append(names, text(titleOf(p), 60))
	}
	return list(names, ", ")
}

func titleOf(p loops.Property) string {
	if strings.TrimSpace(p.Title) != "" {
		return p.Title
	}
	return p.Name
}

func (c *card) pageAnswers(q loops.Question) []slack.Block {
	address, host := visible(q.URL), hostOf(q.URL)
	f := c.f
	f.Host, f.At = text(host, 300), clock(c.v.Completed)
	elements := []slack.RichTextElement{section(c.w.sentence("page", f)), preformatted(cut(address, c.budget.url))}
	add := func(when bool, name string) {
		if when {
			elements = append(elements, section(c.w.sentence(name, f)))
		}
	}
	if n := c.cutWords(address, c.budget.url); n != nil {
		elements = append(elements, section(n))
	}
	add(!plainHost(host), "page.letters")
	add(!opens(q.URL), "page.command")
	add(!c.v.Completed.IsZero(), "page.completed")
	var buttons []slack.BlockElement
	if opens(q.URL) {
		buttons = append(buttons, c.openButton(q, host))
	}
	buttons = append(buttons, c.button(c.value(q, VerbDone), "done", "", host))
	blocks := append(c.nothing("calls"), richBlock(elements...))
	return append(append(blocks, c.actions(0, buttons...)...), note(c.w.sentence("page.open", f)))
}

// openButton names the whole host where it is sure to be drawn: Slack may cut a button at thirty characters, and a
// host that is cut looks like another one. The text above names it whole in any case.
func (c *card) openButton(q loops.Question, host string) *slack.ButtonBlockElement {
	b := c.button(c.value(q, VerbOpen), "open", "", host)
	b.URL = q.URL
	f := c.f
	f.Host = text(host, 300)
	if label := c.w.words("page.button", f); width(label) <= 30 && plainHost(host) {
		b.Text, b.AccessibilityLabel = plainText(label, maxLabel), ""
	}
	return b
}

// hostOf is the whole host of an address, with its port.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// opens reports whether Slack takes the address for a button, and it is one that a person may be sent to.
func opens(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || width(address) > maxURL || visible(address) != address {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}

func (c *card) actions(i int, buttons ...slack.BlockElement) []slack.Block {
	if c.mute || len(buttons) == 0 {
		return nil
	}
	return []slack.Block{slack.NewActionBlock(fmt.Sprintf("q%d.r%d", i, c.v.Rev), buttons...)}
}

// command is the command that answers a question, for what Slack has no room for.
func (c *card) command(q loops.Question, flags string) string { return command(c.r, q, flags) }

func command(r *loops.Record, q loops.Question, flags string) string {
	key := ""
	if len(r.Questions) > 1 {
		key = " --key '" + strings.ReplaceAll(q.Key, "'", `'\''`) + "'"
	}
	return strings.TrimSpace("flagstop answer " + r.ID + key + " " + flags)
}
