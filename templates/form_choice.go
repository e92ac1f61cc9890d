package templates

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// preset reports whether a default of a choice is chosen already: only in a fact, where it recommends nothing.
func (c *card) preset(p loops.Property) bool { return c.r.Kind == loops.Fact && len(p.Default) > 0 }

// booleanElement is two radio buttons: an unticked box would be a silent no.
func (c *card) booleanElement(p loops.Property) slack.BlockElement {
	yes := slack.NewOptionBlockObject("true", plainText(c.w.words("label.yes", c.f), maxLabel), nil)
	no := slack.NewOptionBlockObject("false", plainText(c.w.words("label.no", c.f), maxLabel), nil)
	e := slack.NewRadioButtonsBlockElement(inputAction, yes, no)
	if c.preset(p) {
		switch string(p.Default) {
		case "true":
			e.InitialOption = yes
		case "false":
			e.InitialOption = no
		}
	}
	return e
}

func options(p loops.Property) []*slack.OptionBlockObject {
	all := make([]*slack.OptionBlockObject, 0, len(p.Options))
	above := listedAbove(p)
	for i, o := range p.Options {
		var example *slack.TextBlockObject
		if strings.TrimSpace(o.Description) != "" && !above {
			example = plainText(visible(o.Description), maxLabel)
		}
		all = append(all, slack.NewOptionBlockObject(strconv.Itoa(i), plainText(optionLabel(p, i), maxLabel), example))
	}
	return all
}

func (c *card) selectElement(p loops.Property) slack.BlockElement {
	all := options(p)
	var chosen string
	picked := -1
	if c.preset(p) && json.Unmarshal(p.Default, &chosen) == nil {
		picked = slices.IndexFunc(p.Options, func(o loops.Option) bool { return o.Const == chosen })
	}
	if len(all) > maxItems {
		e := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, c.choose(), inputAction, all...)
		if picked >= 0 {
			e.InitialOption = all[picked]
		}
		return e
	}
	e := slack.NewRadioButtonsBlockElement(inputAction, all...)
	if picked >= 0 {
		e.InitialOption = all[picked]
	}
	return e
}

func (c *card) choose() *slack.TextBlockObject {
	return plainText(c.w.words("select.placeholder", c.f), 150)
}

func (c *card) multiSelectElement(p loops.Property) slack.BlockElement {
	all := options(p)
	var consts []string
	var picked []*slack.OptionBlockObject
	if c.preset(p) && json.Unmarshal(p.Default, &consts) == nil {
		for i, o := range p.Options {
			if slices.Contains(consts, o.Const) {
				picked = append(picked, all[i])
			}
		}
	}
	if len(all) <= maxItems {
		return &slack.CheckboxGroupsBlockElement{
			Type: slack.METCheckboxGroups, ActionID: inputAction, Options: all, InitialOptions: picked,
		}
	}
	e := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, c.choose(), inputAction, all...)
	e.InitialOptions = picked
	if p.MaxItems != nil && *p.MaxItems > 0 {
		e.MaxSelectedItems = p.MaxItems
	}
	return e
}
