package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"
)

func (v values) clone() values {
	out := values{}
	for block, actions := range v {
		out[block] = maps.Clone(actions)
	}
	return out
}

func (v values) set(block, action string, state map[string]any) {
	if v[block] == nil {
		v[block] = map[string]map[string]any{}
	}
	v[block][action] = state
}

// place is an interactive element where it stands.
type place struct {
	block      map[string]any
	element    map[string]any
	attachment int // from 1; 0 outside of attachments
}

func (p place) id(of map[string]any, name string) string {
	s, _ := of[name].(string)
	return s
}
func (p place) blockID() string  { return p.id(p.block, "block_id") }
func (p place) actionID() string { return p.id(p.element, "action_id") }
func (p place) kind() string     { return p.id(p.element, "type") }

// placesIn returns the interactive elements of blocks, in order.
func placesIn(blocks any, attachment int) []place {
	var out []place
	items, _ := blocks.([]any)
	for _, b := range items {
		block, _ := b.(map[string]any)
		var elements []any
		switch block["type"] {
		case "section":
			elements = []any{block["accessory"]}
		case "input":
			elements = []any{block["element"]}
		case "actions":
			elements, _ = block["elements"].([]any)
		}
		for _, e := range elements {
			if m, ok := e.(map[string]any); ok && m["action_id"] != nil {
				out = append(out, place{block: block, element: m, attachment: attachment})
			}
		}
	}
	return out
}

// places returns the interactive elements of a message, those in attachments too.
func (m *message) places() []place {
	out := placesIn(parsed(m.Blocks), 0)
	attachments, _ := parsed(m.Attachments).([]any)
	for i, a := range attachments {
		if am, ok := a.(map[string]any); ok {
			out = append(out, placesIn(am["blocks"], i+1)...)
		}
	}
	return out
}

func parsed(raw json.RawMessage) any {
	var v any
	if raw == nil || decode(raw, &v) != nil {
		return nil
	}
	return v
}

// initialState is the state of a view, or of a message, that nobody has touched.
func initialState(body map[string]any) values { return stateOf(placesIn(body["blocks"], 0)) }

func stateOf(ps []place) values {
	out := values{}
	for _, p := range ps {
		if s := emptyState(p.element); s != nil {
			out.set(p.blockID(), p.actionID(), s)
		}
	}
	return out
}

// emptyState is Slack's state object of an element as it first stands, nil for one without a state.
func emptyState(e map[string]any) map[string]any {
	kind, _ := e["type"].(string)
	key, initial := stateKey(kind)
	if key == "" {
		return nil
	}
	was := e[initial]
	if was == nil && key == "selected_options" {
		was = []any{}
	}
	return map[string]any{"type": kind, key: was}
}

// stateKey is under which name a kind of element has its value, and its initial one.
func stateKey(kind string) (key, initial string) {
	switch kind {
	case "plain_text_input", "email_text_input", "url_text_input", "number_input":
		return "value", "initial_value"
	case "static_select", "radio_buttons":
		return "selected_option", "initial_option"
	case "multi_static_select", "checkboxes":
		return "selected_options", "initial_options"
	case "datepicker":
		return "selected_date", "initial_date"
	case "timepicker":
		return "selected_time", "initial_time"
	case "datetimepicker":
		return "selected_date_time", "initial_date_time"
	}
	return "", ""
}

// fill is the state of an element after a person has put v into it. nil and "" empty it.
func fill(e map[string]any, v any) (map[string]any, error) {
	kind, _ := e["type"].(string)
	key, _ := stateKey(kind)
	state := map[string]any{"type": kind, key: nil}
	switch key {
	case "":
		return nil, fmt.Errorf("a %s takes no value", kind)
	case "selected_options":
		picked, err := pickAll(e, v)
		state[key] = picked
		return state, err
	}
	if v == nil || v == "" {
		return state, nil
	}
	var err error
	switch key {
	case "selected_option":
		state[key], err = pick(e, fmt.Sprint(v))
	case "selected_date_time":
		state[key], err = strconv.ParseInt(fmt.Sprint(v), 10, 64)
	case "selected_date":
		_, err = time.Parse(time.DateOnly, fmt.Sprint(v))
		state[key] = v
	case "selected_time":
		_, err = time.Parse("15:04", fmt.Sprint(v))
		state[key] = v
	default:
		state[key] = fmt.Sprint(v)
	}
	return state, err
}

// pick returns the option with that value, or else with that text.
func pick(e map[string]any, value string) (any, error) {
	options := optionsOf(e)
	for _, o := range options {
		if o["value"] == value {
			return o, nil
		}
	}
	for _, o := range options {
		if label(o) == value {
			return o, nil
		}
	}
	return nil, fmt.Errorf("there is no option %q", value)
}

// pickAll returns the options with those values; true is the only option there is, false none.
func pickAll(e map[string]any, v any) ([]any, error) {
	var wanted []string
	switch v := v.(type) {
	case nil:
	case string:
		wanted = []string{v}
	case bool:
		if all := optionsOf(e); v && len(all) == 1 {
			return []any{all[0]}, nil
		} else if v {
			return nil, errors.New("true picks nothing among several options")
		}
	case []string:
		wanted = v
	case []any:
		for _, item := range v {
			wanted = append(wanted, fmt.Sprint(item))
		}
	default:
		return nil, fmt.Errorf("%T is no list of option values", v)
	}
	out := []any{}
	for _, value := range wanted {
		o, err := pick(e, value)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	return out, nil
}

// label is what a person reads on a button or an option.
func label(m map[string]any) string {
	t, _ := m["text"].(map[string]any)
	s, _ := t["text"].(string)
	return plain(s)
}
