package bot

import (
	"context"
	"errors"
	"strings"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// ending is what became of a click, and what its person is told; nothing where the card shows it.
type ending struct {
	sentence templates.Sentence
	say      templates.Say
	result   ClickResult
	channel  string // of the stop's card
	own      bool   // the standing verdict is this person's
	fault    string // what is wrong with a verdict that was typed

	behalf  string         // the role for which the person may answer, who may not for themselves
	verdict *loops.Verdict // what they would answer
}

// late is how the same ending is told to somebody who heard that it was not sure: done, where it was recorded.
func (e ending) late(done templates.Sentence) ending {
	e.fault = ""
	if e.result == ClickRecorded || e.result == ClickSame && e.own {
		e.sentence, e.result = done, ClickRecorded
	}
	return e
}

// endingOf turns what the ledger said into how a click ended: every error in one place. An error that comes back means that it
// is not known whether the verdict was recorded.
func endingOf(stop ledger.Stop, key string, v loops.Verdict, by loops.By, changed bool, err error) (ending, error) {
	if closed, ok := errors.AsType[*ledger.ClosedError](err); ok {
		stop = closed.Stop
	}
	if answered, ok := errors.AsType[*ledger.AnsweredError](err); ok {
		stop = answered.Stop
	}
	if e, ok := noStop(err); ok {
		return e, nil
	}
	e := ending{channel: channelOf(stop), say: templates.Say{Key: key}}
	if stop.Record != nil {
		e.say.View = viewOf(stop)
	}
	if standing, ok := stop.State.Verdicts[key]; ok {
		e.say.Verdict = &standing
		e.own = standing.By != nil && standing.By.ID == by.ID
	}
	switch {
	case err == nil && changed:
		e.result = ClickRecorded
	case err == nil, e.say.Verdict != nil && loops.SameVerdict(v, *e.say.Verdict):
		e.sentence, e.result = templates.SaySame, ClickSame
	case isA[*ledger.AnsweredError](err), isA[*ledger.ClosedError](err) && stop.State.Phase == ledger.Answered:
		e.sentence, e.result = templates.SayAnswered, ClickTurnedAway
	case isA[*ledger.ClosedError](err):
		e.sentence, e.result = templates.SayClosed, ClickTurnedAway
	case isA[*loops.VerdictError](err):
		e.sentence, e.result, e.fault = templates.SayFault, ClickFaulty, faultOf(err)
	case errors.Is(err, ledger.ErrNoQuestion):
		e.sentence, e.result = templates.SayGarbled, ClickFaulty
	default:
		return ending{}, err
	}
	return e, nil
}

// noStop is how a click ends on a stop that nobody knows of, or that no further try can read.
func noStop(err error) (ending, bool) {
	switch {
	case errors.Is(err, ledger.ErrUnknown):
		return ending{sentence: templates.SayUnknown, result: ClickTurnedAway}, true
	case errors.Is(err, ledger.ErrBroken):
		return ending{sentence: templates.SayFault, result: ClickFaulty}, true
	}
	return ending{}, false
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// faultOf is what the ledger's check says about a verdict, in words.
func faultOf(err error) string {
	var all []string
	var walk func(error)
	walk = func(err error) {
		if v, ok := err.(*loops.VerdictError); ok { //nolint:errorlint // each error of a tree by itself
			all = append(all, v.Message)
			return
		}
		switch w := err.(type) { //nolint:errorlint // as above
		case interface{ Unwrap() []error }:
			for _, e := range w.Unwrap() {
				walk(e)
			}
		case interface{ Unwrap() error }:
			walk(w.Unwrap())
		}
	}
	walk(err)
	return strings.Join(all, " ")
}

// stranger is how a click ends of somebody who may not.
func stranger(stop ledger.Stop, key string, d routing.Decision) ending {
	return ending{
		sentence: templates.SayStranger, result: ClickTurnedAway, channel: channelOf(stop),
		say: templates.Say{View: viewOf(stop), Key: key, Reason: d.Reason, Who: d.Who},
	}
}

// decided is how a click ends on a question that needs no verdict any more; ok is false while it does.
func decided(stop ledger.Stop, key string) (e ending, ok bool) {
	standing, stands := stop.State.Verdicts[key]
	e = ending{result: ClickTurnedAway, channel: channelOf(stop), say: templates.Say{View: viewOf(stop), Key: key}}
	switch {
	case stands:
		e.sentence, e.say.Verdict = templates.SayAnswered, &standing
	case stop.State.Phase != ledger.Open:
		e.sentence = templates.SayClosed
	default:
		return ending{}, false
	}
	return e, true
}

// channelOf is where a stop's first card stands.
func channelOf(stop ledger.Stop) string {
	for _, c := range stop.State.Cards {
		if c.Channel != "" {
			return c.Channel
		}
	}
	return ""
}

// unknown takes what nobody knows: it is acked, logged, and its person told.
func (h *hand) unknown(what string) func(context.Context) {
	return func(ctx context.Context) {
		h.log.WarnContext(ctx, "a delivery of an unknown kind", "kind", clip(what))
		if h.who.user != "" && h.who.respond != "" {
			h.finish(ctx, ending{sentence: templates.SayGarbled, result: ClickFaulty})
		}
	}
}

// clip bounds what a log line holds of foreign text.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
