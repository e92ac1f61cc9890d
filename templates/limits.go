package templates

import (
	"encoding/json"

	"github.com/slack-go/slack"
)

// Slack's limits (Block Kit reference), counted on the escaped text.
const (
	maxBlocks   = 50   // in a message
	maxModal    = 100  // blocks in a modal
	maxHeader   = 150  // a header's text
	maxText     = 3000 // a text object, an input's value
	maxLabel    = 75   // a button's text, an option's text and description, an accessibility label
	maxTitle    = 24   // a modal's title, submit and close
	maxTop      = 3900 // the top-level text; chat.update refuses more than 4,000
	maxURL      = 3000 // a button's url
	maxSum      = 9000 // all texts of the blocks of a message together: undocumented, refused at 11,341
	maxValue    = 2000 // a button's value
	maxItems    = 10   // options of radio buttons and checkboxes
	maxOptions  = 100  // options of a multi-select
	maxFallback = 255  // a block's or action's id
)

// fits reports whether a message is within the limits that its blocks have together. Each block is by itself.
func fits(m Message) bool {
	blocks, sum := len(m.Blocks), 0
	for _, b := range m.Blocks {
		sum += textOf(b)
	}
	for _, a := range m.Attachments {
		blocks += len(a.Blocks.BlockSet)
		for _, b := range a.Blocks.BlockSet {
			sum += textOf(b)
		}
	}
	return blocks <= maxBlocks && sum <= maxSum
}

// textOf is the width of everything in a block that Slack may count as text: every "text" and "alt_text" that is a
// string, wherever it stands.
func textOf(b slack.Block) int {
	raw, err := json.Marshal(b)
	if err != nil {
		return maxSum + 1
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return maxSum + 1
	}
	return sumText(v)
}

func sumText(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += sumText(e)
		}
	case map[string]any:
		for k, e := range v {
			if s, ok := e.(string); ok && (k == "text" || k == "alt_text" || k == "fallback") {
				n += width(s)
			} else {
				n += sumText(e)
			}
		}
	}
	return n
}
