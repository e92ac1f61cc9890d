package loops

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// decoder turns nodes into a Record and names what is missing or of the wrong type. Only members with the exact names of
// the contract are read; encoding/json would take "ID" for "id".
type decoder struct{ faults []Fault }

func (d *decoder) fault(code, pointer, format string, args ...any) {
	d.faults = append(d.faults, Fault{code, pointer, fmt.Sprintf(format, args...)})
}

// member returns a member of the wanted kind, nil where there is none.
func (d *decoder) member(o *node, at, name string, kind byte, required bool) *node {
	m := o.get(name)
	switch {
	case m == nil && required:
		d.fault(codeMissing, at+"/"+name, "Add %s: %s.", name, kindNames(kind))
	case m != nil && m.kind == 'n' && !required:
		d.fault(codeType, at+"/"+name, "null stands here. Leave %s out, or write %s.", name, kindNames(kind))
	case m != nil && m.kind != kind:
		d.fault(codeType, at+"/"+name, "Write %s here.", kindNames(kind))
	default:
		return m
	}
	return nil
}

func kindNames(kind byte) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	default:
		return "true or false"
	}
}

func (d *decoder) text(o *node, at, name string, required bool) string {
	if m := d.member(o, at, name, '"', required); m != nil {
		return m.text
	}
	return ""
}

// any returns the bytes of a member of any kind.
func (d *decoder) any(o *node, name string) json.RawMessage {
	if m := o.get(name); m != nil {
		return json.RawMessage(m.raw)
	}
	return nil
}

func (d *decoder) time(o *node, at, name string) time.Time {
	m := d.member(o, at, name, '"', false)
	if m == nil {
		return time.Time{}
	}
	t, ok := parseTime(m.text)
	if !ok {
		d.fault(codeTime, at+"/"+name, "Write a time as in RFC 3339, such as 2026-11-30T10:00:00Z.")
	}
	return t
}

// parseTime reads RFC 3339 with any offset; the result is in UTC, in the years that can be written again.
func parseTime(s string) (time.Time, bool) {
	var t time.Time
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return time.Time{}, false
	}
	t = t.UTC()
	return t, t.Year() >= 1 && t.Year() <= 9999
}

func (d *decoder) record(o *node) *Record {
	rec := &Record{
		ID:        d.text(o, "", "id", true),
		Addressee: d.text(o, "", "addressee", true),
		Kind:      Kind(d.text(o, "", "kind", true)),
		Concern:   Concern(d.text(o, "", "concern", true)),
		Raised:    d.time(o, "", "raised"),
		Expires:   d.time(o, "", "expires"),
	}
	if v := d.member(o, "", "v", '0', true); v != nil {
		rec.V, _ = parseDecimal(string(v.raw)).small()
	}
	if l := d.member(o, "", "loop", '{', true); l != nil {
		rec.Loop = d.loop(l, "/loop")
	}
	if a := d.member(o, "", "about", '{', false); a != nil {
		rec.About = &About{Ref: d.text(a, "/about", "ref", true), Title: d.text(a, "/about", "title", false), URL: d.text(a, "/about", "url", false)}
	}
	if s := d.member(o, "", "resume", '{', false); s != nil {
		rec.Resume = &Resume{Via: d.text(s, "/resume", "via", true), State: d.any(s, "state")}
	}
	if qs := d.member(o, "", "questions", '[', true); qs != nil {
		rec.Questions = d.questions(qs)
	}
	return rec
}

func (d *decoder) loop(o *node, at string) Loop {
	return Loop{
		ID:         d.text(o, at, "id", true),
		Repository: d.text(o, at, "repository", true),
		Agent:      d.text(o, at, "agent", false),
		Task:       d.text(o, at, "task", false),
		URL:        d.text(o, at, "url", false),
		Owner:      d.text(o, at, "owner", false),
	}
}

func (d *decoder) questions(list *node) []Question {
	qs := make([]Question, 0, len(list.list))
	for i, o := range list.list {
		at := "/questions/" + strconv.Itoa(i)
		if o.kind != '{' {
			d.fault(codeType, at, "Write an object here.")
			qs = append(qs, Question{})
			continue
		}
		qs = append(qs, d.question(o, at))
	}
	return qs
}

func (d *decoder) question(o *node, at string) Question {
	q := Question{
		Key:        d.text(o, at, "key", true),
		Message:    d.text(o, at, "message", true),
		Quote:      d.text(o, at, "quote", false),
		Mode:       Mode(d.text(o, at, "mode", false)),
		NullOption: d.text(o, at, "null_option", false),
		URL:        d.text(o, at, "url", false),
	}
	if s := d.member(o, at, "requestedSchema", '{', false); s != nil {
		q.Schema = d.schema(s, at+"/requestedSchema")
	}
	if c := d.member(o, at, "call", '{', false); c != nil {
		q.Call = d.call(c, at+"/call")
	}
	return q
}

func (d *decoder) call(o *node, at string) *Call {
	c := &Call{Name: d.text(o, at, "name", true)}
	if a := d.member(o, at, "arguments", '{', true); a != nil {
		c.Arguments = json.RawMessage(a.raw)
	}
	if s := d.member(o, at, "schema", '{', false); s != nil {
		c.Schema = json.RawMessage(s.raw)
	}
	for _, m := range d.strings(o, at, "may") {
		c.May = append(c.May, May(m))
	}
	return c
}

// strings reads an optional array of strings.
func (d *decoder) strings(o *node, at, name string) []string {
	list := d.member(o, at, name, '[', false)
	if list == nil {
		return nil
	}
	texts := make([]string, 0, len(list.list))
	for i, item := range list.list {
		if item.kind != '"' {
			d.fault(codeType, at+"/"+name+"/"+strconv.Itoa(i), "Write a string here.")
			continue
		}
		texts = append(texts, item.text)
	}
	return texts
}
