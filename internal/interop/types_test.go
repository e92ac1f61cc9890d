//go:build interop

package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// message is what the templates and the stand-in make of a message.
type message struct {
	Attachments json.RawMessage `json:"attachments"`
	Blocks      json.RawMessage `json:"blocks"`
	Text        string          `json:"text"`
}

// An attachment gets its id from Slack, which the types leave out.
const slackTypes = "import type { KnownBlock, MessageAttachment, ModalView } from '@slack/types';\n" +
	"type Attachment = Omit<MessageAttachment, 'blocks'> & { blocks?: KnownBlock[]; id?: number };\n"

// TestEveryCardAndWindowHasSlacksTypes compiles the golden files of the templates as Slack's types.
func TestEveryCardAndWindowHasSlacksTypes(t *testing.T) {
	files, err := filepath.Glob("../../templates/testdata/*.json")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d golden files, %v", len(files), err)
	}
	var source strings.Builder
	source.WriteString(slackTypes)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		source.WriteString("// " + name + "\n")
		if strings.HasPrefix(name, "modal-") {
			fmt.Fprintf(&source, "(%s) satisfies ModalView;\n", strings.TrimSpace(string(b)))
			continue
		}
		if strings.HasPrefix(name, "plain") {
			continue // what is left when Slack refuses the blocks: text alone
		}
		for _, m := range messages(t, b) {
			source.WriteString(m.typed())
		}
	}
	if err := compile(t, source.String()); err != nil {
		t.Error(err)
	}
}

// messages are those of a golden file: one, a list of them, or a list of sentences with what is shown for each.
func messages(t *testing.T, b []byte) []message {
	t.Helper()
	if b[0] == '{' {
		return []message{decode[message](t, string(b))}
	}
	var out []message
	for _, x := range decode[[]struct {
		message
		Inner *message `json:"message"`
	}](t, string(b)) {
		if x.Inner != nil {
			x.message = *x.Inner
		}
		out = append(out, x.message)
	}
	return out
}

// typed is the message in TypeScript; one without anything to show is a fault.
func (m message) typed() string {
	out := ""
	if len(m.Blocks) > 0 && string(m.Blocks) != "null" {
		out += fmt.Sprintf("(%s) satisfies KnownBlock[];\n", m.Blocks)
	}
	if len(m.Attachments) > 0 && string(m.Attachments) != "null" {
		out += fmt.Sprintf("(%s) satisfies Attachment[];\n", m.Attachments)
	}
	if out == "" {
		out = fmt.Sprintf("(%q) satisfies never; // a message without blocks\n", m.Text)
	}
	return out
}

// TestWhatTheStandInStoresHasSlacksTypes posts every card and compiles what the stand-in then has.
func TestWhatTheStandInStoresHasSlacksTypes(t *testing.T) {
	s, base := slack(t, nil)
	c := caller{node(t, "web-api.cjs", base, botToken)}
	files, err := filepath.Glob("../../templates/testdata/card-*.json")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d cards, %v", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		args := decode[object](t, string(b))
		args["channel"] = product
		c.call("chat.postMessage", args)
	}
	var source strings.Builder
	source.WriteString(slackTypes)
	for _, m := range s.Messages(product) {
		source.WriteString(message{Attachments: m.Attachments, Blocks: m.Blocks}.typed())
	}
	if err := compile(t, source.String()); err != nil {
		t.Error(err)
	}
}

// TestTheTypesTakeNoNonsense makes sure that the two tests above can fail.
func TestTheTypesTakeNoNonsense(t *testing.T) {
	for name, m := range map[string]message{
		"a style that Slack does not have": {Blocks: json.RawMessage(`[{"type":"actions","elements":[{"type":"button","action_id":"a","style":"loud","text":{"type":"plain_text","text":"x"}}]}]`)},
		"a colour that is a number":        {Attachments: json.RawMessage(`[{"color":7,"blocks":[]}]`)},
		"nothing to show":                  {Text: "x"},
	} {
		if compile(t, slackTypes+m.typed()) == nil {
			t.Errorf("%s went through", name)
		}
	}
}
