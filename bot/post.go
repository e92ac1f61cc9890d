package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"flagstop/loops/ledger"
)

// stand makes sure that a message stands for the card: the one there is, one whose answer was lost, or a new one.
func (p *pass) stand(ctx context.Context, c ledger.Card, w want) (ledger.Card, error) {
	if c.Attempt != "" {
		var err error
		if c, err = p.find(ctx, c); err != nil {
			p.lanes.hold(c.Channel, p.stop.ID, time.Now().Add(laneHold))
			return c, err
		}
	}
	if c.TS == "" {
		return p.post(ctx, c, w)
	}
	p.leave(ctx, c.Channel)
	return c, nil
}

// find looks for the card's message by its stamp. Of several the oldest stays and the others are deleted. Where there is none
// it says when to look again, or leaves the card claimed, to be sent again.
func (p *pass) find(ctx context.Context, c ledger.Card) (ledger.Card, error) {
	found, err := p.slack.Find(ctx, c.Channel, "", since(c), p.stamp(c, 0))
	switch {
	case hasClass(err, ClassDestination): // nobody can look there any more: what to do next will tell
		if c.TS == "" {
			c.Attempt = ""
		}
		return c, nil
	case err != nil:
		return c, err
	case len(found) == 0:
		return c, p.absent(c)
	}
	if err := p.delete(ctx, found[1:]); err != nil {
		return c, err
	}
	if c.TS == "" {
		c.Attempt = ""
	}
	if c.TS != found[0].TS {
		c.TS, c.Rev, c.Thread = found[0].TS, 0, nil
	}
	return c, p.save(ctx, c)
}

// delete takes away what is there twice, where Slack lets it.
func (p *pass) delete(ctx context.Context, doubles []Found) error {
	for _, d := range doubles {
		p.log.WarnContext(ctx, "a message was there twice", "stop", p.stop.ID, "channel", d.Channel, "part", d.Stamp.Part)
		if err := p.slack.Delete(ctx, d.Channel, d.TS); err != nil && !hasClass(err, ClassDestination) {
			return err
		}
	}
	return nil
}

// absent says how long to wait for a message that was sent and is not found; nil when it may be sent again, or when it
// stood already and its update will tell.
func (p *pass) absent(c ledger.Card) error {
	if wait := nextLook(p.now().Sub(c.AttemptAt)); wait > 0 && c.TS == "" {
		return later{wait, "a message may have been sent and is not found yet"}
	}
	return nil
}

// since is a moment before the first request that may have made the card's message.
func since(c ledger.Card) time.Time {
	var seconds, rest int64
	if n, err := fmt.Sscanf(c.TS, "%d.%d", &seconds, &rest); err == nil && n == 2 {
		return time.Unix(seconds, 0)
	}
	return c.AttemptAt
}

// post posts the card: its plain form where Slack refuses its content, in the fallback channel where its own cannot be
// posted to.
func (p *pass) post(ctx context.Context, c ledger.Card, w want) (ledger.Card, error) {
	if c.Attempt == "" {
		c.Channel, c.Undelivered = w.channel, ""
	}
	for {
		sent, err := p.send(ctx, c, w)
		if err == nil {
			return sent, nil
		}
		next, ok := p.instead(ctx, sent, w, err)
		if !ok {
			return next, err
		}
		c = next
	}
}

// instead is what to send after a post that cannot succeed, if there is anything left.
func (p *pass) instead(ctx context.Context, c ledger.Card, w want, err error) (ledger.Card, bool) {
	switch {
	case hasClass(err, ClassContent) && !c.Plain:
		p.log.ErrorContext(ctx, "slack refused a card's content; its plain form is sent", "stop", p.stop.ID, "err", err)
		c.Plain = true
		return c, true
	case hasClass(err, ClassDestination):
		p.log.ErrorContext(ctx, "a stop's channel cannot be posted to", "stop", p.stop.ID, "channel", c.Channel, "err", err)
		tried := c.Channel
		c = ledger.Card{Place: c.Place, Plain: c.Plain, Undelivered: cmp.Or(c.Undelivered, reasonOf(err))}
		if w.fallback != "" && tried != w.fallback {
			c.Channel = w.fallback
			return c, true
		}
		if err := p.save(ctx, c); err != nil {
			p.log.ErrorContext(ctx, "an undelivered stop was not noted", "stop", p.stop.ID, "err", err)
		}
	}
	return c, false
}

// send posts the card once. It is claimed in the ledger before and stays so while it is not known whether it was sent.
func (p *pass) send(ctx context.Context, c ledger.Card, w want) (ledger.Card, error) {
	if c.Channel == "" {
		return c, &SlackError{Method: "chat.postMessage", Code: "no_channel", Class: ClassDestination}
	}
	leave, err := p.turn(ctx, c.Channel)
	if err != nil {
		return c, err
	}
	defer func() { leave(err) }()
	again := c.Attempt != ""
	if c, err = p.claim(ctx, c); err != nil {
		return c, err
	}
	posted, err := p.slack.Post(ctx, c.Channel, "", p.message(ctx, c, w), p.stamp(c, 0))
	switch {
	case err == nil:
		return p.posted(ctx, c, posted, again)
	case again && hasClass(err, ClassAmbiguous):
		err = later{requestTimeout, "a message was sent again and Slack did not say whether it stands"}
		return c, err
	case hasClass(err, ClassAmbiguous):
		err = later{0, "Slack did not say whether a message stands"}
		return c, err
	case again:
		return c, err
	default:
		c.Attempt = ""
		if saveErr := p.save(ctx, c); saveErr != nil {
			return c, saveErr
		}
		return c, err
	}
}

// claim says in the ledger that a message is about to be sent, so that whoever comes after a crash looks for it.
func (p *pass) claim(ctx context.Context, c ledger.Card) (ledger.Card, error) {
	if c.Attempt != "" {
		return c, nil
	}
	c.Attempt, c.AttemptAt = rand.Text(), p.now()
	return c, p.save(ctx, c)
}

// posted notes where the message stands. After a second try there may be two.
func (p *pass) posted(ctx context.Context, c ledger.Card, at Posted, again bool) (ledger.Card, error) {
	p.metrics.Shown()
	parts, _ := p.thread(p.stop, c.Place)
	c.Channel, c.TS = at.Channel, at.TS
	if len(parts) == 0 {
		c.Rev, c.Waiting = p.stop.State.Rev, p.waitingFor(c)
	}
	if !again {
		c.Attempt = ""
		return c, p.save(ctx, c)
	}
	if err := p.save(ctx, c); err != nil {
		return c, err
	}
	return p.find(ctx, c)
}

// turn waits for nobody: it says whether the stop is the next to be posted in the channel, and the bot its sender.
func (p *pass) turn(ctx context.Context, channel string) (leave func(error), err error) {
	id := p.stop.ID
	if wait := p.lanes.enter(channel, id, p.stop.State.Asked, time.Now()); wait > 0 {
		return nil, later{wait, "others are posted in the channel before it"}
	}
	ours, err := p.becomeSender(ctx, channel)
	if err != nil || !ours {
		p.lanes.leave(channel, id)
		if err != nil {
			return nil, err
		}
		return nil, later{300 * time.Millisecond, "another bot posts in the channel"}
	}
	return func(err error) {
		if err != nil && !hasClass(err, ClassDestination) {
			p.lanes.hold(channel, id, time.Now().Add(laneHold))
			return
		}
		p.leave(ctx, channel)
	}, nil
}

// leave gives the stop's place in its channel's lane up, and the channel to other bots when the lane is empty.
func (p *pass) leave(ctx context.Context, channel string) {
	if p.lanes.leave(channel, p.stop.ID) {
		p.ceaseSender(ctx, channel)
	}
}

// reasonOf is Slack's name for what is wrong with a channel.
func reasonOf(err error) string {
	if failed, ok := errors.AsType[*SlackError](err); ok && failed.Code != "" {
		return failed.Code
	}
	return "unknown"
}
