package stories

import (
	"math/rand/v2"
	"net/http"
	"time"

	"flagstop/internal/standin"
)

const (
	botToken      = "xoxb-test"
	appToken      = "xapp-test"
	signingSecret = "a signing secret"
)

// Everybody are the people of the workspace.
func Everybody() []string { return []string{Ana, Bob, Chi, Eve, Mallory} }

// allChannels are the channels of the workspace.
func allChannels() []string { return []string{Product, Facil, Security, Ops, Private} }

func (w *World) startSlack(o Options) {
	w.api = w.listen()
	so := standin.Options{
		Users: []standin.User{
			{ID: Ana, Name: "ana"}, {ID: Bob, Name: "bob"}, {ID: Chi, Name: "chi"}, {ID: Eve, Name: "eve"}, {ID: Mallory, Name: "mallory"},
		},
		Channels: []standin.Channel{
			{ID: Product, Name: "product", Members: Everybody()},
			{ID: Facil, Name: "facilitators", Members: Everybody()},
			{ID: Security, Name: "security", Members: Everybody()},
			{ID: Ops, Name: "ops", Members: Everybody()},
			{ID: Private, Name: "private", Members: []string{Ana}, Private: true},
		},
		Groups:        []standin.Group{{ID: "S0SEC", Handle: "security", Users: []string{Eve}}},
		BotToken:      botToken,
		AppToken:      appToken,
		SigningSecret: signingSecret,
		BaseURL:       w.api.URL(),
		RateLimits:    o.RateLimits,
		PingEvery:     24 * time.Hour,
	}
	if !o.Socket {
		w.hooks = w.listen()
		w.hooks.Serve(http.HandlerFunc(w.deliver))
		so.EventsURL, so.InteractionsURL, so.CommandsURL = w.hooks.URL()+"/slack/events",
			w.hooks.URL()+"/slack/interactions", w.hooks.URL()+"/slack/commands"
		so.HTTPClient = &http.Client{Transport: w.hooks.Transport()}
		w.TB.Cleanup(func() {
			so.HTTPClient.CloseIdleConnections()
			w.hooks.Stop()
		})
	}
	if o.Workspace != nil {
		o.Workspace(&so)
	}
	w.Slack = standin.New(so)
	w.api.Serve(w.Slack)
	w.TB.Cleanup(func() {
		w.Slack.Close()
		w.api.Stop()
	})
}

// deliver hands what Slack posts to any one of the bots that run, as a load balancer does.
func (w *World) deliver(rw http.ResponseWriter, r *http.Request) {
	alive := w.alive()
	if len(alive) == 0 {
		http.Error(rw, "no bot runs", http.StatusBadGateway)
		return
	}
	b := alive[rand.IntN(len(alive))]
	b.http.ServeHTTP(rw, r)
	if b.cut.dead() { // what is written has not left it yet
		panic(http.ErrAbortHandler)
	}
}

func (w *World) alive() (alive []*Bot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.bots {
		if !b.cut.dead() {
			alive = append(alive, b)
		}
	}
	return alive
}

// hear notes what Slack refused. That somebody else published a home meanwhile is no fault: it is drawn again.
func (w *World) hear(refusal string) {
	if refusal == "hash_conflict" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[refusal]++
}
