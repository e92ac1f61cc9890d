//go:build interop

package interop

import (
	"errors"
	"testing"

	"flagstop/internal/standin"
)

// envelope is what Slack's SocketModeClient made of a delivery.
type envelope struct {
	Type     string `json:"type"`
	ID       string `json:"envelope_id"`
	Answers  bool   `json:"accepts_response_payload"`
	RetryNum int    `json:"retry_num"`
	Reason   string `json:"retry_reason"`
	Body     struct {
		Type    string `json:"type"`
		Trigger string `json:"trigger_id"`
		Command string `json:"command"`
		Event   struct{ Type, Text string }
	} `json:"body"`
}

func connect(t *testing.T) (*standin.Server, *process, caller) {
	t.Helper()
	s, base := slack(t, nil)
	p := node(t, "socket-mode.cjs", base, appToken)
	p.await("connected")
	return s, p, caller{node(t, "web-api.cjs", base, botToken)}
}

func (p *process) envelope() envelope {
	p.t.Helper()
	return decode[envelope](p.t, p.await("envelope"))
}

func TestTheSocketModeClientHearsAndAcknowledges(t *testing.T) {
	s, p, c := connect(t)
	person := s.As(ana)
	c.call("chat.postMessage", object{"channel": product, "text": "q", "blocks": button()})
	if err := person.Click(within(t), s.Messages(product)[0], "Go", 0); err != nil {
		t.Fatal(err)
	}
	click := p.envelope()
	if click.Type != "interactive" || click.Body.Type != "block_actions" || click.ID == "" || click.Answers {
		t.Errorf("a click came as %+v", click)
	}
	submit(t, person, c, click.Body.Trigger)
	if e := p.envelope(); e.Body.Type != "view_submission" || !e.Answers {
		t.Errorf("a submission came as %+v", e)
	}
	p.envelope() // the second, which goes through

	if err := person.Command(within(t), product, "/stops show s-1"); err != nil {
		t.Fatal(err)
	}
	if e := p.envelope(); e.Type != "slash_commands" || e.Body.Command != "/stops" || !e.Answers {
		t.Errorf("a command came as %+v", e)
	}
	if told := s.Ephemerals(ana); len(told) != 1 || told[0].Text != "you said show s-1" {
		t.Errorf("the command was answered with %+v", told)
	}
	if err := person.OpenHome(within(t)); err != nil {
		t.Fatal(err)
	}
	if e := p.envelope(); e.Type != "events_api" || e.Body.Event.Type != "app_home_opened" {
		t.Errorf("an event came as %+v", e)
	}
}

// submit fills a window first with what the app turns back, then with what it takes.
func submit(t *testing.T, person *standin.Person, c caller, trigger string) {
	t.Helper()
	c.call("views.open", object{"trigger_id": trigger, "view": modal("m")})
	err := person.Submit(within(t), map[string]any{"n": "bad"})
	if back, ok := errors.AsType[*standin.TurnedBackError](err); !ok || !back.ByApp || back.Errors["n"] != "not this" {
		t.Errorf("the submission was answered with %v", err)
	}
	if err := person.Submit(within(t), map[string]any{"n": "good"}); err != nil || person.View() != nil {
		t.Errorf("the submission was answered with %v; the window: %v", err, person.View())
	}
}

func TestTheSocketModeClientHearsAgainWhatItDidNotAcknowledge(t *testing.T) {
	s, p, _ := connect(t)
	if err := s.As(ana).Post(within(t), product, "", "say nothing"); err != nil {
		t.Fatal(err)
	}
	first, again := p.envelope(), p.envelope()
	if first.RetryNum != 0 || again.RetryNum != 1 || again.Reason != "timeout" || first.Body.Event != again.Body.Event {
		t.Errorf("heard %+v, then %+v", first, again)
	}
}

func TestTheSocketModeClientComesBackAfterEveryDisconnect(t *testing.T) {
	s, p, c := connect(t)
	c.call("chat.postMessage", object{"channel": product, "text": "q", "blocks": button()})
	for _, reason := range []string{"warning", "refresh_requested", "link_disabled", "too_many_websockets", ""} {
		s.Disconnect(reason)
		p.await("reconnecting")
		p.await("connected")
		until(t, s, reason+": one socket", func() bool { return s.Sockets() == 1 })
		if err := s.As(ana).Click(within(t), s.Messages(product)[0], "Go", 0); err != nil {
			t.Errorf("after %q: %v", reason, err)
		}
		if e := p.envelope(); e.Body.Type != "block_actions" {
			t.Errorf("after %q heard %+v", reason, e)
		}
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	p.ends()
	until(t, s, "no socket", func() bool { return s.Sockets() == 0 })
}
