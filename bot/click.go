package bot

import (
	"context"
	"encoding/json"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// click does what a button or a menu item says.
func (h *hand) click(ctx context.Context, p payload) {
	if len(p.Actions) == 0 {
		h.unknown("a click without an action")(ctx)
		return
	}
	if page, err := templates.ParseListPage(p.Actions[0].value()); err == nil {
		h.turnPage(ctx, page)
		return
	}
	val, err := templates.ParseValue(p.Actions[0].value())
	if err != nil {
		h.finish(ctx, ending{sentence: templates.SayGarbled, result: ClickFaulty})
		return
	}
	h.trigger = p.TriggerID
	switch val.Verb {
	case templates.VerbOpen:
		h.metrics.Click(ClickOpened)
	case templates.VerbAnswer, templates.VerbEdit, templates.VerbOutput, templates.VerbDecline, templates.VerbDetails, templates.VerbMore:
		h.openModal(ctx, val)
	case templates.VerbTake, templates.VerbRelease, templates.VerbNotMine:
		h.record(ctx, h.handling(val.Stop, h.actionOf(val)))
	default:
		h.record(ctx, h.answering(templates.Metadata{Value: val}, nil))
	}
}

// deed is what somebody wants recorded: a verdict, or something else about a stop.
type deed struct {
	val   templates.Value
	typed *loops.Verdict                                  // what a window would lose
	done  templates.Sentence                              // what is said of it once it is recorded, to who heard that it was not sure
	try   func(ctx context.Context) (e ending, err error) // once; an error means that it is not known whether it was recorded
}

// answering is the verdict of a click, or the one that was typed, the person's own or on behalf of a role.
func (h *hand) answering(m templates.Metadata, typed *loops.Verdict) deed {
	return deed{m.Value, typed, templates.SayRecorded, func(ctx context.Context) (ending, error) { return h.decide(ctx, m, typed) }}
}

// recordTyped has the deed of a command recorded, which was acked when it came: its person hears how it ended, and after
// 2 s that it is not sure yet.
func (h *hand) recordTyped(ctx context.Context, d deed) {
	told := make(chan struct{})
	unsure := time.AfterFunc(recordWithin, func() {
		defer close(told)
		h.metrics.Click(ClickUnsure)
		h.say(ctx, templates.SayNotSure, h.sayOf(d.val))
	})
	e := h.settle(ctx, d)
	if e.sentence == "" && e.result == ClickRecorded {
		e.sentence = d.done
	}
	if unsure.Stop() {
		h.finish(ctx, e)
		return
	}
	<-told
	h.finish(ctx, e.late(d.done))
}

// record has a deed recorded, however long that takes.
func (h *hand) record(ctx context.Context, d deed) {
	told := make(chan struct{})
	unsure := func() json.RawMessage {
		h.metrics.Click(ClickUnsure)
		if d.typed != nil {
			close(told)
			return h.notRecorded(d.val, *d.typed)
		}
		go func() {
			defer close(told)
			h.say(ctx, templates.SayNotSure, h.sayOf(d.val))
		}()
		return nil
	}
	if !h.whenLate(unsure) {
		if d.typed != nil {
			return // its person has read that it is not recorded, and still has what was typed
		}
		unsure()
	}
	e := h.settle(ctx, d)
	if e.behalf != "" && h.trigger != "" {
		if !h.isLate() {
			h.openRelay(ctx, d.val, e)
			return
		}
		e.sentence, e.result = templates.SayModalGone, ClickFaulty // they may, but the window would come too late
	}
	if h.answer(h.ackOf(e)) {
		h.finish(ctx, e)
		return
	}
	<-told
	h.finish(ctx, e.late(d.done))
}

// ackOf shows a fault of a modal at its first field; everything else closes the modal.
func (h *hand) ackOf(e ending) json.RawMessage {
	if block := h.view.firstInput(); block != "" && e.fault != "" {
		return fieldErrors(map[string]string{block: e.fault})
	}
	return nil
}

// finish tells the person how it ended, where the card does not, and has the ledger note who was turned away.
func (h *hand) finish(ctx context.Context, e ending) {
	h.metrics.Click(e.result)
	if e.result == ClickRecorded {
		h.nudge()
		defer h.refreshHome(ctx)
	}
	if e.sentence == "" || e.fault != "" && h.view.firstInput() != "" {
		return
	}
	h.answer(nil)
	if h.who.channel == "" { // a modal does not say where it was opened
		h.who.channel = e.channel
	}
	h.say(ctx, e.sentence, e.say)
	if e.result != ClickTurnedAway {
		return
	}
	h.metrics.TurnedAway(e.sentence)
	if e.say.View.Record == nil {
		return
	}
	away := ledger.TurnAway{By: h.who.by(""), Key: e.say.Key, Reason: string(e.sentence)}
	if _, _, err := h.ledger.Do(ctx, e.say.View.Record.ID, away); err != nil {
		h.log.WarnContext(ctx, "a click that was turned away was not noted", "stop", e.say.View.Record.ID, "err", err)
	}
}

// sayOf is what can be said about a stop without Redis.
func (h *hand) sayOf(val templates.Value) templates.Say {
	r := h.records.get(val.Stop)
	if r == nil {
		return templates.Say{Key: val.Key}
	}
	return templates.Say{View: templates.View{Record: r, Rev: val.Rev, Holder: r.Addressee}, Key: val.Key}
}

// settle decides until it is known how it ended. Redis being away is no end; the bot's own end is.
func (h *hand) settle(ctx context.Context, d deed) ending {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		e, err := h.once(ctx, d)
		if err == nil {
			return e
		}
		h.log.WarnContext(ctx, "a click is not recorded yet", "stop", d.val.Stop, "again_in", wait, "err", err)
		if sleep(ctx, wait) != nil {
			return ending{
				sentence: templates.SayNotRecorded, say: h.sayOf(d.val), result: ClickFaulty, channel: h.records.channel(d.val.Stop),
			}
		}
	}
}

func (h *hand) once(ctx context.Context, d deed) (ending, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return d.try(ctx)
}

// decide tries once to record a verdict.
func (h *hand) decide(ctx context.Context, m templates.Metadata, typed *loops.Verdict) (ending, error) {
	val := m.Value
	stop, err := h.ledger.Read(ctx, val.Stop)
	if err != nil {
		return unread(err)
	}
	h.records.keep(stop)
	q, ok := questionOf(stop.Record, val.Key)
	var v loops.Verdict
	switch {
	case ok && typed != nil:
		v = *typed
	case ok:
		v, ok = verdictOf(q, val)
	}
	if !ok {
		return ending{sentence: templates.SayGarbled, result: ClickFaulty}, nil
	}
	may := h.may(ctx, stop, q.Key, m.For)
	if !may.OK {
		if m.For != "" {
			return stranger(stop, q.Key, may), nil
		}
		e := h.notThemselves(ctx, stop, q.Key, may)
		e.verdict = &v
		return e, nil
	}
	by := h.who.by(may.Role)
	by.For = m.For
	stop, changed, err := h.ledger.Do(ctx, stop.ID, ledger.Answer{By: by, Verdicts: map[string]loops.Verdict{q.Key: v}})
	return endingOf(stop, q.Key, v, by, changed, err)
}

// may asks routing, with the user groups that decide, about the person's own answer, or one on behalf of a role.
func (h *hand) may(ctx context.Context, stop ledger.Stop, key, behalf string) routing.Decision {
	asked := askedOf(stop, key)
	if behalf != "" {
		return routing.MayFor(h.config(), asked, h.handler(ctx, h.who, asked), behalf)
	}
	return routing.May(h.config(), asked, h.answerer(ctx, h.who, asked))
}

// questionOf is the question that a click is about: a menu item says no key where there is only one.
func questionOf(r *loops.Record, key string) (loops.Question, bool) {
	if key == "" && len(r.Questions) == 1 {
		return r.Questions[0], true
	}
	return r.Question(key)
}

// verdictOf is what a click without a modal means; false for a click that the question does not offer.
func verdictOf(q loops.Question, val templates.Value) (loops.Verdict, bool) {
	accept := loops.Verdict{Action: loops.Accept}
	switch val.Verb {
	case "":
		return choice(q, val.Option)
	case templates.VerbSeen:
		return accept, q.Schema != nil && len(q.Schema.Properties) == 0
	case templates.VerbDone:
		return accept, q.URL != ""
	case templates.VerbRun:
		return accept, q.Call != nil
	case templates.VerbAlways:
		accept.Span = loops.Always
		return accept, q.Call != nil
	default:
		return loops.Verdict{}, false
	}
}

// choice is the verdict that picks an option of a question's single select.
func choice(q loops.Question, option int) (loops.Verdict, bool) {
	if q.Schema == nil || len(q.Schema.Properties) != 1 {
		return loops.Verdict{}, false
	}
	p := q.Schema.Properties[0]
	if p.Type != loops.SelectProperty || option < 0 || option >= len(p.Options) {
		return loops.Verdict{}, false
	}
	content, err := json.Marshal(map[string]string{p.Name: p.Options[option].Const})
	return loops.Verdict{Action: loops.Accept, Content: content}, err == nil
}

// unread is how a click ends whose stop was not read.
func unread(err error) (ending, error) {
	if e, ok := noStop(err); ok {
		return e, nil
	}
	return ending{}, err
}
