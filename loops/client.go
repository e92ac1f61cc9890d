package loops

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
)

// Options say what a Client talks to. The zero Prefix is "fs".
type Options struct {
	Redis      redis.UniversalClient
	Prefix     string
	Keys       *KeySet       // verifies outcomes; nil is refused unless Unverified
	Unverified bool          // take outcomes without a key: FLAGSTOP_UNVERIFIED
	Look       time.Duration // how often Wait looks at the keys by itself; default 30 s, jittered
	Log        *slog.Logger  // default: discard
}

// Client raises stops, waits for their outcomes and claims them. It holds one subscription connection however many stops wait
// on it, and is safe for concurrent use.
type Client struct{}

// Ref names a stop and the bytes it was raised with.
type Ref struct{ ID, Digest string }

var (
	// ErrNoBot says that no bot has started with this prefix yet, so nothing may be raised.
	ErrNoBot = errors.New("no Flagstop bot has started here")
	// ErrOpen says that the stop has no outcome yet.
	ErrOpen = errors.New("the stop is open: it has no outcome yet")
	// ErrUnknown says that nobody knows of the stop.
	ErrUnknown = errors.New("nobody knows of this stop")
)

// NewClient connects to Redis and finds the partitions: ErrNoBot when there are none.
func NewClient(ctx context.Context, o Options) (*Client, error) { panic("skeleton") }

// Close ends the subscription.
func (c *Client) Close() error { panic("skeleton") }

// Raise checks the record's bytes and raises the stop. Faults are a *FaultsError.
func (c *Client) Raise(ctx context.Context, record []byte) (Ref, error) { panic("skeleton") }

// Wait waits for the outcome of a raised record, raising the same bytes again where the raise was lost. A refusal is a
// *RefusedError.
func (c *Client) Wait(ctx context.Context, record []byte) (*SignedOutcome, error) { panic("skeleton") }

// WaitRef waits without the bytes: what was lost cannot be raised again and is ErrUnknown.
func (c *Client) WaitRef(ctx context.Context, ref Ref) (*SignedOutcome, error) { panic("skeleton") }

// Get looks once: the outcome, ErrOpen, ErrUnknown, or a *RefusedError.
func (c *Client) Get(ctx context.Context, ref Ref) (*SignedOutcome, error) { panic("skeleton") }

// Withdraw asks that the stop be withdrawn; its outcome says which was first.
func (c *Client) Withdraw(ctx context.Context, id, reason string) error { panic("skeleton") }

// Complete says that the page of a URL question is done.
func (c *Client) Complete(ctx context.Context, id string) error { panic("skeleton") }

// SignedOutcome is a verified outcome and the JWS that it came from.
type SignedOutcome struct {
	Outcome
	JWS string
}

// Claim takes the outcome for this process: a lease of 60 s that is kept alive until Done or Release. Another holder is a
// *ClaimedError that says who and since when.
func (c *Client) Claim(ctx context.Context, o *SignedOutcome, loopID string) (*Claim, error) {
	panic("skeleton")
}

// Claim is a held claim.
type Claim struct{}

// Lapsed is closed when the claim could not be kept alive: another instance may take it.
func (c *Claim) Lapsed() <-chan struct{} { panic("skeleton") }

// Done says that what the verdict led to is saved: the loop went on. The bot makes the claim permanent.
func (c *Claim) Done(ctx context.Context) error { panic("skeleton") }

// Release gives the claim back.
func (c *Claim) Release(ctx context.Context) error { panic("skeleton") }
