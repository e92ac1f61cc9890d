package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"flagstop/loops/ledger"
)

// event is what is read of an event of Slack.
type event struct {
	ID    string `json:"event_id"`
	Team  string `json:"team_id"`
	Event struct {
		Type      string          `json:"type"`
		Subtype   string          `json:"subtype"`
		Channel   json.RawMessage `json:"channel"` // an id, or an object in some events
		User      string          `json:"user"`
		DeletedTS string          `json:"deleted_ts"`
		Tab       string          `json:"tab"`
		Bot       string          `json:"bot_id"`
		UserTeam  string          `json:"user_team"`
		Text      string          `json:"text"`
		TS        string          `json:"ts"`
		Thread    string          `json:"thread_ts"`
		Parent    string          `json:"parent_user_id"`
		View      struct {
			Hash string `json:"hash"`
		} `json:"view"`
	} `json:"event"`
}

func (e event) channel() string {
	var id string
	if json.Unmarshal(e.Event.Channel, &id) == nil {
		return id
	}
	var object struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(e.Event.Channel, &object) // neither: no channel
	return object.ID
}

// takeEvent reads an event. An event that is handled twice does no harm: it only has cards and homes looked at, and the same
// note again is one.
func (h *hand) takeEvent(raw json.RawMessage) (do func(context.Context), key string) {
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return h.unknown("an event that is not JSON of its kind"), ""
	}
	channel := e.channel()
	switch e.Event.Type {
	case "message":
		if e.Event.Subtype == "message_deleted" {
			return h.lost(channel, e.Event.DeletedTS), deliveryKey(string(EventsAPI), e.ID)
		}
		if r, ok := replyOf(e, h.slack.known()); ok {
			return h.takeReply(r)
		}
	case "channel_archive", "channel_deleted", "group_archive", "group_deleted", "channel_left", "group_left":
		return h.lost(channel, ""), deliveryKey(string(EventsAPI), e.ID)
	case "member_left_channel":
		return func(ctx context.Context) {
			if me, err := h.slack.Identify(ctx); err != nil || me.BotUser == e.Event.User {
				h.lost(channel, "")(ctx)
			}
		}, deliveryKey(string(EventsAPI), e.ID)
	case "app_home_opened":
		if e.Event.Tab == "home" && e.Event.User != "" {
			h.who = person{team: e.Team, user: e.Event.User}
			return func(ctx context.Context) { h.openHome(ctx, e.Event.View.Hash) }, deliveryKey(string(EventsAPI), e.ID)
		}
	case "tokens_revoked", "app_uninstalled":
		return func(context.Context) {
			h.refusedBySlack(&SlackError{Method: e.Event.Type, Code: "token_revoked", Class: ClassAuth})
		}, ""
	}
	return func(ctx context.Context) {
		h.log.DebugContext(ctx, "an event that nothing depends on", "kind", clip(e.Event.Type))
	}, ""
}

// lost has the cards posted again that stood in a channel, or at one place in it.
func (h *hand) lost(channel, ts string) func(context.Context) {
	return func(ctx context.Context) {
		for wait := time.Second; channel != ""; wait = min(2*wait, 10*time.Second) {
			err := h.touch(ctx, channel, ts)
			if err == nil || sleep(ctx, wait) != nil {
				return
			}
			h.log.WarnContext(ctx, "lost cards were not noted yet", "channel", channel, "err", err)
		}
	}
}

// touch puts the open stops back into work whose card stood there.
func (b *Bot) touch(ctx context.Context, channel, ts string) error {
	for stop, err := range b.ledger.List(ctx, ledger.Query{Phase: ledger.Open}) {
		if err != nil {
			return fmt.Errorf("look for cards in %s: %w", channel, err)
		}
		for _, c := range stop.State.Cards {
			if c.Channel != channel || c.TS == "" || ts != "" && ts != c.TS {
				continue
			}
			if err := b.ledger.Touch(ctx, stop.ID, c.Channel, c.TS); err != nil && !errors.Is(err, ledger.ErrUnknown) {
				return fmt.Errorf("put stop %s back into work: %w", stop.ID, err)
			}
		}
	}
	b.nudge()
	return nil
}
