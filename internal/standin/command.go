package standin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Command types a slash command such as "/stops show x" in a channel. What the app acknowledges with is shown to the
// person alone, or to the channel where it says so.
func (p *Person) Command(ctx context.Context, channel, text string) error {
	payload, err := p.commandPayload(channel, text)
	if err != nil {
		return err
	}
	ack, err := p.tell(ctx, delivery{kind: command, payload: payload, answers: true})
	if err != nil {
		return err
	}
	return p.showAnswer(channel, ack)
}

func (p *Person) commandPayload(channel, text string) (object, error) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := p.member(channel)
	if err != nil {
		return nil, err
	}
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if !strings.HasPrefix(name, "/") || len(name) < 2 {
		return nil, fmt.Errorf("%q is no slash command", text)
	}
	if len(s.o.Commands) > 0 && !slices.Contains(s.o.Commands, name) {
		return nil, fmt.Errorf("the app has no command %s: it has %s", name, strings.Join(s.o.Commands, ", "))
	}
	return object{
		"token": "stand-in", "team_id": s.world.team, "team_domain": "local", "channel_id": c.ID, "channel_name": c.payloadName(),
		"user_id": p.user, "user_name": s.world.users[p.user].Name, "command": name, "text": s.typed(strings.TrimSpace(rest)),
		"api_app_id": appID, "is_enterprise_install": "false", "response_url": s.newLink(c.ID, p.user, nil),
		"trigger_id": s.newTrigger(p.user, ""),
	}, nil
}

// showAnswer shows what the app acknowledged a command with: JSON, or text as it is.
func (p *Person) showAnswer(channel string, ack []byte) error {
	ack = bytes.TrimSpace(ack)
	if len(ack) == 0 {
		return nil
	}
	a := args{}
	if ack[0] != '{' || decode(ack, &a) != nil {
		a = args{"text": string(ack)}
	}
	if len(a) == 0 {
		return nil
	}
	body, err := readContent(a)
	if err == nil {
		err = p.say(channel, body, a)
	}
	if err != nil {
		return errors.Join(ErrUnanswered, fmt.Errorf("show the app's answer to the command: %w", err))
	}
	return nil
}

func (p *Person) say(channel string, body content, a args) error {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.world.channels[channel]
	if a.text("response_type") == "in_channel" {
		_, err := s.post(c, body, "", false)
		return err
	}
	_, err := s.whisper(c, p.user, "", body)
	return err
}
