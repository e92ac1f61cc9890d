package bot

import (
	"context"
	"strings"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// actionTyped is the action of a command; false for one that is not understood.
func (h *hand) actionTyped(ctx context.Context, t wording) (action, bool) {
	first, more := cutWord(t.rest)
	switch t.verb {
	case "take":
		return does(func(by loops.By) ledger.Command { return ledger.Take{By: by} }), t.rest == ""
	case "release":
		return does(func(by loops.By) ledger.Command { return ledger.Release{By: by} }), t.rest == ""
	case "note":
		return noting(t.rest), t.rest != ""
	case "not-mine":
		return h.notMine(t.rest), true
	case "escalate":
		return h.stepping(0, t.rest), true
	case "reassign":
		return h.moving(first, more), first != ""
	case "snooze":
		if strings.EqualFold(first, "tomorrow") {
			return h.snoozingUntil(h.tomorrow(ctx), more), true
		}
		d, err := routing.ParseDuration(first)
		return h.snoozing(d, more), err == nil
	}
	return nil, false
}

// morning is the hour at which tomorrow begins for who snoozes something until then.
const morning = 9

// tomorrow is the next morning but this day's where the person is, as Slack has it.
func (h *hand) tomorrow(ctx context.Context) func(ledger.Stop) time.Time {
	return func(stop ledger.Stop) time.Time { return nextMorning(stop.Now, h.meet(ctx, h.who.user).zone) }
}

func nextMorning(now time.Time, zone *time.Location) time.Time {
	y, m, d := now.In(zone).Date()
	return time.Date(y, m, d+1, morning, 0, 0, 0, zone)
}

// typing is the deed of a command: who may not see the stop learns no more than that it is not theirs.
func (h *hand) typing(t wording, do action) deed {
	d := h.handling(t.id, do)
	if t.verb == "snooze" {
		d.done = templates.SayPutOff
	}
	try := d.try
	d.try = func(ctx context.Context) (ending, error) {
		e, err := try(ctx)
		if err == nil && e.sentence == templates.SayStranger {
			e, err = h.unlessSeen(ctx, t.id, e)
		}
		return e.hiding(), err
	}
	return d
}

// unlessSeen says of an ending only that the stop is not theirs, where they may not see it.
func (h *hand) unlessSeen(ctx context.Context, id string, e ending) (ending, error) {
	stop, err := h.ledger.Read(ctx, id)
	if err != nil {
		return unread(err)
	}
	if !h.maySee(ctx, stop).OK {
		e.sentence = templates.SayUnseen
	}
	return e, nil
}

// hiding says of a stop that is not there what is said of one that is not theirs to see.
func (e ending) hiding() ending {
	if e.sentence == templates.SayUnknown {
		e.sentence = templates.SayUnseen
	}
	return e
}
