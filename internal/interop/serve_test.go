//go:build interop

package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flagstop/internal/redistest"
	"flagstop/internal/standin"
	"flagstop/loops"
)

// flagstop starts the binary that make build has built.
func flagstop(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	path, err := filepath.Abs("../../bin/flagstop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("build it with make build: %v", err)
	}
	return program(t, ".", env, path, args...)
}

const configuration = `roles:
  product-thinker: {channel: ` + product + `, answerers: [` + ana + `]}
  facilitator: {channel: ` + facil + `, answerers: [` + bob + `]}
fallback_channel: ` + facil + "\n"

// station is a running bot, the workspace that it serves, and the Redis between it and the loops.
type station struct {
	slack *standin.Server
	redis *redis.Client
	port  string // of Redis
	keys  *loops.KeySet
	loop  []string // a loop's environment
}

// serve runs flagstop serve over Socket Mode.
func serve(t *testing.T) *station {
	t.Helper()
	r := redistest.Start(t, redistest.Options{AOF: true})
	s, base := slack(t, nil)
	private, public, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	keys, err := loops.NewKeySet(public, nil)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "flagstop.yaml")
	if err := os.WriteFile(config, []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "redis://" + r.Addr()
	flagstop(t, []string{
		"FLAGSTOP_REDIS_URL=" + url, "FLAGSTOP_CONFIG=" + config, "FLAGSTOP_SIGNING_KEY=" + string(private),
		"FLAGSTOP_SLACK_BOT_TOKEN=" + botToken, "FLAGSTOP_SLACK_APP_TOKEN=" + appToken, "FLAGSTOP_SLACK_API_URL=" + base + "/api/",
		"FLAGSTOP_HTTP_ADDR=127.0.0.1:0",
	}, "serve")
	until(t, s, "two sockets", func() bool { return s.Sockets() >= 2 })
	_, port, _ := strings.Cut(r.Addr(), ":")
	return &station{
		slack: s, redis: r.Client(t), port: port, keys: keys,
		loop: []string{"FLAGSTOP_REDIS_URL=" + url, "FLAGSTOP_VERIFY_KEY=" + string(public)},
	}
}

// card waits for the only card of a channel, with text in it.
func (st *station) card(t *testing.T, channel, text string) standin.Message {
	t.Helper()
	until(t, st.slack, "a card with "+text, func() bool {
		ms := st.slack.Messages(channel)
		return len(ms) > 0 && strings.Contains(ms[0].Text, text)
	})
	if n := len(st.slack.Messages(channel)); n != 1 {
		t.Fatalf("%d cards in %s, want 1", n, channel)
	}
	return st.slack.Messages(channel)[0]
}

// wentOn waits until the card says that the loop went on, and looks whether the ledger says so too.
func (st *station) wentOn(t *testing.T, channel, id string) {
	t.Helper()
	st.card(t, channel, "went on")
	out := flagstop(t, st.loop, "show", id, "--json").ends()
	stop := decode[struct {
		State   string `json:"state"`
		Resumed bool   `json:"resumed"`
	}](t, strings.Join(out, ""))
	if stop.State != "answered" || !stop.Resumed {
		t.Errorf("the ledger says %+v", stop)
	}
	entries, err := st.redis.LRange(within(t), "{fs:0}:log:"+id, 0, -1).Result()
	if err != nil {
		t.Fatal(err)
	}
	if got := kinds(t, entries); strings.Count(got, " answered") != 1 || strings.Count(got, " resumed") != 1 {
		t.Errorf("the log has%s", got)
	}
}

// kinds are the names of a log's entries, each with a space before it.
func kinds(t *testing.T, entries []string) string {
	t.Helper()
	var out strings.Builder
	for _, e := range entries {
		var whole map[string]json.RawMessage
		if err := json.Unmarshal([]byte(e), &whole); err != nil {
			t.Fatal(err)
		}
		out.WriteString(" " + strings.Trim(string(whole["entry"]), `"`))
	}
	return out.String()
}
