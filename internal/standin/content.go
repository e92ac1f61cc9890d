package standin

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

const (
	maxText        = 40_000 // characters of a post's text; the rest is cut off, with a warning
	maxUpdateText  = 4_000
	maxAttachments = 100
	// maxMetadata is in bytes of JSON. Slack has a cap and does not publish it.
	maxMetadata = 8_000
)

// content is what a message consists of, as a call sent it. What was not sent is nil, and false in has.
type content struct {
	text                          string
	blocks, attachments, metadata json.RawMessage
	has                           struct{ text, blocks, attachments, metadata bool }
	truncated                     bool
}

// readContent checks what a call wants a message to be.
func readContent(a args) (content, error) {
	var c content
	c.has.text = a.text("text") != ""
	c.text = storeText(a.text("text"))
	if characters(c.text) > maxText {
		c.text, c.truncated = cutText(c.text, maxText), true
	}
	w := newWalk()
	if err := c.readBlocks(w, a); err != nil {
		return c, err
	}
	if err := c.readAttachments(w, a); err != nil {
		return c, err
	}
	if w.tooMuchText() {
		return c, fail("msg_blocks_too_long")
	}
	err := c.readMetadata(a)
	return c, err
}

func (c *content) readBlocks(w *walk, a args) error {
	if md := a.text("markdown_text"); md != "" {
		if c.has.text || a.has("blocks") {
			return fail("markdown_text_conflict")
		}
		if characters(md) > maxMarkdown {
			return fail("msg_too_long")
		}
		a = args{"blocks": []any{map[string]any{"type": "markdown", "text": md}}, "attachments": a["attachments"]}
		c.text = storeText(md)
	}
	v, sent, err := a.structure("blocks")
	switch {
	case err != nil:
		return fail("invalid_blocks_format")
	case !sent:
		return nil
	}
	if _, ok := v.([]any); !ok {
		return fail("invalid_blocks_format")
	}
	c.has.blocks = true
	stored := w.blocks("/blocks", v, 50)
	if len(w.faults) > 0 {
		return &apiError{code: "invalid_blocks", notes: w.faults}
	}
	if len(stored) > 0 {
		c.blocks = mustJSON(stored)
	}
	return nil
}

func (c *content) readAttachments(w *walk, a args) error {
	v, sent, err := a.structure("attachments")
	if err != nil {
		return fail("invalid_attachments")
	}
	if !sent {
		return nil
	}
	items, ok := v.([]any)
	switch {
	case !ok:
		return fail("invalid_attachments")
	case len(items) > maxAttachments:
		return fail("too_many_attachments")
	}
	c.has.attachments = true
	for i, item := range items {
		w.attachment(fmt.Sprintf("/attachments/%d", i), i, item)
	}
	if len(w.faults) > 0 {
		return &apiError{code: "invalid_attachments", notes: w.faults}
	}
	if len(items) > 0 {
		c.attachments = mustJSON(items)
	}
	return nil
}

// attachment checks one attachment. Blocks stand beside colour and fallback only; without blocks it is a legacy one.
func (w *walk) attachment(at string, i int, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		w.fault(at, "must provide an object")
		return
	}
	if m["blocks"] == nil {
		delete(m, "blocks")
		for _, name := range [...]string{"text", "pretext", "title"} {
			if s, ok := m[name].(string); ok {
				m[name] = storeText(s)
			}
		}
	} else {
		w.object(at, m, fields{"color": str(0, 30), "fallback": str(0, maxText), "id": anything, "blocks": blocksOfAttachment})
	}
	m["id"] = i + 1
	if m["fallback"] == nil || m["fallback"] == "" {
		m["fallback"] = "[no preview available]"
	}
}

func blocksOfAttachment(w *walk, at string, v any) any { return w.blocks(at, v, 50) }

var metadataName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// readMetadata checks metadata: a name, and flat values under names. An empty object takes metadata away.
func (c *content) readMetadata(a args) error {
	v, sent, err := a.structure("metadata")
	if err != nil {
		return fail("invalid_metadata_format")
	}
	if !sent {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return fail("invalid_metadata_format")
	}
	c.has.metadata = true
	if kind, _ := m["event_type"].(string); kind == "" && m["event_payload"] == nil {
		return nil
	}
	if err := checkMetadata(m); err != nil {
		return err
	}
	c.metadata = mustJSON(m)
	if len(c.metadata) > maxMetadata {
		return fail("metadata_too_large")
	}
	return nil
}

func checkMetadata(m map[string]any) error {
	kind, _ := m["event_type"].(string)
	payload, ok := m["event_payload"].(map[string]any)
	if !ok || !metadataName.MatchString(kind) {
		return fail("invalid_metadata_format")
	}
	for name := range m {
		if name != "event_type" && name != "event_payload" && name != "entities" {
			return fail("invalid_metadata_format")
		}
	}
	for name, v := range payload {
		if !metadataName.MatchString(name) || !flat(v) {
			return fail("invalid_metadata_schema")
		}
	}
	return nil
}

// flat reports whether a value of metadata is one that Slack takes: a scalar, or an array of scalars.
func flat(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool {
			switch item.(type) {
			case map[string]any, []any:
				return true
			}
			return false
		})
	}
	return true
}

// mustJSON writes a value that came from JSON.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("standin: " + err.Error())
	}
	return b
}
