package loops

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// content validates an answer against the flat schema. No content is an empty one.
func (c *verdictChecker) content(s *Schema, raw json.RawMessage) {
	const at = "/content"
	n := &node{kind: '{'}
	if len(raw) > 0 {
		if n = c.read(at, raw); n == nil {
			return
		}
	}
	if n.kind != '{' {
		c.fault(at, "Content is a JSON object.")
		return
	}
	for i, name := range n.keys {
		here := at + "/" + escapePointer(name)
		p := s.property(name)
		if p == nil {
			c.fault(here, "The form has no such property. Leave it out.")
		} else if why := p.misfit(n.list[i]); why != "" {
			c.fault(here, why)
		}
	}
	for _, name := range s.Required {
		if n.get(name) == nil {
			c.fault(at+"/"+escapePointer(name), "This is required. Answer it.")
		}
	}
}

// misfit says why a property does not take a value, "" where it does.
func (p *Property) misfit(n *node) string {
	switch p.Type {
	case StringProperty:
		return p.misfitText(n)
	case NumberProperty, IntegerProperty:
		return p.misfitNumber(n)
	case BooleanProperty:
		if n.kind != 't' && n.kind != 'f' {
			return "Write true or false."
		}
	case SelectProperty:
		if n.kind != '"' || p.option(n.text) == nil {
			return "Write the const of one of the options."
		}
	case MultiSelectProperty:
		return p.misfitSome(n)
	}
	return ""
}

func (p *Property) misfitText(n *node) string {
	if n.kind != '"' {
		return "Write a string."
	}
	length := characters(n.text)
	switch {
	case p.MinLength != nil && length < *p.MinLength:
		return fmt.Sprintf("Write at least %d characters.", *p.MinLength)
	case p.MaxLength != nil && length > *p.MaxLength:
		return fmt.Sprintf("Write at most %d characters.", *p.MaxLength)
	}
	return misfitFormat(p.Format, n.text)
}

func misfitFormat(format, text string) string {
	switch format {
	case "email":
		if !isEmail(text) {
			return "Write a mail address, such as ana@example.com."
		}
	case "uri":
		if !isURI(text) {
			return "Write a whole address, such as https://example.com/page."
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return "Write a date that exists, such as 2026-11-30."
		}
	case "date-time":
		if _, ok := parseTime(text); !ok {
			return "Write a time as in RFC 3339, such as 2026-11-30T10:00:00Z."
		}
	}
	return ""
}

func isEmail(text string) bool {
	a, err := mail.ParseAddress(text)
	return err == nil && a.Address == text
}

func isURI(text string) bool {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || !u.IsAbs() {
		return false
	}
	return u.Host != "" || u.Scheme != "http" && u.Scheme != "https" && u.Opaque+u.Path != ""
}

func (p *Property) misfitNumber(n *node) string {
	if n.kind != '0' {
		return "Write a number."
	}
	d := parseDecimal(string(n.raw))
	switch {
	case p.Type == IntegerProperty && !d.integer():
		return "Write a whole number."
	case p.Minimum != "" && d.compare(parseDecimal(string(p.Minimum))) < 0:
		return "Write at least " + string(p.Minimum) + "."
	case p.Maximum != "" && d.compare(parseDecimal(string(p.Maximum))) > 0:
		return "Write at most " + string(p.Maximum) + "."
	}
	return ""
}

func (p *Property) misfitSome(n *node) string {
	if n.kind != '[' {
		return "Write an array of the consts of options."
	}
	var chosen []string
	for _, item := range n.list {
		switch {
		case item.kind != '"' || p.option(item.text) == nil:
			return "Write the consts of options only."
		case slices.Contains(chosen, item.text):
			return "Choose each option once."
		}
		chosen = append(chosen, item.text)
	}
	switch {
	case p.MinItems != nil && len(chosen) < *p.MinItems:
		return fmt.Sprintf("Choose at least %d.", *p.MinItems)
	case p.MaxItems != nil && len(chosen) > *p.MaxItems:
		return fmt.Sprintf("Choose at most %d.", *p.MaxItems)
	}
	return ""
}

// againstSchema validates edited arguments and names each place that does not fit, not what stands there.
func (c *verdictChecker) againstSchema(at string, raw json.RawMessage, n *node) {
	s, err := compileSchema(raw)
	if err != nil {
		c.fault(at, "The call's schema cannot be used, so the arguments cannot be edited.")
		return
	}
	err = s.validate(n)
	if err == nil {
		return
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		c.fault(at, "The call's schema takes too long to compare these arguments with.")
		return
	}
	for _, f := range schemaFaults(invalid) {
		c.fault(at+f.Pointer, f.Message)
	}
}
