package standin

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// ackTime is how long the app has to acknowledge a delivery.
const ackTime = 3 * time.Second

// ErrUnanswered is what a person is told whose click, form or command the app did not acknowledge in 3 seconds, or
// answered with an error, or could not be told of. Slack does not deliver it again.
var ErrUnanswered = errors.New("the app did not respond: try again")

// kind is what is delivered: to one URL each, or as one type of envelope.
type kind string

const (
	interactive kind = "interactive"
	command     kind = "slash_commands"
	event       kind = "events_api"
)

// delivery is one attempt to tell the app something.
type delivery struct {
	kind    kind
	payload object
	answers bool // the acknowledgement may carry an answer
	retry   int  // from 1 on a repetition
	reason  string
}

// failure is why a delivery was not acknowledged, in the words of x-slack-retry-reason.
type failure struct {
	reason string
	final  bool // the app asked not to be told again
	err    error
}

func (f *failure) Error() string { return fmt.Sprintf("%s: %v", f.reason, f.err) }
func (f *failure) Unwrap() error { return f.err }

// deliver tells the app and returns what it acknowledged with. It takes 3 seconds at most.
func (s *Server) deliver(ctx context.Context, d delivery) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	defer cancel()
	stop := context.AfterFunc(s.ctx, cancel) //nolint:contextcheck // two contexts end a delivery: its caller's and the server's
	defer stop()
	if s.o.EventsURL+s.o.InteractionsURL+s.o.CommandsURL == "" {
		return s.deliverSocket(ctx, d)
	}
	return s.deliverHTTP(ctx, d)
}

func (s *Server) deliverHTTP(ctx context.Context, d delivery) ([]byte, error) {
	to, contentType, body := s.o.EventsURL, "application/json", []byte(mustJSON(d.payload))
	switch d.kind {
	case interactive:
		to, contentType = s.o.InteractionsURL, "application/x-www-form-urlencoded"
		body = []byte(url.Values{"payload": {string(body)}}.Encode())
	case command:
		to, contentType = s.o.CommandsURL, "application/x-www-form-urlencoded"
		body = []byte(formOf(d.payload).Encode())
	case event:
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body)) //nolint:gosec // the URL is an option of whoever starts the stand-in
	if err != nil || to == "" {
		return nil, &failure{reason: "connection_failed", err: fmt.Errorf("no URL for %s", d.kind)}
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("User-Agent", "Slackbot 1.0 (stand-in)")
	s.sign(req, body)
	if d.retry > 0 {
		req.Header.Set("X-Slack-Retry-Num", strconv.Itoa(d.retry))
		req.Header.Set("X-Slack-Retry-Reason", d.reason)
	}
	return s.send(req)
}

func (s *Server) sign(req *http.Request, body []byte) {
	at := strconv.FormatInt(time.Now().Unix(), 10)
	req.Header.Set("X-Slack-Request-Timestamp", at)
	req.Header.Set("X-Slack-Signature", signature(s.o.SigningSecret, at, body))
}

// signature is Slack's of a request: HMAC-SHA256 over v0:<timestamp>:<raw body>.
func signature(secret, at string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + at + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

func (s *Server) send(req *http.Request) ([]byte, error) {
	resp, err := s.client().Do(req) //nolint:gosec // the URL is an option of whoever starts the stand-in
	if err != nil {
		reason := "connection_failed"
		switch {
		case errors.Is(err, errTooManyRedirects):
			reason = "too_many_redirects"
		case req.Context().Err() != nil:
			reason = "http_timeout"
		}
		return nil, &failure{reason: reason, err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	switch {
	case err != nil:
		return nil, &failure{reason: "http_timeout", err: err}
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		no := resp.Header.Get("X-Slack-No-Retry") == "1"
		return nil, &failure{reason: "http_error", final: no, err: fmt.Errorf("status %d", resp.StatusCode)}
	}
	return body, nil
}

var errTooManyRedirects = errors.New("more than two redirects")

func (s *Server) client() *http.Client {
	c := &http.Client{}
	if s.o.HTTPClient != nil {
		*c = *s.o.HTTPClient
	}
	c.CheckRedirect = func(_ *http.Request, via []*http.Request) error {
		if len(via) > 2 {
			return errTooManyRedirects
		}
		return nil
	}
	return c
}

func formOf(payload object) url.Values {
	form := url.Values{}
	for k, v := range payload {
		form.Set(k, fmt.Sprint(v))
	}
	return form
}

// Verify does what Slack does when an events URL is entered: it sends a challenge, which has to come back.
func (s *Server) Verify(ctx context.Context) error {
	challenge := rand.Text()
	body, err := s.deliver(ctx, delivery{kind: event, payload: object{
		"type": "url_verification", "token": "stand-in", "challenge": challenge,
	}})
	if err != nil {
		return fmt.Errorf("verify the events URL: %w", err)
	}
	var m struct {
		Challenge string `json:"challenge"`
	}
	if got := string(bytes.TrimSpace(body)); got != challenge && (json.Unmarshal(body, &m) != nil || m.Challenge != challenge) {
		return errors.New("verify the events URL: it did not answer with the value of the challenge parameter")
	}
	return nil
}
