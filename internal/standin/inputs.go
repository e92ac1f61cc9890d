package standin

import (
	"errors"
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
)

// faultIn says in Slack's words what keeps a person from submitting with this value; "" if nothing does.
func (p place) faultIn(state map[string]any) string {
	key, _ := stateKey(p.kind())
	v := state[key]
	if list, ok := v.([]any); ok && len(list) == 0 {
		v = nil
	}
	if v == nil {
		if p.block["optional"] == true {
			return ""
		}
		return "Please complete this required field."
	}
	s, _ := v.(string)
	switch p.kind() {
	case "plain_text_input":
		return p.lengthFault(s)
	case "email_text_input":
		if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
			return "Enter a valid email address."
		}
	case "url_text_input":
		if u, err := url.Parse(s); err != nil || u.Scheme == "" || u.Host == "" {
			return "Enter a valid URL."
		}
	case "number_input":
		return p.numberFault(s)
	case "multi_static_select":
		list, _ := v.([]any)
		if most := bound(p.element, "max_selected_items", 1<<30); int64(len(list)) > most {
			return fmt.Sprintf("Select at most %d.", most)
		}
	}
	return ""
}

func (p place) lengthFault(s string) string {
	n := int64(characters(s))
	if least := bound(p.element, "min_length", 0); n < least {
		return fmt.Sprintf("Must be at least %d characters.", least)
	}
	if most := bound(p.element, "max_length", 3000); n > most {
		return fmt.Sprintf("Must be at most %d characters.", most)
	}
	return ""
}

func (p place) numberFault(s string) string {
	n, err := parseNumber(s)
	if err != nil {
		return "Enter a number."
	}
	if p.element["is_decimal_allowed"] != true && !n.IsInt() {
		return "Enter a whole number."
	}
	if low, err := parseNumber(p.id(p.element, "min_value")); err == nil && n.Cmp(low) < 0 {
		return "Must be at least " + p.id(p.element, "min_value") + "."
	}
	if high, err := parseNumber(p.id(p.element, "max_value")); err == nil && n.Cmp(high) > 0 {
		return "Must be at most " + p.id(p.element, "max_value") + "."
	}
	return ""
}

// parseNumber reads a decimal number of at most 64 characters, exactly.
func parseNumber(s string) (*big.Rat, error) {
	if len(s) > 64 || s == "" {
		return nil, errors.New("no number")
	}
	for i, r := range s {
		sign := i == 0 && (r == '-' || r == '+')
		if !sign && r != '.' && (r < '0' || r > '9') {
			return nil, errors.New("no number")
		}
	}
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, errors.New("no number")
	}
	return n, nil
}
