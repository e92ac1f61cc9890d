package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
)

// TurnedBackError is a form that did not go through: Errors says why, by block id, and the view shows it. Slack itself
// turns back what does not fit an input; the app does by response_action errors.
type TurnedBackError struct {
	Errors map[string]string
	ByApp  bool
}

func (e *TurnedBackError) Error() string {
	var b strings.Builder
	b.WriteString("the form was turned back")
	for _, id := range sortedKeys(e.Errors) {
		fmt.Fprintf(&b, "; %s: %s", id, e.Errors[id])
	}
	return b.String()
}

// errAnswer is what a person is told when the app's answer to a form makes no sense to Slack.
var errAnswer = errors.New("we had some trouble connecting: the app's answer to the form is not one")

// Submit fills the inputs by block id and submits the topmost modal. Values are strings, numbers, booleans or lists of
// option values, as the input needs; what is not named keeps what it had. A form that is turned back is a
// [*TurnedBackError], and the modal stays.
func (p *Person) Submit(ctx context.Context, values map[string]any) error {
	v, payload, err := p.submission(values)
	if err != nil {
		return err
	}
	ack, err := p.tell(ctx, delivery{kind: interactive, payload: payload, answers: true})
	if err != nil {
		return err
	}
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.s.react(v, ack)
}

// submission fills the topmost modal and makes of it what the app is told.
func (p *Person) submission(values map[string]any) (*view, object, error) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	v := p.top()
	switch {
	case v == nil:
		return nil, nil, errors.New("no modal is open")
	case v.body["submit"] == nil:
		return nil, nil, errors.New("this modal has nothing to submit")
	}
	if err := v.fill(values); err != nil {
		return nil, nil, err
	}
	v.errors = v.faults()
	s.touch()
	if v.errors != nil {
		return nil, nil, &TurnedBackError{Errors: maps.Clone(v.errors)}
	}
	out := p.interaction("view_submission")
	out["trigger_id"] = s.newTrigger(p.user, v.id)
	out["view"] = s.viewJSON(v)
	out["response_urls"] = []any{}
	return v, out, nil
}

func (v *view) fill(values map[string]any) error {
	left := maps.Clone(values)
	for _, pl := range placesIn(v.body["blocks"], 0) {
		value, ok := left[pl.blockID()]
		if !ok || pl.block["type"] != "input" {
			continue
		}
		delete(left, pl.blockID())
		state, err := fill(pl.element, value)
		if err != nil {
			return fmt.Errorf("input %q: %w", pl.blockID(), err)
		}
		v.state.set(pl.blockID(), pl.actionID(), state)
	}
	if len(left) > 0 {
		return fmt.Errorf("the modal has no inputs %q", sortedKeys(left))
	}
	return nil
}

// faults are what Slack itself finds wrong with the inputs, by block id; nil if nothing is.
func (v *view) faults() map[string]string {
	var out map[string]string
	for _, pl := range placesIn(v.body["blocks"], 0) {
		if pl.block["type"] != "input" {
			continue
		}
		if f := pl.faultIn(v.state[pl.blockID()][pl.actionID()]); f != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[pl.blockID()] = f
		}
	}
	return out
}

// react does what the app answered to a submission: nothing closes the modal.
func (s *Server) react(v *view, ack []byte) error {
	var m struct {
		Action string            `json:"response_action"`
		View   json.RawMessage   `json:"view"`
		Errors map[string]string `json:"errors"`
	}
	if len(strings.TrimSpace(string(ack))) > 0 && json.Unmarshal(ack, &m) != nil {
		return errAnswer
	}
	open := s.world.views[v.id] == v
	switch m.Action {
	case "":
		s.drop(v)
	case "clear":
		s.dropStack(v.user)
	case "errors":
		return s.turnBack(v, m.Errors)
	case "update", "push":
		if !open {
			return errMissing
		}
		return s.show(v, m.Action, m.View)
	default:
		return errAnswer
	}
	return nil
}

// turnBack shows the app's faults at its inputs. A key that is no input is an answer that Slack cannot show.
func (s *Server) turnBack(v *view, faults map[string]string) error {
	inputs := map[string]bool{}
	for _, pl := range placesIn(v.body["blocks"], 0) {
		inputs[pl.blockID()] = pl.block["type"] == "input"
	}
	for id := range faults {
		if !inputs[id] {
			return errAnswer
		}
	}
	if len(faults) == 0 {
		return errAnswer
	}
	v.errors = faults
	s.touch()
	return &TurnedBackError{Errors: maps.Clone(faults), ByApp: true}
}

// show replaces the submitted modal, or puts another on top.
func (s *Server) show(v *view, how string, raw json.RawMessage) error {
	body, err := checkView(parsed(raw), "modal")
	if err != nil {
		return fmt.Errorf("%w: %w", errAnswer, err)
	}
	if how == "push" {
		if _, err := s.stackView(v.user, body); err != nil {
			return fmt.Errorf("%w: %w", errAnswer, err)
		}
		return nil
	}
	s.changeView(v, body)
	return nil
}

// Close closes the topmost modal without sending; with clear_on_close, all of them. The app hears of each that asks for it
// by notify_on_close; a failure to tell it is not the person's.
func (p *Person) Close(ctx context.Context) error {
	payloads, err := p.closing()
	if err != nil {
		return err
	}
	for _, payload := range payloads {
		if _, err := p.s.deliver(ctx, delivery{kind: interactive, payload: payload}); err != nil && ctx.Err() != nil {
			return fmt.Errorf("close the modal: %w", context.Cause(ctx))
		}
	}
	return nil
}

func (p *Person) closing() ([]object, error) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	top := p.top()
	if top == nil {
		return nil, errors.New("no modal is open")
	}
	closed := []*view{top}
	if top.flag("clear_on_close") {
		closed = append([]*view{}, s.world.stacks[p.user]...)
	}
	var out []object
	for _, v := range closed {
		if v.flag("notify_on_close") {
			payload := p.interaction("view_closed")
			payload["view"], payload["is_cleared"] = s.viewJSON(v), top.flag("clear_on_close")
			out = append(out, payload)
		}
		s.drop(v)
	}
	return out, nil
}
