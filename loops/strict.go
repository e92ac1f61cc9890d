package loops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxRecordBytes = 64 << 10 // of a record; also of each of content, arguments and output
	maxDepth       = 100      // of nested arrays and objects
	maxExponent    = 1000     // of a number, either way: 1e1000000 costs a megabyte to compare
)

// node is one JSON value, with its bytes. Objects keep the order of their members; a number is its bytes.
type node struct {
	kind byte // one of { [ " 0 t f n
	raw  []byte
	text string   // of a string, decoded
	keys []string // of an object
	list []*node  // the members of an object, the items of an array
}

// get returns the member of an object, nil where there is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == name {
			return n.list[i]
		}
	}
	return nil
}

// value returns what encoding/json would decode with UseNumber.
func (n *node) value() any {
	switch n.kind {
	case '{':
		m := make(map[string]any, len(n.keys))
		for i, k := range n.keys {
			m[k] = n.list[i].value()
		}
		return m
	case '[':
		s := make([]any, len(n.list))
		for i, item := range n.list {
			s[i] = item.value()
		}
		return s
	case '"':
		return n.text
	case '0':
		return json.Number(n.raw)
	case 't', 'f':
		return n.kind == 't'
	default:
		return nil
	}
}

// parseStrict reads one JSON text. The node is nil where nothing can be read; it is usable beside faults of its parts:
// of a key that stands twice the first stands.
func parseStrict(b []byte) (*node, []Fault) {
	if len(b) > maxRecordBytes {
		return nil, []Fault{{codeTooLarge, "", fmt.Sprintf(
			"It has %d bytes; at most %d are allowed. Keep what is large elsewhere and refer to it.", len(b), maxRecordBytes)}}
	}
	var faults []Fault
	if i := invalidUTF8(b); i >= 0 {
		faults = append(faults, Fault{codeNotUTF8, "", fmt.Sprintf("The byte at offset %d is not UTF-8. Encode the text as UTF-8.", i)})
		b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	raw, rest, err := firstValue(b)
	if err != nil {
		return nil, append(faults, Fault{codeNotJSON, "", "It is not JSON: " + err.Error() + "."})
	}
	if len(bytes.TrimLeft(rest, " \t\r\n")) > 0 {
		faults = append(faults, Fault{codeTrailing, "", "Something follows the JSON value. Write one value and nothing after it."})
	}
	s := scan{b: raw}
	n := s.value(nil, 1)
	return n, append(faults, s.faults...)
}

func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// firstValue validates the grammar, so that scan need not.
func firstValue(b []byte) (raw, rest []byte, err error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	var first json.RawMessage
	switch err := dec.Decode(&first); {
	case err == io.EOF:
		return nil, nil, errors.New("there is nothing in it")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, nil, errors.New("it ends in the middle of a value")
	case err != nil:
		return nil, nil, err
	}
	return first, b[dec.InputOffset():], nil
}

// scan walks bytes that are known to be one JSON value.
type scan struct {
	b      []byte
	i      int
	faults []Fault
}

// step is where a value stands; pointers are only written for faults.
type step struct {
	up   *step
	name string
}

func (at *step) pointer() string {
	if at == nil {
		return ""
	}
	return at.up.pointer() + "/" + escapePointer(at.name)
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func (s *scan) fault(code string, at *step, message string) {
	if len(s.faults) < maxFaults {
		s.faults = append(s.faults, Fault{code, at.pointer(), message})
	}
}

// next skips space and what separates values, and returns the byte that stands there.
func (s *scan) next() byte {
	for strings.IndexByte(" \t\r\n,:", s.b[s.i]) >= 0 {
		s.i++
	}
	return s.b[s.i]
}

func (s *scan) value(at *step, depth int) *node {
	c := s.next()
	start := s.i
	n := &node{kind: c}
	switch c {
	case '{':
		s.object(n, at, depth)
	case '[':
		s.array(n, at, depth)
	case '"':
		n.text = s.str(at)
	case 't', 'n':
		s.i += len("true")
	case 'f':
		s.i += len("false")
	default:
		n.kind = '0'
		s.number(at)
	}
	n.raw = s.b[start:s.i:s.i]
	return n
}

func (s *scan) object(n *node, at *step, depth int) {
	if depth > maxDepth {
		s.tooDeep(at)
		return
	}
	seen := map[string]bool{}
	for s.i++; s.next() != '}'; {
		name := s.str(at)
		member := s.value(&step{at, name}, depth+1)
		if seen[name] {
			s.fault(codeDuplicateKey, &step{at, name}, "This key stands twice in its object. Keep one.")
			continue
		}
		seen[name] = true
		n.keys = append(n.keys, name)
		n.list = append(n.list, member)
	}
	s.i++
}

func (s *scan) array(n *node, at *step, depth int) {
	if depth > maxDepth {
		s.tooDeep(at)
		return
	}
	for s.i++; s.next() != ']'; {
		n.list = append(n.list, s.value(&step{at, strconv.Itoa(len(n.list))}, depth+1))
	}
	s.i++
}

// tooDeep skips a value by the decoder's own means.
func (s *scan) tooDeep(at *step) {
	s.fault(codeTooDeep, at, fmt.Sprintf("Objects and arrays are nested more than %d deep here. Flatten it.", maxDepth))
	dec := json.NewDecoder(bytes.NewReader(s.b[s.i:]))
	var skipped json.RawMessage
	if err := dec.Decode(&skipped); err == nil {
		s.i += int(dec.InputOffset())
	}
}

func (s *scan) str(at *step) string {
	start := s.i
	plain := true
	for s.i++; s.b[s.i] != '"'; s.i++ {
		if s.b[s.i] == '\\' {
			plain = false
			s.i++
		}
	}
	s.i++
	raw := s.b[start:s.i]
	if plain {
		return string(raw[1 : len(raw)-1])
	}
	if loneSurrogate(raw) {
		s.fault(codeNotUTF8, at, `An escape such as \ud83d stands here without its other half, so it is no character. Cut texts between characters.`)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return string(raw)
	}
	return text
}

// loneSurrogate reports whether a JSON string has half of a surrogate pair: what a text becomes that was cut in UTF-16.
func loneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++
		if raw[i] != 'u' {
			continue
		}
		switch hexUnit(raw[i+1:]) >> 10 {
		case 0xD800 >> 10:
			if raw[i+5] != '\\' || raw[i+6] != 'u' || hexUnit(raw[i+7:])>>10 != 0xDC00>>10 {
				return true
			}
			i += 10
		case 0xDC00 >> 10:
			return true
		default:
			i += 4
		}
	}
	return false
}

func hexUnit(b []byte) uint64 {
	if len(b) < 4 {
		return 0
	}
	u, err := strconv.ParseUint(string(b[:4]), 16, 16)
	if err != nil {
		return 0
	}
	return u
}

func (s *scan) number(at *step) {
	start := s.i
	for s.i < len(s.b) && strings.IndexByte("+-.0123456789eE", s.b[s.i]) >= 0 {
		s.i++
	}
	_, exponent := cutExponent(string(s.b[start:s.i]))
	if e := readExponent(exponent); e > maxExponent || e < -maxExponent {
		s.fault(codeNumberRange, at, fmt.Sprintf("The exponent of this number is beyond %d. Write a number that can be meant.", maxExponent))
	}
}
