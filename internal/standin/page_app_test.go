package standin_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"

	"flagstop/internal/standin"
)

// app is a small app on the other side of the stand-in: it takes interactions and commands by HTTP.
type app struct {
	t      *testing.T
	server *httptest.Server
	base   string
	token  string

	news chan struct{} // has room for one: something came in

	mu       sync.Mutex
	payloads []map[string]any
	commands []url.Values
	window   string            // the view that a press of "window" opens
	errors   map[string]string // what it holds against the next submission
}

func newApp(t *testing.T) *app {
	a := &app{t: t, news: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /interactions", a.interaction)
	mux.HandleFunc("POST /commands", a.command)
	mux.HandleFunc("POST /events", a.event)
	a.server = httptest.NewServer(mux)
	t.Cleanup(a.server.Close)
	return a
}

func (a *app) url() string { return a.server.URL }

func (a *app) connect(s *standin.Server, base string) {
	a.base = base
	a.token, _, _ = s.Tokens()
}

// call calls a method of the Web API; anything but ok is an error of the test.
func (a *app) call(method string, args map[string]any) map[string]any {
	body, err := json.Marshal(args)
	if err != nil {
		a.t.Error(err)
		return nil
	}
	r, err := http.NewRequest(http.MethodPost, a.base+"/api/"+method, bytes.NewReader(body))
	if err != nil {
		a.t.Error(err)
		return nil
	}
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Error(err)
		return nil
	}
	defer answer.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&out); err != nil || out["ok"] != true {
		a.t.Errorf("%s: %v %v", method, err, out)
	}
	return out
}

// post posts blocks, written as JSON, to #product; more arguments may follow as pairs. It returns the ts.
func (a *app) post(blocks string, more ...any) string {
	args := map[string]any{"channel": "C0PRODUCT", "text": "in other words", "blocks": json.RawMessage(blocks)}
	for pair := range slices.Chunk(more, 2) {
		args[pair[0].(string)] = pair[1]
	}
	ts, _ := a.call("chat.postMessage", args)["ts"].(string)
	return ts
}

func (a *app) interaction(w http.ResponseWriter, r *http.Request) {
	var p map[string]any
	if err := json.Unmarshal([]byte(r.FormValue("payload")), &p); err != nil {
		a.t.Errorf("payload: %v", err)
	}
	a.mu.Lock()
	a.payloads = append(a.payloads, p)
	window, faults := a.window, a.errors
	a.mu.Unlock()
	select {
	case a.news <- struct{}{}:
	default:
	}
	switch p["type"] {
	case "block_actions":
		a.action(w, p, window)
	case "view_submission":
		if faults != nil {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"response_action": "errors", "errors": faults})
		}
	}
}

func (a *app) action(w http.ResponseWriter, p map[string]any, window string) {
	act := dig[map[string]any](p, "actions", 0)
	channel, user := dig[string](p, "channel", "id"), dig[string](p, "user", "id")
	switch act["action_id"] {
	case "choose":
		a.call("chat.update", map[string]any{
			"channel": channel, "ts": dig[string](p, "container", "message_ts"), "text": "answered",
			"blocks": json.RawMessage(`[{"type":"section","text":{"type":"mrkdwn","text":"<@` + user + `> chose *` + act["value"].(string) + `*","verbatim":true}}]`),
		})
	case "window":
		a.call("views.open", map[string]any{"trigger_id": p["trigger_id"], "view": json.RawMessage(window)})
	case "whisper":
		a.call("chat.postEphemeral", map[string]any{"channel": channel, "user": user, "text": "*Not recorded.* You may not answer this one."})
	case "fail":
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (a *app) command(w http.ResponseWriter, r *http.Request) {
	text := r.FormValue("command") + " " + r.FormValue("text")
	a.mu.Lock()
	a.commands = append(a.commands, r.Form)
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"response_type": "ephemeral", "text": "You typed " + text})
}

func (a *app) event(_ http.ResponseWriter, r *http.Request) {
	var e map[string]any
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		a.t.Errorf("event: %v", err)
	}
	if dig[string](e, "event", "type") == "app_home_opened" {
		a.call("views.publish", map[string]any{"user_id": dig[string](e, "event", "user"), "view": json.RawMessage(
			`{"type":"home","blocks":[{"type":"header","text":{"type":"plain_text","text":"Waits for you: 1"}},
			{"type":"actions","elements":[{"type":"button","action_id":"open","text":{"type":"plain_text","text":"Open…"},"value":"x"}]}]}`)})
	}
}

// got returns the payloads of a type so far.
func (a *app) got(kind string) []map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []map[string]any
	for _, p := range a.payloads {
		if p["type"] == kind {
			out = append(out, p)
		}
	}
	return out
}

func (a *app) opens(window string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window = window
}

func (a *app) refuses(errors map[string]string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.errors = errors
}

// dig follows keys and indexes into decoded JSON; what is not there is the zero value.
func dig[V any](v any, path ...any) V {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			items, _ := v.([]any)
			if step >= len(items) {
				v = nil
				break
			}
			v = items[step]
		}
	}
	out, _ := v.(V)
	return out
}
