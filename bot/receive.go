package bot

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"flagstop/loops"
	"flagstop/templates"
)

// recordWithin is how long an ack waits for what it says to be recorded; Slack waits for 3 s.
const recordWithin = 2 * time.Second

// Receive handles a delivery of either transport: a Receive. It returns once what was said is recorded or turned away, and
// after 2 s at the latest; what is not recorded by then is kept and decided again (house rule 4).
func (b *Bot) Receive(ctx context.Context, d Delivery) (ack json.RawMessage) {
	h := &hand{Bot: b, ack: make(chan json.RawMessage, 1)}
	do, key := h.take(d)
	places := b.hands
	if d.Kind != Interactive {
		places = b.asides
	}
	select {
	case places <- struct{}{}:
	default:
		return h.busy(ctx)
	}
	ctx, cancel := b.outlive(ctx)
	go func() {
		defer func() {
			cancel()
			<-places
		}()
		defer h.rescue(ctx)
		if !b.seen(ctx, key) {
			do(ctx)
			b.remember(ctx, key)
		}
		h.answer(nil)
	}()
	budget := time.NewTimer(recordWithin)
	defer budget.Stop()
	select {
	case body := <-h.ack:
		return body
	case <-budget.C:
		return h.late()
	}
}

// hand is a delivery in hand. Its ack goes out once: with what became of it, or when the time is up.
type hand struct {
	*Bot
	who  person
	view payloadView // of a modal that was sent or closed
	// trigger opens a modal, while it lives.
	trigger string
	atHome  bool   // it was done in App Home, which is no channel
	notice  string // the window in which they were told something there
	ack     chan json.RawMessage

	mu     sync.Mutex
	acked  bool
	unsure func() json.RawMessage // says that it is not known yet what became of it, and returns the ack
}

// person is who did something, and how to tell them privately.
type person struct {
	team, user, name string
	channel          string // where they did it
	thread           string // and in which thread, where they typed something
	respond          string // response URL, a secret
}

// id is the identity that decides: house rule 5.
func (p person) id() string { return "slack:" + p.team + "/" + p.user }

// did reports whether it was them who did something.
func (p person) did(by *loops.By) bool {
	_, user, ok := strings.Cut(by.ID, "/")
	return ok && strings.HasPrefix(by.ID, "slack:") && user == p.user
}

func (p person) by(role string) loops.By {
	return loops.By{ID: p.id(), Name: p.name, Role: role, Through: "slack"}
}

// rescue ends one delivery and not the process where a fault of ours panics: what somebody sent must not bring the bot
// down. The stop stays open, and the person is told to try again.
func (h *hand) rescue(ctx context.Context) {
	fault := recover()
	if fault == nil {
		return
	}
	h.log.ErrorContext(ctx, "a delivery could not be handled", "stack", string(debug.Stack()))
	h.metrics.Click(ClickFaulty)
	h.say(ctx, templates.SayFault, templates.Say{})
	h.answer(nil)
}

// answer acks, and reports whether the ack had not gone out yet.
func (h *hand) answer(body json.RawMessage) (inTime bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acked {
		return false
	}
	h.acked = true
	h.ack <- body
	return true
}

// whenLate sets what happens when the time is up, and reports whether it is not up yet.
func (h *hand) whenLate(unsure func() json.RawMessage) (inTime bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unsure = unsure
	return !h.acked
}

func (h *hand) isLate() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.acked
}

// late acks because the time is up.
func (h *hand) late() json.RawMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acked {
		return <-h.ack
	}
	h.acked = true
	if h.unsure == nil {
		return nil
	}
	return h.unsure()
}

// busy turns a delivery away because too many are in hand.
func (h *hand) busy(ctx context.Context) json.RawMessage {
	h.log.ErrorContext(ctx, "too many deliveries are in hand; one was turned away", "user", h.who.user)
	if block := h.view.firstInput(); block != "" {
		return fieldErrors(map[string]string{block: h.words.Say(templates.SayBusy, templates.Say{}).Text})
	}
	ctx, cancel := context.WithTimeout(ctx, recordWithin)
	defer cancel()
	h.say(ctx, templates.SayBusy, templates.Say{})
	return nil
}

// say tells the person something privately: over the response URL, or in the channel.
func (h *hand) say(ctx context.Context, s templates.Sentence, d templates.Say) {
	h.tell(ctx, h.words.Say(s, d))
}

func (h *hand) tell(ctx context.Context, m templates.Message) {
	if ctx.Err() != nil { // the bot ends; this is the last word
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
		defer cancel()
	}
	if err := h.reach(ctx, m); err != nil {
		h.log.WarnContext(ctx, "a person was not told", "user", h.who.user, "err", err)
	}
}

// reach tells the person by the first way that there is: where they did something, in the channel of the card, alone.
func (h *hand) reach(ctx context.Context, m templates.Message) error {
	var all []error
	for _, way := range []struct {
		is  bool
		say func() error
	}{
		{h.who.respond != "", func() error { return h.slack.Respond(ctx, h.who.respond, m) }},
		{h.atHome, func() error { return h.tellAtHome(ctx, m) }},
		{h.who.channel != "" && h.who.user != "", func() error { return h.slack.Whisper(ctx, h.who.channel, h.who.thread, h.who.user, m) }},
		{h.who.user != "", func() error { return h.slack.TellAlone(ctx, h.who.user, m) }},
	} {
		if !way.is {
			continue
		}
		err := way.say()
		if err == nil {
			return nil
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}
