package bot

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/templates"
)

// told is one call that a fakeAPI got.
type gotCall struct {
	method, auth string
	args         map[string]any
	at           time.Time
}

// api is a Slack that answers as a test tells it.
type api struct {
	mu     sync.Mutex
	calls  []gotCall
	answer func(w http.ResponseWriter, c gotCall)
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := gotCall{method: strings.TrimPrefix(r.URL.Path, "/api/"), auth: r.Header.Get("Authorization"), args: map[string]any{}, at: time.Now()}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		_ = json.Unmarshal(body, &c.args)
	} else if form, err := url.ParseQuery(string(body)); err == nil {
		for k := range form {
			c.args[k] = form.Get(k)
		}
	}
	a.mu.Lock()
	a.calls = append(a.calls, c)
	answer := a.answer
	a.mu.Unlock()
	answer(w, c)
}

func (a *api) all() []gotCall {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]gotCall(nil), a.calls...)
}

// says answers every call with that body.
func says(body string) func(http.ResponseWriter, gotCall) {
	return func(w http.ResponseWriter, _ gotCall) { _, _ = io.WriteString(w, body) }
}

const okPosted = `{"ok":true,"channel":"C1","ts":"1700000000.000100","message":{}}`

// overTCP serves h on a loopback port.
func overTCP(t *testing.T, h http.Handler) *Slack {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: server.URL + "/api/"})
}

// pipes is an http.Client whose connections to h never leave the process, for synctest bubbles.
func pipes(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	l := &pipeListener{accept: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Hour}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		<-done
	})
	return &http.Client{Transport: transport}
}

type pipeListener struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.accept <- there:
		return here, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accept:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// inBubble runs f with a Slack that h answers, in virtual time.
func inBubble(t *testing.T, a *api, f func(t *testing.T, s *Slack)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f(t, NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: "http://slack.test/api/", HTTPClient: pipes(t, a)}))
	})
}

// asFailed returns err as the SlackError that it must be.
func asFailed(t *testing.T, err error) *SlackError {
	t.Helper()
	failed, ok := errors.AsType[*SlackError](err)
	if !ok {
		t.Fatalf("error = %v, want a *SlackError", err)
	}
	return failed
}

func hello() templates.Message { return templates.Message{Text: "hello"} }

func without(m map[string]any, names ...string) map[string]any {
	m = maps.Clone(m)
	for _, n := range names {
		delete(m, n)
	}
	return m
}
