package standin

import "fmt"

// blocks checks an array of blocks, and stores it. most is 50 for a message, 100 for a view.
func (w *walk) blocks(at string, v any, most int) []any {
	out, _ := list(0, most, (*walk).block)(w, at, v).([]any)
	return out
}

// block checks one block.
func (w *walk) block(at string, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		w.fault(at, "must provide an object")
		return v
	}
	kind, _ := m["type"].(string)
	f := w.blockFields(kind)
	if f == nil {
		w.fault(at+"/type", "unsupported type: %s", kind)
		return v
	}
	f["type!"] = str(1, 255)
	f["block_id"] = str(0, 255)
	w.object(at, m, f)
	w.nameBlock(at, m)
	switch kind {
	case "section":
		if m["text"] == nil && m["fields"] == nil {
			w.fault(at, "missing required field: text or fields")
		}
	case "actions":
		w.distinctActions(at, m["elements"])
	case "image":
		w.oneImage(at, m)
	case "input":
		w.inputs++
	}
	return m
}

// blockFields are the members of a kind of block, nil for a kind that there is not.
func (w *walk) blockFields(kind string) fields {
	switch kind {
	case "header":
		return fields{"text!": textObject("plain_text", 150)}
	case "section":
		return fields{
			"text": textObject("", 3000), "fields": list(1, 10, textObject("", 2000)),
			"accessory": element("section"), "expand": boolean,
		}
	case "context":
		return fields{"elements!": list(1, 10, element("context"))}
	case "actions":
		return fields{"elements!": list(1, 25, element("actions"))}
	case "divider":
		return fields{}
	case "image":
		f := imageFields()
		f["title"] = textObject("plain_text", 2000)
		return f
	case "input":
		return fields{
			"label!": textObject("plain_text", 2000), "element!": element("input"), "hint": textObject("plain_text", 2000),
			"optional": boolean, "dispatch_action": boolean,
		}
	case "rich_text":
		return fields{"elements!": list(1, 1000, richBlock)}
	case "markdown":
		return fields{"text!": markdownText}
	}
	return nil
}

// nameBlock gives a block its id, and notes one that stands twice.
func (w *walk) nameBlock(at string, m map[string]any) {
	id, _ := m["block_id"].(string)
	if id == "" {
		id = shortID()
		m["block_id"] = id
	}
	if w.blockIDs[id] {
		w.fault(at+"/block_id", "`block_id` already exists: %s", id)
	}
	w.blockIDs[id] = true
}

// distinctActions notes an action_id that stands twice in one actions block: no click could tell the two apart.
func (w *walk) distinctActions(at string, elements any) {
	items, _ := elements.([]any)
	seen := map[string]bool{}
	for i, e := range items {
		m, _ := e.(map[string]any)
		id, _ := m["action_id"].(string)
		if id != "" && seen[id] {
			w.fault(fmt.Sprintf("%s/elements/%d/action_id", at, i), "`action_id` already exists: %s", id)
		}
		seen[id] = true
	}
}

func imageFields() fields {
	return fields{"image_url": href, "slack_file": anything, "alt_text!": str(1, 2000)}
}

func (w *walk) oneImage(at string, m map[string]any) {
	if (m["image_url"] == nil) == (m["slack_file"] == nil) {
		w.fault(at, "must provide either image_url or slack_file")
	}
}

func anything(_ *walk, _ string, v any) any { return v }

func markdownText(w *walk, at string, v any) any {
	s, ok := v.(string)
	if !ok {
		w.fault(at, "must provide a string")
		return ""
	}
	w.length(at, s, 1, maxMarkdown)
	w.markdown += characters(s)
	return s
}

// richBlock checks a part of a rich_text block.
func richBlock(w *walk, at string, v any) any {
	m, _ := v.(map[string]any)
	kind, _ := m["type"].(string)
	f := fields{"type!": str(1, 255), "elements!": list(0, 1000, richLeaf), "border": anything}
	switch kind {
	case "rich_text_section":
		delete(f, "border")
	case "rich_text_quote":
	case "rich_text_preformatted":
		f["language"] = str(0, 255)
	case "rich_text_list":
		f["elements!"] = list(1, 1000, richBlock)
		f["style!"] = oneOf("bullet", "ordered")
		f["indent"], f["offset"] = integer(0, 8), integer(0, 1<<20)
	default:
		w.fault(at+"/type", "unsupported type: %s", kind)
		return v
	}
	return w.object(at, v, f)
}

// richLeaf checks a run of rich text: nothing in it is parsed.
func richLeaf(w *walk, at string, v any) any {
	m, _ := v.(map[string]any)
	kind, _ := m["type"].(string)
	f := fields{"type!": str(1, 255), "style": anything}
	switch kind {
	case "text":
		f["text!"] = richText
	case "link":
		f["url!"], f["text"], f["unsafe"] = href, richText, boolean
	case "user":
		f["user_id!"] = str(1, 255)
	case "usergroup":
		f["usergroup_id!"] = str(1, 255)
	case "channel":
		f["channel_id!"] = str(1, 255)
	case "emoji":
		f["name!"], f["unicode"], f["skin_tone"] = str(1, 255), str(0, 255), anything
	case "broadcast":
		f["range!"] = oneOf("here", "channel", "everyone")
	case "color":
		f["value!"] = str(1, 255)
	case "date":
		f["timestamp!"], f["format!"], f["url"], f["fallback"] = integer(0, 1<<40), str(1, 255), href, str(0, 3000)
	default:
		w.fault(at+"/type", "unsupported type: %s", kind)
		return v
	}
	return w.object(at, v, f)
}

func richText(w *walk, at string, v any) any {
	s, ok := v.(string)
	if !ok || s == "" {
		w.fault(at, "must be more than 0 characters")
		return ""
	}
	w.text += characters(s)
	return s
}
