package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"flagstop/internal/redistest"
	"flagstop/internal/standin"
	"flagstop/loops"
)

const (
	marked = "marked-secret" // in every secret that a process is given
	hush   = "hushed words"  // in every question
)

// world is a real Redis, the stand-in for Slack over TCP, and processes of flagstop.
type world struct {
	*testing.T
	redis *redistest.Server
	rdb   *redis.Client
	slack *standin.Server
	door  door
	dir   string
	env   []string

	mu   sync.Mutex
	bots map[*process]string // host:port by process
}

// transports are both ways in which Slack's deliveries arrive.
func transports(t *testing.T, f func(t *testing.T, socket bool)) {
	for name, socket := range map[string]bool{"http": false, "socket": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, socket)
		})
	}
}

func newWorld(t *testing.T, socket bool) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir(), bots: map[*process]string{}}
	w.redis = redistest.Start(t, redistest.Options{
		AOF: true, Args: []string{"--user", "bot", "on", ">" + marked + "-redis", "~*", "&*", "+@all"},
	})
	w.rdb = w.redis.Client(t)
	api := httptest.NewServer(&w.door)
	o := standin.Options{
		BotToken: "xoxb-" + marked, AppToken: "xapp-" + marked, SigningSecret: marked + "-signing", BaseURL: api.URL,
		Users: []standin.User{{ID: demoAna, Name: "ana"}, {ID: demoBob, Name: "bob"}, {ID: demoEve, Name: "eve"}},
	}
	for _, c := range []string{demoProduct, demoFacilitat, "C0OPS"} {
		o.Channels = append(o.Channels, standin.Channel{ID: c, Name: strings.ToLower(c), Members: []string{demoAna, demoBob, demoEve}})
	}
	if !socket {
		hooks := httptest.NewServer(http.HandlerFunc(w.deliver))
		t.Cleanup(hooks.Close)
		o.EventsURL, o.InteractionsURL, o.CommandsURL = hooks.URL+"/slack/events", hooks.URL+"/slack/interactions", hooks.URL+"/slack/commands"
	}
	w.slack = standin.New(o)
	w.door.next = w.slack
	t.Cleanup(func() {
		w.slack.Close()
		api.CloseClientConnections()
		api.Close()
	})
	w.environment(api.URL, socket)
	return w
}

const configuration = `roles:
  product-thinker: {channel: C0PRODUCT, answerers: [U0ANA]}
  facilitator: {channel: C0FACIL, answerers: [U0BOB, "cli:%s"], relays_for: [product-thinker]}
  security: {channel: C0GONE, answerers: [U0BOB]}
machines:
  ci-hook: {may_answer_as: [facilitator]}
fallback_channel: C0OPS
`

func (w *world) environment(api string, socket bool) {
	w.Helper()
	private, public, err := loops.GenerateKey()
	if err != nil {
		w.Fatal(err)
	}
	config := w.file("flagstop.yaml", fmt.Sprintf(configuration, strings.TrimPrefix(cliIdentity(), "cli:")))
	w.env = []string{
		"FLAGSTOP_REDIS_URL=redis://bot:" + marked + "-redis@" + w.redis.Addr(), "FLAGSTOP_HTTP_ADDR=127.0.0.1:0", "FLAGSTOP_CONFIG=" + config,
		"FLAGSTOP_SLACK_API_URL=" + api + "/api/", "FLAGSTOP_SLACK_BOT_TOKEN=xoxb-" + marked,
		"FLAGSTOP_SIGNING_KEY_FILE=" + w.file("signing.jwk", string(private)), "FLAGSTOP_VERIFY_KEY=" + string(public),
	}
	if socket {
		w.env = append(w.env, "FLAGSTOP_SLACK_APP_TOKEN=xapp-"+marked)
	} else {
		w.env = append(w.env, "FLAGSTOP_SLACK_SIGNING_SECRET="+marked+"-signing")
	}
}

func (w *world) file(name, text string) string {
	w.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.Fatal(err)
	}
	return path
}

// deliver hands what Slack posts to any one of the bots, as a load balancer does.
func (w *world) deliver(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	var all []string
	for _, addr := range w.bots {
		all = append(all, addr)
	}
	w.mu.Unlock()
	if len(all) == 0 {
		http.Error(rw, "no bot runs", http.StatusBadGateway)
		return
	}
	to := &url.URL{Scheme: "http", Host: all[rand.IntN(len(all))]}
	proxy := httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.SetURL(to) },
		ErrorHandler: func(rw http.ResponseWriter, _ *http.Request, _ error) { rw.WriteHeader(http.StatusBadGateway) },
	}
	proxy.ServeHTTP(rw, r)
}

// serve starts a bot and waits until it is ready.
func (w *world) serve() *process {
	w.Helper()
	p := w.start(call{args: []string{"serve"}})
	w.known(p)
	until(w.T, "a bot that is ready", func() bool {
		code, _ := w.get(p, "/readyz")
		return code == http.StatusOK
	})
	return p
}

// known waits until a bot serves, and remembers where.
func (w *world) known(p *process) {
	w.Helper()
	var addr string
	until(w.T, "a bot that serves", func() bool {
		for line := range strings.SplitSeq(p.err.String(), "\n") {
			var m struct{ Msg, HTTP string }
			if json.Unmarshal([]byte(line), &m) == nil && m.Msg == "serving" {
				addr = m.HTTP
			}
		}
		return addr != "" || exited(p)
	})
	if exited(p) {
		w.Fatal("the bot ended")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bots[p] = addr
}

func exited(p *process) bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (w *world) addr(p *process) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bots[p]
}

// get asks a page of a bot; code 0 is no answer.
func (w *world) get(p *process, path string) (code int, body string) {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), http.MethodGet, "http://"+w.addr(p)+path, http.NoBody)
	if err != nil {
		w.Fatal(err)
	}
	resp, err := httpClient().Do(req)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, ""
	}
	return resp.StatusCode, string(b)
}

// killBot is kill -9 of a bot.
func (w *world) killBot(p *process) {
	p.kill()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.bots, p)
}

func (w *world) start(c call) *process {
	w.Helper()
	return start(w.T, w.env, c)
}

// does runs a command to its end.
func (w *world) does(args ...string) (code int, out, err string) {
	w.Helper()
	return w.doesWith(call{args: args})
}

func (w *world) doesWith(c call) (code int, out, err string) {
	w.Helper()
	p := w.start(c)
	code = p.ended()
	return code, p.out.String(), p.err.String()
}

// must runs a command that has to end with a code, and returns what it printed.
func (w *world) must(code int, args ...string) string {
	w.Helper()
	got, out, err := w.does(args...)
	if got != code {
		w.Errorf("flagstop %s = %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, err)
	}
	return out
}

// ask writes the record of a question into a file.
func (w *world) ask(id, role string) string {
	w.Helper()
	concern := "trade-off"
	if role != loops.ProductThinker {
		concern = "technique"
	}
	r := loops.Record{
		V: 1, ID: id, Addressee: role, Kind: loops.Judgement, Concern: loops.Concern(concern),
		Loop: loops.Loop{ID: "loop-" + id, Repository: "acme/saudacao"},
		Questions: []loops.Question{{
			Key: "q", Message: "Closing and saying no differ (" + hush + "). Which of them should stay?", NullOption: "none",
			Schema: &loops.Schema{Required: []string{"choice"}, Properties: []loops.Property{{
				Name: "choice", Type: loops.SelectProperty, Options: []loops.Option{
					{Const: "keep", Title: "Keep both", Description: "Who closes the window is asked again."},
					{Const: "none", Title: "None of these"},
				},
			}}},
		}},
	}
	return w.record(r)
}

// record writes a record into a file.
func (w *world) record(r loops.Record) string {
	w.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		w.Fatal(err)
	}
	return w.file(r.ID+".json", string(b))
}
