package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"flagstop/loops/ledger"
	"flagstop/templates"
)

// pass is one try to bring the cards of one stop in line, under a lease.
//
// A card's Attempt is set from before a request that makes a message until its end is known: with no TS the request is
// for the card itself, with one for the next message of its thread. Rev 0 means that the message has to be written again.
type pass struct {
	*Bot
	lease ledger.Lease
	stop  ledger.Stop
	read  time.Time // when it was, by our clock
	wants []want
	fault error // why it is not known which are wanted

	turnIn turnstile // where it has the turn
	behind int       // how many wait for it there
}

// now is Redis's time.
func (p *pass) now() time.Time { return p.stop.Now.Add(time.Since(p.read)) }

// bring brings one card in line: a message stands, what is too long for it stands in its thread, it shows the stop's
// rev, and its thread tells what changed.
func (p *pass) bring(ctx context.Context, w want) error {
	c := cardAt(p.stop, w.place)
	var err error
	for _, step := range []func(context.Context, ledger.Card, want) (ledger.Card, error){p.stand, p.parts, p.update, p.lines} {
		if c, err = step(ctx, c, w); err != nil {
			break
		}
	}
	switch {
	case p.lease.TakenOver && c.TS != "":
		return errors.Join(err, p.doubt(ctx, c))
	case err != nil:
		return err
	default:
		return p.sure(ctx, c)
	}
}

// doubt marks a card as to be looked after and written again: a request of the lease's last owner may still arrive.
func (p *pass) doubt(ctx context.Context, c ledger.Card) error {
	c.Rev, c.Attempt, c.AttemptAt = 0, rand.Text(), p.now()
	return p.save(ctx, c)
}

// sure takes the mark of doubt away when everything stands.
func (p *pass) sure(ctx context.Context, c ledger.Card) error {
	if c.Attempt == "" {
		return nil
	}
	c.Attempt = ""
	return p.save(ctx, c)
}

// save writes the card into the ledger while the lease holds.
func (p *pass) save(ctx context.Context, c ledger.Card) error {
	if err := p.ledger.SaveCard(ctx, p.lease, c); err != nil {
		return fmt.Errorf("save a card of stop %s: %w", p.stop.ID, err)
	}
	return nil
}

// update writes the message anew where it does not show the stop's rev.
func (p *pass) update(ctx context.Context, c ledger.Card, w want) (ledger.Card, error) {
	n := p.waitingFor(c)
	if c.Rev == p.stop.State.Rev {
		if c.Waiting == n {
			return c, nil
		}
		if wait := p.recounts.wait(p.turnIn, time.Now()); wait > 0 {
			return c, later{wait, "more or fewer wait for it than its card says"}
		}
	}
	if wait := settling(p.stop, p.now()); wait > 0 && c.Rev > 0 {
		return c, later{wait, "answered; the loop may go on at once"}
	}
	err := p.slack.Update(ctx, c.Channel, c.TS, p.message(ctx, c, w), p.stamp(c, 0))
	switch {
	case err == nil:
		p.metrics.Shown()
		c.Rev, c.Waiting = p.stop.State.Rev, n
		return c, p.save(ctx, c)
	case hasClass(err, ClassContent) && !c.Plain:
		p.log.ErrorContext(ctx, "slack refused a card's content; its plain form is shown", "stop", p.stop.ID, "err", err)
		c.Plain = true
		return p.update(ctx, c, w)
	case hasClass(err, ClassDestination):
		return p.forget(ctx, c, err)
	default:
		return c, err
	}
}

// waitingFor is how many wait for the stop in whose place a card stands.
func (p *pass) waitingFor(c ledger.Card) int {
	if p.behind == 0 || !slices.Contains(p.turnIn.places(briefOf(p.stop), p.config()), c.Place) {
		return 0
	}
	return p.behind
}

// forget lets go of a message that is gone or cannot be written any more; the next try posts another.
func (p *pass) forget(ctx context.Context, c ledger.Card, why error) (ledger.Card, error) {
	p.log.WarnContext(ctx, "a card is gone and is posted again", "stop", p.stop.ID, "channel", c.Channel, "err", why)
	c = ledger.Card{Place: c.Place, Plain: c.Plain}
	if err := p.save(ctx, c); err != nil {
		return c, err
	}
	return c, later{p.tries.next(p.stop.ID), "its message is gone"}
}

// message is the card as it has to be now.
func (p *pass) message(ctx context.Context, c ledger.Card, w want) templates.Message {
	parts, _ := p.thread(p.stop, c.Place)
	v := p.aheadOf(viewOf(p.stop), p.stop)
	if c.Place != askedPlace {
		v.First = p.first(ctx)
	}
	v.Thread, v.Waiting = len(c.Thread) >= len(parts), p.waitingFor(c)
	if c.Undelivered != "" {
		v.Fallback = w.channel
	}
	if c.Plain {
		return p.words.Plain(v)
	}
	return p.words.Card(v)
}

// first is where the card of the role that was asked stands. Without its link the place is named.
func (p *pass) first(ctx context.Context) *templates.Place {
	c := cardAt(p.stop, askedPlace)
	if c.TS == "" {
		return nil
	}
	link, err := p.links.get(c.Channel+" "+c.TS, func() (string, error) { return p.slack.Permalink(ctx, c.Channel, c.TS) })
	if err != nil {
		p.log.WarnContext(ctx, "the link to a stop's first card was not read", "stop", p.stop.ID, "err", err)
	}
	return &templates.Place{Channel: c.Channel, Link: link}
}

func (p *pass) stamp(c ledger.Card, part int) Stamp {
	return Stamp{
		Prefix: p.prefix, Stop: p.stop.ID, Place: c.Place, Attempt: c.Attempt, Part: part, Rev: p.stop.State.Rev,
	}
}

// rewrite follows a lease that lapsed: the last request of this pass may have come after its new owner's, so the newest
// state is written once more when no request can be on its way.
func (p *pass) rewrite(ctx context.Context) error {
	if err := sleep(ctx, requestTimeout); err != nil {
		return fmt.Errorf("write stop %s once more: %w", p.stop.ID, err)
	}
	for {
		stop, err := p.ledger.Read(ctx, p.stop.ID)
		if err != nil {
			return fmt.Errorf("write it once more: %w", err)
		}
		p.stop, p.read = stop, time.Now()
		var errs []error
		for _, w := range plan(stop, p.config()) {
			if c := cardAt(stop, w.place); c.TS != "" {
				errs = append(errs, p.slack.Update(ctx, c.Channel, c.TS, p.message(ctx, c, w), p.stamp(c, 0)))
			}
		}
		now, err := p.ledger.Read(ctx, p.stop.ID)
		if err != nil || now.State.Rev == stop.State.Rev {
			return errors.Join(append(errs, err)...)
		}
	}
}
