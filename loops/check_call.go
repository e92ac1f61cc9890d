package loops

import (
	"slices"
	"strconv"
)

const (
	maxSchemaDepth = 32
	maxSchemaNodes = 500
)

var mayKnown = []May{MayRun, MayEdit, MayOutput, MayDecline, MayAlways} //nolint:gochecknoglobals // a table

func (c *checker) call(o *node, at string, call *Call) {
	c.says(at+"/name", call.Name)
	if o.get("may") != nil {
		c.may(at+"/may", call.May)
	}
	if call.Schema == nil {
		return
	}
	at += "/schema"
	schema := o.get("schema")
	before := len(c.faults)
	c.schemaSize(at, schema)
	c.schemaRefs(at, schema)
	if len(c.faults) > before {
		return
	}
	if _, err := compileSchema(call.Schema); err != nil {
		c.fault(codeSchema, at, "It is no valid JSON Schema, or needs something outside itself. Validate it against the draft that it names (2020-12 where it names none).")
	}
}

func (c *checker) may(at string, may []May) {
	if len(may) == 0 {
		c.fault(codeMay, at, "Nothing could be answered. Name one or more of run, edit, output, decline, always, or leave may out.")
	}
	for i, m := range may {
		here := at + "/" + strconv.Itoa(i)
		switch {
		case !slices.Contains(mayKnown, m):
			c.fault(codeUnknown, here, "Write run, edit, output, decline or always.")
		case slices.Contains(may[:i], m):
			c.fault(codeMay, here, "This stands here twice. Write it once.")
		}
	}
	if len(may) == 1 && may[0] == MayAlways {
		c.fault(codeMay, at, "always goes with what it is to hold for: add run, edit, output or decline.")
	}
}

// schemaSize bounds what compiling costs. Every JSON value in the schema is a node.
func (c *checker) schemaSize(at string, schema *node) {
	depth, nodes := measure(schema)
	if depth > maxSchemaDepth {
		c.fault(codeSchemaSize, at, "It is %d deep; at most %d is allowed. Flatten it, or leave the schema out.", depth, maxSchemaDepth)
	}
	if nodes > maxSchemaNodes {
		c.fault(codeSchemaSize, at, "It has %d values; at most %d are allowed. Leave out what an editor need not know.", nodes, maxSchemaNodes)
	}
}

// measure returns how deep arrays and objects are nested, and how many values there are.
func measure(n *node) (depth, nodes int) {
	nodes = 1
	for _, item := range n.list {
		d, k := measure(item)
		depth, nodes = max(depth, d), nodes+k
	}
	if n.kind == '{' || n.kind == '[' {
		depth++
	}
	return depth, nodes
}

// schemaRefs holds that a schema refers to nothing but its own parts.
func (c *checker) schemaRefs(at string, n *node) {
	for i, item := range n.list {
		if n.kind == '[' {
			c.schemaRefs(at+"/"+strconv.Itoa(i), item)
			continue
		}
		here := at + "/" + escapePointer(n.keys[i])
		switch n.keys[i] {
		case "const", "enum", "default", "examples":
			continue // data
		case "$ref", "$dynamicRef", "$recursiveRef":
			if item.kind == '"' && (item.text == "" || item.text[0] != '#') {
				c.fault(codeSchemaRef, here, `It refers to something outside. Put that into $defs and refer to it with "#/$defs/…".`)
			}
		}
		c.schemaRefs(here, item)
	}
}
