package loops

const (
	maxProperties = 10
	maxTitle      = 60
	maxOptions    = 3
)

// form checks what the flat schema asks, after its shape.
func (c *checker) form(o *node, at string, s *Schema, k Kind) {
	if n := len(s.Properties); n > maxProperties {
		c.fault(codeProperties, at+"/properties", "There are %d properties; a form has at most %d. Ask for less at once.", n, maxProperties)
	}
	c.required(at, s)
	single := false
	for i := range s.Properties {
		p := &s.Properties[i]
		here := at + "/properties/" + escapePointer(p.Name)
		if p.Name == "" {
			c.fault(codePropertyName, here, "Give the property a name.")
		}
		if p.Type == SelectProperty && single {
			c.fault(codeTwoSelects, here, "A form has one single select at most. Raise a stop for the other choice.")
		}
		single = single || p.Type == SelectProperty
		c.property(o.get("properties").get(p.Name), here, p, k)
	}
}

func (c *checker) required(at string, s *Schema) {
	seen := map[string]bool{}
	for _, name := range s.Required {
		switch {
		case s.property(name) == nil:
			c.fault(codeRequired, at+"/required", "%q is required, but there is no such property.", clip(name, 60))
		case seen[name]:
			c.fault(codeRequired, at+"/required", "%q stands here twice.", clip(name, 60))
		}
		seen[name] = true
	}
}

func (s *Schema) property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

func (c *checker) property(o *node, at string, p *Property, k Kind) {
	switch p.Format {
	case "", "email", "uri", "date", "date-time":
	default:
		c.fault(codeFormat, at+"/format", "Use email, uri, date or date-time, or leave the format out.")
	}
	c.bounds(at, p)
	if p.Type == SelectProperty || p.Type == MultiSelectProperty {
		c.options(o, at, p)
	}
	c.preset(at, p, k)
	c.asksSecret(at, p)
	c.recommends(at+"/title", p.Title, inProperty)
	c.recommends(at+"/description", p.Description, inProperty)
}

func (c *checker) bounds(at string, p *Property) {
	cross := func(name string) {
		c.fault(codeBounds, at+"/"+name, "Nothing can meet both bounds. Let the lower one be at most the upper one.")
	}
	if p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength {
		cross("minLength")
	}
	if p.Minimum != "" && p.Maximum != "" && parseDecimal(string(p.Minimum)).compare(parseDecimal(string(p.Maximum))) > 0 {
		cross("minimum")
	}
	switch {
	case p.MinItems != nil && p.MaxItems != nil && *p.MinItems > *p.MaxItems:
		cross("minItems")
	case p.MinItems != nil && *p.MinItems > len(p.Options):
		c.fault(codeBounds, at+"/minItems", "There are only %d options to choose from.", len(p.Options))
	}
}

// preset holds that a judgement presets no choice, and that what is preset would be accepted.
func (c *checker) preset(at string, p *Property, k Kind) {
	if p.Default == nil {
		return
	}
	choice := p.Type == SelectProperty || p.Type == MultiSelectProperty || p.Type == BooleanProperty
	if choice && k != Fact {
		c.fault(codePreset, at+"/default", "A default marks one answer as the better one. Leave it out.")
		return
	}
	n, faults := parseStrict(p.Default)
	if len(faults) == 0 && p.Type != "" && p.misfit(n) != "" {
		c.fault(codeDefault, at+"/default", "The property would not take this value: %s", p.misfit(n))
	}
}
