package ledger

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	group     = "bot"
	batch     = 64
	block     = time.Second      // the longest that Consume outlives its context: a blocked read does not hear it end
	lookEvery = 5 * time.Second  // how often dead consumers' entries are looked for
	deadAfter = 20 * time.Second // an entry that its consumer has had for so long is another's; handling takes milliseconds
	goneAfter = 10 * time.Minute // a consumer that was silent for so long, and has nothing, is removed
	graceful  = 5 * time.Second  // for what is in hand when the context ends
	most      = 5                // deliveries of an entry: contract §3
)

// Consume handles the inboxes until ctx ends: raises, withdrawals, resumptions, completions. consumer is unique to
// the process; a dead consumer's entries are taken over. It finishes what it has in hand, which takes a few seconds at
// most, and returns nil. While Redis is away it tries again.
func (l *Ledger) Consume(ctx context.Context, consumer string) error {
	if consumer == "" {
		return fmt.Errorf("consume the inboxes: %w: a consumer's name", ErrIncomplete)
	}
	var partitions sync.WaitGroup
	for p := range l.keys.Partitions {
		r := &reader{Ledger: l, p: p, inbox: l.keys.In(p, "inbox"), name: consumer, waiting: early{}}
		partitions.Go(func() { r.run(ctx) })
	}
	partitions.Wait()
	return nil
}

// reader reads one partition's inbox.
type reader struct {
	*Ledger
	p       int
	inbox   string
	name    string
	waiting early // what came before its raise and was seen here of late
	failing bool  // so that Redis being away is said once
}

func (r *reader) run(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	due := true
	for ctx.Err() == nil {
		select {
		case <-look.C:
			due = true
		default:
		}
		err := r.round(ctx, due)
		switch {
		case ctx.Err() != nil:
		case err == nil:
			r.failing, due = false, false
		default:
			r.say(ctx, err)
			if redis.HasErrorPrefix(err, "NOGROUP") {
				err = r.createGroup(ctx, r.p) // somebody deleted the stream
			}
			if err != nil {
				pause(ctx, time.Second)
			}
		}
	}
}

func (r *reader) say(ctx context.Context, err error) {
	if !r.failing {
		r.log.WarnContext(ctx, "the inbox cannot be read", "partition", r.p, "err", err)
	}
	r.failing = true
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// round looks after what others left, where that is due, then reads what is new.
func (r *reader) round(ctx context.Context, due bool) error {
	if due {
		if err := r.lookAfter(ctx); err != nil {
			return err
		}
	}
	streams, err := r.redis.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: group, Consumer: r.name, Streams: []string{r.inbox, ">"}, Count: batch, Block: block,
	}).Result()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read inbox %d: %w", r.p, err)
	}
	hand, done := context.WithTimeout(context.WithoutCancel(ctx), graceful)
	defer done()
	for _, s := range streams {
		for _, m := range s.Messages {
			if err := r.take(hand, m, 1); err != nil {
				r.log.ErrorContext(ctx, "an inbox entry waits to be tried again", "partition", r.p, "entry", m.ID, "err", err)
			}
		}
	}
	return nil
}

// take handles one entry. What panics is counted like what kills the process: by its deliveries.
func (r *reader) take(ctx context.Context, m redis.XMessage, delivered int64) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %T at\n%s", p, debug.Stack())
		}
	}()
	return r.handle(ctx, m, delivered)
}

// lookAfter takes over the entries of dead consumers, and tries again what failed or came before its raise.
func (r *reader) lookAfter(ctx context.Context) error {
	r.waiting.drop(time.Now().Add(-deadAfter))
	for ctx.Err() == nil {
		left, err := r.redis.XPendingExt(ctx, &redis.XPendingExtArgs{
			Stream: r.inbox, Group: group, Idle: deadAfter, Start: "-", End: "+", Count: batch,
		}).Result()
		if err != nil {
			return fmt.Errorf("look for what waits in inbox %d: %w", r.p, err)
		}
		r.takeAll(ctx, left)
		if len(left) < batch {
			break
		}
	}
	return errors.Join(r.retireConsumers(ctx), r.renew(ctx))
}

func (r *reader) takeAll(ctx context.Context, left []redis.XPendingExt) {
	for _, e := range left {
		if ctx.Err() != nil {
			return
		}
		if err := r.takeOver(ctx, e); err != nil {
			r.log.ErrorContext(ctx, "an inbox entry waits to be tried again", "partition", r.p, "entry", e.ID, "err", err)
		}
	}
}

// takeOver claims an entry, which counts the delivery before the work. Another bot may have been quicker.
//
// What was delivered five times is not read once more: its size may be what killed its readers.
func (r *reader) takeOver(ctx context.Context, e redis.XPendingExt) error {
	args := &redis.XClaimArgs{
		Stream: r.inbox, Group: group, Consumer: r.name, MinIdle: deadAfter, Messages: []string{e.ID},
	}
	if e.RetryCount >= most {
		return r.buryUnread(ctx, args)
	}
	claimed, err := r.redis.XClaim(ctx, args).Result()
	if err != nil {
		return fmt.Errorf("take over: %w", err)
	}
	for _, m := range claimed {
		if err := r.take(ctx, m, e.RetryCount+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) buryUnread(ctx context.Context, args *redis.XClaimArgs) error {
	claimed, err := r.redis.XClaimJustID(ctx, args).Result()
	if err != nil {
		return fmt.Errorf("take over unread: %w", err)
	}
	for _, id := range claimed {
		if err := r.bury(ctx, redis.XMessage{ID: id}, "it was delivered five times and never handled"); err != nil {
			return err
		}
	}
	return nil
}

// retireConsumers removes consumers that have nothing and were silent for long: each process has a name of its own.
func (r *reader) retireConsumers(ctx context.Context) error {
	consumers, err := r.redis.XInfoConsumers(ctx, r.inbox, group).Result()
	if err != nil {
		return fmt.Errorf("look at the consumers of inbox %d: %w", r.p, err)
	}
	for _, c := range consumers {
		if c.Name == r.name || c.Pending > 0 || c.Idle < goneAfter {
			continue
		}
		if err := r.scripts.retire.Run(ctx, r.redis, []string{r.inbox}, group, c.Name).Err(); err != nil {
			return fmt.Errorf("retire a consumer of inbox %d: %w", r.p, err)
		}
	}
	return nil
}
