package loops

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	josejson "github.com/go-jose/go-jose/v4/json"
	"github.com/redis/go-redis/v9"
)

// Options say what a Client talks to. The zero Prefix is "fs".
type Options struct {
	Redis      redis.UniversalClient
	Prefix     string
	Keys       *KeySet       // verifies outcomes; nil is refused unless Unverified
	Unverified bool          // take outcomes without a key: FLAGSTOP_UNVERIFIED
	ContextKey *ContextKey   // seals what loops keep: FLAGSTOP_CONTEXT_KEY; nil: nothing can be suspended, nor kept
	Look       time.Duration // how often Wait looks at the keys by itself; default 30 s, jittered
	Log        *slog.Logger  // default: discard
}

// Client raises stops, waits for their outcomes and claims them. It holds one subscription connection however many stops wait
// on it, and is safe for concurrent use. The Redis client stays the caller's, who closes it after the Client.
type Client struct {
	redis      redis.UniversalClient
	keys       Keys
	contextKey *ContextKey
	waits      *waits
	holds      *holds
}

// Ref names a stop and the bytes it was raised with.
type Ref struct{ ID, Digest string }

// defaultLook is how often a waiting loop looks at the keys by itself: contract §3.
const defaultLook = 30 * time.Second

// NewClient connects to Redis and finds the partitions: ErrNoBot when there are none.
func NewClient(ctx context.Context, o Options) (*Client, error) {
	if o.Prefix == "" {
		o.Prefix = "fs"
	}
	if o.Look <= 0 {
		o.Look = defaultLook
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := o.problem(); err != nil {
		return nil, err
	}
	keys := Keys{Prefix: o.Prefix}
	var err error
	if keys.Partitions, err = partitions(ctx, o.Redis, keys.Meta()); err != nil {
		return nil, err
	}
	r := looker{redis: o.Redis, keys: keys, verify: o.Keys}
	return &Client{
		redis:      o.Redis,
		keys:       keys,
		contextKey: o.ContextKey,
		waits:      newWaits(r, o.Look, o.Log),
		holds:      &holds{redis: o.Redis, keys: keys, self: rand.Text(), log: o.Log, claims: map[string]*Claim{}, closed: make(chan struct{})},
	}, nil
}

func (o *Options) problem() error {
	if o.Redis == nil {
		return errors.New("new client: no Redis client was given in Options.Redis")
	}
	if o.Keys == nil && !o.Unverified {
		return errors.New("new client: no key to verify outcomes with: give the bot's public JWK Set (FLAGSTOP_VERIFY_KEY), " +
			"or say that outcomes are taken without one (FLAGSTOP_UNVERIFIED=true)")
	}
	for _, r := range o.Prefix {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return fmt.Errorf("new client: the prefix %q may have only a to z, 0 to 9 and -", o.Prefix)
		}
	}
	if c, ok := o.Redis.(*redis.ClusterClient); ok && c.Options().ReadOnly {
		return errors.New("new client: a waiting loop looks at the primary: use a cluster client without ReadOnly, RouteByLatency and RouteRandomly")
	}
	return nil
}

func partitions(ctx context.Context, r redis.UniversalClient, meta string) (int, error) {
	s, err := r.HGet(ctx, meta, "partitions").Result()
	if errors.Is(err, redis.Nil) {
		return 0, fmt.Errorf("read %s: %w: start one (flagstop serve), or use the prefix and the Redis that it uses", meta, ErrNoBot)
	}
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", meta, err)
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("read %s: partitions is %.20q, not a number from 1: another program wrote it; use another prefix", meta, s)
	}
	return n, nil
}

// Close ends the subscription. Waits that have not ended are told ErrClosed; claims that are held lapse.
func (c *Client) Close() error {
	c.waits.close()
	c.holds.close()
	return nil
}

// Raise checks the record's bytes and raises the stop. Faults are a *FaultsError. Raising the same bytes again is the same
// stop, so after an error, which may have come too late to tell, it may be raised again.
func (c *Client) Raise(ctx context.Context, record []byte) (Ref, error) {
	r, faults := Check(record, CheckOptions{Now: time.Now()})
	if len(faults) > 0 {
		return Ref{}, &FaultsError{Faults: faults}
	}
	ref := Ref{ID: r.ID, Digest: digestOf(record)}
	refused := c.redis.Get(ctx, c.keys.refusalOf(ref))
	if err := refused.Err(); err != nil && !errors.Is(err, redis.Nil) {
		return Ref{}, fmt.Errorf("raise stop %s: %w", ref.ID, err)
	}
	c.waits.forgive(ref.Digest, refused.Val())
	if err := c.redis.XAdd(ctx, inboxEntry(c.keys, ref.ID, "raise", record)).Err(); err != nil {
		return Ref{}, fmt.Errorf("raise stop %s: %w", ref.ID, err)
	}
	return ref, nil
}

// Wait waits for the outcome of a raised record, raising the same bytes again where the raise was lost. A refusal is a
// *RefusedError, an id that others have taken a *TakenError, an outcome that must not be believed a *VerifyError or an
// *UnknownKeyError. When ctx ends it looks once more, for at most 3 s, and returns ctx's error. While Redis is away it waits.
func (c *Client) Wait(ctx context.Context, record []byte) (*SignedOutcome, error) {
	if record == nil {
		record = []byte{} // which is no record either
	}
	o, err := c.waits.wait(ctx, record, Ref{})
	if err != nil {
		return nil, fmt.Errorf("wait for a stop: %w", err)
	}
	return o, nil
}

// WaitRef waits without the bytes: what was lost cannot be raised again and is ErrUnknown, once a minute has gone by in which
// nobody knew of it.
func (c *Client) WaitRef(ctx context.Context, ref Ref) (*SignedOutcome, error) {
	if err := ref.problem(); err != nil {
		return nil, err
	}
	o, err := c.waits.wait(ctx, nil, ref)
	if err != nil {
		return nil, fmt.Errorf("wait for stop %s: %w", ref.ID, err)
	}
	return o, nil
}

// Get looks once: the outcome, ErrOpen, ErrUnknown, a *RefusedError, or what else Wait may return.
func (c *Client) Get(ctx context.Context, ref Ref) (*SignedOutcome, error) {
	if err := ref.problem(); err != nil {
		return nil, err
	}
	o, err := c.waits.get(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("get stop %s: %w", ref.ID, err)
	}
	return o, nil
}

// Withdraw asks that the stop be withdrawn; its outcome says which was first.
func (c *Client) Withdraw(ctx context.Context, id, reason string) error {
	body := struct {
		ID     string `json:"id"`
		Reason string `json:"reason,omitempty"`
	}{id, reason}
	if err := c.sayJSON(ctx, id, "withdraw", body); err != nil {
		return fmt.Errorf("withdraw stop %s: %w", id, err)
	}
	return nil
}

// Complete says that the page of a URL question is done. It is never a verdict.
func (c *Client) Complete(ctx context.Context, id string) error {
	body := struct {
		ID string `json:"id"`
	}{id}
	if err := c.sayJSON(ctx, id, "completed", body); err != nil {
		return fmt.Errorf("complete stop %s: %w", id, err)
	}
	return nil
}

func (c *Client) sayJSON(ctx context.Context, id, op string, body any) error {
	if err := idProblem(id); err != nil {
		return err
	}
	entry, err := inboxJSON(c.keys, id, op, body)
	if err != nil {
		return err
	}
	return c.redis.XAdd(ctx, entry).Err()
}

// inboxEntry is what a loop says to the bot: contract §3.
func inboxEntry(k Keys, id, op string, body []byte) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: k.In(k.Partition(id), "inbox"), Values: []any{"op", op, "body", body}}
}

func (k Keys) refusalOf(ref Ref) string { return k.Refusal(k.Partition(ref.ID), ref.Digest) }

func digestOf(record []byte) string {
	sum := sha256.Sum256(record)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// idOf does not check the record again: whoever raises it has.
func idOf(record []byte) (string, error) {
	var r struct {
		ID string `json:"id"`
	}
	if err := josejson.Unmarshal(record, &r); err != nil {
		return "", fmt.Errorf("the record is not JSON: %w", err)
	}
	return r.ID, idProblem(r.ID)
}

func (r Ref) problem() error {
	if err := idProblem(r.ID); err != nil {
		return err
	}
	if !isDigest(r.Digest) {
		return fmt.Errorf("stop %s: the digest must be \"sha256:\" and 64 lower-case hexadecimal digits, as Raise returned it", r.ID)
	}
	return nil
}

func idProblem(id string) error {
	if len(id) < 1 || len(id) > 64 {
		return errors.New("a stop's id has 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
	}
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return fmt.Errorf("a stop's id has only A-Z, a-z, 0-9, _ and -, not %q", r)
		}
	}
	return nil
}
