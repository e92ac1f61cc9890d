package stories

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flagstop/internal/standin"
)

// ownDate is a moment that Slack shows in the reader's time zone. No one else's text has one: it would be escaped.
var ownDate = regexp.MustCompile(`<!date\^\d+\^[^<>|]*\|[^<>|]*>`)

func markup(text string) bool { return strings.ContainsAny(ownDate.ReplaceAllString(text, ""), "<>") }

// literal fails the test if anything in a message is more than text to Slack: a ping, a link, formatting that somebody
// else wrote. Only the people who answered are mentioned.
func literal(t testing.TB, m standin.Message) {
	t.Helper()
	if markup(m.Text) {
		t.Errorf("the text is markup: %s", m.Text)
	}
	for _, raw := range []json.RawMessage{m.Blocks, m.Attachments} {
		literalIn(t, decoded(raw))
	}
}

func literalIn(t testing.TB, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			literalIn(t, e)
		}
	case map[string]any:
		kind, _ := v["type"].(string)
		text, _ := v["text"].(string)
		_, within := v["elements"]
		switch {
		case kind == "mrkdwn" && (v["verbatim"] != true || markup(text)),
			kind == "plain_text" && v["emoji"] != false, // in which Slack reads nothing else
			slices.Contains([]string{"broadcast", "usergroup", "channel", "link", "emoji", "image"}, kind) && !within:
			t.Errorf("this is markup: %v", v)
		case kind == "user" && !slices.Contains(Everybody(), v["user_id"].(string)):
			t.Errorf("this mentions somebody: %v", v)
		}
		for _, e := range v {
			literalIn(t, e)
		}
	}
}

// quiet fails the test if a message was sent in a way that has Slack look for names and links in it.
func quiet(t testing.TB, w *World) {
	t.Helper()
	for _, method := range []string{"chat.postMessage", "chat.update", "chat.postEphemeral"} {
		for _, args := range w.Slack.Calls(method) {
			if parse := args["parse"]; parse != "none" && parse != nil || args["link_names"] == true || args["unfurl_links"] == true {
				t.Errorf("%s was sent with parse %v, link_names %v, unfurl_links %v", method, parse, args["link_names"], args["unfurl_links"])
			}
		}
	}
}
