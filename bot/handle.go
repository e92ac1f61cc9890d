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
func actionOf(val templates.Value) action {
	return does(func(by loops.By) ledger.Command {
		switch val.Verb {
		case templates.VerbTake:
			return ledger.Take{By: by, Rev: val.Rev}
		case templates.VerbRelease:
			return ledger.Release{By: by, Rev: val.Rev}
		}
		return ledger.NotMine{By: by, To: loops.Facilitator}
	})
}

// noting is a note. Whoever may see a stop may note something on it.
func noting(text string) action {
	return does(func(by loops.By) ledger.Command { return ledger.Note{By: by, Text: text} })
}

// moving gives the stop to a role that there is.
func (h *hand) moving(role, text string) action {
	return func(stop ledger.Stop, by loops.By) (ledger.Command, *ending) {
		if names := h.rolesFor(stop); !slices.Contains(names, role) && role != stop.State.Holder {
			e := ending{sentence: templates.SayNoRole, result: ClickFaulty, say: templates.Say{View: viewOf(stop), Names: names}}
			if _, known := h.config().Roles[role]; known {
				e.sentence, e.say.Reason = templates.SayMisfit, stop.Record.Misfits(role)[0].Message
			}
			return nil, &e
		}
		return ledger.Reassign{By: by, To: role, Text: text}, nil
	}
}

// stepping takes the next step of the stop's policy now, if nothing changed since the person looked: contract §4.
func (h *hand) stepping(rev int64) action {
	return func(stop ledger.Stop, by loops.By) (ledger.Command, *ending) {
		book := h.book()
		p := book.Policy(stop.Record)
		if stop.State.Timing.Level >= len(p.Steps) {
			return nil, &ending{sentence: templates.SayNoStep, result: ClickFaulty, say: templates.Say{View: viewOf(stop)}}
		}
		s := escalation.NextStep(p, book.Config, stop, stop.Now)
		s.By, s.Rev, s.Due = by, rev, stop.Now
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
	return handled(stop, changed, err)
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
	e := ending{channel: channelOf(stop)}
	if stop.Record != nil {
		e.say.View = viewOf(stop)
	}
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

// over is how an action ends on a stop that is closed: by the one verdict there is, or by its end.
func over(stop ledger.Stop) ending {
	for key := range stop.State.Verdicts {
		if e, ok := decided(stop, key); ok && len(stop.State.Verdicts) == 1 {
			return e
		}
	}
	e, _ := decided(stop, "")
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
		do = h.stepping(val.Rev)
	case x.Role != "":
		do = h.moving(x.Role, x.Text)
	case x.Snooze != 0:
		do = h.snoozing(x.Snooze, x.Text)
	}
	h.record(ctx, h.handling(val.Stop, do))
}

// relays is the role of a stop's question for which the person may answer, "" none.
func (h *hand) relays(ctx context.Context, stop ledger.Stop, key string) string {
	asked := askedOf(stop, key)
	who := h.handler(ctx, h.who, asked)
	for _, behalf := range []string{asked.Addressee, asked.Holder} {
		if routing.MayFor(h.config(), asked, who, behalf).OK {
			return behalf
		}
	}
	return ""
}

// viewFor is what a window shows of a stop.
func (h *hand) viewFor(stop ledger.Stop) templates.View {
	v := h.aheadOf(viewOf(stop), stop)
	v.Roles, v.Snoozable = h.rolesFor(stop), h.book().SnoozeMatters(stop)
	return v
}

// rolesFor are the roles that a stop can be given to.
func (h *hand) rolesFor(stop ledger.Stop) []string {
	return slices.DeleteFunc(routing.MayMoveTo(h.config(), askedOf(stop, "")), func(role string) bool {
		return len(stop.Record.Misfits(role)) > 0
	})
}
