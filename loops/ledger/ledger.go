package ledger

import (
	"log/slog"
	"sync/atomic"
	"time"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// Options say what a Ledger works on and with.
type Options struct {
	// Redis is a client with ContextTimeoutEnabled, or the deadlines of calls do not count, and without reads from
	// replicas, or a decision is taken on what was true a moment ago. A blocked read ignores the end of its context, so
	// none here blocks longer than 2 s.
	Redis      redis.UniversalClient
	Prefix     string // default "fs"
	Partitions int    // default 1
	Signer     *loops.Signer
	Roles      func() []string // the roles that the check knows; asked again for each record; nil: not checked
	// Policy names the policy that counts for a record, "" none; nil: none counts for any.
	Policy func(*loops.Record) string
	// Due is when a policy, or the asker's cap, has to look at an open stop next, zero never; nil: only the asker's cap counts.
	Due       func(Stop) time.Time
	Retention time.Duration // default 90 days
	Untaken   time.Duration // retention of closed stops that no loop has taken; 0: for ever
	Log       *slog.Logger  // default: discard
}

// Ledger keeps the stops of one prefix. It is safe for concurrent use.
type Ledger struct {
	opt     Options
	redis   redis.UniversalClient
	keys    loops.Keys
	scripts scripts
	log     *slog.Logger
	turn    atomic.Uint64 // whose partition is leased from first
	briefs  briefs
	looks   bool // reads by scripts that declare to write nothing: whoever may only look may run no others
}

func newLedger(opt Options) *Ledger {
	if opt.Prefix == "" {
		opt.Prefix = "fs"
	}
	if opt.Partitions == 0 {
		opt.Partitions = 1
	}
	if opt.Roles == nil {
		opt.Roles = func() []string { return nil }
	}
	if opt.Retention == 0 {
		opt.Retention = 90 * 24 * time.Hour
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Ledger{
		opt: opt, redis: opt.Redis, log: opt.Log, scripts: newScripts(),
		keys: loops.Keys{Prefix: opt.Prefix, Partitions: opt.Partitions},
	}
}
