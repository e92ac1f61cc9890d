package templates_test

import (
	"fmt"
	"regexp"
	"strings"

	"flagstop/templates"
)

func (w *walk) element(at string, e map[string]any) {
	if e == nil {
		w.fault("%s: missing", at)
		return
	}
	id, _ := e["action_id"].(string)
	w.limit(at+"/action_id", id, 1, 255)
	switch e["type"] {
	case "button":
		w.button(at, e)
	case "overflow":
		w.options(at, e["options"], 2, 5, 150)
	case "radio_buttons", "checkboxes":
		w.options(at, e["options"], 1, 10, 150)
	case "static_select", "multi_static_select":
		w.options(at, e["options"], 1, 100, 150)
		w.text(at+"/placeholder", object(e["placeholder"]), "plain_text", 150)
	case "plain_text_input":
		w.plainInput(at, e)
	case "email_text_input", "url_text_input", "number_input":
		s, _ := e["initial_value"].(string)
		w.limit(at+"/initial_value", s, 0, 3000)
	case "datepicker":
	case "datetimepicker":
		if n, ok := e["initial_date_time"].(float64); ok && (n < 1e9 || n > 9999999999) {
			w.fault("%s: initial_date_time %v has not ten digits", at, n)
		}
	default:
		w.fault("%s: an element of type %v", at, e["type"])
	}
}

func (w *walk) button(at string, e map[string]any) {
	w.text(at+"/text", object(e["text"]), "plain_text", 75)
	value, _ := e["value"].(string)
	w.limit(at+"/value", value, 1, 2000)
	action, _ := e["action_id"].(string)
	_, page := templates.PageOf(action, value)
	if _, err := templates.ParseListPage(value); err == nil {
		page = true
	}
	if _, err := templates.ParseValue(value); err != nil && !page {
		w.fault("%s: %v", at, err)
	}
	if e["style"] != nil {
		w.fault("%s: a button with a style", at)
	}
	if s, ok := e["url"].(string); ok {
		w.limit(at+"/url", s, 1, 3000)
	}
	if s, ok := e["accessibility_label"].(string); ok {
		w.limit(at+"/accessibility_label", s, 1, 75)
		w.unseen(at+"/accessibility_label", s)
		if visible := object(e["text"])["text"].(string); !strings.HasPrefix(s, visible) {
			w.fault("%s: %q is read aloud as %q", at, visible, s)
		}
	}
}

func (w *walk) options(at string, v any, least, most, value int) {
	all, _ := v.([]any)
	if len(all) < least || len(all) > most {
		w.fault("%s: %d options", at, len(all))
	}
	seen, said := map[any]bool{}, map[any]bool{}
	for i, o := range all {
		at := fmt.Sprintf("%s/options/%d", at, i)
		option := object(o)
		w.text(at+"/text", object(option["text"]), "", 75)
		if d := object(option["description"]); d != nil {
			w.text(at+"/description", d, "", 75)
		}
		s, _ := option["value"].(string)
		w.limit(at+"/value", s, 1, value)
		if seen[s] {
			w.fault("%s: the value %q stands twice", at, s)
		}
		label := object(option["text"])["text"]
		if said[label] {
			w.fault("%s: two options read %q", at, label)
		}
		seen[s], said[label] = true, true
	}
}

func (w *walk) plainInput(at string, e map[string]any) {
	least, _ := e["min_length"].(float64)
	most, ok := e["max_length"].(float64)
	if !ok || most < 1 || most > 3000 || least > most {
		w.fault("%s: %v to %v characters", at, least, most)
	}
	s, _ := e["initial_value"].(string)
	w.limit(at+"/initial_value", s, 0, int(most))
}

func (w *walk) richText(at string, b map[string]any) {
	elements, _ := b["elements"].([]any)
	if len(elements) == 0 {
		w.fault("%s: an empty rich text", at)
	}
	sum := w.sum
	for i, e := range elements {
		o := object(e)
		inner, _ := o["elements"].([]any)
		if len(inner) == 0 {
			w.fault("%s/elements/%d: empty", at, i)
		}
		for j, one := range inner {
			w.richElement(fmt.Sprintf("%s/elements/%d/%d", at, i, j), object(one))
		}
	}
	if w.sum-sum > 4500 {
		w.fault("%s: %d characters in one block", at, w.sum-sum)
	}
}

func (w *walk) richElement(at string, e map[string]any) {
	switch e["type"] {
	case "text":
		s, _ := e["text"].(string)
		w.limit(at, s, 1, 3000)
		w.unseen(at, s)
		w.sum += length(s)
	case "user":
		if id, _ := e["user_id"].(string); !regexp.MustCompile(`^[UW][A-Z0-9]+$`).MatchString(id) {
			w.fault("%s: a user %q", at, id)
		}
	case "channel":
	case "date":
		s, _ := e["fallback"].(string)
		w.limit(at, s, 1, 100)
		w.sum += length(s)
	case "link":
		s, _ := e["text"].(string)
		u, _ := e["url"].(string)
		w.limit(at, s, 1, 300)
		if !strings.HasPrefix(u, "https://") && !strings.HasPrefix(u, "http://") {
			w.fault("%s: a link to %q", at, u)
		}
		w.sum += length(s)
	default: // above all "broadcast" and "usergroup": they would call many people
		w.fault("%s: an element of type %v", at, e["type"])
	}
}
