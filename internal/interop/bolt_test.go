//go:build interop

package interop

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"flagstop/internal/standin"
)

// boltApp is an app made with Slack's Bolt beside the workspace that it is installed in.
type boltApp struct {
	*process
	slack   *standin.Server
	base    string            // of the workspace
	heard   map[string]string // by the type of @slack/bolt or @slack/types, what came
	address *atomic.Pointer[url.URL]
}

// hears waits until Bolt has heard something of a type, and keeps it.
func (b *boltApp) hears(kind string) {
	b.t.Helper()
	b.heard[kind] = b.await(kind)
}

func overSocketMode(t *testing.T) *boltApp {
	s, base := slack(t, nil)
	p := node(t, "bolt.cjs", base, botToken, appToken)
	p.await("started")
	return &boltApp{process: p, slack: s, base: base, heard: map[string]string{}}
}

// overHTTP starts the app behind a front with a known address: the workspace and the app need each other's.
func overHTTP(t *testing.T) *boltApp {
	b := &boltApp{heard: map[string]string{}, address: new(atomic.Pointer[url.URL])}
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(b.address.Load()) }})
	t.Cleanup(front.Close)
	at := front.URL + "/slack"
	s, base := slack(t, func(o *standin.Options) { o.EventsURL, o.InteractionsURL, o.CommandsURL = at, at, at })
	b.slack, b.base, b.process = s, base, node(t, "bolt.cjs", base, botToken, appToken, secret)
	to, err := url.Parse("http://127.0.0.1:" + b.await("started"))
	if err != nil {
		t.Fatal(err)
	}
	b.address.Store(to)
	return b
}

func TestABoltAppWorksInTheStandIn(t *testing.T) {
	heard := map[string][]string{}
	for name, start := range map[string]func(*testing.T) *boltApp{"Socket Mode": overSocketMode, "HTTP": overHTTP} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			if b.address != nil {
				if err := b.slack.Verify(within(t)); err != nil {
					t.Error(err)
				}
			}
			b.click(t)
			b.fill(t)
			b.talk(t)
			b.leave(t)
			for kind, what := range b.heard {
				heard[kind] = append(heard[kind], what)
			}
		})
	}
	typed(t, heard)
}

// click presses a button; the app opens a window, answers by the response URL and in the thread.
func (b *boltApp) click(t *testing.T) {
	t.Helper()
	s := b.slack
	post := caller{node(t, "web-api.cjs", b.base, botToken)}
	post.call("chat.postMessage", object{"channel": product, "text": "q", "blocks": button()})
	card := s.Messages(product)[0]
	if err := s.As(ana).Click(within(t), card, "Go", 0); err != nil {
		t.Fatal(err)
	}
	b.hears("BlockAction")
	until(t, s, "respond and say", func() bool { return len(s.Ephemerals(ana)) == 1 && len(s.Thread(product, card.TS)) == 1 })
	if got := s.Ephemerals(ana)[0].Text + ", " + s.Thread(product, card.TS)[0].Text; got != "only you: 1, everybody" {
		t.Errorf("the app said %q", got)
	}
}

// fill submits the window that click opened, and another click's is closed.
func (b *boltApp) fill(t *testing.T) {
	t.Helper()
	person := b.slack.As(ana)
	err := person.Submit(within(t), map[string]any{"n": "bad"})
	if back, ok := errors.AsType[*standin.TurnedBackError](err); !ok || back.Errors["n"] != "not this" {
		t.Errorf("a bad submission was answered with %v", err)
	}
	b.hears("ViewSubmitAction")
	if err := person.Submit(within(t), map[string]any{"n": "good"}); err != nil || person.View() != nil {
		t.Errorf("a good submission was answered with %v; the window: %v", err, person.View())
	}
	b.hears("ViewSubmitAction")
	if err := person.Click(within(t), b.slack.Messages(product)[0], "Go", 0); err != nil {
		t.Fatal(err)
	}
	until(t, b.slack, "a window", func() bool { return person.View() != nil })
	if err := person.Close(within(t)); err != nil {
		t.Error(err)
	}
	b.hears("ViewClosedAction")
}

// talk types a command and a message, and opens the home.
func (b *boltApp) talk(t *testing.T) {
	t.Helper()
	s, person := b.slack, b.slack.As(bob)
	if err := person.Command(within(t), facil, "/stops show s-1"); err != nil {
		t.Error(err)
	}
	b.hears("SlashCommand")
	until(t, s, "the command's answers", func() bool { return len(s.Ephemerals(bob)) == 1 && len(s.Messages(facil)) == 1 })
	if got := s.Ephemerals(bob)[0].Text + ", " + s.Messages(facil)[0].Text; got != "acknowledged show s-1, and responded" {
		t.Errorf("the command was answered with %q", got)
	}
	if err := person.Post(within(t), facil, "", "hello"); err != nil {
		t.Fatal(err)
	}
	b.hears("GenericMessageEvent")
	until(t, s, "an answer", func() bool { return len(s.Messages(facil)) == 3 })
	if got := s.Messages(facil)[2].Text; got != "heard hello" {
		t.Errorf("the app answered %q", got)
	}
	if err := person.OpenHome(within(t)); err != nil {
		t.Fatal(err)
	}
	b.hears("AppHomeOpenedEvent")
	until(t, s, "a home", func() bool { return person.Home() != nil })
}

// leave deletes a message and takes the channels away.
func (b *boltApp) leave(t *testing.T) {
	t.Helper()
	b.slack.Delete(facil, b.slack.Messages(facil)[1].TS)
	b.hears("message_deleted")
	b.slack.Kick(facil)
	b.hears("member_left_channel")
	b.slack.Archive(product)
	b.hears("channel_archive")
}

// typed holds everything that Bolt heard against the types that Slack gives it. Of two types a member is left out: a plain
// message has no subtype, where the type has undefined; a deleted one has no channel of its own, where the type has one.
func typed(t *testing.T, heard map[string][]string) {
	t.Helper()
	names := map[string]string{
		"GenericMessageEvent": "Omit<types.GenericMessageEvent, 'subtype'>", "AppHomeOpenedEvent": "types.AppHomeOpenedEvent",
		"message_deleted":     "Omit<types.MessageDeletedEvent, 'previous_message'> & { previous_message: object }",
		"member_left_channel": "types.MemberLeftChannelEvent", "channel_archive": "types.ChannelArchiveEvent",
	}
	var source strings.Builder
	source.WriteString("import type * as types from '@slack/types';\nimport type * as bolt from '@slack/bolt';\n" + plain)
	for _, kind := range slices.Sorted(maps.Keys(heard)) {
		for _, what := range heard[kind] {
			fmt.Fprintf(&source, "(%s) satisfies Plain<%s>;\n", what, cmp.Or(names[kind], "bolt."+kind))
		}
	}
	if err := compile(t, source.String()); err != nil {
		t.Error(err)
	}
}

// TestBoltRefusesWhatIsNotSigned sends to Bolt's own receiver what the stand-in does not.
func TestBoltRefusesWhatIsNotSigned(t *testing.T) {
	b := overHTTP(t)
	at := b.address.Load().String() + "/slack"
	forged, err := http.NewRequestWithContext(within(t), http.MethodPost, at, strings.NewReader(`{"type":"url_verification","challenge":"c"}`))
	if err != nil {
		t.Fatal(err)
	}
	forged.Header.Set("Content-Type", "application/json")
	if got := status(t, forged); got != http.StatusUnauthorized {
		t.Errorf("unsigned: %d", got)
	}
	other := standin.New(standin.Options{
		SigningSecret: "another", EventsURL: at, Users: []standin.User{{ID: ana}}, Channels: []standin.Channel{{ID: product, Members: []string{ana}}},
	})
	defer other.Close()
	if err := other.Verify(within(t)); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("signed with another secret: %v", err)
	}
}

func status(t *testing.T, r *http.Request) int {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}
