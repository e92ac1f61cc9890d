package templates

import (
	"fmt"
	"slices"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// row is an open stop in short: what is asked, as much as a card says of it, and what the person may do.
func (b *home) row(r HomeRow, n int) []slack.Block {
	if r.View.Record == nil || len(r.View.Record.Questions) == 0 {
		return []slack.Block{b.note("say.unknown", facts{})}
	}
	c := &card{w: b.w, v: r.View, r: r.View.Record, f: b.w.facts(r.View), budget: budgetFor(1)}
	i := c.next()
	blocks := []slack.Block{richBlock(c.brief(r, i)...)}
	if buttons := c.brieflyDone(r, i); len(buttons) > 0 {
		blocks = append(blocks, slack.NewActionBlock(fmt.Sprintf("h%d.r%d", n, c.v.Rev), buttons...))
	}
	return blocks
}

// next is the first question without a verdict.
func (c *card) next() int {
	return max(0, slices.IndexFunc(c.r.Questions, func(q loops.Question) bool {
		_, done := c.v.Verdicts[q.Key]
		return !done
	}))
}

// brief is what a row says.
func (c *card) brief(r HomeRow, i int) []slack.RichTextElement {
	q, f := c.r.Questions[i], c.f
	f.State, f.At, f.Link = own(c.w.words(c.state(), f)), moment(r.Asked), c.w.opens(r.Row)
	f.Question, f.Number = text(q.Message, c.budget.message), numberOf(c.r, i)
	if c.holder() != c.r.Addressee {
		f.Holder = text(glyph(c.holder())+" "+roleWord(c.holder()), 64)
	}
	long := width(visible(q.Message)) > c.budget.message
	elements := []slack.RichTextElement{section(c.w.sentence("home.row", f))}
	if q.Quote != "" {
		quote := visible(q.Quote)
		elements, long = append(elements, quoted(cut(quote, c.budget.quote))), long || width(quote) > c.budget.quote
	}
	if q.Call != nil {
		_, body := arguments(q.Call)
		elements, long = append(elements, c.callText(q.Call)...), long || width(visible(body)) > c.budget.arguments
	}
	if q.URL != "" {
		address := visible(q.URL)
		elements, long = append(elements, preformatted(cut(address, c.budget.url))), long || width(address) > c.budget.url
	}
	return append(elements, c.asides(r, q, long)...)
}

// asides are what a row says beside the question.
func (c *card) asides(r HomeRow, q loops.Question, long bool) []slack.RichTextElement {
	var all []slack.RichTextElement
	add := func(when bool, name string, f facts) {
		if when {
			all = append(all, section(c.w.sentence(name, f)))
		}
	}
	f := c.f
	add(long, "home.cut", f)
	f.Command = code(c.command(q, "--accept --content JSON"))
	add(r.Answer && asksForm(q) && !formFits(q), "form.command", f)
	if t := c.v.Taken; t != nil {
		add(true, "taken", c.w.who(c.f, t.By, t.At))
	}
	f.Until = moment(c.v.Snoozed)
	add(!c.v.Snoozed.IsZero(), "snoozed", f)
	add(r.Queued, "home.queued", f)
	return all
}

func asksForm(q loops.Question) bool {
	return q.Call == nil && q.URL == "" && q.Schema != nil && len(q.Schema.Properties) > 0
}

// brieflyDone are the buttons of a row.
func (c *card) brieflyDone(r HomeRow, i int) []slack.BlockElement {
	q := c.r.Questions[i]
	var all []slack.BlockElement
	add := func(verb, about string) {
		all = append(all, c.button(c.value(q, verb), verb, numberOf(c.r, i), about))
	}
	if r.Answer {
		switch {
		case q.Call != nil:
			for _, m := range offered(q.Call) {
				add(string(m), q.Call.Name)
			}
		case q.URL != "":
			if opens(q.URL) {
				all = append(all, c.openButton(q, hostOf(q.URL)))
			}
			add(VerbDone, hostOf(q.URL))
		case !asksForm(q):
			add(VerbSeen, q.Message)
		case formFits(q):
			add(VerbAnswer, q.Message)
		}
	}
	about := Value{Stop: c.r.ID, Option: -1, Rev: c.v.Rev}
	if !r.Handle {
		about.Verb = VerbDetails
		return append(all, c.button(about, VerbDetails, "", q.Message))
	}
	verbs := slices.DeleteFunc(c.verbs(), func(verb string) bool {
		if verb == VerbTake || verb == VerbRelease {
			about.Verb = verb
			all = append(all, c.button(about, verb, "", q.Message))
			return true
		}
		return verb == VerbDecline && !r.Answer
	})
	return append(all, c.overflow(verbs))
}
