package bot

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// Options say what a Bot works with.
type Options struct {
	Ledger *ledger.Ledger
	Redis  redis.UniversalClient // for de-duplication of deliveries and the senders' leases
	Prefix string
	Config func() routing.Config
	Words  *templates.Words
	Slack  *Slack
	Log    *slog.Logger
}

// Bot shows stops and takes clicks. Any number of bots work on one ledger and one Slack app.
type Bot struct{}

// New returns a bot. It does nothing before Run.
func New(o Options) *Bot { panic("skeleton") }

// Run shows and sweeps until ctx ends, then finishes what is in hand.
func (b *Bot) Run(ctx context.Context) error { panic("skeleton") }

// Receive handles a delivery of either transport: a Receive.
func (b *Bot) Receive(ctx context.Context, d Delivery) (ack json.RawMessage) { panic("skeleton") }

// Health says what keeps the bot from being ready, in words; nothing when it is.
func (b *Bot) Health(ctx context.Context, now time.Time) []string { panic("skeleton") }
