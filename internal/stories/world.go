package stories

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/bot"
	"flagstop/internal/embedded"
	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// The workspace that every world has.
const (
	Product  = "C0PRODUCT" // of the product thinker
	Facil    = "C0FACIL"   // of the facilitator
	Security = "C0SEC"     // of security, whose answerers are the group S0SEC
	Ops      = "C0OPS"     // the fallback
	Ana      = "U0ANA"     // product thinker
	Bob      = "U0BOB"     // facilitator
	Chi      = "U0CHI"     // facilitator
	Eve      = "U0EVE"     // in the group S0SEC
	Mallory  = "U0MALLORY" // in every channel, and in no role
)

// World is one Redis, one Slack, and any number of bots and loops on them.
type World struct {
	TB     testing.TB
	Redis  *redis.Client // to look at what is stored
	Slack  *standin.Server
	Ledger *ledger.Ledger // of nobody's: to look
	Loops  *loops.Client
	Keys   *loops.KeySet

	signer *loops.Signer
	api    *standin.Pipe
	hooks  *standin.Pipe // where the stand-in delivers
	socket bool

	mu     sync.Mutex
	config routing.Config
	bots   []*Bot
}

// Options say what a world is like.
type Options struct {
	Socket     bool // Socket Mode instead of HTTP
	RateLimits bool
	Config     func(*routing.Config) // changes the configuration before anything starts
}

// New makes a world without a bot; it ends with the test. Everything in it is in memory.
func New(tb testing.TB, o Options) *World {
	tb.Helper()
	w := &World{TB: tb, socket: o.Socket, config: configuration()}
	if o.Config != nil {
		o.Config(&w.config)
	}
	private, public, err := loops.GenerateKey()
	w.must(err)
	w.signer, err = loops.NewSigner(private)
	w.must(err)
	w.Keys, err = loops.NewKeySet(public, nil)
	w.must(err)
	w.Redis = embedded.InBubble(tb)
	w.startSlack(o)
	w.Ledger = w.newLedger(w.Redis)
	w.Loops, err = loops.NewClient(tb.Context(), loops.Options{Redis: w.Redis, Keys: w.Keys})
	w.must(err)
	tb.Cleanup(func() { w.must(w.Loops.Close()) })
	return w
}

func (w *World) must(err error) {
	w.TB.Helper()
	if err != nil {
		w.TB.Fatal(err)
	}
}

func configuration() routing.Config {
	return routing.Config{
		Roles: map[string]routing.Role{
			loops.ProductThinker: {Name: loops.ProductThinker, Channel: Product, Answerers: []string{Ana}},
			loops.Facilitator:    {Name: loops.Facilitator, Channel: Facil, Answerers: []string{Bob, Chi}},
			"security":           {Name: "security", Channel: Security, Answerers: []string{"@S0SEC"}},
		},
		FallbackChannel: Ops,
	}
}

func (w *World) startSlack(o Options) {
	everybody := []string{Ana, Bob, Chi, Eve, Mallory}
	so := standin.Options{
		Users: []standin.User{
			{ID: Ana, Name: "ana"}, {ID: Bob, Name: "bob"}, {ID: Chi, Name: "chi"}, {ID: Eve, Name: "eve"}, {ID: Mallory, Name: "mallory"},
		},
		Channels: []standin.Channel{
			{ID: Product, Name: "product", Members: everybody}, {ID: Facil, Name: "facilitators", Members: everybody},
			{ID: Security, Name: "security", Members: everybody}, {ID: Ops, Name: "ops", Members: everybody},
			{ID: "C0PRIVATE", Name: "private", Members: []string{Ana}, Private: true},
		},
		Groups:        []standin.Group{{ID: "S0SEC", Handle: "security", Users: []string{Eve}}},
		BotToken:      "xoxb-test",
		AppToken:      "xapp-test",
		SigningSecret: "a signing secret",
		BaseURL:       "http://slack.local",
		RateLimits:    o.RateLimits,
		PingEvery:     24 * time.Hour,
	}
	if !o.Socket {
		w.hooks = standin.Serve(http.HandlerFunc(w.deliver))
		client := w.hooks.Client()
		so.EventsURL, so.InteractionsURL, so.CommandsURL = "http://bot.local/slack/events",
			"http://bot.local/slack/interactions", "http://bot.local/slack/commands"
		so.HTTPClient = client
		w.TB.Cleanup(func() {
			client.CloseIdleConnections()
			w.must(w.hooks.Close())
		})
	}
	w.Slack = standin.New(so)
	w.api = standin.Serve(w.Slack)
	w.TB.Cleanup(func() {
		w.Slack.Close()
		w.must(w.api.Close())
	})
}

// deliver hands what Slack posts to any one of the bots that run, as a load balancer does.
func (w *World) deliver(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	var alive []*Bot
	for _, b := range w.bots {
		if !b.cut.dead() {
			alive = append(alive, b)
		}
	}
	w.mu.Unlock()
	if len(alive) == 0 {
		http.Error(rw, "no bot runs", http.StatusBadGateway)
		return
	}
	alive[rand.IntN(len(alive))].http.ServeHTTP(rw, r) //nolint:gosec // spreads deliveries only
}

func (w *World) newLedger(r redis.UniversalClient) *ledger.Ledger {
	w.TB.Helper()
	l, err := ledger.Start(w.TB.Context(), ledger.Options{
		Redis: r, Prefix: "fs", Partitions: 1, Signer: w.signer, Log: w.log(),
		Roles: func() []string {
			var names []string
			for name := range w.Config().Roles {
				names = append(names, name)
			}
			return names
		},
	})
	w.must(err)
	return l
}

// Config is the configuration that the bots have now.
func (w *World) Config() routing.Config {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.config
}

// Configure changes the configuration of the bots that run.
func (w *World) Configure(change func(*routing.Config)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.config)
}

func (w *World) log() *slog.Logger {
	var out io.Writer = w.TB.Output()
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Bot is a bot that runs.
type Bot struct {
	*bot.Bot
	world  *World
	http   http.Handler
	redis  *redis.Client
	client *http.Client
	cut    *cut
	cancel context.CancelFunc
	done   chan struct{}
}

// StartBot starts one more bot. It ends with the test.
func (w *World) StartBot() *Bot {
	w.TB.Helper()
	b := &Bot{world: w, cut: newCut(), done: make(chan struct{})}
	b.redis = redis.NewClient(w.Redis.Options())
	b.redis.AddHook(b.cut)
	b.client = &http.Client{Transport: &cutTransport{cut: b.cut, next: w.api.Client().Transport}}
	b.Bot = bot.New(bot.Options{
		Ledger: w.newLedger(b.redis), Redis: b.redis, Prefix: "fs", Config: w.Config, Words: templates.Default(), Log: w.log(),
		Slack: bot.NewSlack(bot.SlackOptions{
			BotToken: "xoxb-test", APIURL: "http://slack.local/api/", HTTPClient: b.client, Log: w.log(),
		}),
	})
	b.http = bot.HTTP(bot.HTTPOptions{SigningSecret: "a signing secret", Log: w.log()}, b.Receive)
	b.run()
	w.mu.Lock()
	w.bots = append(w.bots, b)
	w.mu.Unlock()
	w.TB.Cleanup(func() {
		b.Stop()
		b.client.CloseIdleConnections()
		_ = b.redis.Close()
	})
	return b
}

func (b *Bot) run() {
	var ctx context.Context
	ctx, b.cancel = context.WithCancel(context.WithoutCancel(b.world.TB.Context()))
	var wg sync.WaitGroup
	wg.Go(func() { _ = b.Run(ctx) })
	if b.world.socket {
		s := bot.NewSocket(bot.SocketOptions{
			AppToken: "xapp-test", APIURL: "http://slack.local/api/", HTTPClient: b.client, Log: b.world.log(),
		})
		wg.Go(func() { _ = s.Run(ctx, b.Receive) })
	}
	go func() {
		wg.Wait()
		close(b.done)
	}()
}

// Stop ends the bot as a signal does, and waits for it. Deliveries go to the other bots at once.
func (b *Bot) Stop() {
	b.world.mu.Lock()
	for i, other := range b.world.bots {
		if other == b {
			b.world.bots = append(b.world.bots[:i:i], b.world.bots[i+1:]...)
			break
		}
	}
	b.world.mu.Unlock()
	b.cancel()
	<-b.done
}

// Kill ends the bot as kill -9 does: not one more byte leaves it.
func (b *Bot) Kill() {
	b.cut.kill()
	b.Stop()
}

// DieAt kills the bot at its next call of a Slack method: before it is sent, or after Slack did it and before the bot
// heard of it. It returns a channel that is closed when that has happened.
func (b *Bot) DieAt(method string, after bool) <-chan struct{} { return b.cut.dieAt(method, after) }

// RedisAway cuts the bot off from Redis, or connects it again.
func (b *Bot) RedisAway(away bool) { b.cut.redisAway(away) }
