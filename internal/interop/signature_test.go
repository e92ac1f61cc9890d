//go:build interop

package interop

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"flagstop/bot"
)

// signed is a request and how it is signed.
type signed struct {
	name, secret, body string
	age                time.Duration
	spoil              func(*signed) // after it was signed
	stamp, signature   string
	ours, bolts        bool // who takes it
}

// TestOurSignatureCodeAndBoltsAgree gives the same requests to the bot's own endpoint and to Bolt. They differ in one: Bolt
// takes what is dated in the future.
func TestOurSignatureCodeAndBoltsAgree(t *testing.T) {
	body := `payload=%7B%22type%22%3A%22block_actions%22%7D`
	cases := []signed{
		{name: "as it should be", secret: secret, body: body, ours: true, bolts: true},
		{name: "four minutes old", secret: secret, body: body, age: 4 * time.Minute, ours: true, bolts: true},
		{name: "six minutes old", secret: secret, body: body, age: 6 * time.Minute},
		{name: "six minutes ahead", secret: secret, body: body, age: -6 * time.Minute, bolts: true},
		{name: "another secret", secret: "another", body: body},
		{name: "not ASCII", secret: secret, body: "payload=%7B%7D&text=é✓", ours: true, bolts: true},
		{name: "another body", secret: secret, body: body, spoil: func(s *signed) { s.body += "&" }},
		{name: "another time", secret: secret, body: body, spoil: func(s *signed) { s.stamp = strconv.FormatInt(time.Now().Unix()+1, 10) }},
		{name: "another version", secret: secret, body: body, spoil: func(s *signed) { s.signature = "v1" + s.signature[2:] }},
		{name: "cut short", secret: secret, body: body, spoil: func(s *signed) { s.signature = s.signature[:40] }},
		{name: "no signature", secret: secret, body: body, spoil: func(s *signed) { s.signature = "" }},
	}
	oracle := node(t, "signature.cjs", secret)
	for _, c := range cases {
		c.sign()
		if got := taken(t, c); got != c.ours {
			t.Errorf("%s: the bot took it: %v", c.name, got)
		}
		oracle.send(object{"body": c.body, "timestamp": c.stamp, "signature": c.signature})
		if got := oracle.await("valid") == "true"; got != c.bolts {
			t.Errorf("%s: Bolt took it: %v", c.name, got)
		}
	}
}

// sign signs as Slack's documentation says, independently of what is tested.
func (s *signed) sign() {
	s.stamp = strconv.FormatInt(time.Now().Add(-s.age).Unix(), 10)
	mac := hmac.New(sha256.New, []byte(s.secret))
	mac.Write([]byte("v0:" + s.stamp + ":" + s.body))
	s.signature = "v0=" + hex.EncodeToString(mac.Sum(nil))
	if s.spoil != nil {
		s.spoil(s)
	}
}

// taken reports whether the bot's endpoint takes a request for Slack's.
func taken(t *testing.T, s signed) bool {
	t.Helper()
	endpoint := bot.HTTP(bot.HTTPOptions{SigningSecret: secret}, func(context.Context, bot.Delivery) json.RawMessage { return nil })
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/slack/interactions", strings.NewReader(s.body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Slack-Request-Timestamp", s.stamp)
	r.Header.Set("X-Slack-Signature", s.signature)
	w := httptest.NewRecorder()
	endpoint.ServeHTTP(w, r)
	if w.Code != http.StatusOK && w.Code != http.StatusUnauthorized {
		t.Errorf("%s: status %d", s.name, w.Code)
	}
	return w.Code == http.StatusOK
}
