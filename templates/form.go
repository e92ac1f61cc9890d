package templates

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// formFits reports whether every property of a form fits an input of Slack. A text that must be longer than 3,000
// characters, or that starts longer, does not; nor do more options than a menu holds.
func formFits(q loops.Question) bool {
	if q.Schema == nil || len(q.Schema.Properties) == 0 || len(q.Schema.Properties) > maxItems {
		return false
	}
	for _, p := range q.Schema.Properties {
		if p.MinLength != nil && *p.MinLength > maxText || len(p.Options) > maxOptions {
			return false
		}
		if s, ok := defaultText(p); ok && width(s) > maxText {
			return false
		}
		if isSelect(p) && len(p.Options) == 0 {
			return false
		}
	}
	return true
}

func isSelect(p loops.Property) bool {
	return p.Type == loops.SelectProperty || p.Type == loops.MultiSelectProperty
}

func required(q loops.Question, p loops.Property) bool {
	return slices.Contains(q.Schema.Required, p.Name)
}

// offers names the sentence that nothing is recommended: only what has options has an order.
func offers(q loops.Question) string {
	if slices.ContainsFunc(q.Schema.Properties, isSelect) {
		return "options"
	}
	return "calls"
}

// form is the window of a form: an input for each property, in the asker's order.
func (c *card) form(q loops.Question) []slack.Block {
	blocks := append([]slack.Block{c.asked(q)}, c.quote(q)...)
	said := c.nothing(offers(q))
	blocks = append(append(blocks, said...), note(c.w.sentence("closing", c.f)))
	for i, p := range q.Schema.Properties {
		if long := c.optionsAbove(p); long != nil {
			blocks = append(blocks, long)
		}
		input := slack.NewInputBlock(propertyBlock(i), plainText(visible(titleOf(p)), 200), c.hint(p), c.element(p))
		blocks = append(blocks, input.WithOptional(!required(q, p)))
	}
	return blocks
}

// maxQuoteRaw bounds the JSON of a quote in the window of a form.
const maxQuoteRaw = 100_000

// quote is the text that is to be accepted, whole where it has room.
func (c *card) quote(q loops.Question) []slack.Block {
	d := &details{c: c, room: maxQuoteRaw}
	d.long(q.Quote, false)
	if d.left {
		f := c.f
		f.Command = code("flagstop show " + c.r.ID)
		d.blocks = append(d.blocks, note(c.w.sentence("details.more", f)))
	}
	return d.blocks
}

// optionsAbove lists options whole where one of them, or its example, does not fit the input.
func (c *card) optionsAbove(p loops.Property) slack.Block {
	if !listedAbove(p) {
		return nil
	}
	var elements []slack.RichTextElement
	sum := 0
	for i, o := range p.Options {
		f := c.f
		f.Option, f.Example = text(optionLabel(p, i), 400), text(o.Description, 500)
		said := c.w.sentence("option", f)
		if sum += width(plain(said)); sum > maxText {
			break
		}
		elements = append(elements, section(said))
	}
	return richBlock(elements...)
}

// listedAbove tells whether the options of a select stand above its input: all of them, or none.
func listedAbove(p loops.Property) bool {
	return slices.ContainsFunc(p.Options, func(o loops.Option) bool { return tooWide(o.Title) || tooWide(o.Description) })
}

func tooWide(s string) bool { return width(visible(s)) > maxLabel }

// optionLabel numbers the options of a select where some are cut, so that each can be told from the others.
func optionLabel(p loops.Property, i int) string {
	title := visible(p.Options[i].Title)
	if slices.ContainsFunc(p.Options, func(o loops.Option) bool { return tooWide(o.Title) }) {
		return strconv.Itoa(i+1) + ". " + title
	}
	return title
}

func (c *card) hint(p loops.Property) *slack.TextBlockObject {
	f := c.f
	said := strings.TrimSpace(visible(p.Description))
	add := func(name string) {
		if said != "" {
			said += " "
		}
		said += c.w.words(name, f)
	}
	f.Min, f.Max = text(string(p.Minimum), 40), text(string(p.Maximum), 40)
	switch p.Type {
	case loops.StringProperty:
		f.Min, f.Max = bound(p.MinLength), bound(p.MaxLength)
		if p.Format == "date-time" {
			add("hint.zone")
		} else if p.Format == "" && (f.Min != "" || f.Max != "") {
			add("hint.lengths")
		}
	case loops.IntegerProperty:
		add("hint.whole")
	case loops.NumberProperty:
		add("hint.number")
	case loops.MultiSelectProperty:
		if f.Min, f.Max = bound(p.MinItems), bound(p.MaxItems); f.Min != "" || f.Max != "" {
			add("hint.items")
		}
	case loops.BooleanProperty, loops.SelectProperty:
	}
	if said == "" {
		return nil
	}
	return plainText(said, 1500)
}

func bound(n *int) slot {
	if n == nil || *n <= 0 {
		return ""
	}
	return number(*n)
}

// element is the input of a property. What its type does not make Slack check is checked when it is sent.
func (c *card) element(p loops.Property) slack.BlockElement {
	switch p.Type {
	case loops.StringProperty:
		return c.textElement(p)
	case loops.NumberProperty, loops.IntegerProperty:
		return numberElement(p)
	case loops.BooleanProperty:
		return c.booleanElement(p)
	case loops.SelectProperty:
		return c.selectElement(p)
	case loops.MultiSelectProperty:
		return c.multiSelectElement(p)
	}
	return textInput("", 0, maxText)
}

func (c *card) textElement(p loops.Property) slack.BlockElement {
	initial, _ := defaultText(p)
	switch p.Format {
	case "email":
		return &slack.EmailTextInputBlockElement{Type: slack.METEmailTextInput, ActionID: inputAction, InitialValue: initial}
	case "uri":
		return &slack.URLTextInputBlockElement{Type: slack.METURLTextInput, ActionID: inputAction, InitialValue: initial}
	case "date":
		if _, err := time.Parse(time.DateOnly, initial); err != nil {
			initial = ""
		}
		return &slack.DatePickerBlockElement{Type: slack.METDatepicker, ActionID: inputAction, InitialDate: initial}
	case "date-time":
		return &slack.DateTimePickerBlockElement{
			Type: slack.METDatetimepicker, ActionID: inputAction, InitialDateTime: pickable(initial),
		}
	}
	least, most := 0, maxText
	if p.MinLength != nil {
		least = max(0, *p.MinLength)
	}
	if p.MaxLength != nil {
		most = max(1, min(*p.MaxLength, maxText))
	}
	if width(initial) > most {
		initial = ""
	}
	input := textInput(initial, min(least, most), most)
	input.Multiline = most > 150
	return input
}

// pickable is a moment as Slack's picker takes it: ten digits of seconds, so between 2001 and 2286.
func pickable(s string) int64 {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.Unix() < 1_000_000_000 || t.Unix() > 9_999_999_999 {
		return 0
	}
	return t.Unix()
}

func defaultText(p loops.Property) (string, bool) {
	var s string
	if p.Type != loops.StringProperty || len(p.Default) == 0 || json.Unmarshal(p.Default, &s) != nil {
		return "", false
	}
	return s, true
}

var (
	wholeNumber   = regexp.MustCompile(`^-?(0|[1-9]\d{0,30})$`)
	decimalNumber = regexp.MustCompile(`^-?(0|[1-9]\d{0,30})(\.\d{1,30})?$`)
)

// numberElement carries bounds and default where Slack can read them; one with an exponent is checked when sent.
func numberElement(p loops.Property) slack.BlockElement {
	form := decimalNumber
	if p.Type == loops.IntegerProperty {
		form = wholeNumber
	}
	pick := func(s string) string {
		if form.MatchString(s) {
			return s
		}
		return ""
	}
	return &slack.NumberInputBlockElement{
		Type: slack.METNumber, ActionID: inputAction, IsDecimalAllowed: p.Type == loops.NumberProperty,
		InitialValue: pick(string(p.Default)), MinValue: pick(string(p.Minimum)), MaxValue: pick(string(p.Maximum)),
	}
}
