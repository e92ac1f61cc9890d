package loops

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Encode writes the fields of a record as JSON: properties and options in their order, numbers and the asker's JSON with
// their digits, times in UTC, V as Version where it is zero. The bytes are the stop: check them, raise them, and keep them
// if they may have to be raised again. For a record that was read, Bytes are what was written.
func (r *Record) Encode() ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode the record of stop %s: %w", clip(r.ID, 64), err)
	}
	return b, nil
}

// MarshalJSON writes what Encode does.
func (r *Record) MarshalJSON() ([]byte, error) {
	type fields Record
	out := fields(*r)
	if out.V == 0 {
		out.V = Version
	}
	out.Raised, out.Expires = out.Raised.UTC(), out.Expires.UTC()
	if out.Questions == nil {
		out.Questions = []Question{}
	}
	return marshal(out)
}

// UnmarshalJSON reads what Load does.
func (r *Record) UnmarshalJSON(b []byte) error {
	rec, err := Load(b)
	if err != nil {
		return err
	}
	*r = *rec
	return nil
}

// marshal leaves <, > and & as they are: the record is no HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode as JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MarshalJSON writes the flat schema of MCP 2025-11-25, the properties in their order.
func (s Schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	for i, p := range s.Properties {
		name, err := marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(p.wire())
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", clip(p.Name, 60), err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	if len(s.Required) > 0 {
		required, err := marshal(s.Required)
		if err != nil {
			return nil, err
		}
		b.WriteString(`,"required":`)
		b.Write(required)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads a flat schema; what is wrong in it is a *FaultsError.
func (s *Schema) UnmarshalJSON(b []byte) error {
	n, faults := parseStrict(b)
	if len(faults) == 0 && n.kind != '{' {
		faults = []Fault{{codeType, "", "A schema is a JSON object."}}
	}
	r := decoder{faults: faults}
	if len(faults) == 0 {
		*s = *r.schema(n, "")
	}
	if len(r.faults) > 0 {
		return fmt.Errorf("read a schema: %w", &FaultsError{r.faults})
	}
	return nil
}

// wireProperty is a property as JSON has it.
type wireProperty struct {
	Type        string          `json:"type"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Format      string          `json:"format,omitempty"`
	MinLength   *int            `json:"minLength,omitempty"`
	MaxLength   *int            `json:"maxLength,omitempty"`
	Minimum     json.Number     `json:"minimum,omitempty"`
	Maximum     json.Number     `json:"maximum,omitempty"`
	OneOf       []wireOption    `json:"oneOf,omitempty"`
	MinItems    *int            `json:"minItems,omitempty"`
	MaxItems    *int            `json:"maxItems,omitempty"`
	Items       *wireItems      `json:"items,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
}

type wireItems struct {
	AnyOf []wireOption `json:"anyOf"`
}

type wireOption struct {
	Const       string `json:"const"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
}

func (p *Property) wire() wireProperty {
	w := wireProperty{
		Type: string(p.Type), Title: p.Title, Description: p.Description, Format: p.Format,
		MinLength: p.MinLength, MaxLength: p.MaxLength, Minimum: p.Minimum, Maximum: p.Maximum,
		MinItems: p.MinItems, MaxItems: p.MaxItems, Default: p.Default,
	}
	options := make([]wireOption, 0, len(p.Options))
	for _, o := range p.Options {
		options = append(options, wireOption(o))
	}
	switch p.Type {
	case SelectProperty:
		w.Type, w.OneOf = "string", options
	case MultiSelectProperty:
		w.Type, w.Items = "array", &wireItems{options}
	case StringProperty, NumberProperty, IntegerProperty, BooleanProperty:
	}
	return w
}
