package bot

import (
	"context"
	"sync"
	"time"
)

const (
	// finishWithin bounds how long Run goes on for what is in hand when its context ends.
	finishWithin = 8 * time.Second
	sweepEvery   = time.Minute
)

// Run consumes the inboxes, shows, sweeps and looks after the cards until ctx ends. Then it takes nothing new and finishes
// what is in hand, kept clicks among it, for at most 8 s. It is called once.
func (b *Bot) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, loop := range []func(context.Context){b.identify, b.consume, b.show, b.sweep, b.look, b.keepHomes, b.handOffs} {
		wg.Go(func() { loop(ctx) })
	}
	wg.Wait()
	b.finish()
	return nil
}

// finish waits until nothing is in hand any more, by taking every place there is, and ends what takes too long.
func (b *Bot) finish() {
	end := time.AfterFunc(finishWithin, func() { close(b.stopped) })
	for _, places := range []chan struct{}{b.passes, b.hands, b.asides} {
		for range cap(places) {
			places <- struct{}{}
		}
	}
	if end.Stop() {
		close(b.stopped)
	}
}

// identify asks Slack who the bot is, until it says so: a wrong token shows at the start.
func (b *Bot) identify(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		_, err := b.slack.Identify(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			b.trouble.over()
			return
		}
		b.refusedBySlack(err)
		b.trouble.unanswered(err, time.Now())
		b.log.ErrorContext(ctx, "slack did not say who the bot is", "err", err)
		if sleep(ctx, wait) != nil {
			return
		}
	}
}

// consume handles the inboxes, again after whatever ended it.
func (b *Bot) consume(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		start := time.Now()
		err := b.ledger.Consume(ctx, b.name)
		if ctx.Err() != nil {
			return
		}
		if time.Since(start) > time.Minute {
			wait = time.Second
		}
		b.log.ErrorContext(ctx, "the inboxes are not read", "err", err)
		if sleep(ctx, wait) != nil {
			return
		}
	}
}

// sweep lets the ledger expire and forget what is due: at the start and every minute.
func (b *Bot) sweep(ctx context.Context) {
	for {
		if _, err := b.ledger.Sweep(ctx); err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "due stops were not swept", "err", err)
		}
		if err := b.sweepTurns(ctx); err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "turns were not looked at", "err", err)
		}
		b.measure(ctx)
		b.changed() // who is on call changes by itself
		if sleep(ctx, sweepEvery) != nil {
			return
		}
	}
}
