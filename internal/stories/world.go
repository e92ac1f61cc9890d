package stories

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/escalation"
	"flagstop/internal/embedded"
	"flagstop/internal/redistest"
	"flagstop/internal/rosters"
	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// The workspace that every world has.
const (
	Product  = "C0PRODUCT" // of the product thinker
	Facil    = "C0FACIL"   // of the facilitator
	Security = "C0SEC"     // of security, whose answerers are the group S0SEC
	Ops      = "C0OPS"     // the fallback
	Private  = "C0PRIVATE" // private, with Ana in it; of nobody
	Ana      = "U0ANA"     // product thinker
	Bob      = "U0BOB"     // facilitator
	Chi      = "U0CHI"     // facilitator
	Eve      = "U0EVE"     // in the group S0SEC
	Mallory  = "U0MALLORY" // in every channel, and in no role
)

// Prefix is the one that every world has.
const Prefix = "fs"

// World is one Redis, one Slack, and any number of bots and loops on them.
type World struct {
	TB     testing.TB
	Redis  *redis.Client // to look at what is stored
	Slack  *standin.Server
	Ledger *ledger.Ledger // of nobody's: to look
	Loops  *loops.Client
	Keys   *loops.KeySet

	signer *loops.Signer
	api    *network
	hooks  *network // where the stand-in delivers
	socket bool
	real   bool
	poll   time.Duration
	parts  loops.Keys

	messages map[string]int // by channel, how many a story saw last
	told     map[string]int // by user, likewise
	replies  map[string]int // by the ts of a card, what people typed in its thread
	refusals []string       // of Slack's, that a story counts on

	mu       sync.Mutex
	config   routing.Config
	policies map[string]escalation.Policy
	bots     []*Bot
	refused  map[string]int // what Slack refused, by its reason
}

// Options say what a world is like.
type Options struct {
	Socket     bool // Socket Mode instead of HTTP
	Real       bool // a redis-server process and loopback TCP, in real time, instead of memory and a bubble
	RateLimits bool
	Partitions int                    // 0: one
	Poll       time.Duration          // how often a bot looks for work by itself, where a story is long
	Config     func(*routing.Config)  // changes the configuration before anything starts
	Workspace  func(*standin.Options) // changes the workspace likewise
}

// New makes a world without a bot; it ends with the test. Unless it is real, it belongs in a testing/synctest bubble.
func New(tb testing.TB, o Options) *World {
	tb.Helper()
	w := &World{
		TB: tb, socket: o.Socket, real: o.Real, poll: o.Poll, parts: loops.Keys{Prefix: Prefix, Partitions: max(o.Partitions, 1)}, config: configuration(),
		messages: map[string]int{}, told: map[string]int{}, replies: map[string]int{}, refused: map[string]int{},
	}
	if o.Config != nil {
		o.Config(&w.config)
	}
	private, public, err := loops.GenerateKey()
	w.must(err)
	w.signer, err = loops.NewSigner(private)
	w.must(err)
	w.Keys, err = loops.NewKeySet(public, nil)
	w.must(err)
	if o.Real {
		w.Redis = redistest.Start(tb, redistest.Options{}).Client(tb)
	} else {
		w.Redis = embedded.InBubble(tb)
	}
	w.startSlack(o)
	w.Ledger = w.newLedger(w.Redis)
	w.Loops = w.NewLoops(0)
	return w
}

// NewLoops returns one more process of loops, which looks at its keys by itself as often as look says, or as the
// default has it. It ends with the test, if it was not closed before.
func (w *World) NewLoops(look time.Duration) *loops.Client {
	w.TB.Helper()
	c, err := loops.NewClient(w.TB.Context(), loops.Options{Redis: w.Redis, Keys: w.Keys, Look: look})
	w.must(err)
	w.TB.Cleanup(func() { w.must(c.Close()) })
	return c
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

func (w *World) newLedger(r redis.UniversalClient) *ledger.Ledger {
	w.TB.Helper()
	l, err := ledger.Start(w.TB.Context(), ledger.Options{
		Redis: r, Prefix: Prefix, Partitions: w.parts.Partitions, Signer: w.signer, Log: w.log(),
		Policy: func(r *loops.Record) string { return w.Book().Name(r) },
		Due:    func(s ledger.Stop) time.Time { return w.Book().Next(s) },
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

// Book is the configuration with its policies.
func (w *World) Book() escalation.Book {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := escalation.Book{Config: w.config, Policies: w.policies}
	live, err := rosters.New(w.Redis, Prefix).With(context.WithoutCancel(w.TB.Context()), b.Config.Rotations)
	if err == nil {
		b.Config.Rotations = live
	}
	return b
}

// Policy has the repositories of a pattern ask for a policy from now on, and the sweepers adopt it.
func (w *World) Policy(pattern string, p escalation.Policy) {
	w.TB.Helper()
	w.mu.Lock()
	w.config.Repositories = []routing.Repository{{Pattern: pattern}}
	w.policies = map[string]escalation.Policy{pattern: p}
	w.mu.Unlock()
	w.must((&escalation.Sweeper{Ledger: w.Ledger, Book: w.Book, Log: w.log()}).Adopt(w.TB.Context()))
}

// Configure changes the configuration of the bots that run.
func (w *World) Configure(change func(*routing.Config)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.config)
}

func (w *World) log() *slog.Logger {
	out := w.TB.Output()
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Live is the configuration with its rosters, as the bots have it.
func (w *World) Live() routing.Config { return w.Book().Config }
