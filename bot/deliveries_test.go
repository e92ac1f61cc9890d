package bot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"flagstop/bot"
	"flagstop/internal/standin"
)

// controls are the action ids and values of a message's buttons and menus, wherever they stand.
func controls(t *testing.T, m standin.Message) map[string]string {
	t.Helper()
	found := map[string]string{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			action, _ := v["action_id"].(string)
			value, _ := v["value"].(string)
			if action != "" && value != "" {
				found[value] = action
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	for _, raw := range []json.RawMessage{m.Blocks, m.Attachments} {
		var v any
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
		}
		walk(v)
	}
	return found
}

// valueOf is the value of the button that has the text in it.
func valueOf(t *testing.T, m standin.Message, text string) string {
	t.Helper()
	for value := range controls(t, m) {
		if strings.Contains(value, text) {
			return value
		}
	}
	t.Fatalf("no button has %q in its value", text)
	return ""
}

func actionOf(t *testing.T, m standin.Message, text string) string {
	t.Helper()
	return controls(t, m)[valueOf(t, m, text)]
}

// clickOf is a delivery of a click, as Slack sends it.
func clickOf(t *testing.T, user, value string) bot.Delivery {
	t.Helper()
	payload, err := json.Marshal(map[string]any{
		"type": "block_actions", "user": map[string]any{"id": user, "team_id": "T0LOCAL"}, "trigger_id": "1.2.abc",
		"channel": map[string]any{"id": "C0PRODUCT"}, "actions": []any{map[string]any{"value": value}},
		"message": map[string]any{"blocks": []any{map[string]any{"type": "something new", "elements": 7}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return bot.Delivery{Kind: bot.Interactive, Payload: payload}
}

// strangeDeliveries are what a bot has not heard of, or what is broken.
func strangeDeliveries() []bot.Delivery {
	var all []bot.Delivery
	for _, payload := range []string{
		``, `null`, `7`, `"text"`, `[]`, `{}`, `{"type":"shortcut"}`, `{"type":"block_actions"}`, `{"type":"block_actions","actions":[]}`,
		`{"type":"block_actions","actions":[{}]}`, `{"type":"view_submission"}`, `{"type":"view_submission","view":{"private_metadata":"[\"s1\",\"q\",\"decline\",1]"}}`,
		`{"type":"view_closed","view":{"private_metadata":"nonsense"}}`, `{"type":"block_actions","user":{"id":7}}`,
		`{"event":{"type":"message","subtype":"message_deleted"}}`, `{"event":{"type":"channel_archive","channel":{"id":7}}}`,
		`{"event":{"type":"app_home_opened"}}`, `{"event":{"type":"member_left_channel","user":"U0ANA","channel":"C0PRODUCT"}}`,
	} {
		for _, kind := range []bot.DeliveryKind{bot.Interactive, bot.SlashCommand, bot.EventsAPI, "something_new"} {
			all = append(all, bot.Delivery{Kind: kind, Payload: json.RawMessage(payload)})
		}
	}
	return all
}
