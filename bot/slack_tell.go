package bot

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"flagstop/templates"
)

// respondMethod names response URLs among the methods.
const respondMethod = "response_url"

// Whisper tells one person something in a channel (ephemeral). An ambiguous failure counts as told: it cannot be looked up.
func (s *Slack) Whisper(ctx context.Context, channel, thread, user string, m templates.Message) error {
	args := outgoingOf(channel, m)
	args.ThreadTS, args.User = thread, user
	return told(again(func() error { return s.call(ctx, "chat.postEphemeral", args, nil) }))
}

// Respond answers over a response URL, ephemerally. Never logged. An ambiguous failure counts as told. A URL can be used
// five times within 30 minutes; after that it is ClassDestination: whisper instead.
func (s *Slack) Respond(ctx context.Context, responseURL string, m templates.Message) error {
	return s.respondWith(ctx, responseURL, response{Type: "ephemeral", outgoing: outgoingOf("", m)})
}

// Replace is Respond in the place of the message that was acted on.
func (s *Slack) Replace(ctx context.Context, responseURL string, m templates.Message) error {
	return s.respondWith(ctx, responseURL, response{Type: "ephemeral", Replace: true, outgoing: outgoingOf("", m)})
}

func (s *Slack) respondWith(ctx context.Context, responseURL string, args response) error {
	if !s.mayRespond(responseURL) {
		return &SlackError{Method: respondMethod, Class: ClassDestination, Err: errors.New("the URL is neither https nor on the host of the API")}
	}
	return told(again(func() error {
		return s.paced(ctx, respondMethod, func() error { return s.respond(ctx, responseURL, args) })
	}))
}

// response is what a response URL takes.
type response struct {
	Type    string `json:"response_type"`
	Replace bool   `json:"replace_original"`
	outgoing
}

func (s *Slack) respond(ctx context.Context, responseURL string, args response) error {
	r, failed := s.send(ctx, respondMethod, responseURL, func(http.Header) {}, args)
	if failed != nil {
		return failed
	}
	r.body = asAnswer(r.status, r.body)
	if _, failed := readAnswer(respondMethod, r); failed != nil {
		return failed
	}
	return nil
}

// asAnswer writes what a response URL answers, often a bare word or nothing, as a method would.
func asAnswer(status int, body []byte) []byte {
	word := strings.TrimSpace(string(body))
	switch {
	case status == http.StatusOK && (word == "ok" || word == ""):
		return []byte(`{"ok":true}`)
	case status != http.StatusOK && codeOf(word) != "":
		return []byte(`{"ok":false,"error":"` + word + `"}`)
	case status == http.StatusNotFound:
		return []byte(`{"ok":false,"error":"expired_url"}`)
	default:
		return body
	}
}

// told takes an ambiguous failure for success.
func told(err error) error {
	if hasClass(err, ClassAmbiguous) {
		return nil
	}
	return err
}

// mayRespond reports whether something may be sent there: a forged payload must not make the bot call a plain-text URL.
func (s *Slack) mayRespond(responseURL string) bool {
	u, err := url.Parse(responseURL)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && s.trusts(u)
}

// trusts reports whether u is on this machine or on the host of the API. With an API that is reached over https, as Slack's
// own is, it never is: what listens on this machine is not Slack.
func (s *Slack) trusts(u *url.URL) bool {
	api, err := url.Parse(s.url)
	if err != nil || api.Scheme == "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() || api.Host == u.Host
}
