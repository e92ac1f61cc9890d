package bot

import (
	"context"
	"errors"
	"slices"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

// action is what somebody wants to do with a stop that is no verdict. Where it cannot be done it says how that ends.
type action func(stop ledger.Stop, by loops.By) (ledger.Command, *ending)

// does is an action that needs to know nothing of the stop.
func does(command func(by loops.By) ledger.Command) action {
	return func(_ ledger.Stop, by loops.By) (ledger.Command, *ending) { return command(by), nil }
}

// actionOf is what an item of a card's menu does.
func (h *hand) actionOf(val templates.Value) action {
	switch val.Verb {
	case templates.VerbTake:
		return does(func(by loops.By) ledger.Command { return ledger.Take{By: by, Rev: val.Rev} })
	case templates.VerbRelease:
		return does(func(by loops.By) ledger.Command { return ledger.Release{By: by, Rev: val.Rev} })
	}
	return h.notMine("")
}

// noting is a note. Whoever may see a stop may note something on it.
func noting(text string) action {
	return does(func(by loops.By) ledger.Command { return ledger.Note{By: by, Text: text} })
}

// moving gives the stop to a role.
func (h *hand) moving(role, text string) action {
	return h.toRole(role, func(by loops.By) ledger.Command { return ledger.Reassign{By: by, To: role, Text: text} })
}

// notMine gives the stop to the facilitator, because the wrong role was asked.
func (h *hand) notMine(text string) action {
	return h.toRole(loops.Facilitator, func(by loops.By) ledger.Command {
		return ledger.NotMine{By: by, To: loops.Facilitator, Text: text}
	})
}

// toRole moves the stop, if there is such a role, and it could have been asked this.
func (h *hand) toRole(role string, command func(by loops.By) ledger.Command) action {
	return func(stop ledger.Stop, by loops.By) (ledger.Command, *ending) {
		c := h.config()
		e := ending{result: ClickFaulty, say: templates.Say{View: viewOf(stop)}}
		if _, known := c.Roles[role]; !known && role != stop.State.Holder {
			e.sentence, e.say.Names = templates.SayNoRole, rolesFor(c, stop)
			return nil, &e
		}
		if faults := stop.Record.Misfits(role); len(faults) > 0 {
			e.sentence, e.say.Reason = templates.SayMisfit, faults[0].Message
			return nil, &e
		}
		return command(by), nil
	}
}

// stepping takes the next step of the stop's policy now, if nothing changed since the person looked: contract §4.
func (h *hand) stepping(rev int64, text string) action {
	return func(stop ledger.Stop, by loops.By) (ledger.Command, *ending) {
		book := h.book()
		p := book.Policy(stop.Record)
		if stop.State.Timing.Level >= len(p.Steps) {
			return nil, &ending{sentence: templates.SayNoStep, result: ClickFaulty, say: templates.Say{View: viewOf(stop)}}
		}
		s := escalation.NextStep(p, book.Config, stop, stop.Now)
		s.By, s.Rev, s.Due, s.Text = by, rev, stop.Now, text
		return s, nil
	}
}

// snoozing snoozes the stop, where there is anything to snooze.
func (h *hand) snoozing(d time.Duration, text string) action {
	return h.snoozingUntil(func(stop ledger.Stop) time.Time { return stop.Now.Add(d) }, text)
}

func (h *hand) snoozingUntil(until func(ledger.Stop) time.Time, text string) action {
	return func(stop ledger.Stop, by loops.By) (ledger.Command, *ending) {
		if !h.book().SnoozeMatters(stop) {
			return nil, &ending{sentence: templates.SayNoSnooze, result: ClickFaulty, say: templates.Say{View: viewOf(stop)}}
		}
		return ledger.Snooze{By: by, Until: until(stop), Text: text}, nil
	}
}

// handling is the deed of an action. Who may is asked each time.
func (h *hand) handling(id string, do action) deed {
	return deed{templates.Value{Stop: id, Option: -1}, nil, templates.SayHandled, func(ctx context.Context) (ending, error) {
		return h.handle(ctx, id, do)
	}}
}

// handle tries once to do an action.
func (h *hand) handle(ctx context.Context, id string, do action) (ending, error) {
	stop, err := h.ledger.Read(ctx, id)
	if err != nil {
		return unread(err)
	}
	h.records.keep(stop)
	c, e := do(stop, h.who.by(""))
	_, isNote := c.(ledger.Note)
	may := h.mayHandle(ctx, stop)
	if isNote && !may.OK {
		may = h.maySee(ctx, stop)
	}
	if !may.OK {
		return stranger(stop, "", may), nil
	}
	if e != nil {
		e.channel = channelOf(stop)
		return *e, nil
	}
	c, _ = do(stop, h.who.by(may.Role))
	stop, changed, err := h.ledger.Do(ctx, id, c)
	done, err := handled(stop, changed, err)
	if isNote && done.result == ClickRecorded {
		done.sentence = templates.SayHandled // no card shows a note
	}
	return done, err
}

func (h *hand) mayHandle(ctx context.Context, stop ledger.Stop) routing.Decision {
	asked := askedOf(stop, "")
	return routing.MayHandle(h.config(), asked, h.handler(ctx, h.who, asked))
}

// handled turns what the ledger said into how an action ended. An error that comes back means that it is not known whether
// it was recorded.
func handled(stop ledger.Stop, changed bool, err error) (ending, error) {
	if closed, ok := errors.AsType[*ledger.ClosedError](err); ok {
		return over(closed.Stop), nil
	}
	if e, ok := noStop(err); ok {
		return e, nil
	}
	e := ending{channel: channelOf(stop), say: templates.Say{View: viewOf(stop)}}
	misfit, isMisfit := errors.AsType[*ledger.MisfitError](err)
	switch {
	case err == nil && changed:
		e.result = ClickRecorded
	case err == nil:
		e.sentence, e.result = templates.SayAsItWas, ClickSame
	case isA[*ledger.StaleError](err):
		e.sentence, e.result = templates.SayStale, ClickTurnedAway
	case isMisfit:
		e.sentence, e.result, e.say.Reason = templates.SayMisfit, ClickFaulty, misfit.Faults[0].Message
	case errors.Is(err, ledger.ErrFlood):
		e.sentence, e.result = templates.SayFlood, ClickFaulty
	case errors.Is(err, ledger.ErrSnooze):
		e.sentence, e.result = templates.SaySnooze, ClickFaulty
	default:
		return ending{}, err
	}
	return e, nil
}

// over is how an action ends on a stop that is closed: by the verdict on its only question, or by its end.
func over(stop ledger.Stop) ending {
	var key string
	if len(stop.Record.Questions) == 1 {
		key = stop.Record.Questions[0].Key
	}
	e, _ := decided(stop, key)
	return e
}

// mayMore reports whether the window for what is done less often may be opened, or how the click ends.
func (h *hand) mayMore(ctx context.Context, stop ledger.Stop) (ending, bool) {
	d := h.mayHandle(ctx, stop)
	if !d.OK {
		d = h.maySee(ctx, stop)
	}
	switch {
	case !d.OK:
		return stranger(stop, "", d), false
	case stop.State.Phase != ledger.Open:
		return over(stop), false
	}
	return ending{}, true
}

// submitMore does what was chosen in the window for what is done less often.
func (h *hand) submitMore(ctx context.Context, val templates.Value, state *slack.ViewState) {
	x, faults := templates.ReadHandling(state)
	if len(faults) > 0 {
		h.metrics.Click(ClickFaulty)
		h.answer(fieldErrors(faults))
		return
	}
	do := noting(x.Text)
	switch {
	case x.Role == templates.NextStep:
		do = h.stepping(val.Rev, x.Text)
	case x.Role == templates.NotTheirs:
		do = h.notMine(x.Text)
	case x.Role != "":
		do = h.moving(x.Role, x.Text)
	case x.Tomorrow:
		do = h.snoozingUntil(h.tomorrow(ctx), x.Text)
	case x.Snooze != 0:
		do = h.snoozing(x.Snooze, x.Text)
	}
	h.record(ctx, h.handling(val.Stop, do))
}

// notThemselves is how a click ends of somebody who may not answer a question themselves; it says on whose behalf they may.
func (h *hand) notThemselves(ctx context.Context, stop ledger.Stop, key string, may routing.Decision) ending {
	asked := askedOf(stop, key)
	behalf, relay := routing.Relays(h.config(), asked, h.handler(ctx, h.who, asked))
	if behalf == "" && relay.Reason != "" {
		may.Reason = relay.Reason
	}
	e := stranger(stop, key, may)
	e.behalf = behalf
	return e
}

// viewFor is what the window of a verb shows of a stop. Who may only see the stop is offered nothing but a note.
func (h *hand) viewFor(ctx context.Context, stop ledger.Stop, verb string) templates.View {
	v := h.aheadOf(viewOf(stop), stop)
	switch {
	case verb != templates.VerbMore:
	case h.mayHandle(ctx, stop).OK:
		v.Roles, v.Snoozable = rolesFor(h.config(), stop), h.book().SnoozeMatters(stop)
	default:
		v.NextRole = ""
	}
	return v
}

// rolesFor are the roles that a stop can be given to.
func rolesFor(c routing.Config, stop ledger.Stop) []string {
	return slices.DeleteFunc(routing.MayMoveTo(c, askedOf(stop, "")), func(role string) bool {
		return len(stop.Record.Misfits(role)) > 0
	})
}
