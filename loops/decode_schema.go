package loops

import (
	"encoding/json"
	"strconv"
)

// schema reads the flat schema of MCP 2025-11-25. What it does not know beside the keywords in notFlat is ignored, as
// `pattern` is, which that version's prose names and its grammar does not.
func (d *decoder) schema(o *node, at string) *Schema {
	if t := d.member(o, at, "type", '"', true); t != nil && t.text != "object" {
		d.fault(codeUnknown, at+"/type", `The type of a form is "object".`)
	}
	d.refuseKeywords(o, at, "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "dependentSchemas", "dependentRequired")
	s := &Schema{Required: d.strings(o, at, "required")}
	ps := d.member(o, at, "properties", '{', false)
	if ps == nil {
		return s
	}
	s.Properties = make([]Property, 0, len(ps.list))
	for i, name := range ps.keys {
		p := Property{Name: name}
		if here := at + "/properties/" + escapePointer(name); ps.list[i].kind != '{' {
			d.fault(codeType, here, "Write an object here.")
		} else {
			p = d.property(name, ps.list[i], here)
		}
		s.Properties = append(s.Properties, p)
	}
	return s
}

func (d *decoder) refuseKeywords(o *node, at string, names ...string) {
	for _, name := range names {
		if o.get(name) != nil {
			d.fault(codeNotFlat, at+"/"+name, "The flat schema of a form has no %s here. Write it out as a flat property, or leave it out.", name)
		}
	}
}

func (d *decoder) property(name string, o *node, at string) Property {
	p := Property{
		Name:        name,
		Title:       d.text(o, at, "title", false),
		Description: d.text(o, at, "description", false),
		Default:     d.any(o, "default"),
	}
	d.refuseKeywords(o, at, "$ref", "$dynamicRef", "allOf", "anyOf", "not", "if", "properties", "patternProperties")
	t := d.member(o, at, "type", '"', true)
	if t == nil {
		return p
	}
	switch t.text {
	case "string":
		d.stringProperty(o, at, &p)
	case "number", "integer":
		p.Type = PropertyType(t.text)
		d.refuseKeywords(o, at, "enum", "oneOf", "items")
		p.Minimum, p.Maximum = d.number(o, at, "minimum"), d.number(o, at, "maximum")
	case "boolean":
		p.Type = BooleanProperty
		d.refuseKeywords(o, at, "enum", "oneOf", "items")
	case "array":
		d.multiSelect(o, at, &p)
	default:
		d.fault(codeUnknown, at+"/type", "Use string, number, integer, boolean, or array for a multi-select: a form is flat.")
	}
	return p
}

func (d *decoder) stringProperty(o *node, at string, p *Property) {
	d.refuseKeywords(o, at, "items")
	if by := selects(o, "oneOf", "enum"); by != "" {
		p.Type = SelectProperty
		p.Options = d.options(o, at, by)
		return
	}
	p.Type = StringProperty
	p.Format = d.text(o, at, "format", false)
	p.MinLength, p.MaxLength = d.count(o, at, "minLength"), d.count(o, at, "maxLength")
}

func (d *decoder) multiSelect(o *node, at string, p *Property) {
	p.Type = MultiSelectProperty
	d.refuseKeywords(o, at, "enum", "oneOf")
	p.MinItems, p.MaxItems = d.count(o, at, "minItems"), d.count(o, at, "maxItems")
	items := d.member(o, at, "items", '{', true)
	if items == nil {
		return
	}
	by := selects(items, "anyOf", "oneOf", "enum")
	if by == "" {
		d.fault(codeNotFlat, at+"/items", "An array of a form is a multi-select: give its items an anyOf of const and title, or an enum.")
		return
	}
	p.Options = d.options(items, at+"/items", by)
}

// selects names the member that holds the options of a select, or of the items of a multi-select: "" where there is none.
func selects(o *node, names ...string) string {
	for _, name := range names {
		if o.get(name) != nil {
			return name
		}
	}
	return ""
}

// options reads oneOf or anyOf with const, title and description, or an enum, whose values are their titles unless the
// older enumNames gives others.
func (d *decoder) options(o *node, at, by string) []Option {
	if by == "enum" {
		return d.enum(o, at)
	}
	d.refuseKeywords(o, at, "enum")
	list := d.member(o, at, by, '[', true)
	if list == nil {
		return nil
	}
	options := make([]Option, 0, len(list.list))
	for i, item := range list.list {
		here := at + "/" + by + "/" + strconv.Itoa(i)
		if item.kind != '{' {
			d.fault(codeType, here, "Write an object with const and title here.")
			options = append(options, Option{})
			continue
		}
		options = append(options, Option{
			Const:       d.text(item, here, "const", true),
			Title:       d.text(item, here, "title", true),
			Description: d.text(item, here, "description", false),
		})
	}
	return options
}

func (d *decoder) enum(o *node, at string) []Option {
	values := d.strings(o, at, "enum")
	options := make([]Option, len(values))
	for i, v := range values {
		options[i] = Option{Const: v, Title: v}
	}
	if o.get("enumNames") == nil {
		return options
	}
	names := d.strings(o, at, "enumNames")
	if len(names) != len(values) {
		d.fault(codeOptions, at+"/enumNames", "Give enumNames a title for each value of enum.")
		return options
	}
	for i, name := range names {
		options[i].Title = name
	}
	return options
}

func (d *decoder) number(o *node, at, name string) json.Number {
	if m := d.member(o, at, name, '0', false); m != nil {
		return json.Number(m.raw)
	}
	return ""
}

// count reads a length or a number of items. What is beyond a billion bounds nothing and counts as a billion.
func (d *decoder) count(o *node, at, name string) *int {
	m := d.member(o, at, name, '0', false)
	if m == nil {
		return nil
	}
	value := parseDecimal(string(m.raw))
	n, ok := value.small()
	if !ok && !value.negative && value.integer() {
		n, ok = 1_000_000_000, true
	}
	if !ok {
		d.fault(codeBounds, at+"/"+name, "Write a whole number that is not negative.")
		return nil
	}
	return &n
}
