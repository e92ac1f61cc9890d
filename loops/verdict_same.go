package loops

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// SameVerdict compares action, content, arguments, output and scope (contract §2 rule 2); who gave it, when, and with what
// message does not matter. JSON is compared by value: the order of an object's members does not count, 1 equals 1.0 as
// JSON Schema has it, and numbers are exact, so that 9007199254740993 is not 9007199254740992. No scope is once; no
// content is an empty one; but no arguments (run as shown) are not empty ones.
func SameVerdict(a, b Verdict) bool {
	return a.Action == b.Action &&
		cmp.Or(a.Span, Once) == cmp.Or(b.Span, Once) &&
		sameJSON(orEmpty(a.Content), orEmpty(b.Content)) &&
		sameJSON(a.Arguments, b.Arguments) &&
		sameJSON(a.Output, b.Output)
}

func orEmpty(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	return raw
}

func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	m, faults := parseStrict(a)
	n, more := parseStrict(b)
	return len(faults) == 0 && len(more) == 0 && m.equal(n)
}

// equal compares two JSON values without duplicate keys.
func (n *node) equal(o *node) bool {
	if n.kind != o.kind || len(n.list) != len(o.list) {
		return false
	}
	switch n.kind {
	case '"':
		return n.text == o.text
	case '0':
		return parseDecimal(string(n.raw)) == parseDecimal(string(o.raw))
	case '[':
		for i := range n.list {
			if !n.list[i].equal(o.list[i]) {
				return false
			}
		}
	case '{':
		members := make(map[string]*node, len(o.keys))
		for i, k := range o.keys {
			members[k] = o.list[i]
		}
		for i, k := range n.keys {
			if m := members[k]; m == nil || !n.list[i].equal(m) {
				return false
			}
		}
	}
	return true
}
