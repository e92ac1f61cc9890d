package loops

import "fmt"

const (
	maxKey     = 200
	maxMessage = 2_000
	maxQuote   = 20_000
)

func (c *checker) question(o *node, at string, q *Question, r *Record) {
	if q.Key == "" {
		c.fault(codeBlank, at+"/key", "Give the question a key: the id of the call, else q.")
	}
	c.atMost(at+"/key", q.Key, maxKey)
	if blank(q.Message) {
		c.fault(codeBlank, at+"/message", "Ask something: one sentence of context, then the question.")
	}
	c.atMost(at+"/message", q.Message, maxMessage)
	c.atMost(at+"/quote", q.Quote, maxQuote)
	c.recommends(at+"/message", q.Message, inMessage)
	c.oneForm(o, at, q)
	if q.Schema != nil {
		c.form(o.get("requestedSchema"), at+"/requestedSchema", q.Schema, r.Kind)
	}
	c.nullOption(o, at, q)
	if o.get("url") != nil {
		c.url(at+"/url", q.URL)
	}
	if q.Call != nil {
		c.call(o.get("call"), at+"/call", q.Call)
	}
	if r.Addressee == ProductThinker && r.Kind != Fact {
		c.forThinker(o, at, q)
	}
}

func (c *checker) atMost(pointer, text string, most int) {
	if n := characters(text); n > most {
		c.fault(codeLength, pointer, "It has %d characters; at most %d are allowed.", n, most)
	}
}

// oneForm holds that a question has exactly one of requestedSchema, url and call, and a mode that goes with it.
func (c *checker) oneForm(o *node, at string, q *Question) {
	n := 0
	for _, name := range []string{"requestedSchema", "url", "call"} {
		if o.get(name) != nil {
			n++
		}
	}
	hasURL := o.get("url") != nil
	switch {
	case q.Mode == URLMode && !hasURL:
		c.fault(codeMissing, at+"/url", "Add the address of the page, or leave the mode out.")
	case n == 0:
		c.fault(codeForm, at, "Nothing says how it is answered. Give it a requestedSchema, or a url with mode url, or a call.")
	}
	if n > 1 {
		c.fault(codeForm, at, "Give it one of requestedSchema, url and call, not several.")
	}
	switch q.Mode {
	case "", FormMode:
		if hasURL {
			c.fault(codeMode, at+"/mode", `An address goes with the mode "url".`)
		}
	case URLMode:
	default:
		c.fault(codeUnknown, at+"/mode", "Write form or url, or leave it out.")
	}
}

func (c *checker) nullOption(o *node, at string, q *Question) {
	named := o.get("null_option") != nil
	at += "/null_option"
	s := q.singleSelect()
	switch {
	case s == nil && named:
		c.fault(codeNull, at, "There is no single select whose null answer it could be. Leave it out.")
	case s != nil && !named:
		c.fault(codeNull, at, `Name the const of the option that says "none of these".`)
	case s != nil && s.option(q.NullOption) == nil:
		c.fault(codeNull, at, "No option has this const. Name the one that says \"none of these\".")
	}
}

// singleSelect returns the first single select of a question's form, nil where there is none.
func (q *Question) singleSelect() *Property {
	if q.Schema == nil {
		return nil
	}
	for i := range q.Schema.Properties {
		if p := &q.Schema.Properties[i]; p.Type == SelectProperty {
			return p
		}
	}
	return nil
}

// option returns the option with that const, nil where there is none.
func (p *Property) option(value string) *Option {
	for i := range p.Options {
		if p.Options[i].Const == value {
			return &p.Options[i]
		}
	}
	return nil
}

// optionPlaces returns the pointer of each option of a select, and of its title.
func optionPlaces(o *node, at string, n int) (options, titles []string) {
	by := selects(o, "oneOf", "enum")
	if items := o.get("items"); by == "" && items != nil {
		o, at = items, at+"/items"
		by = selects(o, "anyOf", "oneOf", "enum")
	}
	for i := range n {
		option := fmt.Sprintf("%s/%s/%d", at, by, i)
		title := option + "/title"
		if by == "enum" {
			title = option
			if o.get("enumNames") != nil {
				title = fmt.Sprintf("%s/enumNames/%d", at, i)
			}
		}
		options, titles = append(options, option), append(titles, title)
	}
	return options, titles
}
