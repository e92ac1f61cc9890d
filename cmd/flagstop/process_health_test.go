package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// notReady waits until /readyz says 503 with a reason, while /livez goes on.
func (w *world) notReady(bot *process, reason string) {
	w.Helper()
	until(w.T, "a bot that is not ready: "+reason, func() bool {
		code, body := w.get(bot, "/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(body, reason)
	})
	if code, _ := w.get(bot, "/livez"); code != http.StatusOK {
		w.Errorf("/livez = %d, want it alive", code)
	}
}

func (w *world) ready(bot *process) {
	w.Helper()
	until(w.T, "a bot that is ready again", func() bool {
		code, _ := w.get(bot, "/readyz")
		return code == http.StatusOK
	})
}

func TestReadyzSaysThatRedisIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	bot := w.serve()
	w.redis.Kill()
	w.notReady(bot, "Redis cannot be reached")
	w.redis.Restart()
	w.ready(bot)
}

func TestReadyzSaysThatSocketModeHasNoConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	bot := w.serve()
	w.door.away(http.StatusServiceUnavailable)
	w.slack.Disconnect("warning")
	w.notReady(bot, "no Socket Mode connection")
	w.door.away(0)
	w.ready(bot)
}

func TestReadyzSaysThatSlackRefusesTheBot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	bot := w.serve()
	w.slack.Break(standin.Fault{Error: "invalid_auth"})
	w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
	w.notReady(bot, "invalid_auth")
	if stop, err := w.stop("s"); err != nil || stop.State.Phase != ledger.Open {
		t.Errorf("the stop is %+v (%v), want it kept open", stop.State, err)
	}
	w.slack.Heal()
	w.card(demoProduct, "s", "Choose")
	w.ready(bot)
}

func TestReadyzSaysFromTheStartThatSlackIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	w.door.away(http.StatusBadGateway)
	bot := w.start(call{args: []string{"serve"}})
	w.known(bot)
	w.notReady(bot, "Slack")
	w.door.away(0)
	w.ready(bot)
}

func TestMetricsHaveTheirNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	bot := w.serve()
	w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
	card := w.card(demoProduct, "s", "Choose")
	if err := w.slack.As(demoEve).Click(t.Context(), card, "Choose", 0); err != nil {
		t.Fatal(err)
	}
	w.click(demoAna, demoProduct, "s")
	w.card(demoProduct, "s", "not gone on yet")
	w.quiet()
	_, body := w.get(bot, "/metrics")
	for _, line := range []string{
		"flagstop_cards_shown_total 2\n", `flagstop_clicks_total{result="recorded"} 1` + "\n", `flagstop_clicks_total{result="turned_away"} 1` + "\n",
		`flagstop_turned_away_total{reason=`, `flagstop_slack_calls_total{class="ok",method="chat.postMessage"} `,
		"flagstop_cards_behind ", "flagstop_cards_behind_oldest_seconds ", "flagstop_stops_undelivered ", "go_goroutines ",
		"process_cpu_seconds_total ",
	} {
		if !strings.Contains(body, line) {
			t.Errorf("/metrics has no %q", line)
		}
	}
	if strings.Contains(body, hush) || strings.Contains(body, marked) {
		t.Error("/metrics has a question's text or a secret")
	}
}

func TestASignalEndsTheBotInOrderWithAClickInHand(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, socket bool) {
		w := newWorld(t, socket)
		bot := w.serve()
		w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
		card := w.card(demoProduct, "s", "Choose")
		w.quiet()
		until(t, "a click that is acknowledged before it can be recorded", func() bool {
			w.rdb.Do(t.Context(), "CLIENT", "PAUSE", 6000, "WRITE")
			return w.slack.As(demoAna).Click(t.Context(), card, "Choose", 0) == nil
		})
		if s, err := w.stop("s"); err != nil || s.State.Phase != ledger.Open {
			t.Fatalf("the stop is %s (%v) while Redis takes no write", s.State.Phase, err)
		}
		bot.signal(syscall.SIGTERM)
		told := time.Now()
		if code := bot.ended(); code != exitDone {
			t.Errorf("the bot ended with %d, want %d", code, exitDone)
		}
		if took := time.Since(told); took > 10*time.Second {
			t.Errorf("it took %v to end, want at most 10 s", took)
		}
		if s, err := w.stop("s"); err != nil || s.State.Phase != ledger.Answered {
			t.Errorf("the stop is %s (%v), want the acknowledged click recorded", s.State.Phase, err)
		}
	})
}

func TestServeSaysWhatIsWrongAndEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	nobody := "127.0.0.1:1" // a port that nobody listens on
	for name, row := range map[string]struct{ env, says []string }{
		"other partitions": {[]string{"FLAGSTOP_PARTITIONS=4"}, []string{"FLAGSTOP_PARTITIONS=1", "another prefix"}},
		"no partitions":    {[]string{"FLAGSTOP_PARTITIONS=none"}, []string{"FLAGSTOP_PARTITIONS"}},
		"a user's token":   {[]string{"FLAGSTOP_SLACK_BOT_TOKEN=xoxp-" + marked}, []string{"FLAGSTOP_SLACK_BOT_TOKEN", "xoxb-"}},
		"a wrong app token": {
			[]string{"FLAGSTOP_SLACK_APP_TOKEN=xoxb-" + marked}, []string{"FLAGSTOP_SLACK_APP_TOKEN", "xapp-"},
		},
		"no transport":       {[]string{"FLAGSTOP_SLACK_APP_TOKEN="}, []string{"FLAGSTOP_SLACK_APP_TOKEN", "FLAGSTOP_SLACK_SIGNING_SECRET"}},
		"no URL of Redis":    {[]string{"FLAGSTOP_REDIS_URL=" + marked}, []string{"FLAGSTOP_REDIS_URL"}},
		"Redis is not there": {[]string{"FLAGSTOP_REDIS_URL=redis://u:" + marked + "@" + nobody}, []string{nobody}},
		"a wrong password":   {[]string{"FLAGSTOP_REDIS_URL=redis://bot:" + marked + "@" + w.redis.Addr()}, []string{w.redis.Addr(), "WRONGPASS"}},
		"a taken port":       {[]string{"FLAGSTOP_HTTP_ADDR=" + l.Addr().String()}, []string{"FLAGSTOP_HTTP_ADDR", "in use"}},
		"no signing key":     {[]string{"FLAGSTOP_SIGNING_KEY_FILE=", "FLAGSTOP_SIGNING_KEY=" + marked}, []string{"FLAGSTOP_SIGNING_KEY"}},
		"no configuration":   {[]string{"FLAGSTOP_CONFIG=" + w.dir + "/none.yaml"}, []string{"FLAGSTOP_CONFIG", "none.yaml"}},
		"a faulty one":       {[]string{"FLAGSTOP_CONFIG=" + w.file("faulty.yaml", "roles:\n  a: {chanel: C1}\n")}, []string{"faulty.yaml:2:7"}},
		"a wrong prefix":     {[]string{"FLAGSTOP_PREFIX=Not This"}, []string{"prefix"}},
		"a wrong level":      {[]string{"FLAGSTOP_LOG_LEVEL=loud"}, []string{"FLAGSTOP_LOG_LEVEL"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, w.env, call{args: []string{"serve"}, env: row.env})
			if code := p.ended(); code != exitError {
				t.Errorf("serve = %d, want %d", code, exitError)
			}
			for _, text := range row.says {
				if !strings.Contains(p.err.String(), text) {
					t.Errorf("standard error = %s, want %q in it", p.err.String(), text)
				}
			}
		})
	}
}

func TestServeRefusesARedisThatMayForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	if err := w.rdb.ConfigSet(context.WithoutCancel(t.Context()), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
		t.Fatal(err)
	}
	code, _, err := w.does("serve")
	if code != exitError || !strings.Contains(err, "noeviction") {
		t.Errorf("serve = %d, %s; want it to ask for noeviction", code, err)
	}
}
