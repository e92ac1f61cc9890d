package loops

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxVerdictMessage = 3_000

// VerdictError is a verdict that does not fit its question: contract §2. Pointer is inside the verdict ("/content/rows").
type VerdictError struct{ Key, Pointer, Message string }

// Error names the place and what is wrong there. It has nothing of the answer's texts.
func (e *VerdictError) Error() string {
	return "the verdict on question " + clip(e.Key, 60) + " does not fit at " + place(e.Pointer) + ": " + strings.TrimSuffix(e.Message, ".")
}

// CheckVerdict reports what is wrong with a verdict on a question, nil if nothing: each a *VerdictError, joined. By and At
// are not looked at. It allows a call exactly what its May does; a question without a call can always be declined.
func CheckVerdict(q Question, v Verdict) error {
	c := verdictChecker{key: q.Key}
	c.shape(&v)
	switch v.Action {
	case Accept:
		c.accept(&q, &v)
	case Decline:
		c.decline(&q, &v)
	default:
		c.fault("/action", "Write accept or decline. Nothing else is a verdict.")
	}
	c.span(&q, v.Span)
	return errors.Join(c.errs...)
}

type verdictChecker struct {
	key  string
	errs []error
}

func (c *verdictChecker) fault(pointer, message string) {
	c.errs = append(c.errs, &VerdictError{Key: c.key, Pointer: pointer, Message: message})
}

func (c *verdictChecker) shape(v *Verdict) {
	n := 0
	for _, raw := range []json.RawMessage{v.Content, v.Arguments, v.Output} {
		if len(raw) > 0 {
			n++
		}
	}
	if n > 1 {
		c.fault("", "It has more than one of content, arguments and output. Send one.")
	}
	if !utf8.ValidString(v.Message) {
		c.fault("/message", "It is not UTF-8. Encode the text as UTF-8.")
	}
	if characters(v.Message) > maxVerdictMessage {
		c.fault("/message", "It has more than 3000 characters. Say it shorter.")
	}
}

func (c *verdictChecker) decline(q *Question, v *Verdict) {
	for _, part := range []struct {
		name string
		raw  json.RawMessage
	}{{"content", v.Content}, {"arguments", v.Arguments}, {"output", v.Output}} {
		if len(part.raw) > 0 {
			c.fault("/"+part.name, "This goes with accept only. A decline has a message.")
		}
	}
	if q.Call != nil && !q.Call.allows(MayDecline) {
		c.fault("/action", "The loop cannot carry out a decline of this call.")
	}
}

func (c *verdictChecker) accept(q *Question, v *Verdict) {
	if q.Call != nil {
		c.acceptCall(q.Call, v)
		return
	}
	if len(v.Arguments) > 0 {
		c.fault("/arguments", "Only a call has arguments.")
	}
	if len(v.Output) > 0 {
		c.fault("/output", "Only a call has an output.")
	}
	switch {
	case q.Schema != nil:
		c.content(q.Schema, v.Content)
	case len(v.Content) > 0:
		c.fault("/content", "A page is accepted without content.")
	}
}

func (c *verdictChecker) acceptCall(call *Call, v *Verdict) {
	if len(v.Content) > 0 {
		c.fault("/content", "A call has no form. Send arguments or output instead.")
	}
	if len(v.Arguments) > 0 {
		c.arguments(call, v.Arguments)
	}
	if len(v.Output) > 0 {
		if !call.allows(MayOutput) {
			c.fault("/output", "The loop cannot take an output for this call.")
		}
		c.read("/output", v.Output)
	}
	if len(v.Content)+len(v.Arguments)+len(v.Output) == 0 && !call.allows(MayRun) {
		c.fault("/action", "This call cannot be run as it is shown. Send what it takes instead.")
	}
}

func (c *verdictChecker) arguments(call *Call, raw json.RawMessage) {
	const at = "/arguments"
	if !call.allows(MayEdit) {
		c.fault(at, "The loop cannot take edited arguments for this call.")
		return
	}
	n := c.read(at, raw)
	if n == nil {
		return
	}
	if n.kind != '{' {
		c.fault(at, "Arguments are a JSON object.")
		return
	}
	if call.Schema != nil {
		c.againstSchema(at, call.Schema, n)
	}
}

// read parses a part of a verdict as strictly as a record.
func (c *verdictChecker) read(at string, raw json.RawMessage) *node {
	n, faults := parseStrict(raw)
	for _, f := range faults {
		c.fault(at+f.Pointer, f.Message)
	}
	if len(faults) > 0 {
		return nil
	}
	return n
}

func (c *verdictChecker) span(q *Question, s Span) {
	const at = "/scope"
	switch {
	case s == "":
	case s != Once && s != Always:
		c.fault(at, "Write once or always, or leave it out.")
	case q.Call == nil:
		c.fault(at, "Only a verdict on a call has a scope.")
	case s == Always && !q.Call.allows(MayAlways):
		c.fault(at, "The loop cannot carry this out for always. Answer for once.")
	}
}

// allows reports whether the loop can carry out m.
func (c *Call) allows(m May) bool {
	if len(c.May) == 0 {
		return m == MayRun || m == MayDecline
	}
	return slices.Contains(c.May, m)
}
