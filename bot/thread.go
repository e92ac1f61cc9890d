package bot

import (
	"context"
	"slices"

	"flagstop/loops/ledger"
	"flagstop/templates"
)

// parts posts what is too long for the card into its thread, before the card gets its buttons.
func (p *pass) parts(ctx context.Context, c ledger.Card, _ want) (ledger.Card, error) {
	parts, _ := p.thread(p.stop, c.Place)
	return p.tell(ctx, c, parts)
}

// lines posts a line into the card's thread for each change that is not there yet.
func (p *pass) lines(ctx context.Context, c ledger.Card, _ want) (ledger.Card, error) {
	_, all := p.thread(p.stop, c.Place)
	return p.tell(ctx, c, all)
}

// tell posts what the thread lacks of messages.
func (p *pass) tell(ctx context.Context, c ledger.Card, messages []templates.Message) (ledger.Card, error) {
	for len(c.Thread) < len(messages) {
		var err error
		if c, err = p.reply(ctx, c, messages[len(c.Thread)]); err != nil {
			return c, err
		}
	}
	return c, nil
}

// reply posts the next message of the thread once in effect, in the manner of the card itself.
func (p *pass) reply(ctx context.Context, c ledger.Card, m templates.Message) (ledger.Card, error) {
	part := len(c.Thread) + 1
	if c.Attempt != "" {
		found, err := p.slack.Find(ctx, c.Channel, c.TS, since(c), p.stamp(c, part))
		if err != nil {
			return c, err
		}
		if len(found) > 0 {
			return p.replied(ctx, c, found[0].TS, found[1:])
		}
		if wait := nextLook(p.now().Sub(c.AttemptAt)); wait > 0 {
			return c, later{wait, "a line of the thread may have been sent and is not found yet"}
		}
	}
	c, err := p.claim(ctx, c)
	if err != nil {
		return c, err
	}
	posted, err := p.slack.Post(ctx, c.Channel, c.TS, m, p.stamp(c, part))
	switch {
	case err == nil && posted.ThreadTS != c.TS: // without its parent a reply stands in the channel
		if err := p.slack.Delete(ctx, posted.Channel, posted.TS); err != nil {
			return c, err
		}
		return p.forget(ctx, c, nil)
	case err == nil:
		return p.replied(ctx, c, posted.TS, nil)
	case hasClass(err, ClassDestination):
		return p.unanswerable(ctx, c, err)
	case hasClass(err, ClassAmbiguous):
		return c, later{0, "Slack did not say whether a line of the thread stands"}
	case hasClass(err, ClassContent):
		return p.shorten(ctx, c, m, err)
	default:
		c.Attempt = ""
		if saveErr := p.save(ctx, c); saveErr != nil {
			return c, saveErr
		}
		return c, err
	}
}

// replied notes a message of the thread. Of several the oldest stays.
func (p *pass) replied(ctx context.Context, c ledger.Card, ts string, doubles []Found) (ledger.Card, error) {
	if err := p.delete(ctx, doubles); err != nil {
		return c, err
	}
	c.Thread = append(slices.Clip(c.Thread), ts)
	c.Attempt = ""
	return c, p.save(ctx, c)
}

// shorten sends a message of the thread as its text alone where Slack refuses its blocks, and leaves it out where it
// refuses that too.
func (p *pass) shorten(ctx context.Context, c ledger.Card, m templates.Message, err error) (ledger.Card, error) {
	p.log.ErrorContext(ctx, "slack refused the content of a thread", "stop", p.stop.ID, "part", len(c.Thread)+1, "err", err)
	c.Attempt = ""
	if len(m.Blocks)+len(m.Attachments) > 0 {
		return p.reply(ctx, c, templates.Message{Text: m.Text})
	}
	c.Thread = append(slices.Clip(c.Thread), "")
	return c, p.save(ctx, c)
}

// unanswerable lets go of a card that is gone, and leaves the message out where the channel takes no threads.
func (p *pass) unanswerable(ctx context.Context, c ledger.Card, err error) (ledger.Card, error) {
	stands, lookErr := p.slack.Exists(ctx, c.Channel, c.TS)
	switch {
	case hasClass(lookErr, ClassDestination), lookErr == nil && !stands:
		return p.forget(ctx, c, err)
	case lookErr != nil:
		return c, lookErr
	}
	p.log.ErrorContext(ctx, "a thread cannot be written", "stop", p.stop.ID, "part", len(c.Thread)+1, "err", err)
	c.Thread, c.Attempt = append(slices.Clip(c.Thread), ""), ""
	return c, p.save(ctx, c)
}
