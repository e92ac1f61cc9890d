package bot

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

// triggerLife is how long a trigger opens a view.
const triggerLife = 3 * time.Second

// openModal opens the modal of a verb, while the trigger lives.
func (h *hand) openModal(ctx context.Context, val templates.Value) {
	within, cancel := context.WithTimeout(ctx, triggerLife)
	defer cancel()
	stop, err := h.ledger.Read(within, val.Stop)
	if err != nil {
		e, err := unread(err)
		if err != nil {
			h.log.WarnContext(ctx, "a modal was not opened", "stop", val.Stop, "err", err)
			e = ending{sentence: templates.SayStoreAway, say: h.sayOf(val), result: ClickFaulty}
		}
		h.finish(ctx, e)
		return
	}
	h.records.keep(stop)
	e, ok := h.mayOpen(within, stop, val)
	switch {
	case ok:
		h.open(within, stop, val.Key, func() (slack.ModalViewRequest, error) { return h.words.Modal(h.viewFor(within, stop, val.Verb), val) })
	case e.behalf != "":
		h.open(within, stop, val.Key, func() (slack.ModalViewRequest, error) {
			return h.words.Relay(viewOf(stop), val, e.behalf, nil)
		})
	default:
		h.finish(ctx, e)
	}
}

// openRelay opens the window in which the person confirms a verdict on behalf of a role.
func (h *hand) openRelay(ctx context.Context, val templates.Value, e ending) {
	ctx, cancel := context.WithTimeout(ctx, triggerLife)
	defer cancel()
	stop, err := h.ledger.Read(ctx, val.Stop)
	if err != nil {
		h.finish(ctx, ending{sentence: templates.SayModalGone, result: ClickFaulty, channel: e.channel})
		return
	}
	h.open(ctx, stop, val.Key, func() (slack.ModalViewRequest, error) { return h.words.Relay(viewOf(stop), val, e.behalf, e.verdict) })
}

// open opens a modal while the trigger lives, and tells the person where that fails.
func (h *hand) open(ctx context.Context, stop ledger.Stop, key string, render func() (slack.ModalViewRequest, error)) {
	modal, err := render()
	if err == nil {
		_, err = h.slack.OpenView(ctx, h.trigger, modal)
	}
	e := ending{result: ClickOpened, channel: channelOf(stop)}
	switch {
	case err == nil, hasClass(err, ClassAmbiguous): // it may be open; if not, its person presses again
	case hasClass(err, ClassTrigger), hasClass(err, ClassRetry):
		e.sentence, e.result = templates.SayModalGone, ClickFaulty
	default:
		h.log.ErrorContext(ctx, "a modal was not opened", "stop", stop.ID, "err", err)
		e.sentence, e.result = templates.SayFault, ClickFaulty
	}
	e.say = templates.Say{View: viewOf(stop), Key: key}
	h.finish(context.WithoutCancel(ctx), e)
}

// mayOpen reports whether the modal may be opened, or how the click ends.
func (h *hand) mayOpen(ctx context.Context, stop ledger.Stop, val templates.Value) (ending, bool) {
	switch val.Verb {
	case templates.VerbDetails:
		d := h.maySee(ctx, stop)
		return stranger(stop, val.Key, d), d.OK
	case templates.VerbMore:
		return h.mayMore(ctx, stop)
	}
	q, ok := questionOf(stop.Record, val.Key)
	if !ok {
		return ending{sentence: templates.SayGarbled, result: ClickFaulty}, false
	}
	e, done := decided(stop, q.Key)
	d := h.may(ctx, stop, q.Key, "")
	if d.OK {
		return e, !done
	}
	if other := h.notThemselves(ctx, stop, q.Key, d); other.behalf == "" || !done {
		e = other
	}
	return e, false
}

// maySee asks routing who may see a stop's text; Slack is asked for the members of its channel only where that decides.
func (h *hand) maySee(ctx context.Context, stop ledger.Stop) routing.Decision {
	asked := askedOf(stop, "")
	who := h.answerer(ctx, h.who, asked)
	d := routing.MaySee(h.config(), asked, who, false)
	if d.OK {
		return d
	}
	inChannel := slices.ContainsFunc(stop.State.Cards, func(c ledger.Card) bool {
		in, err := h.slack.InChannel(ctx, c.Channel, h.who.user)
		if err != nil {
			h.log.WarnContext(ctx, "the members of a channel were not read", "channel", c.Channel, "err", err)
		}
		return c.Channel != "" && err == nil && in
	})
	return routing.MaySee(h.config(), asked, who, inChannel)
}

// submit has what was typed in a modal recorded.
func (h *hand) submit(ctx context.Context) {
	m, err := templates.ParseMetadata(h.view.Metadata)
	if err != nil {
		h.finish(ctx, ending{sentence: templates.SayGarbled, result: ClickFaulty})
		return
	}
	val := m.Value
	h.whenLate(func() json.RawMessage { return h.keepTyped(templates.SayStoreAway) })
	record := h.recordOf(ctx, val)
	if record == nil {
		return
	}
	if h.who.channel == "" { // a window does not say where it was opened
		h.who.channel = h.records.channel(val.Stop)
	}
	state, err := h.view.values()
	if err != nil {
		h.log.WarnContext(ctx, "what was typed in a modal was not read", "stop", val.Stop, "err", err)
		h.answer(h.keepTyped(templates.SayGarbled))
		return
	}
	if val.Verb == templates.VerbMore {
		h.submitMore(ctx, val, state)
		return
	}
	if m.For != "" && h.view.firstInput() == "" { // the window showed the verdict whole
		h.record(ctx, h.answering(m, nil))
		return
	}
	typed, faults := templates.ReadSubmission(record, val, state)
	if len(faults) > 0 {
		h.metrics.Click(ClickFaulty)
		h.answer(fieldErrors(faults))
		return
	}
	h.record(ctx, h.answering(m, &typed))
}

// recordOf reads the record that a modal is about. It gives up when the ack has gone out: then its person knows that
// nothing was recorded, and the modal still has what was typed.
func (h *hand) recordOf(ctx context.Context, val templates.Value) *loops.Record {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		if r := h.records.get(val.Stop); r != nil {
			return r
		}
		stop, err := h.ledger.Read(ctx, val.Stop)
		if err == nil {
			h.records.keep(stop)
			continue
		}
		if e, err := unread(err); err == nil {
			h.finish(ctx, e)
			return nil
		}
		if h.isLate() || sleep(ctx, wait) != nil {
			return nil
		}
	}
}

// keepTyped leaves the modal open as it is, with a sentence at its first field.
func (h *hand) keepTyped(s templates.Sentence) json.RawMessage {
	block := h.view.firstInput()
	if block == "" {
		return nil
	}
	return fieldErrors(map[string]string{block: h.words.Say(s, templates.Say{}).Text})
}

// notRecorded replaces the modal by one that says that it is not recorded yet and keeps what was typed.
func (h *hand) notRecorded(val templates.Value, typed loops.Verdict) json.RawMessage {
	d := h.sayOf(val)
	if d.View.Record == nil {
		return h.keepTyped(templates.SayNotSure)
	}
	view := h.words.NotRecorded(d.View, val, typed)
	return encoded(slack.NewUpdateViewSubmissionResponse(&view))
}

// fieldErrors is the ack that shows sentences at the fields of a modal.
func fieldErrors(faults map[string]string) json.RawMessage {
	return encoded(slack.NewErrorsViewSubmissionResponse(faults))
}

func encoded(v any) json.RawMessage {
	body, err := json.Marshal(v)
	if err != nil {
		panic("encode an ack: " + err.Error()) // strings and blocks of our own always marshal
	}
	return body
}

// dismiss has the ledger note that a modal was closed without sending: it answers nothing.
func (h *hand) dismiss(ctx context.Context) {
	m, err := templates.ParseMetadata(h.view.Metadata)
	val := m.Value
	if err != nil || val.Verb == templates.VerbDetails || val.Verb == templates.VerbMore {
		return
	}
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		key := val.Key
		if r := h.records.get(val.Stop); r != nil {
			if q, ok := questionOf(r, key); ok {
				key = q.Key
			}
		}
		_, _, err := h.ledger.Do(ctx, val.Stop, ledger.Dismiss{By: h.who.by(""), Key: key})
		if err == nil {
			return
		}
		if _, err := endingOf(ledger.Stop{}, key, loops.Verdict{}, loops.By{}, false, err); err == nil {
			return // the stop is closed or gone: there is nothing left to dismiss
		}
		h.log.WarnContext(ctx, "a dismissal is not recorded yet", "stop", val.Stop, "err", err)
		if sleep(ctx, wait) != nil {
			return
		}
	}
}
