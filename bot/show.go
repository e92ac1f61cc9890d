package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"flagstop/loops/ledger"
)

const (
	showLease = 45 * time.Second
	// pollEvery is how often work is looked at by itself; the bot's own clicks nudge.
	pollEvery = 250 * time.Millisecond
	// authPause is how long nothing is shown after Slack refused the credentials.
	authPause = time.Minute
)

// show makes Slack show what the ledger says, until ctx ends: house rule 3.
func (b *Bot) show(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := b.showSome(ctx)
		if err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "work was not leased", "err", err)
			_ = sleep(ctx, 2*time.Second)
		}
		if n == 0 {
			b.rest(ctx)
		}
	}
}

// rest waits for the next look at work.
func (b *Bot) rest(ctx context.Context) {
	wait := time.NewTimer(max(b.poll, b.trouble.pause()))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-b.nudged:
	case <-ctx.Done():
	}
}

// nudge has the bot look at work at once.
func (b *Bot) nudge() {
	select {
	case b.nudged <- struct{}{}:
	default:
	}
}

// showSome leases as many stops as there are places, and brings each in line beside the others. It reports how many.
func (b *Bot) showSome(ctx context.Context) (int, error) {
	if b.trouble.pause() > 0 {
		return 0, nil
	}
	places := b.takePlaces(ctx)
	leases, err := b.ledger.Lease(ctx, places, showLease)
	work := b.read(ctx, leases)
	if len(work) > 0 {
		b.changed()
	}
	for range places - len(work) {
		<-b.passes
	}
	for _, p := range work {
		go func() {
			defer func() { <-b.passes }()
			ctx, cancel := b.outlive(ctx)
			defer cancel()
			defer p.rescue(ctx)
			p.run(ctx)
		}()
	}
	if err != nil {
		return len(work), fmt.Errorf("lease stops: %w", err)
	}
	return len(work), nil
}

// takePlaces takes every free place, waiting for the first.
func (b *Bot) takePlaces(ctx context.Context) (n int) {
	select {
	case b.passes <- struct{}{}:
		n = 1
	case <-ctx.Done():
		return 0
	}
	for {
		select {
		case b.passes <- struct{}{}:
			n++
		default:
			return n
		}
	}
}

// read reads the leased stops and enrols those that have to be posted, in the order of asking. What cannot be read now is
// leased again when its lease lapses.
func (b *Bot) read(ctx context.Context, leases []ledger.Lease) []*pass {
	work := make([]*pass, 0, len(leases))
	for _, l := range leases {
		stop, err := b.ledger.Read(ctx, l.ID)
		if err != nil {
			b.log.ErrorContext(ctx, "a leased stop was not read", "stop", l.ID, "err", err)
			continue
		}
		b.records.keep(stop)
		work = append(work, &pass{Bot: b, lease: l, stop: stop, read: time.Now()})
	}
	slices.SortFunc(work, func(a, b *pass) int {
		return cmp.Or(a.stop.State.Asked.Compare(b.stop.State.Asked), cmp.Compare(a.stop.ID, b.stop.ID))
	})
	for _, p := range work {
		p.wants = plan(p.stop, b.config())
		if p.fault = p.queued(ctx); p.fault != nil {
			continue
		}
		for _, w := range p.wants {
			if c := cardAt(p.stop, w.place); c.TS == "" {
				b.lanes.enrol(cmp.Or(c.Channel, w.channel), p.stop.ID, p.stop.State.Asked, p.read)
			}
		}
	}
	return work
}

// want is a card that a stop should have. Channel is "" where its role has none.
type want struct{ place, channel, fallback string }

// The places of a stop's cards: askedPlace is that of the role that was asked, heldPlace, with the role, that of one that got
// it later.
const (
	askedPlace = "asked"
	heldPlace  = "held:"
)

// later says that cards are not in line yet for no fault, and how long to wait before the next try.
type later struct {
	after time.Duration
	why   string
}

func (l later) Error() string { return l.why }

// run brings the cards of the stop in line and says in the ledger how that went.
func (p *pass) run(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, p.lease.Until.Sub(p.now())-time.Second)
	defer cancel()
	if p.fault != nil {
		p.wants = nil
	}
	errs := []error{p.fault}
	for _, w := range p.wants {
		errs = append(errs, p.bring(within, w))
	}
	if err := p.end(ctx, errors.Join(errs...)); err != nil {
		p.log.ErrorContext(ctx, "how a stop is shown was not noted; its lease lapses", "stop", p.stop.ID, "err", err)
	}
}

// rescue ends one pass and not the process where a fault of ours panics: one stop must not keep all others from being
// shown. Its lease lapses, so it is tried again.
func (p *pass) rescue(ctx context.Context) {
	if fault := recover(); fault != nil {
		p.log.ErrorContext(ctx, "the cards of a stop made the bot panic", "stop", p.stop.ID, "panic", panicText(fault), "stack", string(debug.Stack()))
	}
}

// end takes the stop out of work, or says when to try again.
func (p *pass) end(ctx context.Context, err error) error {
	if err == nil && p.lease.TakenOver {
		err = later{requestTimeout, "the owner of the lapsed lease may still have a request on its way"}
	}
	if err == nil {
		err = p.seen(ctx)
	}
	if err == nil {
		p.tries.forget(p.stop.ID)
		p.trouble.over()
		_, err = p.ledger.Shown(ctx, p.lease, p.stop.State.Rev)
		p.changed() // where its card stands is known now
	}
	if errors.Is(err, ledger.ErrLeaseLost) {
		return p.rewrite(ctx)
	}
	if err == nil {
		return nil
	}
	after := p.wait(ctx, err)
	if p.lease.TakenOver { // whatever is written next is written after that request
		after = max(after, requestTimeout)
	}
	return p.ledger.Postpone(ctx, p.lease, p.now().Add(after))
}

// seen notes the first time that a stop stands where people see it, where a policy counts from then on.
func (p *pass) seen(ctx context.Context) error {
	t := p.stop.State.Timing
	if p.stop.State.Phase != ledger.Open || t.Policy == "" || !t.Visible.IsZero() {
		return nil
	}
	if _, _, err := p.ledger.Do(ctx, p.stop.ID, ledger.Visible{}); err != nil && !isA[*ledger.ClosedError](err) {
		return err
	}
	return nil
}

// wait says how long to wait after a try that failed, and logs a failure that somebody may have to mend.
func (p *pass) wait(ctx context.Context, err error) time.Duration {
	if l, ok := errors.AsType[later](err); ok {
		return l.after
	}
	after := p.tries.next(p.stop.ID)
	if failed, ok := errors.AsType[*SlackError](err); ok {
		p.refusedBySlack(err)
		p.trouble.unanswered(err, time.Now())
		after = max(after, failed.After)
	}
	p.log.WarnContext(ctx, "the cards of a stop are behind", "stop", p.stop.ID, "rev", p.stop.State.Rev, "again_in", after, "err", err)
	return after
}
