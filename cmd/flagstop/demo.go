package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/redis/go-redis/v9"

	"flagstop/bot"
	"flagstop/internal/embedded"
	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// demo runs everything in one process on loopback: Redis, Slack's stand-in, the bot, and sample loops.
func demo(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "demo")
	auto := f.Bool("auto", false, "click by itself, print the transcript, and end")
	addr := f.String("addr", "127.0.0.1:8485", "where the page is served; loopback only")
	withhold := f.String("withhold", "", "with --auto: leave out the click that this loop waits for, to see it fail")
	verbose := f.Bool("verbose", false, "print the bot's log too")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	d, err := startDemo(ctx, io, *addr, *verbose)
	if err != nil {
		return err
	}
	if *auto {
		return d.auto(ctx, *withhold)
	}
	return d.interactive(ctx)
}

// demoWorld is the running demo.
type demoWorld struct {
	io        stdio
	listener  net.Listener
	store     *embedded.Redis
	redis     redis.UniversalClient
	slack     *standin.Server
	bot       *parts
	transport transport
	client    *loops.Client
	public    []byte
	show      *loopBoard
}

// The people and channels of the demo.
const (
	demoAna, demoBob, demoEve  = "U0ANA", "U0BOB", "U0EVE"
	demoProduct, demoFacilitat = "C0PRODUCT", "C0FACIL"
)

func demoConfig() routing.Config {
	return routing.Config{
		Roles: map[string]routing.Role{
			loops.ProductThinker: {Name: loops.ProductThinker, Channel: demoProduct, Answerers: []string{demoAna}},
			loops.Facilitator:    {Name: loops.Facilitator, Channel: demoFacilitat, Answerers: []string{demoBob}},
		},
		FallbackChannel: demoFacilitat,
	}
}

func demoWorkspace(base string) standin.Options {
	people := []string{demoAna, demoBob, demoEve}
	return standin.Options{
		BaseURL: base, RateLimits: true, Commands: []string{"/stops"},
		Users: []standin.User{
			{ID: demoAna, Name: "ana", RealName: "Ana", Title: "product thinker"},
			{ID: demoBob, Name: "bob", RealName: "Bob", Title: "facilitator"},
			{ID: demoEve, Name: "eve", RealName: "Eve", Title: "may answer nothing"},
		},
		Channels: []standin.Channel{
			{ID: demoProduct, Name: "product", Members: people},
			{ID: demoFacilitat, Name: "facilitators", Members: people},
		},
	}
}

func startDemo(ctx context.Context, io stdio, addr string, verbose bool) (*demoWorld, error) {
	if err := loopbackOnly(addr); err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serve the page: %w (choose another place with --addr 127.0.0.1:0)", err)
	}
	log := slog.New(slog.DiscardHandler)
	if verbose {
		log = slog.New(slog.NewTextHandler(io.err, nil))
	}
	store, err := embedded.Start("127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	d := &demoWorld{io: io, listener: l, store: store, slack: standin.New(demoWorkspace("http://" + l.Addr().String()))}
	d.show = newLoopBoard(d.slack, sampleLoops())
	if err := d.assemble(ctx, log); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func loopbackOnly(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usageError("--addr %q is not on loopback; the demo has no sign-in, so it stays on this machine", addr)
	}
	return nil
}

// assemble wires the same bot that serve runs, to the stand-in.
func (d *demoWorld) assemble(ctx context.Context, log *slog.Logger) error {
	private, public, err := loops.GenerateKey()
	if err != nil {
		return err
	}
	signer, err := loops.NewSigner(private)
	if err != nil {
		return err
	}
	d.public = public
	if d.redis, err = dialRedis(ctx, environment{RedisURL: secret(d.store.URL())}); err != nil {
		return err
	}
	p := &parts{log: log, redis: d.redis, settings: fixedSettings(demoConfig()), words: templates.Default()}
	p.ledger, err = ledger.Start(ctx, p.settings.options(ledger.Options{Redis: d.redis, Prefix: "fs", Signer: signer, Log: log}))
	if err != nil {
		return err
	}
	botToken, appToken, _ := d.slack.Tokens()
	api := "http://" + d.listener.Addr().String() + "/api/"
	p.assembleBot("fs", botToken, api, httpClient())
	d.bot = p
	d.transport = transport{socket: bot.NewSocket(bot.SocketOptions{AppToken: appToken, APIURL: api, HTTPClient: httpClient(), Log: log})}
	keys, err := loops.NewKeySet(public, nil)
	if err != nil {
		return err
	}
	d.client, err = loops.NewClient(ctx, loops.Options{Redis: d.redis, Keys: keys, Log: log})
	return err
}

func (d *demoWorld) close() {
	if d.client != nil {
		_ = d.client.Close()
	}
	d.slack.Close()
	if d.redis != nil {
		_ = d.redis.Close()
	}
	d.store.Close()
	_ = d.listener.Close()
}

// tasks are what runs beside the sample loops.
func (d *demoWorld) tasks() []func(context.Context) error {
	return []func(context.Context) error{
		func(ctx context.Context) error { return serveHTTP(ctx, d.listener, http.Handler(d.slack)) },
		func(ctx context.Context) error {
			// the stand-in's sockets and streams end first, or the page's server would wait for them
			<-ctx.Done()
			d.slack.Close()
			return nil
		},
		d.bot.bot.Run,
		d.bot.due().run,
		func(ctx context.Context) error { return d.transport.socket.Run(ctx, d.bot.bot.Receive) },
	}
}

// interactive serves until it is told to stop.
func (d *demoWorld) interactive(ctx context.Context) error {
	defer d.close()
	_, _ = fmt.Fprintf(d.io.out, `Flagstop on this machine. Three loops are suspended and ask in two channels. Open

    http://%s/

choose who you are, and click. Ctrl-C ends it.

Your own loops can ask here too:

    export FLAGSTOP_REDIS_URL=%s
    export FLAGSTOP_VERIFY_KEY='%s'
    %s raise --wait --to facilitator --concern evidence --kind fact --loop mine --repository me/mine \
        --message "The nightly job is done. Go on when you have seen this."
`, d.listener.Addr(), d.store.URL(), d.public, os.Args[0])
	run := func(ctx context.Context) error {
		var all []func(context.Context) error
		for _, l := range sampleLoops() {
			all = append(all, func(ctx context.Context) error { return d.play(ctx, l) })
		}
		errs := make(chan error, len(all))
		for _, f := range all {
			go func() { errs <- f(ctx) }()
		}
		for range all {
			if err := <-errs; err != nil {
				return err
			}
		}
		<-ctx.Done()
		return nil
	}
	return together(ctx, append(d.tasks(), run))
}
