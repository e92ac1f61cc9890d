package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"flagstop/templates"

	"github.com/slack-go/slack"
)

// payload is what is read of an interaction. Everything else in it is left alone, the message with its blocks above all,
// so that what Slack adds to its formats cannot cost a click.
type payload struct {
	Type string `json:"type"`
	User struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		Name     string `json:"name"`
		TeamID   string `json:"team_id"`
	} `json:"user"`
	Team struct {
		ID string `json:"id"`
	} `json:"team"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Container struct {
		ChannelID string `json:"channel_id"`
	} `json:"container"`
	TriggerID   string          `json:"trigger_id"`
	ResponseURL string          `json:"response_url"`
	Actions     []payloadAction `json:"actions"`
	View        payloadView     `json:"view"`
}

// leaf is the page of App Home that a click turns to.
func (p payload) leaf() (earlier int, ok bool) {
	if p.View.Type != "home" || len(p.Actions) == 0 {
		return 0, false
	}
	return templates.PageOf(p.Actions[0].ActionID, p.Actions[0].value())
}

type payloadAction struct {
	ActionID string `json:"action_id"`
	Value    string `json:"value"`
	Selected struct {
		Value string `json:"value"`
	} `json:"selected_option"`
}

// value is that of a button, or of the item that was picked in a menu.
func (a payloadAction) value() string {
	if a.Value != "" {
		return a.Value
	}
	return a.Selected.Value
}

type payloadView struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"` // modal, or home
	Hash     string          `json:"hash"`
	Metadata string          `json:"private_metadata"`
	State    json.RawMessage `json:"state"`
	Blocks   []struct {
		Type    string `json:"type"`
		BlockID string `json:"block_id"`
	} `json:"blocks"`
}

// firstInput is the block of a modal at which a fault of the whole can be shown, "" when there is none.
func (v payloadView) firstInput() string {
	for _, b := range v.Blocks {
		if b.Type == "input" {
			return b.BlockID
		}
	}
	return ""
}

// values are what was typed.
func (v payloadView) values() (*slack.ViewState, error) {
	var state slack.ViewState
	if len(v.State) == 0 {
		return &state, nil
	}
	err := json.Unmarshal(v.State, &state)
	return &state, err
}

// take reads a delivery. It returns what has to be done, and the key by which the same delivery is known when it comes
// again, "" where that does no harm.
func (h *hand) take(d Delivery) (do func(context.Context), key string) {
	switch d.Kind {
	case Interactive:
		return h.takeInteraction(d.Payload)
	case SlashCommand:
		return h.takeCommand(d.Payload)
	case EventsAPI:
		return h.takeEvent(d.Payload)
	default:
		return h.unknown(string(d.Kind)), ""
	}
}

func (h *hand) takeInteraction(raw json.RawMessage) (do func(context.Context), key string) {
	var p payload
	if err := json.Unmarshal(raw, &p); err != nil {
		return h.unknown("an interaction that is not JSON of its kind"), ""
	}
	h.who = person{team: p.User.TeamID, user: p.User.ID, name: p.User.Username, channel: p.Channel.ID, respond: p.ResponseURL}
	if h.who.team == "" {
		h.who.team = p.Team.ID
	}
	if h.who.name == "" {
		h.who.name = p.User.Name
	}
	if h.who.channel == "" {
		h.who.channel = p.Container.ChannelID
	}
	switch p.Type {
	case "block_actions":
		h.trigger, h.atHome = p.TriggerID, p.View.Type == "home"
		if earlier, ok := p.leaf(); ok {
			return func(ctx context.Context) { h.leaf(ctx, earlier) }, deliveryKey(p.Type, p.TriggerID)
		}
		return func(ctx context.Context) { h.click(ctx, p) }, deliveryKey(p.Type, p.TriggerID)
	case "view_submission":
		h.view = p.View
		// Sent again after a fault it has the same view and hash, and must not be taken for the same delivery.
		return h.submit, ""
	case "view_closed":
		h.view = p.View
		return h.dismiss, deliveryKey(p.Type, p.View.ID, p.View.Hash)
	default:
		return h.unknown(p.Type), ""
	}
}

// deliveryKey names a delivery by parts that are unique to it, none of which can be read from the key: a trigger is a
// secret. It is "" where a part is missing.
func deliveryKey(parts ...string) string {
	if slices.Contains(parts, "") {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}
