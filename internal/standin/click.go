package standin

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// Action is what a person does to one interactive element.
type Action struct {
	BlockID, ActionID string
	// Value is, by element: nothing for a button; the option's value for an overflow, a select, radio buttons; a list of
	// option values for checkboxes and a multi-select; text for an input; 2026-12-31 for a date, 23:59 for a time, unix
	// seconds for a date and time.
	Value any
}

// Click presses the button, or picks the overflow item, with that visible label in a message as it stands; nth counts
// from 0 where several have that label. It returns when the app has answered, or with the error that Slack shows. A
// confirmation that the element has is given.
func (p *Person) Click(ctx context.Context, m Message, label string, nth int) error {
	return p.onMessage(ctx, m, func(ps []place) (place, any, error) { return findLabel(ps, label, nth) })
}

// Act does a to an element of a message as it stands (an ephemeral one too). Like Click, it returns when the app has
// answered.
func (p *Person) Act(ctx context.Context, m Message, a Action) error {
	return p.onMessage(ctx, m, func(ps []place) (place, any, error) { return findAction(ps, a) })
}

// ClickValue presses a button of a message as it once stood, by action id and value: a stale or a forged click. A button
// that m never had is made up.
func (p *Person) ClickValue(ctx context.Context, m Message, actionID, value string) error {
	then := &message{Message: m}
	return p.onMessage(ctx, m, func([]place) (place, any, error) {
		for _, pl := range then.places() {
			if pl.actionID() == actionID && pl.element["value"] == value {
				return pl, nil, nil
			}
		}
		return place{
			block: map[string]any{"block_id": shortID()},
			element: map[string]any{
				"type": "button", "action_id": actionID, "value": value,
				"text": map[string]any{"type": "plain_text", "text": "Forged", "emoji": true},
			},
		}, nil, nil
	})
}

// findLabel looks for what a person reads: on buttons, and in overflow menus.
func findLabel(ps []place, wanted string, nth int) (place, any, error) {
	var seen []string
	for _, pl := range ps {
		labels, picked := []string{label(pl.element)}, []any{nil}
		if pl.kind() == "overflow" {
			labels, picked = nil, nil
			for _, o := range optionsOf(pl.element) {
				labels, picked = append(labels, label(o)), append(picked, any(o))
			}
		} else if pl.kind() != "button" {
			continue
		}
		for i, l := range labels {
			seen = append(seen, l)
			if l != wanted {
				continue
			}
			if nth == 0 {
				return pl, picked[i], nil
			}
			nth--
		}
	}
	return place{}, nil, fmt.Errorf("there is no %q to click, only %q", wanted, seen)
}

// findAction looks an element up by its ids, and for an overflow the option.
func findAction(ps []place, a Action) (place, any, error) {
	i := slices.IndexFunc(ps, func(pl place) bool { return pl.blockID() == a.BlockID && pl.actionID() == a.ActionID })
	if i < 0 {
		return place{}, nil, fmt.Errorf("action %q in block %q: %w", a.ActionID, a.BlockID, errMissing)
	}
	if ps[i].kind() != "overflow" {
		return ps[i], a.Value, nil
	}
	o, err := pick(ps[i].element, fmt.Sprint(a.Value))
	return ps[i], o, err
}

// onMessage acts on the element that find picks out of a message.
func (p *Person) onMessage(ctx context.Context, m Message, find func([]place) (place, any, error)) error {
	payload, err := p.messagePayload(m, find)
	if err != nil {
		return err
	}
	_, err = p.tell(ctx, delivery{kind: interactive, payload: payload})
	return err
}

func (p *Person) messagePayload(m Message, find func([]place) (place, any, error)) (object, error) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.world.find(m.Channel, m.TS)
	c := s.world.channels[m.Channel]
	switch {
	case now == nil, c == nil, now.EphemeralFor != "" && now.EphemeralFor != p.user:
		return nil, fmt.Errorf("message %s: %w", m.TS, errMissing)
	case c.Private && !slices.Contains(c.Members, p.user):
		return nil, fmt.Errorf("channel %s: not found", c.ID)
	}
	pl, value, err := find(now.places())
	if err != nil {
		return nil, err
	}
	if now.state == nil {
		now.state = map[string]values{}
	}
	if now.state[p.user] == nil {
		now.state[p.user] = stateOf(now.places())
	}
	did, err := action(pl, value, now.state[p.user])
	if err != nil {
		return nil, err
	}
	out := p.interaction("block_actions")
	out["actions"] = []object{did}
	out["state"] = object{"values": now.state[p.user].clone()}
	out["trigger_id"] = s.newTrigger(p.user, "")
	out["channel"] = object{"id": c.ID, "name": c.payloadName()}
	out["response_url"] = s.newLink(c.ID, p.user, now)
	out["container"] = containerOf(now, pl)
	if now.EphemeralFor == "" {
		out["message"] = s.messageJSON(now, false)
	}
	return out, nil
}

// payloadName is how interactions call a channel.
func (c *Channel) payloadName() string {
	switch {
	case c.DM != "":
		return "directmessage"
	case c.Private:
		return "privategroup"
	}
	return c.Name
}

func containerOf(m *message, pl place) object {
	out := object{
		"type": "message", "message_ts": m.TS, "channel_id": m.Channel, "is_ephemeral": m.EphemeralFor != "",
	}
	if m.ThreadTS != "" && m.ThreadTS != m.TS {
		out["thread_ts"] = m.ThreadTS
	}
	if pl.attachment > 0 {
		out["type"], out["attachment_id"], out["is_app_unfurl"] = "message_attachment", pl.attachment, false
	}
	return out
}

// action is what was done to an element, as Slack tells it; it changes the state of the surface.
func action(pl place, value any, state values) (object, error) {
	out := object{"type": pl.kind(), "action_id": pl.actionID(), "block_id": pl.blockID(), "action_ts": actionTS()}
	switch pl.kind() {
	case "button":
		for _, name := range [...]string{"text", "value", "style", "url"} {
			if pl.element[name] != nil {
				out[name] = pl.element[name]
			}
		}
		return out, nil
	case "overflow":
		out["selected_option"] = value
		return out, nil
	}
	filled, err := fill(pl.element, value)
	if err != nil {
		return nil, err
	}
	state.set(pl.blockID(), pl.actionID(), filled)
	maps.Copy(out, filled)
	return out, nil
}

// ActInView does a to an element of an open modal or of the home, by view id.
func (p *Person) ActInView(ctx context.Context, viewID string, a Action) error {
	payload, err := p.viewPayload(viewID, a)
	if err != nil {
		return err
	}
	_, err = p.tell(ctx, delivery{kind: interactive, payload: payload})
	return err
}

func (p *Person) viewPayload(viewID string, a Action) (object, error) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.world.views[viewID]
	if v == nil || v.user != p.user {
		return nil, fmt.Errorf("view %s: %w", viewID, errMissing)
	}
	pl, value, err := findAction(placesIn(v.body["blocks"], 0), a)
	if err != nil {
		return nil, err
	}
	did, err := action(pl, value, v.state)
	if err != nil {
		return nil, err
	}
	in := v.id
	if v.text("type") == "home" {
		in = ""
	}
	out := p.interaction("block_actions")
	out["actions"] = []object{did}
	out["trigger_id"] = s.newTrigger(p.user, in)
	out["container"] = object{"type": "view", "view_id": v.id}
	out["view"] = s.viewJSON(v)
	return out, nil
}
