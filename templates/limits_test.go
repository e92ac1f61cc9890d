package templates_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"flagstop/templates"

	"github.com/slack-go/slack"
)

// The walk over Slack's limits: it reads the JSON that is sent, and nothing of the code that wrote it.

func payload(tb testing.TB, m templates.Message) map[string]any {
	tb.Helper()
	return decode(tb, map[string]any{"text": m.Text, "blocks": m.Blocks, "attachments": m.Attachments})
}

func decode(tb testing.TB, v any) map[string]any {
	tb.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// length counts as Slack may: of the text with its three characters escaped, in code points or UTF-16 units.
func length(s string) int {
	s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	return max(utf8.RuneCountInString(s), len(utf16.Encode([]rune(s))))
}

type walk struct {
	faults []string
	sum    int
	ids    map[string]bool
}

func (w *walk) fault(format string, a ...any) { w.faults = append(w.faults, fmt.Sprintf(format, a...)) }

func (w *walk) limit(at, s string, least, most int) {
	if n := length(s); n < least || n > most {
		w.fault("%s: %d characters, allowed %d to %d: %.60q", at, n, least, most, s)
	}
	if !utf8.ValidString(s) {
		w.fault("%s: not UTF-8: %.60q", at, s)
	}
}

func checkMessage(tb testing.TB, m templates.Message) {
	tb.Helper()
	for _, f := range messageFaults(tb, m) {
		tb.Error(f)
	}
}

func messageFaults(tb testing.TB, m templates.Message) []string {
	tb.Helper()
	p := payload(tb, m)
	w := &walk{ids: map[string]bool{}}
	if n := max(utf8.RuneCountInString(m.Text), len(utf16.Encode([]rune(m.Text)))); n < 1 || n >= 4000 || strings.TrimSpace(m.Text) == "" {
		w.fault("text: %d characters", n)
	}
	w.mrkdwn("text", m.Text, false)
	blocks, _ := p["blocks"].([]any)
	count := len(blocks)
	w.blocks("/blocks", blocks)
	attachments, _ := p["attachments"].([]any)
	if len(attachments) > 100 {
		w.fault("%d attachments", len(attachments))
	}
	for i, a := range attachments {
		count += w.attachment(fmt.Sprintf("/attachments/%d", i), a.(map[string]any))
	}
	if count > 50 {
		w.fault("%d blocks", count)
	}
	if w.sum > 9000 {
		w.fault("%d characters in all blocks together", w.sum)
	}
	return w.faults
}

func (w *walk) attachment(at string, a map[string]any) int {
	for k := range a {
		if k != "color" && k != "blocks" {
			w.fault("%s: %q beside blocks is refused", at, k)
		}
	}
	blocks, _ := a["blocks"].([]any)
	if len(blocks) < 1 || len(blocks) > 5 {
		w.fault("%s: %d blocks in a bar", at, len(blocks))
	}
	w.blocks(at+"/blocks", blocks)
	return len(blocks)
}

func checkModal(tb testing.TB, m slack.ModalViewRequest) {
	tb.Helper()
	for _, f := range modalFaults(tb, m) {
		tb.Error(f)
	}
}

func modalFaults(tb testing.TB, m slack.ModalViewRequest) []string {
	tb.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	w := &walk{ids: map[string]bool{}}
	if len(raw) > 250_000 {
		w.fault("the view has %d bytes", len(raw))
	}
	p := decode(tb, m)
	for _, k := range []string{"title", "close", "submit"} {
		if o, ok := p[k].(map[string]any); ok {
			w.text("/"+k, o, "plain_text", 24)
		}
	}
	w.limit("/private_metadata", m.PrivateMetadata, 0, 3000)
	w.limit("/callback_id", m.CallbackID, 1, 255)
	blocks, _ := p["blocks"].([]any)
	if len(blocks) < 1 || len(blocks) > 100 {
		w.fault("%d blocks in a modal", len(blocks))
	}
	w.blocks("/blocks", blocks)
	if strings.Contains(string(raw), `"type":"input"`) && p["submit"] == nil {
		w.fault("inputs without submit")
	}
	return w.faults
}

func checkHome(tb testing.TB, m slack.HomeTabViewRequest) {
	tb.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	w := &walk{ids: map[string]bool{}}
	if len(raw) > 250_000 {
		w.fault("the home has %d bytes", len(raw))
	}
	w.limit("/callback_id", m.CallbackID, 1, 255)
	p := decode(tb, m)
	blocks, _ := p["blocks"].([]any)
	if len(blocks) < 1 || len(blocks) > 100 {
		w.fault("%d blocks in a home", len(blocks))
	}
	w.blocks("/blocks", blocks)
	for _, f := range w.faults {
		tb.Error(f)
	}
}

func (w *walk) blocks(at string, blocks []any) {
	for i, b := range blocks {
		w.block(fmt.Sprintf("%s/%d", at, i), b.(map[string]any))
	}
}

func (w *walk) block(at string, b map[string]any) {
	if id, ok := b["block_id"].(string); ok {
		w.limit(at+"/block_id", id, 1, 255)
		if w.ids[id] {
			w.fault("%s: block_id %q stands twice", at, id)
		}
		w.ids[id] = true
	}
	switch b["type"] {
	case "header":
		w.text(at+"/text", object(b["text"]), "plain_text", 150)
	case "section":
		w.text(at+"/text", object(b["text"]), "", 3000)
		if a := object(b["accessory"]); a != nil {
			w.element(at+"/accessory", a)
		}
	case "context":
		w.context(at, b)
	case "actions":
		w.actions(at, b)
	case "input":
		w.text(at+"/label", object(b["label"]), "plain_text", 2000)
		if h := object(b["hint"]); h != nil {
			w.text(at+"/hint", h, "plain_text", 2000)
		}
		w.element(at+"/element", object(b["element"]))
	case "rich_text":
		w.richText(at, b)
	case "divider":
	default:
		w.fault("%s: a block of type %v", at, b["type"])
	}
}

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func (w *walk) context(at string, b map[string]any) {
	elements, _ := b["elements"].([]any)
	if len(elements) < 1 || len(elements) > 10 {
		w.fault("%s: %d elements of a context", at, len(elements))
	}
	for i, e := range elements {
		w.text(fmt.Sprintf("%s/elements/%d", at, i), object(e), "", 3000)
	}
}

func (w *walk) actions(at string, b map[string]any) {
	elements, _ := b["elements"].([]any)
	if len(elements) < 1 || len(elements) > 25 {
		w.fault("%s: %d actions", at, len(elements))
	}
	seen := map[any]bool{}
	for i, e := range elements {
		o := object(e)
		if seen[o["action_id"]] {
			w.fault("%s: action_id %v stands twice", at, o["action_id"])
		}
		seen[o["action_id"]] = true
		w.element(fmt.Sprintf("%s/elements/%d", at, i), o)
	}
}

func (w *walk) text(at string, o map[string]any, kind string, most int) {
	s, _ := o["text"].(string)
	typ, _ := o["type"].(string)
	if kind != "" && typ != kind {
		w.fault("%s: %q, not %q", at, typ, kind)
	}
	if typ == "mrkdwn" {
		// It is escaped already: its own length counts.
		if n := len(utf16.Encode([]rune(s))); n < 1 || n > most {
			w.fault("%s: %d characters of mrkdwn", at, n)
		}
		if o["verbatim"] != true {
			w.fault("%s: mrkdwn without verbatim", at)
		}
		w.mrkdwn(at, s, true)
	} else {
		w.limit(at, s, 1, most)
		if o["emoji"] != false {
			w.fault("%s: plain_text reads codes of emoji", at)
		}
	}
	if strings.TrimSpace(s) == "" {
		w.fault("%s: blank", at)
	}
	w.unseen(at, s)
	w.sum += length(s)
}

var (
	ping       = regexp.MustCompile(`(?i)<!(here|channel|everyone|subteam)|@(here|channel|everyone)`)
	token      = regexp.MustCompile(`<[^<>]*>`)
	ownToken   = regexp.MustCompile(`^<(@[UW][A-Z0-9]+|#[CGD][A-Z0-9]+|!date\^-?\d+\^[^|<>]+\|[^|<>]*|https?://[^|<>\s]+\|[^|<>\n]+)>$`)
	openEntity = regexp.MustCompile(`&(amp|lt|gt);`)
)

// mrkdwn allows nothing but escaped text and our own people, channels, moments and links.
func (w *walk) mrkdwn(at, s string, tokens bool) {
	s = strings.ReplaceAll(s, "<!subteam^S0LEADS>", "") // the group of the configuration; that of the hostile is another
	if ping.MatchString(s) {
		w.fault("%s: a ping in %.200q", at, s)
	}
	for _, t := range token.FindAllString(s, -1) {
		if !tokens || !ownToken.MatchString(t) {
			w.fault("%s: a token %q", at, t)
		}
	}
	bare := token.ReplaceAllString(s, "")
	if strings.ContainsAny(bare, "<>") {
		w.fault("%s: not escaped: %.200q", at, s)
	}
	if strings.Contains(openEntity.ReplaceAllString(bare, ""), "&") {
		w.fault("%s: a bare or torn entity: %.200q", at, s)
	}
}

// unseen allows no control character, no override of direction and no space without width.
func (w *walk) unseen(at, s string) {
	for _, r := range s {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || r >= 0x202A && r <= 0x202E || r == 0x200B || r == 0xFEFF || r == 0x200E || r == 0x200F {
			w.fault("%s: U+%04X cannot be seen", at, r)
			return
		}
	}
	if strings.Count(s, "\u2068") != strings.Count(s, "\u2069") {
		w.fault("%s: an isolate is not closed", at)
	}
}
