package ledger

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/loops"
)

// Options say what a Ledger works on and with.
type Options struct {
	Redis      redis.UniversalClient
	Prefix     string // default "fs"
	Partitions int    // default 1
	Signer     *loops.Signer
	Roles      func() []string // the roles that the check knows; asked again for each record
	Retention  time.Duration   // default 90 days
	Untaken    time.Duration   // retention of closed stops that no loop has taken; 0: for ever
	Log        *slog.Logger    // default: discard
}

// Ledger keeps the stops of one prefix. It is safe for concurrent use.
type Ledger struct{ opt Options }

// Start opens the ledger: it checks Redis, writes or compares the number of partitions, and creates the inbox groups.
func Start(ctx context.Context, opt Options) (*Ledger, error) { panic("skeleton") }

// OpenExisting opens the ledger of a prefix in which a bot has started before, with the partitions written there; for
// the commands that look. Signer and Roles may be nil.
func OpenExisting(ctx context.Context, opt Options) (*Ledger, error) { panic("skeleton") }

// Read returns the stop, or ErrUnknown.
func (l *Ledger) Read(ctx context.Context, id string) (Stop, error) { panic("skeleton") }

// Do decides and appends a command, again if the stop moved meanwhile. It returns the stop as it stands afterwards;
// changed reports whether this call changed it (the same verdict again is success and changes nothing). Errors:
// ErrUnknown, *ClosedError, *AnsweredError, *TakenError, *loops.VerdictError, or what Redis said: then the caller does not know
// whether it was recorded, and may do it again.
func (l *Ledger) Do(ctx context.Context, id string, c Command) (stop Stop, changed bool, err error) {
	panic("skeleton")
}

// Consume handles the inboxes until ctx ends: raises, withdrawals, resumptions, completions. consumer is unique to
// the process; a dead consumer's entries are taken over.
func (l *Ledger) Consume(ctx context.Context, consumer string) error { panic("skeleton") }

// Sweep expires what is due by its asker's own cap, and deletes what retention lets go. It returns how many it touched.
func (l *Ledger) Sweep(ctx context.Context) (int, error) { panic("skeleton") }

// Query picks stops. Zero fields pick all.
type Query struct {
	Holder      string
	Repository  string
	Phase       Phase
	Untaken     bool // closed, and no loop has taken the outcome
	Undelivered bool
}

// List yields the stops that match, open ones by the time since which their holder has them, then the closed ones,
// latest first.
func (l *Ledger) List(ctx context.Context, q Query) iter.Seq2[Stop, error] { panic("skeleton") }

// Verify walks the hash chain of a stop's log and reports the first entry that does not fit, or nil.
func (l *Ledger) Verify(ctx context.Context, id string) error { panic("skeleton") }

// Lease is the right to bring one stop's cards in line until Until. Fence is the score written in work when it was
// taken; TakenOver says that an earlier lease lapsed, so its owner's last request to Slack may still land.
type Lease struct {
	ID        string
	Fence     int64
	Until     time.Time
	TakenOver bool
}

// Lease takes up to max stops whose cards are behind and whose time has come, each for d.
func (l *Ledger) Lease(ctx context.Context, max int, d time.Duration) ([]Lease, error) {
	panic("skeleton")
}

// SaveCard adds or replaces the card at c.Place, if the lease still holds; else ErrLeaseLost.
func (l *Ledger) SaveCard(ctx context.Context, lease Lease, c Card) error { panic("skeleton") }

// Shown says that every card shows rev. It takes the stop out of work if rev is still the newest, and reports whether;
// else it leaves it due at once. ErrLeaseLost if the lease lapsed.
func (l *Ledger) Shown(ctx context.Context, lease Lease, rev int64) (done bool, err error) {
	panic("skeleton")
}

// Postpone gives the lease back and lets the stop be tried again at a moment.
func (l *Ledger) Postpone(ctx context.Context, lease Lease, at time.Time) error { panic("skeleton") }

// Touch puts the stop back into work, as when its card vanished: with forget, the card at that channel and ts is forgotten.
func (l *Ledger) Touch(ctx context.Context, id, channel, ts string) error { panic("skeleton") }

// Behind reports how many stops are in work and since when the oldest is.
func (l *Ledger) Behind(ctx context.Context) (n int64, oldest time.Time, err error) {
	panic("skeleton")
}
