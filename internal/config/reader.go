package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/routing"

	"go.yaml.in/yaml/v3"
)

// reader walks the nodes of the file and collects faults as it goes.
type reader struct {
	faults []Fault
	places map[string]*yaml.Node // where a role stands, for faults found later
}

func (r *reader) fault(n *yaml.Node, code, format string, args ...any) {
	r.add(n, code, false, fmt.Sprintf(format, args...))
}

func (r *reader) warn(n *yaml.Node, code, format string, args ...any) {
	r.add(n, code, true, fmt.Sprintf(format, args...))
}

func (r *reader) add(n *yaml.Node, code string, warning bool, message string) {
	f := Fault{Code: code, Message: message, Warning: warning}
	if n != nil {
		f.Line, f.Column = n.Line, n.Column
	}
	r.faults = append(r.faults, f)
}

func (r *reader) sort() {
	slices.SortStableFunc(r.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// document returns the mapping that the file is, or nil with a fault.
func (r *reader) document(b []byte) *yaml.Node {
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.fault(nil, "empty", "the file is empty: name at least the roles and their channels")
		return nil
	case err != nil:
		r.syntax(err)
		return nil
	}
	if !errors.Is(dec.Decode(new(yaml.Node)), io.EOF) {
		r.fault(nil, "documents", "the file holds more than one document: keep one")
		return nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		r.fault(root, "shape", "the file is a mapping of keys such as roles and fallback_channel")
		return nil
	}
	return root
}

func (r *reader) syntax(err error) {
	f := Fault{Code: "syntax", Message: "not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		f.Line, _ = strconv.Atoi(m[1]) // the pattern holds digits only
		f.Column = 1
	}
	r.faults = append(r.faults, f)
}

// field reads the value of one key.
type field func(key, value *yaml.Node)

// mapping calls the field of each key; unknown, doubled and merged keys are faults. what names the mapping.
func (r *reader) mapping(n *yaml.Node, what string, fields map[string]field) {
	known := strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
	r.each(n, what, func(key, value *yaml.Node) {
		read, ok := fields[key.Value]
		if !ok {
			r.fault(key, "unknown-key", "%s has no key %q; it knows %s", what, key.Value, known)
			return
		}
		read(key, value)
	})
}

// each calls f for every key of a mapping, once.
func (r *reader) each(n *yaml.Node, what string, f field) {
	if n.Kind != yaml.MappingNode {
		r.fault(n, "shape", "%s is a mapping", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge":
			r.fault(key, "shape", "a key of %s is a plain word", what)
		case seen[key.Value]:
			r.fault(key, "doubled-key", "%s has the key %q twice", what, key.Value)
		case value.Kind == yaml.AliasNode:
			r.fault(value, "alias", "write the value of %q out; aliases are not read", key.Value)
		default:
			seen[key.Value] = true
			f(key, value)
		}
	}
}

// text returns a scalar as it is written, "" with a fault for anything else.
func (r *reader) text(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || strings.TrimSpace(n.Value) == "" {
		r.fault(n, "shape", "%s is a word", what)
		return ""
	}
	return n.Value
}

func (r *reader) list(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "shape", "%s is a list", what)
		return nil
	}
	return n.Content
}

// matching returns a scalar that has the shape of pattern.
func (r *reader) matching(n *yaml.Node, what string, pattern *regexp.Regexp, example string) string {
	s := r.text(n, what)
	if s != "" && !pattern.MatchString(s) {
		r.fault(n, "format", "%s %q is not written like %s", what, s, example)
		return ""
	}
	return s
}

// duration reads a duration as the contract writes it; 0 after a fault.
func (r *reader) duration(n *yaml.Node, what string) time.Duration {
	s := r.text(n, what)
	if s == "" {
		return 0
	}
	d, err := routing.ParseDuration(s)
	switch {
	case errors.Is(err, routing.ErrTooLong):
		r.fault(n, "range", "%s %s", what, err)
	case err != nil:
		r.fault(n, "format", "%s %s", what, err)
	}
	return d
}
