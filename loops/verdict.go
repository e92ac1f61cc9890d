package loops

import (
	"encoding/json"
	"time"
)

// Action is what a verdict says: MCP elicitation. "cancel" is a dismissal and never a verdict.
type Action string

// The actions of a verdict.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
)

// Span says whether an accept counts for this call only or for others like it: the verdict's `scope`.
type Span string

// The spans of an accept. The zero value means Once.
const (
	Once   Span = "once"
	Always Span = "always"
)

// Verdict is the answer to one question: contract §2. At most one of Content, Arguments, Output is set. Each
// keeps its digits and the order of its members; white space between them may go.
type Verdict struct {
	Action    Action          `json:"action"`
	Content   json.RawMessage `json:"content,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Output    json.RawMessage `json:"output,omitempty"`
	Message   string          `json:"message,omitempty"`
	Span      Span            `json:"scope,omitempty"`
	By        *By             `json:"by,omitempty"`
	At        time.Time       `json:"at,omitzero"`
}

// By is who did something, in which role, on whose behalf, through which surface.
type By struct {
	ID      string `json:"id"` // slack:T…/U…, cli:<user>@<host>, machine:<name>, loop:<loop id>
	Name    string `json:"name,omitempty"`
	Role    string `json:"role,omitempty"`
	For     string `json:"for,omitempty"`
	Through string `json:"through,omitempty"` // slack, cli, machine, inbox
}
