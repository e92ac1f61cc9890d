package loops

import (
	"encoding/json"
	"time"
)

// Version is the version of the record, `v`, that this package writes and reads.
const Version = 1

// Kind says what sort of answer a stop needs: contract §1.
type Kind string

// The kinds of a stop. A judgement carries the sentence that nothing is recommended; a fact never does.
const (
	Judgement Kind = "judgement"
	Fact      Kind = "fact"
)

// Concern says what the question of a stop is about: contract §1.
type Concern string

// The concerns. The first three may be addressed to the product thinker, the others may not.
const (
	Scope         Concern = "scope"
	Acceptance    Concern = "acceptance"
	TradeOff      Concern = "trade-off"
	Evidence      Concern = "evidence"
	Technique     Concern = "technique"
	Verifiability Concern = "verifiability"
	Permission    Concern = "permission"
)

// The two roles that every installation has.
const (
	ProductThinker = "product-thinker"
	Facilitator    = "facilitator"
)

// Record is a stop as its loop wrote it, once: contract §1. A Record that came from Check or Load also keeps its
// bytes, over which the digest is taken; they are never written again.
type Record struct {
	V         int        `json:"v"`
	ID        string     `json:"id"`
	Addressee string     `json:"addressee"`
	Kind      Kind       `json:"kind"`
	Concern   Concern    `json:"concern"`
	Loop      Loop       `json:"loop"`
	About     *About     `json:"about,omitempty"`
	Questions []Question `json:"questions"`
	Raised    time.Time  `json:"raised,omitzero"`
	Expires   time.Time  `json:"expires,omitzero"`
	Resume    *Resume    `json:"resume,omitempty"`

	bytes  []byte
	digest string
}

// Loop names the suspended loop that asks.
type Loop struct {
	ID         string `json:"id"`
	Repository string `json:"repository"`
	Agent      string `json:"agent,omitempty"`
	Task       string `json:"task,omitempty"`
	URL        string `json:"url,omitempty"`
	Owner      string `json:"owner,omitempty"`
}

// About is the record that a stop concerns.
type About struct {
	Ref   string `json:"ref"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// Resume is for bridges: Via names the one that can resume the loop, State is opaque to all others.
type Resume struct {
	Via   string          `json:"via"`
	State json.RawMessage `json:"state,omitempty"`
}

// Mode is how a question is answered: in a form (the zero value means this too) or on a page of its own.
type Mode string

// The modes of MCP elicitation.
const (
	FormMode Mode = "form"
	URLMode  Mode = "url"
)

// Question is the params of an MCP elicitation with a key, and optionally a pending tool call. It has exactly one of
// Schema, URL, Call.
type Question struct {
	Key        string  `json:"key"`
	Message    string  `json:"message"`
	Quote      string  `json:"quote,omitempty"`
	Mode       Mode    `json:"mode,omitempty"`
	Schema     *Schema `json:"requestedSchema,omitempty"`
	NullOption string  `json:"null_option,omitempty"`
	URL        string  `json:"url,omitempty"`
	Call       *Call   `json:"call,omitempty"`
}

// Call is a tool call that waits for a verdict. Arguments and Schema keep the asker's bytes.
type Call struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Schema    json.RawMessage `json:"schema,omitempty"`
	May       []May           `json:"may,omitempty"`
}

// May is a verdict that the loop can carry out on a call.
type May string

// What a loop can carry out on a call. A call without May takes MayRun and MayDecline.
const (
	MayRun     May = "run"
	MayEdit    May = "edit"
	MayOutput  May = "output"
	MayDecline May = "decline"
	MayAlways  May = "always"
)

// Schema is the flat schema of an MCP form (2025-11-25): its properties in the asker's order.
type Schema struct {
	Properties []Property
	Required   []string
}

// PropertyType is the type of a form's property, with the selects told apart from strings and arrays.
type PropertyType string

// The types that a property of a form may have.
const (
	StringProperty      PropertyType = "string"
	NumberProperty      PropertyType = "number"
	IntegerProperty     PropertyType = "integer"
	BooleanProperty     PropertyType = "boolean"
	SelectProperty      PropertyType = "select"       // one of Options
	MultiSelectProperty PropertyType = "multi-select" // some of Options
)

// Property is one property of a form. Fields that its type does not know are zero.
type Property struct {
	Name        string
	Type        PropertyType
	Title       string
	Description string
	Format      string // email, uri, date, date-time; of a string
	MinLength   *int
	MaxLength   *int
	Minimum     json.Number // "" means none
	Maximum     json.Number
	MinItems    *int
	MaxItems    *int
	Options     []Option
	Default     json.RawMessage
}

// Option is one option of a select. Description is its example: what that answer would mean in practice.
type Option struct {
	Const       string
	Title       string
	Description string
}
