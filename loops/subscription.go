package loops

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	subscribeBatch = 1000 // channels in one command: a confirmation of each comes back at once
	reconnectMax   = 3 * time.Second
)

// errDeaf is a subscription on which not even a ping is answered: go-redis issue 3811 is one way to get there.
var errDeaf = errors.New("the subscription's connection answers no ping")

// hear keeps one subscription connection until ctx ends. Every connection is a new PubSub: go-redis's own reconnecting
// does not report itself, and resubscribes to everything in one command.
func (w *waits) hear(ctx context.Context) {
	for failures := 0; ; failures++ {
		sub := w.redis.Subscribe(ctx)
		stop := context.AfterFunc(ctx, func() { _ = sub.Close() }) // a blocked read does not heed ctx
		w.connected(sub)
		heard, err := w.receive(ctx, sub)
		w.connected(nil)
		stop()
		_ = sub.Close()
		if ctx.Err() != nil {
			return
		}
		if heard {
			failures = 0
		}
		if failures == 0 {
			w.log.Warn("the subscription was lost; connecting again", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reconnectPause(failures)):
		}
	}
}

// reconnectPause grows from 0.1 s to 3 s, and is spread over its second half.
func reconnectPause(failures int) time.Duration {
	pause := min(100*time.Millisecond<<min(failures, 10), reconnectMax)
	return pause/2 + rand.N(pause/2) //nolint:gosec // it spreads load, it guards nothing
}

// connected makes sub the connection in use; on a new one every channel has to be subscribed to.
func (w *waits) connected(sub *redis.PubSub) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sub, w.heard = sub, true
	if sub == nil {
		return
	}
	w.unsettled = w.unsettled[:0]
	for channel := range w.byChannel {
		w.unsettled = append(w.unsettled, channel)
	}
	for _, one := range w.due {
		one.subscribed = 0
	}
	w.nudge()
}

// receive reads until the connection is lost, and reports whether it was one at all.
func (w *waits) receive(ctx context.Context, sub *redis.PubSub) (heard bool, err error) {
	for {
		m, err := sub.Receive(ctx)
		if err != nil {
			return heard, err
		}
		heard = true
		w.mu.Lock()
		w.heard = true
		w.mu.Unlock()
		switch m := m.(type) {
		case *redis.Subscription:
			if m.Kind == "subscribe" {
				w.confirmed(m.Channel)
			}
		case *redis.Message:
			w.message(m.Channel, m.Payload)
		}
	}
}

// confirmed makes a stop due for a look once the server listens for both its channels: what was published before is in
// the keys by then, what comes later is heard. It comes again after a reconnect.
func (w *waits) confirmed(channel string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.byChannel.on(channel) {
		if channel == one.outcome {
			one.subscribed |= outcomeChannel
		} else {
			one.subscribed |= refusalChannel
		}
		if one.subscribed == bothChannels {
			w.lookNow(one)
		}
	}
}

// message takes an outcome that verifies. Anything else, and any message where there is no key to verify with, only says
// that it is time to look.
func (w *waits) message(channel, payload string) {
	w.mu.Lock()
	listening := slices.Collect(w.byChannel.on(channel))
	w.mu.Unlock()
	for _, one := range listening {
		if channel == one.outcome && w.verify != nil {
			o, err := w.readOutcome(payload, one.ref())
			if err == nil {
				w.finish(one, ended{outcome: o})
				continue
			}
			w.log.Warn("a message is no outcome of this stop; looking at its key", "stop", one.id(), "err", err)
		}
		w.mu.Lock()
		w.lookNow(one)
		w.mu.Unlock()
	}
}

// settleChannels subscribes to the channels that are watched and leaves those that are not any more. A command that
// cannot be sent ends the connection, so that the next one starts anew.
func (w *waits) settleChannels(ctx context.Context) {
	w.mu.Lock()
	sub := w.sub
	if sub == nil || len(w.unsettled) == 0 {
		w.mu.Unlock()
		return
	}
	var join, leave []string
	for _, channel := range w.unsettled {
		if w.byChannel[channel] != nil {
			join = append(join, channel)
		} else {
			leave = append(leave, channel)
		}
	}
	w.unsettled = nil
	w.mu.Unlock()
	if err := inBatches(ctx, join, sub.Subscribe); err != nil {
		_ = sub.Close()
		return
	}
	if err := inBatches(ctx, leave, sub.Unsubscribe); err != nil {
		_ = sub.Close()
	}
}

func inBatches(ctx context.Context, all []string, do func(context.Context, ...string) error) error {
	for batch := range slices.Chunk(all, subscribeBatch) {
		if err := do(ctx, batch...); err != nil {
			return err
		}
	}
	return nil
}

// ping ends a connection on which nothing was heard since the last ping.
func (w *waits) ping(ctx context.Context) {
	w.mu.Lock()
	sub, heard := w.sub, w.heard
	w.heard = false
	w.mu.Unlock()
	if sub == nil {
		return
	}
	if !heard {
		w.log.Warn("the subscription is deaf; connecting again", "err", errDeaf)
		_ = sub.Close()
		return
	}
	if err := sub.Ping(ctx); err != nil {
		_ = sub.Close()
	}
}
