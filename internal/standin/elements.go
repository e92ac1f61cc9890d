package standin

import (
	"reflect"
	"slices"
)

// element checks an element where it stands: in a section's accessory, context, actions or input.
func element(place string) rule {
	return func(w *walk, at string, v any) any {
		m, ok := v.(map[string]any)
		if !ok {
			w.fault(at, "must provide an object")
			return v
		}
		kind, _ := m["type"].(string)
		if place == "context" && kind != "image" {
			return textObject("", 3000)(w, at, v)
		}
		f := elementFields(kind)
		if f == nil || !slices.Contains(places(kind), place) {
			w.fault(at+"/type", "unsupported type: %s", kind)
			return v
		}
		f["type!"] = str(1, 255)
		if kind == "image" {
			w.object(at, m, f)
			w.oneImage(at, m)
			return m
		}
		f["action_id"] = str(0, 255)
		w.object(at, m, f)
		w.finishElement(at, m)
		return m
	}
}

// places are where a kind of element may stand.
func places(kind string) []string {
	switch kind {
	case "image":
		return []string{"section", "context"}
	case "button", "overflow":
		return []string{"section", "actions"}
	case "static_select", "checkboxes", "radio_buttons", "datepicker", "timepicker":
		return []string{"section", "actions", "input"}
	case "multi_static_select":
		return []string{"section", "input"}
	case "datetimepicker":
		return []string{"actions", "input"}
	}
	return []string{"input"}
}

// elementFields are the members of a kind of element, nil for a kind that there is not.
func elementFields(kind string) fields {
	switch kind {
	case "image":
		return imageFields()
	case "button":
		return fields{
			"text!": textObject("plain_text", 75), "value": str(0, 2000), "url": href, "style": oneOf("primary", "danger"),
			"confirm": confirm, "accessibility_label": str(0, 75),
		}
	case "overflow":
		return fields{"options!": list(1, 5, option("overflow")), "confirm": confirm}
	case "static_select":
		return selectFields(fields{"initial_option": option("select")})
	case "multi_static_select":
		return selectFields(fields{"initial_options": list(1, 100, option("select")), "max_selected_items": integer(1, 1<<30)})
	case "checkboxes":
		return choiceFields(fields{"initial_options": list(1, 10, option("choice"))})
	case "radio_buttons":
		return choiceFields(fields{"initial_option": option("choice")})
	case "plain_text_input":
		return inputFields(fields{
			"multiline": boolean, "min_length": integer(0, 3000), "max_length": integer(1, 3000), "initial_value": str(0, 3000),
		})
	case "email_text_input", "url_text_input":
		return inputFields(fields{"initial_value": str(0, 3000)})
	case "number_input":
		return inputFields(fields{
			"is_decimal_allowed!": boolean, "initial_value": numeral, "min_value": numeral, "max_value": numeral,
		})
	case "datepicker":
		return pickerFields(fields{"initial_date": dateLike("2006-01-02"), "placeholder": textObject("plain_text", 150)})
	case "timepicker":
		return pickerFields(fields{
			"initial_time": dateLike("15:04"), "placeholder": textObject("plain_text", 150), "timezone": str(1, 255),
		})
	case "datetimepicker":
		return pickerFields(fields{"initial_date_time": integer(1_000_000_000, 9_999_999_999)})
	}
	return nil
}

func selectFields(f fields) fields {
	f["placeholder"] = textObject("plain_text", 150)
	f["options"] = list(1, 100, option("select"))
	f["option_groups"] = list(1, 100, optionGroup)
	return pickerFields(f)
}

func choiceFields(f fields) fields {
	f["options!"] = list(1, 10, option("choice"))
	return pickerFields(f)
}

func pickerFields(f fields) fields {
	f["confirm"], f["focus_on_load"] = confirm, boolean
	return f
}

func inputFields(f fields) fields {
	f["placeholder"] = textObject("plain_text", 150)
	f["focus_on_load"], f["dispatch_action_config"] = boolean, anything
	return f
}

func confirm(w *walk, at string, v any) any {
	return w.object(at, v, fields{
		"title!": textObject("plain_text", 100), "text!": textObject("", 300), "confirm!": textObject("plain_text", 30),
		"deny!": textObject("plain_text", 30), "style": oneOf("primary", "danger"),
	})
}

// option checks an option of an overflow (which may carry a url), a select, or a choice (boxes and radio buttons, whose
// texts may be mrkdwn).
func option(of string) rule {
	kind := "plain_text"
	if of == "choice" {
		kind = ""
	}
	return func(w *walk, at string, v any) any {
		f := fields{"text!": textObject(kind, 75), "description": textObject(kind, 75)}
		if of == "overflow" {
			f["url"], f["value"] = href, str(1, 150)
		} else {
			f["value!"] = str(1, 150)
		}
		return w.object(at, v, f)
	}
}

func optionGroup(w *walk, at string, v any) any {
	return w.object(at, v, fields{"label!": textObject("plain_text", 75), "options!": list(1, 100, option("select"))})
}

func numeral(w *walk, at string, v any) any {
	s, _ := v.(string)
	if _, err := parseNumber(s); err != nil {
		w.fault(at, "must be a number in a string")
	}
	return v
}

// finishElement gives an element its action_id and checks what no single member shows.
func (w *walk) finishElement(at string, m map[string]any) {
	if id, _ := m["action_id"].(string); id == "" {
		m["action_id"] = shortID()
	}
	if m["focus_on_load"] == true {
		if w.focused++; w.focused > 1 {
			w.fault(at+"/focus_on_load", "only one element may have focus_on_load")
		}
	}
	switch m["type"] {
	case "static_select", "multi_static_select":
		if (m["options"] == nil) == (m["option_groups"] == nil) {
			w.fault(at, "must provide either options or option_groups")
		}
	case "plain_text_input":
		if least, most := bound(m, "min_length", 0), bound(m, "max_length", 3000); least > most {
			w.fault(at, "min_length must not exceed max_length")
		}
	}
	w.initialAmongOptions(at, m)
}

func bound(m map[string]any, name string, otherwise int64) int64 {
	if n, err := jsonInt(m[name]); err == nil {
		return n
	}
	return otherwise
}

// initialAmongOptions holds what is preset against the options: Slack wants it to be exactly one of them.
func (w *walk) initialAmongOptions(at string, m map[string]any) {
	initial, _ := m["initial_options"].([]any)
	name := "initial_options"
	if one := m["initial_option"]; one != nil {
		initial, name = []any{one}, "initial_option"
	}
	options := optionsOf(m)
	for i, o := range initial {
		if !slices.ContainsFunc(options, func(p map[string]any) bool { return reflect.DeepEqual(any(p), o) }) {
			w.fault(at+"/"+name, "initial option %d is not among the options", i)
		}
	}
}

// optionsOf returns the options of an element, those in groups too.
func optionsOf(m map[string]any) []map[string]any {
	var out []map[string]any
	add := func(v any) {
		items, _ := v.([]any)
		for _, o := range items {
			if p, ok := o.(map[string]any); ok {
				out = append(out, p)
			}
		}
	}
	add(m["options"])
	groups, _ := m["option_groups"].([]any)
	for _, g := range groups {
		if p, ok := g.(map[string]any); ok {
			add(p["options"])
		}
	}
	return out
}
