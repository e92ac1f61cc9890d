package templates

import (
	"fmt"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// Say renders a private answer.
func (w *Words) Say(s Sentence, d Say) Message {
	f := facts{}
	if d.View.Record != nil {
		f = w.facts(d.View)
	}
	f.Reason, f.Who, f.Names = text(d.Reason, 500), people(d.Who), names(d.Names)
	if s == SayPutOff {
		f.Until = moment(d.View.Snoozed)
	}
	if s == SayStale && d.View.Record != nil {
		f.Entry = w.howItStands(d.View)
	}
	f.Expired, f.Withdrawn = d.View.End == loops.Expired, d.View.End == loops.Withdrawn
	if d.Verdict != nil {
		f = w.who(f, d.Verdict.By, d.Verdict.At)
		f.Did = w.didOn(d.View.Record, d.Key, *d.Verdict)
	}
	return private(w.sentence("say."+string(w.fitting(s, d)), f))
}

// howItStands is how an open stop stands, as its card says it.
func (w *Words) howItStands(v View) slot {
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v)}
	all := c.stands()
	if v.Taken == nil {
		f := c.f
		f.Holder = text(roleWord(c.holder()), 60)
		all = append([][]piece{w.sentence("nobody-on-it", f)}, all...)
	}
	var said []slot
	for _, sentence := range all {
		said = append(said, framed(sentence))
	}
	return list(said, " ")
}

// fitting falls back to the sentence that needs less where what a sentence speaks of is missing.
func (w *Words) fitting(s Sentence, d Say) Sentence {
	needsVerdict := s == SayAnswered || s == SaySame || s == SayRecorded
	switch {
	case needsVerdict && d.Verdict == nil, w.set.Lookup("say."+string(s)) == nil:
		return SayFault
	case s == SayStranger && d.View.Record == nil:
		return SayUnknown
	}
	return s
}

func (w *Words) didOn(r *loops.Record, key string, v loops.Verdict) slot {
	if r != nil {
		if q, ok := question(r, key); ok {
			return w.did(q, v)
		}
	}
	return w.did(loops.Question{}, v)
}

func names(all []string) slot {
	var slots []slot
	for _, s := range all {
		slots = append(slots, text(s, 80))
	}
	return list(slots, ", ")
}

func people(ids []string) slot {
	var all []slot
	for i, id := range ids {
		if i == 10 {
			all = append(all, own(fmt.Sprintf("%d more", len(ids)-i)))
			break
		}
		all = append(all, person(&loops.By{ID: id}))
	}
	return list(all, ", ")
}

func private(said []piece) Message {
	return Message{
		Text:   topText(plain(said), maxTop),
		Blocks: []slack.Block{richBlock(section(said))},
	}
}

// Help renders `/stops help`, with what was typed and not understood, "" nothing.
func (w *Words) Help(command, unread string) Message {
	return private(w.sentence("help", facts{
		Entry:   text(unread, 100),
		Command: text(command, 40), Show: text(command+" show ID", 60), Help: text(command+" help", 60),
	}))
}
