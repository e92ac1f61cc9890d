package standin

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/slack-go/slack"
)

// office is a workspace on a pipe, with clients of it.
type office struct {
	t      *testing.T
	s      *Server
	pipe   *Pipe
	client *http.Client
	api    *slack.Client
}

func people() Options {
	return Options{
		Users: []User{
			{ID: "U0ANA", Name: "ana", RealName: "Ana Prado", Title: "Product thinker"},
			{ID: "U0BOB", Name: "bob", RealName: "Bob Lee"},
			{ID: "U0GONE", Name: "gone", Deleted: true},
		},
		Channels: []Channel{
			{ID: "C0PRODUCT", Name: "product", Members: []string{"U0ANA", "U0BOB"}},
			{ID: "C0SECRET", Name: "secret", Members: []string{"U0ANA"}, Private: true},
			{ID: "C0HIDDEN", Name: "hidden", Members: []string{"U0ANA"}, Private: true, NoBot: true},
			{ID: "C0OTHER", Name: "other", Members: []string{"U0ANA"}, NoBot: true},
			{ID: "C0OLD", Name: "old", Members: []string{"U0ANA"}, Archived: true},
		},
		Groups:  []Group{{ID: "S0TEAM", Handle: "team", Users: []string{"U0ANA"}}},
		BaseURL: "http://127.0.0.1", BotToken: "xoxb-test", AppToken: "xapp-test", SigningSecret: "secret",
	}
}

func open(t *testing.T, o Options) *office {
	t.Helper()
	s := New(o)
	pipe := Serve(s)
	client := pipe.Client()
	t.Cleanup(func() {
		s.Close()
		client.CloseIdleConnections()
		pipe.Stop()
	})
	return &office{t: t, s: s, pipe: pipe, client: client, api: slack.New(
		"xoxb-test", slack.OptionAPIURL("http://127.0.0.1/api/"), slack.OptionAppLevelToken("xapp-test"), slack.OptionHTTPClient(client))}
}

// call posts a form to a method and returns what came back.
func (o *office) call(method string, form url.Values) map[string]any {
	o.t.Helper()
	if form.Get("token") == "" {
		form.Set("token", "xoxb-test")
	}
	resp, err := o.client.PostForm("http://127.0.0.1/api/"+method, form)
	if err != nil {
		o.t.Fatalf("%s: %v", method, err)
	}
	return readBody(o.t, resp)
}

func readBody(t *testing.T, resp *http.Response) map[string]any {
	t.Helper()
	defer func() { _ = resp.Body.Close() }()
	var m map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&m); err != nil {
		t.Fatalf("decode the answer: %v", err)
	}
	return m
}

// post posts a message and returns it as it stands.
func (o *office) post(form url.Values) Message {
	o.t.Helper()
	if form.Get("channel") == "" {
		form.Set("channel", "C0PRODUCT")
	}
	got := o.call("chat.postMessage", form)
	if got["ok"] != true {
		o.t.Fatalf("chat.postMessage: %v", got)
	}
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.world.find(got["channel"].(string), got["ts"].(string)).snapshot()
}

// app is a bot at the other end: it notes what it is told, and answers.
type app struct {
	mu     sync.Mutex
	heard  []told
	answer func(told) (ack any, status int) // nil acknowledges with nothing; status 0 is 200, -1 no acknowledgement
}

// told is one delivery as it reached the app.
type told struct {
	kind    string
	payload map[string]any
	header  http.Header
	raw     []byte
	frame   map[string]any
}

func (a *app) hear(h told) (any, int) {
	a.mu.Lock()
	a.heard = append(a.heard, h)
	a.mu.Unlock()
	if a.answer == nil {
		return nil, 0
	}
	return a.answer(h)
}

func (a *app) all() []told {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]told{}, a.heard...)
}

func (a *app) last(t *testing.T) told {
	t.Helper()
	all := a.all()
	if len(all) == 0 {
		t.Fatal("the app has heard nothing")
	}
	return all[len(all)-1]
}

// ServeHTTP is the app in HTTP mode.
func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	h := told{kind: r.URL.Path[1:], header: r.Header, raw: raw}
	switch form, _ := url.ParseQuery(string(raw)); {
	case h.kind == "events":
		_ = json.Unmarshal(raw, &h.payload)
	case form.Has("payload"):
		_ = json.Unmarshal([]byte(form.Get("payload")), &h.payload)
	default:
		h.payload = map[string]any{}
		for k := range form {
			h.payload[k] = form.Get(k)
		}
	}
	ack, status := a.hear(h)
	switch {
	case status == -1:
		<-r.Context().Done()
	case status != 0:
		w.WriteHeader(status)
	case ack != nil:
		_ = json.NewEncoder(w).Encode(ack)
	}
}

// byHTTP opens an office whose app is reached over HTTP.
func byHTTP(t *testing.T, a *app) *office {
	t.Helper()
	pipe := Serve(a)
	client := pipe.Client()
	o := people()
	o.HTTPClient = client
	o.EventsURL, o.InteractionsURL, o.CommandsURL = "http://app/events", "http://app/interactions", "http://app/commands"
	t.Cleanup(func() {
		client.CloseIdleConnections()
		pipe.Stop()
	})
	return open(t, o)
}

// line is a socket of the app.
type line struct {
	conn  *websocket.Conn
	hello map[string]any
	end   error // why it ended, after gone
	gone  chan struct{}
}

// dial opens a socket, reads hello, and answers what comes as a does.
func (o *office) dial(a *app) *line {
	o.t.Helper()
	_, at, err := o.api.StartSocketModeContext(o.t.Context())
	if err != nil {
		o.t.Fatalf("apps.connections.open: %v", err)
	}
	l := o.dialURL(at)
	go l.serve(a)
	o.t.Cleanup(func() { _ = l.conn.CloseNow(); <-l.gone })
	return l
}

func (o *office) dialURL(at string) *line {
	o.t.Helper()
	conn, resp, err := websocket.Dial(o.t.Context(), at, &websocket.DialOptions{HTTPClient: o.client})
	if err != nil {
		o.t.Fatalf("dial %s: %v (%v)", at, err, resp)
	}
	conn.SetReadLimit(-1)
	l := &line{conn: conn, gone: make(chan struct{})}
	_, data, err := conn.Read(o.t.Context())
	if err != nil {
		o.t.Fatalf("read hello: %v", err)
	}
	if err := json.Unmarshal(data, &l.hello); err != nil {
		o.t.Fatal(err)
	}
	return l
}

func (l *line) serve(a *app) {
	defer close(l.gone)
	for {
		_, data, err := l.conn.Read(context.Background())
		if err != nil {
			l.end = err
			return
		}
		h := told{raw: data}
		_ = json.Unmarshal(data, &h.frame)
		h.kind, _ = h.frame["type"].(string)
		h.payload, _ = h.frame["payload"].(map[string]any)
		ack, status := a.hear(h)
		if id := h.frame["envelope_id"]; id != nil && status == 0 {
			_ = l.write(map[string]any{"envelope_id": id, "payload": ack})
		}
	}
}

func (l *line) write(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return l.conn.Write(context.Background(), websocket.MessageText, data)
}

const twoButtons = `[{"type":"section","block_id":"q","text":{"type":"plain_text","text":"Which?"}},
 {"type":"actions","block_id":"b","elements":[
  {"type":"button","action_id":"yes","value":"1","text":{"type":"plain_text","text":"Yes & no"}},
  {"type":"button","action_id":"link","url":"https://example.com","text":{"type":"plain_text","text":"Open"}},
  {"type":"overflow","action_id":"more","options":[{"text":{"type":"plain_text","text":"Later"},"value":"later"}]}]}]`
