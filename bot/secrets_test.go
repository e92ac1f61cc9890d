package bot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	secretToken = "xoxb-SECRET-token"
	secretURL   = "/SECRET-response/T1"
)

// Whatever goes wrong, neither an error nor a log line shows a token or a response URL.
func TestNoErrorAndNoLogLineShowsASecret(t *testing.T) {
	broken := map[string]func(http.ResponseWriter, gotCall){
		"cut":     abort,
		"limited": func(w http.ResponseWriter, _ gotCall) { w.WriteHeader(http.StatusTooManyRequests) },
		"echo":    says(`{"ok":false,"error":"` + secretToken + `","needed":"` + secretToken + `"}`),
		"scope":   says(`{"ok":false,"error":"missing_scope","needed":"` + secretToken + `"}`),
		"content": says(`{"ok":false,"error":"invalid_blocks","errors":["` + secretToken + ` [json-pointer:/` + secretToken + `]"]}`),
		"page":    says("<html>" + secretToken + secretURL),
		"warning": says(`{"ok":true,"warning":"` + secretToken + `"}`),
		"shape":   says(`{"ok":true,"ts":["` + secretToken + `"]}`),
		"redirect": func(w http.ResponseWriter, _ gotCall) {
			w.Header().Set("Location", "http://"+secretToken)
			w.WriteHeader(http.StatusFound)
		},
		"forbidden": func(w http.ResponseWriter, _ gotCall) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, secretToken)
		},
		"badly long": func(w http.ResponseWriter, _ gotCall) {
			w.Header().Set("Content-Length", "10")
			_, _ = io.WriteString(w, secretToken[:5])
			panic(http.ErrAbortHandler)
		},
	}
	for name, answer := range broken {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(&api{answer: answer})
			defer server.Close()
			noSecretWith(t, server.URL, nil)
		})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	t.Run("nobody there", func(t *testing.T) { noSecretWith(t, "http://"+l.Addr().String(), nil) })
	t.Run("an unknown host", func(t *testing.T) { noSecretWith(t, "http://slack.invalid:1", nil) })
	t.Run("an odd host", func(t *testing.T) { noSecretWith(t, "http://[::1]:namedport", nil) })
	t.Run("a transport that quotes", func(t *testing.T) {
		noSecretWith(t, "http://127.0.0.1:1", &http.Client{Transport: quoting{}})
	})
}

// quoting fails as a proxy does, with an error that http.Client wraps with the URL.
type quoting struct{}

func (quoting) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("proxy is away")
}

// noSecretWith calls everything once against a Slack that fails.
func noSecretWith(t *testing.T, base string, client *http.Client) {
	t.Helper()
	var logged bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := NewSlack(SlackOptions{BotToken: secretToken, APIURL: base + "/api/", HTTPClient: client, Log: log})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var errs []error
	_, err := s.Post(ctx, "C1", "", hello(), Stamp{})
	errs = append(errs, err, s.Update(ctx, "C1", "1.2", hello(), Stamp{}), s.Whisper(ctx, "C1", "", "U1", hello()))
	errs = append(errs, s.Respond(ctx, base+secretURL, hello()), s.Respond(ctx, "http://elsewhere.test"+secretURL, hello()))
	errs = append(errs, s.Respond(ctx, "https://127.0.0.1:1"+secretURL, hello()), s.Respond(ctx, "http://127.0.0.1:x"+secretURL, hello()))
	_, err = s.Find(ctx, "C1", "", time.Now(), Stamp{})
	errs = append(errs, err)
	socket := NewSocket(SocketOptions{AppToken: secretToken, APIURL: base + "/api/", HTTPClient: client, Log: log})
	_, err = socket.connect(ctx, nil)
	errs = append(errs, err)
	for _, err := range errs {
		if err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("an error shows a secret: %v", err)
		}
	}
	if strings.Contains(logged.String(), "SECRET") {
		t.Errorf("the log shows a secret: %s", logged.String())
	}
	for _, dump := range []string{fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s), fmt.Sprintf("%+v", socket.api)} {
		if strings.Contains(dump, "SECRET") {
			t.Errorf("a dump shows a secret: %s", dump)
		}
	}
}

// The URL of a socket is a secret as long as nobody has used it.
func TestNoErrorShowsTheURLOfASocket(t *testing.T) {
	for name, target := range map[string]string{
		"refused":      "ws://127.0.0.1:1/?ticket=SECRET",
		"not for us":   "ws://elsewhere.test/?ticket=SECRET",
		"no websocket": "",
		"odd":          "wss://%zz/?ticket=SECRET",
		"unknown host": "wss://slack.invalid/?ticket=SECRET",
	} {
		t.Run(name, func(t *testing.T) {
			var server *httptest.Server
			a := &api{}
			a.answer = func(w http.ResponseWriter, c gotCall) {
				if c.method != "apps.connections.open" {
					w.WriteHeader(http.StatusForbidden)
					return
				}
				if target == "" {
					target = "ws" + strings.TrimPrefix(server.URL, "http") + "/?ticket=SECRET"
				}
				_, _ = io.WriteString(w, `{"ok":true,"url":"`+target+`"}`)
			}
			server = httptest.NewServer(a)
			defer server.Close()
			socket := NewSocket(SocketOptions{AppToken: secretToken, APIURL: server.URL + "/api/"})
			_, err := socket.connect(t.Context(), nil)
			if err == nil || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("error = %v, want one without the secret", err)
			}
		})
	}
}

func TestATimeoutShowsNoSecret(t *testing.T) {
	a := &api{answer: func(http.ResponseWriter, gotCall) { time.Sleep(time.Minute) }}
	synctest.Test(t, func(t *testing.T) {
		s := NewSlack(SlackOptions{BotToken: secretToken, APIURL: "http://slack.test/api/", HTTPClient: pipes(t, a)})
		err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{})
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("error = %v", err)
		}
		err = again(func() error { return s.respond(t.Context(), "http://slack.test"+secretURL, response{}) })
		if err == nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("error = %v", err)
		}
		time.Sleep(2 * time.Minute)
	})
}
