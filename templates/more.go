package templates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// The inputs of the window for what is done less often.
const (
	roleBlock   = "role"
	snoozeBlock = "snooze"
	noteBlock   = "note"
)

// tomorrow is the choice of a snooze that ends in the person's morning.
const tomorrow = "tomorrow"

// snoozes are what the window offers: the name of the words, and what it means.
func snoozes() [][2]string {
	return [][2]string{{"hour", "1h"}, {"hours", "4h"}, {tomorrow, tomorrow}, {"days", "72h"}, {"week", "168h"}}
}

// more is the window for what is done less often: give the stop to one of the roles of the view, snooze it, note something.
func (w *Words) more(v View, val Value) slack.ModalViewRequest {
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v), budget: budgetFor(1), mute: true}
	blocks := []slack.Block{
		slack.NewSectionBlock(plainText(visible(v.Record.Questions[0].Message), 2500), nil, nil),
		note(w.sentence("more.note", c.f)),
	}
	if roles := c.roleOptions(); len(roles) > 0 {
		blocks = append(blocks, c.optional(roleBlock, "more.role", c.staticSelect(roles)))
	}
	if v.Snoozable {
		var all []*slack.OptionBlockObject
		for _, s := range snoozes() {
			all = append(all, slack.NewOptionBlockObject(s[1], plainText(w.words("more."+s[0], c.f), maxLabel), nil))
		}
		blocks = append(blocks, c.optional(snoozeBlock, "more.snooze", c.staticSelect(all)))
	}
	blocks = append(blocks, c.optional(noteBlock, "more.text", textInput("", 0, maxReason)))
	m := c.window(val, blocks)
	m.Submit = plainText(w.words("submit.more", c.f), maxTitle)
	return m
}

func (c *card) roleOptions() []*slack.OptionBlockObject {
	var all []*slack.OptionBlockObject
	if c.v.NextRole != "" {
		f := c.f
		f.Holder = text(roleWord(c.v.NextRole), 40)
		all = append(all, slack.NewOptionBlockObject(NextStep, plainText(c.w.words("more.step", f), maxLabel), nil))
	}
	if slices.Contains(c.v.Roles, loops.Facilitator) {
		all = append(all, slack.NewOptionBlockObject(NotTheirs, plainText(c.w.words("more.not-mine", c.f), maxLabel), nil))
	}
	for _, role := range c.v.Roles {
		if len(role) > maxLabel || len(all) == maxOptions {
			continue
		}
		all = append(all, slack.NewOptionBlockObject(role, plainText(glyph(role)+" "+roleWord(role), maxLabel), nil))
	}
	return all
}

func (c *card) optional(block, name string, element slack.BlockElement) *slack.InputBlock {
	b := c.input(block, name, name+".hint", c.f, element)
	b.Optional = true
	return b
}

func (c *card) staticSelect(options []*slack.OptionBlockObject) *slack.SelectBlockElement {
	return &slack.SelectBlockElement{
		Type: slack.OptTypeStatic, ActionID: inputAction, Options: options,
		Placeholder: plainText(c.w.words("select.placeholder", c.f), maxLabel),
	}
}

// The Roles of a Handling that are no role's name.
const (
	NextStep  = "@next"     // the next step of the stop's policy
	NotTheirs = "@not-mine" // it is not for whoever has it to answer: the facilitator gets it
)

// Handling is what was chosen in the window for what is done less often. The zero value is nothing.
type Handling struct {
	Role     string
	Snooze   time.Duration // 0: not
	Tomorrow bool          // snooze it until the person's next morning
	Text     string
}

// ReadHandling reads the window that the verb "more" opens. The faults are sentences by input block id.
func ReadHandling(state *slack.ViewState) (Handling, map[string]string) {
	var h Handling
	if state == nil {
		return h, map[string]string{noteBlock: "This window could not be read. Close it and open it again."}
	}
	h.Role, h.Text = entered(state, roleBlock).SelectedOption.Value, strings.TrimSpace(entered(state, noteBlock).Value)
	if s := entered(state, snoozeBlock).SelectedOption.Value; s == tomorrow {
		h.Tomorrow = true
	} else if s != "" {
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return h, map[string]string{snoozeBlock: "This choice is not offered. Close this window and open it again."}
		}
		h.Snooze = d
	}
	switch {
	case h == (Handling{}):
		return h, map[string]string{noteBlock: "Choose something, or write a note."}
	case h.Role != "" && (h.Snooze != 0 || h.Tomorrow):
		return h, map[string]string{snoozeBlock: "Whoever gets it has not snoozed it: choose one of the two."}
	}
	return h, nil
}

// Metadata is what a window carries: the value that opened it, and on behalf of which role it answers, "" its person's own.
type Metadata struct {
	Value Value
	For   string
}

// Encode writes the value alone where it is the person's own answer.
func (m Metadata) Encode() string {
	if m.For == "" {
		return m.Value.Encode()
	}
	b, err := json.Marshal(map[string]string{"for": m.For, "value": m.Value.Encode()})
	if err != nil { // strings always marshal
		panic(err)
	}
	return string(b)
}

// ParseMetadata reads what Encode wrote.
func ParseMetadata(s string) (Metadata, error) {
	if !strings.HasPrefix(s, "{") {
		v, err := ParseValue(s)
		return Metadata{Value: v}, err
	}
	var raw struct {
		For   string `json:"for"`
		Value string `json:"value"`
	}
	if err := json.Unmarshal([]byte(s), &raw); err != nil || raw.For == "" {
		return Metadata{}, fmt.Errorf("read the metadata of a window: %w", errForeign)
	}
	v, err := ParseValue(raw.Value)
	return Metadata{Value: v, For: raw.For}, err
}
