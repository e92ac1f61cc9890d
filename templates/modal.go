package templates

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// The blocks and the action of a modal's inputs. A property's block is named by its place in the schema.
const (
	argumentsBlock = "arguments"
	outputBlock    = "output"
	reasonBlock    = "reason"
	inputAction    = "v"
)

func propertyBlock(i int) string { return fmt.Sprintf("p%d", i) }

// errNoModal is returned for a verb that opens nothing, or nothing on this question.
var errNoModal = errors.New("there is nothing to open for it")

// question is the question that a value names: by its key, or the only one.
func question(r *loops.Record, key string) (loops.Question, bool) {
	if key == "" && len(r.Questions) == 1 {
		return r.Questions[0], true
	}
	for _, q := range r.Questions {
		if q.Key == key {
			return q, true
		}
	}
	return loops.Question{}, false
}

// Modal renders the modal that a verb opens on a question (answer, edit, output, decline, details). Its callback_id is
// the verb and its private_metadata the value, with the key. What does not fit a Slack input is not offered by Card, so
// it is an error here.
func (w *Words) Modal(v View, val Value) (slack.ModalViewRequest, error) {
	m, err := w.modal(v, val)
	if err != nil {
		return slack.ModalViewRequest{}, fmt.Errorf("open %q on stop %s: %w", val.Verb, val.Stop, err)
	}
	return m, nil
}

func (w *Words) modal(v View, val Value) (slack.ModalViewRequest, error) {
	if v.Record == nil {
		return slack.ModalViewRequest{}, errNoModal
	}
	switch val.Verb {
	case VerbDetails:
		return w.details(v, val), nil
	case VerbMore:
		return w.more(v, val), nil
	}
	q, ok := question(v.Record, val.Key)
	if !ok {
		return slack.ModalViewRequest{}, fmt.Errorf("it has no such question: %w", errNoModal)
	}
	val.Key = q.Key
	var blocks []slack.Block
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v), budget: budgetFor(1), mute: true}
	switch {
	case val.Verb == VerbAnswer && formFits(q):
		blocks = c.form(q)
	case val.Verb == VerbEdit && mayOn(q, loops.MayEdit):
		blocks = c.edit(q)
	case val.Verb == VerbOutput && mayOn(q, loops.MayOutput):
		blocks = c.output(q)
	case val.Verb == VerbDecline && (q.Call == nil || mayOn(q, loops.MayDecline)):
		blocks = c.decline(q)
	default:
		return slack.ModalViewRequest{}, errNoModal
	}
	m := c.window(val, blocks)
	m.NotifyOnClose = true
	m.Submit = plainText(w.words("submit."+val.Verb, c.f), maxTitle)
	return m, nil
}

func mayOn(q loops.Question, m loops.May) bool {
	return q.Call != nil && slices.Contains(offered(q.Call), m)
}

func (c *card) window(val Value, blocks []slack.Block) slack.ModalViewRequest {
	return slack.ModalViewRequest{
		Type:            slack.VTModal,
		Title:           plainText(c.w.words("title."+val.Verb, c.f), maxTitle),
		Close:           plainText(c.w.words("close", c.f), maxTitle),
		CallbackID:      val.Verb,
		PrivateMetadata: val.Encode(),
		Blocks:          slack.Blocks{BlockSet: blocks},
	}
}

// edit is the window in which the arguments of a call are changed.
func (c *card) edit(q loops.Question) []slack.Block {
	f := c.f
	f.Tool, f.Unchecked = code(cut(visible(q.Call.Name), 80)), len(q.Call.Schema) == 0
	value, _ := editable(q.Call)
	input := textInput(value, 1, maxText)
	return []slack.Block{
		c.asked(q),
		richBlock(section(c.w.sentence("edit.asked", f)), preformatted(cut(value, 1500))),
		c.input(argumentsBlock, "edit.label", "edit.hint", f, input),
		note(c.w.sentence("closing", f)),
	}
}

// output is the window in which somebody answers in the place of a call.
func (c *card) output(q loops.Question) []slack.Block {
	f := c.f
	f.Command = text(c.command(q, "--accept --output JSON"), 500)
	return []slack.Block{
		c.asked(q),
		richBlock(c.callText(q.Call)...),
		c.input(outputBlock, "output.label", "output.hint", f, textInput("", 1, maxText)),
		note(c.w.sentence("closing", f)),
	}
}

// decline is the window that asks for the reason. A reason is required: the loop reads it in the place of the result.
func (c *card) decline(q loops.Question) []slack.Block {
	name, elements := "decline.question", []slack.RichTextElement{quoted(cut(visible(q.Message), 1500))}
	if q.Call != nil {
		name, elements = "decline.call", c.callText(q.Call)
	}
	return []slack.Block{
		note(c.w.sentence(name, c.f)),
		richBlock(elements...),
		c.input(reasonBlock, "decline.label", "decline.hint", c.f, textInput("", 1, maxReason)),
		note(c.w.sentence("closing", c.f)),
	}
}

// maxReason keeps a reason short enough for a thread and for a model to read.
const maxReason = 2000

func (c *card) asked(q loops.Question) slack.Block {
	return slack.NewSectionBlock(plainText(visible(q.Message), 2500), nil, nil)
}

func (c *card) input(block, label, hint string, f facts, element slack.BlockElement) *slack.InputBlock {
	return slack.NewInputBlock(block, plainText(c.w.words(label, f), 200), plainText(c.w.words(hint, f), 1500), element)
}

func textInput(initial string, least, most int) *slack.PlainTextInputBlockElement {
	return &slack.PlainTextInputBlockElement{
		Type: slack.METPlainTextInput, ActionID: inputAction, Multiline: true,
		InitialValue: initial, MinLength: least, MaxLength: most,
	}
}

// NotRecorded renders the modal that takes the place of a submitted one when it could not be recorded in time: it says
// so and keeps what was typed. Closing it is no dismissal: nobody is told of it.
func (w *Words) NotRecorded(v View, val Value, typed loops.Verdict) slack.ModalViewRequest {
	c := &card{w: w, v: v, r: v.Record, f: facts{}}
	d := &details{c: c, room: maxDetails}
	d.block(note(w.sentence("not", facts{})))
	for _, s := range w.typed(v, val, typed) {
		d.long(s, true)
	}
	m := c.window(val, d.blocks)
	m.Title = plainText(w.words("title.not", facts{}), maxTitle)
	m.CallbackID = "not-recorded"
	return m
}

// typed is what a person wrote or chose, one text for each input.
func (w *Words) typed(v View, val Value, typed loops.Verdict) []string {
	var all []string
	add := func(s string) {
		if strings.TrimSpace(s) != "" {
			all = append(all, s)
		}
	}
	if v.Record != nil {
		if q, ok := question(v.Record, val.Key); ok {
			for _, e := range w.entries(q, typed.Content) {
				add(e.title + ": " + e.value)
			}
		}
	}
	add(string(typed.Arguments))
	if len(typed.Output) > 0 {
		var s string
		if json.Unmarshal(typed.Output, &s) != nil {
			s = string(typed.Output)
		}
		add(s)
	}
	add(typed.Message)
	return all
}

// details is the window with the whole record, as far as a window has room.
func (w *Words) details(v View, val Value) slack.ModalViewRequest {
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v), budget: budgetFor(1), mute: true}
	d := &details{c: c, room: maxDetails}
	f := c.f
	f.At, f.Holder = moment(v.Record.Raised), text(c.holderWord(), 80)
	d.block(slack.NewHeaderBlock(plainText(c.badge(), maxHeader)))
	d.block(slack.NewContextBlock("", plainText(w.words("from", f), 600)))
	name := "details.record"
	if f.At == "" {
		name = "details.unraised"
	}
	d.block(note(w.sentence(name, f)))
	for i, q := range v.Record.Questions {
		d.question(i, q)
	}
	d.block(c.standing())
	if d.left {
		f.Command = code("flagstop show " + v.Record.ID)
		d.blocks = append(d.blocks, note(w.sentence("details.more", f)))
	}
	return c.window(val, d.blocks)
}

func (c *card) holderWord() string {
	if c.holder() == c.r.Addressee {
		return ""
	}
	return glyph(c.holder()) + " " + roleWord(c.holder())
}
