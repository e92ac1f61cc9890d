package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/redis/go-redis/v9"

	"flagstop/bot"
	"flagstop/internal/rosters"
	"flagstop/loops/ledger"
	"flagstop/templates"
)

// parts are what a running bot is made of.
type parts struct {
	log      *slog.Logger
	redis    redis.UniversalClient
	settings *settings
	words    *templates.Words
	ledger   *ledger.Ledger
	metrics  *prometheus.Registry
	bot      *bot.Bot
}

// serve runs the bot until it is told to stop.
func serve(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "serve")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	e, err := readEnvironment()
	if err != nil {
		return err
	}
	log, err := e.logger(io)
	if err != nil {
		return err
	}
	p, t, err := e.assemble(ctx, log)
	if err != nil {
		return err
	}
	defer func() { _ = p.redis.Close() }()
	return p.run(ctx, e.HTTPAddr, t)
}

// transport is how Slack's deliveries arrive: by Socket Mode, or by HTTP.
type transport struct {
	socket *bot.Socket
	secret string // of HTTP mode
}

// transport chooses Socket Mode where there is an app token, else HTTP: contract §6.
func (e environment) transport(log *slog.Logger) (transport, error) {
	switch {
	case e.AppToken != "":
		if !strings.HasPrefix(string(e.AppToken), "xapp-") {
			return transport{}, errors.New("FLAGSTOP_SLACK_APP_TOKEN does not begin with xapp-: it is made under Basic Information, App-Level Tokens")
		}
		return transport{socket: bot.NewSocket(bot.SocketOptions{
			AppToken: string(e.AppToken), APIURL: e.SlackAPIURL, HTTPClient: httpClient(), Log: log,
		})}, nil
	case e.SigningSecret != "":
		return transport{secret: string(e.SigningSecret)}, nil
	}
	return transport{}, errors.New("set FLAGSTOP_SLACK_APP_TOKEN (Socket Mode) or FLAGSTOP_SLACK_SIGNING_SECRET (HTTP); flagstop manifest makes the app")
}

func httpClient() *http.Client { return &http.Client{Timeout: 15 * time.Second} }

// assemble reads everything that serve needs and says at once what is missing.
func (e environment) assemble(ctx context.Context, log *slog.Logger) (p parts, t transport, err error) {
	p.log = log
	signer, errSigner := e.signer()
	c, errConfig := e.loadSettings(ctx, log)
	words, errWords := e.words()
	n, errPartitions := e.partitions()
	_, errRedis := redisOptions(string(e.RedisURL))
	t, errTransport := e.transport(log)
	var errToken error
	if !strings.HasPrefix(string(e.BotToken), "xoxb-") {
		errToken = errors.New("set FLAGSTOP_SLACK_BOT_TOKEN (it begins with xoxb-)")
	}
	if err := errors.Join(errRedis, errConfig, errSigner, errToken, errTransport, errWords, errPartitions); err != nil {
		return p, t, err
	}
	p.settings, p.words = c, words
	if p.redis, err = dialRedis(ctx, e); err != nil {
		return p, t, err
	}
	if err := c.useRosters(ctx, rosters.New(p.redis, e.Prefix)); err != nil {
		return p, t, errors.Join(err, p.redis.Close())
	}
	p.ledger, err = ledger.Start(ctx, c.options(ledger.Options{
		Redis: p.redis, Prefix: e.Prefix, Partitions: n, Signer: signer,
		Retention: c.config().Retention, Untaken: c.config().RetentionUntaken, Log: log,
	}))
	if err != nil {
		return p, t, errors.Join(err, p.redis.Close())
	}
	p.assembleBot(e.Prefix, string(e.BotToken), e.SlackAPIURL, httpClient())
	return p, t, nil
}

func (e environment) words() (*templates.Words, error) {
	if e.Templates == "" {
		return templates.Default(), nil
	}
	w, err := templates.Load(e.Templates)
	if err != nil {
		return nil, fmt.Errorf("read the words of FLAGSTOP_TEMPLATES: %w", err)
	}
	return w, nil
}

func (p *parts) assembleBot(prefix, token, apiURL string, client *http.Client) {
	p.metrics = prometheus.NewRegistry()
	p.metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := bot.NewMetrics(p.metrics)
	p.bot = bot.New(bot.Options{
		Ledger: p.ledger, Redis: p.redis, Prefix: prefix, Book: p.settings.Book, Rosters: rosters.New(p.redis, prefix), Words: p.words, Log: p.log, Metrics: m,
		Slack: bot.NewSlack(bot.SlackOptions{BotToken: token, APIURL: apiURL, HTTPClient: client, Log: p.log, Observe: m.SlackCall}),
	})
}

// run runs the bot, its transport and its pages together; the first that fails ends the others.
func (p *parts) run(ctx context.Context, addr string, t transport) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on FLAGSTOP_HTTP_ADDR: %w", err)
	}
	handler := p.handler(t)
	p.log.InfoContext(ctx, "serving", "http", l.Addr().String(), "socket_mode", t.socket != nil)
	due := p.due()
	tasks := []func(context.Context) error{
		p.bot.Run,
		due.run,
		func(ctx context.Context) error { return p.settings.watch(ctx, due.adopt) },
		func(ctx context.Context) error { return serveHTTP(ctx, l, handler) },
	}
	if t.socket != nil {
		tasks = append(tasks, func(ctx context.Context) error { return t.socket.Run(ctx, p.bot.Receive) })
	}
	return together(ctx, tasks)
}

// together runs tasks until ctx ends or one of them fails, and waits for all.
func together(ctx context.Context, tasks []func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	results := make(chan error, len(tasks))
	for _, task := range tasks {
		go func() { results <- task(ctx) }()
	}
	var failed error
	for range tasks {
		if err := <-results; err != nil && !errors.Is(err, context.Canceled) {
			failed = errors.Join(failed, err)
			cancel(err)
		} else if ctx.Err() == nil {
			cancel(errors.New("a part of the bot ended by itself"))
		}
	}
	return failed
}

// serveHTTP serves until ctx ends, then lets what is in hand finish.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		stopped <- s.Shutdown(grace)
	})
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	return <-stopped
}
