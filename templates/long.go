package templates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"flagstop/loops"
)

// budget is how much of each text a card shows, so that its JSON stays near 3 KB and the sum of its texts within
// Slack's. What is longer stands whole in the thread.
type budget struct{ message, quote, example, arguments, url, said int }

func budgetFor(questions int) budget {
	if questions <= 1 {
		return budget{message: 600, quote: 300, example: 200, arguments: 600, url: 600, said: 300}
	}
	each := max(100, min(400, 2400/questions))
	return budget{message: each, quote: each, example: each, arguments: each, url: each, said: max(60, each/2)}
}

// entry is how much of each entry of a form is shown.
func (b budget) entry(q loops.Question) int {
	return max(40, 2*b.said/max(1, len(q.Schema.Properties)))
}

// part is a text that is too long for a card.
type part struct {
	title  slot
	number slot // which of several calls
	body   string
	code   bool // fixed width, else a quotation
}

// parts names everything of a record that its card cuts, in order.
func (w *Words) parts(r *loops.Record) []part {
	b := budgetFor(len(r.Questions))
	var all []part
	for i, q := range r.Questions {
		f := facts{Number: numberOf(r, i)}
		add := func(name, body string, limit int, code bool) {
			if body = visible(body); width(body) > limit {
				all = append(all, part{title: own(w.words(name, f)), number: f.Number, body: body, code: code})
			}
		}
		add("whole.message", q.Message, b.message, false)
		add("whole.quote", q.Quote, b.quote, false)
		add("whole.url", q.URL, b.url, true)
		if p, ok := rows(q); ok {
			for _, o := range p.Options {
				f.Option = text(o.Title, 60)
				add("whole.example", o.Description, b.example, false)
			}
		}
		if q.Call != nil {
			f.Tool = text(q.Call.Name, 80)
			_, body := arguments(q.Call)
			add("whole.arguments", body, b.arguments, true)
		}
	}
	return all
}

// numberOf is "2 of 3" where there are several questions.
func numberOf(r *loops.Record, i int) slot {
	if len(r.Questions) <= 1 {
		return ""
	}
	return own(fmt.Sprintf("%d of %d", i+1, len(r.Questions)))
}

// rows is the single select of a question that asks nothing else: its options are rows with a button each.
func rows(q loops.Question) (loops.Property, bool) {
	if q.Schema == nil || len(q.Schema.Properties) != 1 || q.Schema.Properties[0].Type != loops.SelectProperty {
		return loops.Property{}, false
	}
	n := len(q.Schema.Properties[0].Options)
	return q.Schema.Properties[0], n > 0 && n <= maxOption+1
}

// arguments renders the arguments of a call for reading: the text itself where there is one argument and it is a text,
// else the asker's JSON, in lines where it is long. Digits and order are the asker's.
func arguments(c *loops.Call) (name, body string) {
	var object map[string]json.RawMessage
	if json.Unmarshal(c.Arguments, &object) == nil && len(object) == 1 {
		for k, raw := range object {
			var s string
			if json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) != "" && raw[0] == '"' {
				return k, s
			}
		}
	}
	return "", prettyJSON(c.Arguments, 72)
}

// prettyJSON lays JSON out over lines where it is wider than inline. What cannot be seen is written as an escape, so
// that the value stays the same and can be edited.
func prettyJSON(raw json.RawMessage, inline int) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return visible(string(raw))
	}
	if utf8.RuneCount(b.Bytes()) > inline {
		b.Reset()
		if json.Indent(&b, raw, "", "  ") != nil {
			return visible(string(raw))
		}
	}
	return escapeUnseen(strings.TrimSpace(b.String()))
}

func escapeUnseen(s string) string {
	if !strings.ContainsFunc(s, suspect) {
		return s
	}
	var b strings.Builder
	prev := rune(-1)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		switch {
		case r == '\r' || !hides(prev, r, next):
			b.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		prev = r
	}
	return b.String()
}
