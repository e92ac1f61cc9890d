package loops

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	lease        = 60 * time.Second   // of a claim in Redis: contract §3
	renewEvery   = 15 * time.Second   // so that three renewals may fail
	renewRetry   = 2 * time.Second    // after one that failed
	renewTimeout = 5 * time.Second    // of one round trip
	safeLease    = 50 * time.Second   // since the last renewal: the holder stops before anybody else may start
	resumedLease = 7 * 24 * time.Hour // of a claim whose loop went on, until the bot makes it permanent
)

// holds are the claims that this client holds. One goroutine keeps all of them alive while there are any.
type holds struct {
	redis  redis.UniversalClient
	keys   Keys
	self   string // random, of this client
	log    *slog.Logger
	closed chan struct{}

	running sync.WaitGroup
	mu      sync.Mutex
	ended   bool
	keeping bool
	claims  map[string]*Claim // by the lease's key
}

// reserve refuses a second lease of this client under the same key.
func (h *holds) reserve(claim *Claim) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		return ErrClosed
	}
	if other, ok := h.claims[claim.key]; ok {
		return claimedBy(claim.id, other.value, false)
	}
	h.claims[claim.key] = claim
	return nil
}

func (h *holds) forget(claim *Claim) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.claims[claim.key] == claim {
		delete(h.claims, claim.key)
	}
}

func (h *holds) endOf(claim *Claim) claimEnd {
	h.mu.Lock()
	defer h.mu.Unlock()
	return claim.end
}

func (h *holds) finish(claim *Claim, end claimEnd) {
	h.mu.Lock()
	claim.end = end
	h.mu.Unlock()
	h.forget(claim)
}

// keep starts keeping a claim alive that was set at that time. The goroutine lives until no claim is held, not as long as
// ctx.
func (h *holds) keep(ctx context.Context, claim *Claim, since time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	claim.until = since.Add(safeLease)
	if h.keeping || h.ended {
		return
	}
	h.keeping = true
	ctx = context.WithoutCancel(ctx)
	h.running.Go(func() { h.keepAll(ctx) })
}

func (h *holds) keepAll(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pause := renewEvery
	for {
		select {
		case <-h.closed:
			return
		case <-time.After(pause):
		}
		claims := h.held()
		if claims == nil {
			return
		}
		pause = renewEvery
		if err := h.renew(ctx, claims); err != nil {
			h.log.Warn("claims could not be kept alive; trying again", "claims", len(claims), "err", err)
			pause = renewRetry
		}
		h.lapseOverdue()
	}
}

// held returns the claims that are set; nil ends the keeping.
func (h *holds) held() []*Claim {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.claims) == 0 {
		h.keeping = false
		return nil
	}
	held := make([]*Claim, 0, len(h.claims))
	for _, claim := range h.claims {
		if !claim.until.IsZero() {
			held = append(held, claim)
		}
	}
	return held
}

// renew asks which claims are still this client's, and gives those a new lease.
func (h *holds) renew(ctx context.Context, claims []*Claim) error {
	ctx, cancel := context.WithTimeout(ctx, renewTimeout)
	defer cancel()
	pipe := h.redis.Pipeline()
	for _, claim := range claims {
		pipe.Get(ctx, claim.key)
	}
	got, err := pipe.Exec(ctx)
	if err := passing(got, err); err != nil {
		return err
	}
	var mine []*Claim
	for i, cmd := range got {
		if value, ok := cmd.(*redis.StringCmd); ok && value.Val() == claims[i].value {
			mine = append(mine, claims[i])
		} else {
			h.lost(claims[i])
		}
	}
	if len(mine) == 0 {
		return nil
	}
	since := time.Now()
	for _, claim := range mine {
		pipe.ExpireGT(ctx, claim.key, lease)
	}
	set, err := pipe.Exec(ctx)
	if err := passing(set, err); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, claim := range mine {
		claim.until = since.Add(safeLease)
	}
	return nil
}

// passing is the first error of a pipeline that is not just "there is no such key".
func passing(cmds []redis.Cmder, err error) error {
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	if len(cmds) == 0 {
		return err
	}
	return nil
}

func (h *holds) lapseOverdue() {
	now := time.Now()
	h.mu.Lock()
	var overdue []*Claim
	for _, claim := range h.claims {
		if !claim.until.IsZero() && !now.Before(claim.until) {
			overdue = append(overdue, claim)
		}
	}
	h.mu.Unlock()
	for _, claim := range overdue {
		h.lost(claim)
	}
}

// lost ends a claim that is not this client's any more, unless it was done or released meanwhile.
func (h *holds) lost(claim *Claim) {
	h.mu.Lock()
	held := h.claims[claim.key] == claim
	if held {
		delete(h.claims, claim.key)
	}
	h.mu.Unlock()
	if held {
		h.log.Warn("a claim lapsed: another instance may take it", "key", claim.key)
		claim.lapse.Do(func() { close(claim.lapsed) })
	}
}

func (h *holds) close() {
	h.mu.Lock()
	if h.ended {
		h.mu.Unlock()
		return
	}
	h.ended = true
	close(h.closed)
	held := slices.Collect(maps.Values(h.claims))
	h.mu.Unlock()
	h.running.Wait()
	for _, claim := range held {
		h.lost(claim)
	}
}

// inboxJSON is an entry whose body is not kept as it came.
func inboxJSON(k Keys, id, op string, body any) (*redis.XAddArgs, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return inboxEntry(k, id, op, b), nil
}
