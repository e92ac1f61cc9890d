package bot

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	maxBody         = 1 << 20 // bytes of a delivery
	signatureWindow = 5 * time.Minute
	formType        = "application/x-www-form-urlencoded"
	jsonType        = "application/json"
)

// HTTPOptions say how to take signed deliveries.
type HTTPOptions struct {
	SigningSecret string
	Log           *slog.Logger
}

// Check reports what is wrong with the options: without a secret everybody could sign.
func (o HTTPOptions) Check() error {
	if strings.TrimSpace(o.SigningSecret) == "" {
		return errors.New("the signing secret is empty: copy it from the app's Basic Information page")
	}
	return nil
}

// HTTP returns the handler of /slack/events, /slack/interactions and /slack/commands. It verifies the signature over the raw
// body within five minutes before anything is parsed. It panics where o.Check has something to say.
//
// A signed request that comes again within the five minutes is delivered again, as Slack's own retries are
// (Delivery.Retry): Receive recognises what it has by its own keys.
// https://docs.slack.dev/authentication/verifying-requests-from-slack/
func HTTP(o HTTPOptions, receive Receive) http.Handler {
	if err := o.Check(); err != nil {
		panic("bot.HTTP: " + err.Error())
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &endpoint{secret: []byte(o.SigningSecret), log: o.Log, receive: receive}
}

// endpoint takes what Slack posts.
type endpoint struct {
	secret  []byte
	log     *slog.Logger
	receive Receive
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, ok := kindOf(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case tooLarge(err):
		refuse(w, http.StatusRequestEntityTooLarge)
	case err != nil:
		refuse(w, http.StatusBadRequest)
	case kind == SlashCommand && sslCheck(body):
		w.WriteHeader(http.StatusOK)
	case !e.signed(r.Header, body, time.Now()):
		e.log.Warn("a request was not signed by slack, or too long ago", "path", r.URL.Path)
		refuse(w, http.StatusUnauthorized)
	case !typed(r.Header, kind):
		refuse(w, http.StatusUnsupportedMediaType)
	default:
		e.deliver(w, r, kind, body)
	}
}

func kindOf(path string) (DeliveryKind, bool) {
	switch path {
	case "/slack/events":
		return EventsAPI, true
	case "/slack/interactions":
		return Interactive, true
	case "/slack/commands":
		return SlashCommand, true
	}
	return "", false
}

// refuse answers without a detail.
func refuse(w http.ResponseWriter, status int) {
	http.Error(w, http.StatusText(status), status)
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

// sslCheck reports whether Slack only looks at the certificate. It does not sign that; answering it does nothing.
func sslCheck(body []byte) bool {
	form, err := url.ParseQuery(string(body))
	return err == nil && form.Get("ssl_check") == "1"
}

// signed reports whether Slack signed the body, at most five minutes away from now.
func (e *endpoint) signed(h http.Header, body []byte, now time.Time) bool {
	stamp, ok := only(h, "X-Slack-Request-Timestamp")
	if !ok || len(stamp) > 12 || strings.Trim(stamp, "0123456789") != "" {
		return false
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > signatureWindow {
		return false
	}
	signature, ok := only(h, "X-Slack-Signature")
	return ok && hmac.Equal([]byte(signature), []byte(sign(e.secret, stamp, body)))
}

// only returns a header that stands exactly once.
func only(h http.Header, name string) (string, bool) {
	values := h.Values(name)
	if len(values) != 1 || values[0] == "" {
		return "", false
	}
	return values[0], true
}

// sign returns the signature of a body, as Slack writes it.
func sign(secret []byte, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("v0:" + timestamp + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

func typed(h http.Header, kind DeliveryKind) bool {
	got, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if kind == EventsAPI {
		return err == nil && got == jsonType
	}
	return err == nil && got == formType
}

// deliver hands a verified body on and answers with the ack.
func (e *endpoint) deliver(w http.ResponseWriter, r *http.Request, kind DeliveryKind, body []byte) {
	payload, err := payloadOf(kind, body)
	if err != nil {
		e.log.Warn("a signed request could not be read", "kind", kind, "bytes", len(body), "err", err)
		refuse(w, http.StatusBadRequest)
		return
	}
	if challenge, ok := challengeOf(kind, payload); ok {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, challenge)
		return
	}
	ack, ok := e.receive.take(r.Context(), Delivery{Kind: kind, Payload: payload, Retry: retryOf(r.Header)}, e.log)
	switch {
	case !ok:
		refuse(w, http.StatusInternalServerError)
	case ack == nil:
		w.WriteHeader(http.StatusOK)
	default:
		w.Header().Set("Content-Type", jsonType)
		_, _ = w.Write(ack)
	}
}

// payloadOf takes the payload out of a body. Its errors say nothing of what the body holds.
func payloadOf(kind DeliveryKind, body []byte) (json.RawMessage, error) {
	if kind == EventsAPI {
		return object(body)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errors.New("the form is not well formed")
	}
	if kind == Interactive {
		if len(form["payload"]) != 1 {
			return nil, errors.New("the form has not exactly one payload")
		}
		return object([]byte(form.Get("payload")))
	}
	fields := make(map[string]string, len(form))
	for name := range form {
		fields[name] = form.Get(name)
	}
	return json.Marshal(fields)
}

// object returns b if it is a JSON object.
func object(b []byte) (json.RawMessage, error) {
	if !json.Valid(b) || !bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("{")) {
		return nil, errors.New("the payload is not a JSON object")
	}
	return b, nil
}

// challengeOf returns what Slack wants to hear when the events' URL is configured.
func challengeOf(kind DeliveryKind, payload json.RawMessage) (string, bool) {
	if kind != EventsAPI {
		return "", false
	}
	var p struct{ Type, Challenge string }
	if json.Unmarshal(payload, &p) != nil || p.Type != "url_verification" {
		return "", false
	}
	return p.Challenge, true
}

// retryOf reads how often Slack sent this before. It never makes a delivery be dropped: it can be the first that arrives.
func retryOf(h http.Header) int {
	n, err := strconv.Atoi(h.Get("X-Slack-Retry-Num"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
