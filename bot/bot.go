package bot

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"time"

	"flagstop/escalation"
	"flagstop/internal/rosters"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"

	"github.com/redis/go-redis/v9"
)

// Options say what a Bot works with.
type Options struct {
	Ledger  *ledger.Ledger
	Redis   redis.UniversalClient // for de-duplication of deliveries and the senders' leases
	Prefix  string                // default "fs"
	Book    func() escalation.Book
	Rosters *rosters.Store // overrides and swaps; nil: nobody can make any
	Words   *templates.Words
	Slack   *Slack
	Log     *slog.Logger // default: discard
	Metrics *Metrics     // may be nil
	// PollEvery is how often work is looked at by itself; default 250 ms. A test over days sets more.
	PollEvery time.Duration
}

// Bot shows stops and takes clicks. Any number of bots work on one ledger and one Slack app.
type Bot struct {
	ledger  *ledger.Ledger
	redis   redis.UniversalClient
	prefix  string
	book    func() escalation.Book
	rosters *rosters.Store
	words   *templates.Words
	slack   *Slack
	log     *slog.Logger
	metrics *Metrics
	poll    time.Duration

	name     string        // unique to this process
	hands    chan struct{} // one for each click and window in hand, with those that are kept
	asides   chan struct{} // one for each event and command in hand: however many come, clicks have their places
	passes   chan struct{} // one for each stop whose cards are being brought in line
	nudged   chan struct{}
	stirred  chan struct{} // something that a home shows may have changed
	stopped  chan struct{} // closed when what is still in hand has to end
	lanes    lanes
	tries    tries
	groups   groups
	people   people
	records  records
	recounts recounts
	links    links
	threads  threads
	trouble  trouble
}

const (
	maxHands  = 64
	maxAsides = 16
	maxPasses = 16
)

// New returns a bot. It does nothing before Run.
func New(o Options) *Bot {
	host, err := os.Hostname()
	if err != nil {
		host = "bot"
	}
	if o.Prefix == "" {
		o.Prefix = "fs"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.PollEvery <= 0 {
		o.PollEvery = pollEvery
	}
	return &Bot{
		ledger: o.Ledger, redis: o.Redis, prefix: o.Prefix, book: o.Book, rosters: o.Rosters,
		words: o.Words, slack: o.Slack, log: o.Log, metrics: o.Metrics, poll: o.PollEvery,
		name:    fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text()),
		hands:   make(chan struct{}, maxHands),
		asides:  make(chan struct{}, maxAsides),
		passes:  make(chan struct{}, maxPasses),
		nudged:  make(chan struct{}, 1),
		stirred: make(chan struct{}, 1),
		stopped: make(chan struct{}),
	}
}

// config is the configuration in force.
func (b *Bot) config() routing.Config { return b.book().Config }

// key is one of the bot's own keys: contract §3.
func (b *Bot) key(name string) string { return "{" + b.prefix + "}:" + name }

// outlive is a context that goes on when its parent ends, until the bot has to stop.
func (b *Bot) outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-b.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
