package main

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"flagstop/bot"
)

// handler serves /livez, /readyz, /metrics, and in HTTP mode Slack's deliveries.
func (p *parts) handler(t transport) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) { p.ready(w, r, t) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.metrics, promhttp.HandlerOpts{}))
	if t.socket == nil {
		mux.Handle("/slack/", bot.HTTP(bot.HTTPOptions{SigningSecret: t.secret, Log: p.log}, p.bot.Receive))
	}
	return mux
}

// ready answers 503 with the reasons while Redis or Slack is away or a card is behind for minutes.
func (p *parts) ready(w http.ResponseWriter, r *http.Request, t transport) {
	problems := p.bot.Health(r.Context(), time.Now())
	if problem := p.settings.problem(); problem != "" {
		problems = append(problems, problem)
	}
	if t.socket != nil {
		if ok, why := t.socket.Ready(); !ok {
			problems = append(problems, "no Socket Mode connection: "+why)
		}
	}
	if len(problems) > 0 {
		reply(w, http.StatusServiceUnavailable, strings.Join(problems, "\n"))
		return
	}
	reply(w, http.StatusOK, "ready")
}

func reply(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}
