package bot

import (
	"slices"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// viewOf is what a card shows of a stop as it was read.
func viewOf(s ledger.Stop) templates.View {
	v := viewAt(s.Record, s.State)
	if !v.Snoozed.After(s.Now) {
		v.Snoozed = time.Time{}
	}
	return v
}

func viewAt(r *loops.Record, st ledger.State) templates.View {
	v := templates.View{Record: r, Rev: st.Rev, Holder: st.Holder, Verdicts: st.Verdicts, Completed: st.Completed}
	if st.End != nil {
		v.End, v.Origin, v.EndedAt, v.EndedBy, v.Reason = loops.End(st.Phase), st.End.Origin, st.End.At, st.End.By, st.End.Reason
	}
	if st.Resumed != nil {
		v.Resumed = st.Resumed.At
	}
	if st.Taken != nil {
		v.Taken = &templates.Mark{By: st.Taken.By, At: st.Taken.At}
	}
	if h := st.HandedOff; h != nil {
		v.OnCall, v.OnCallSince, v.OnCallUntil = h.Users, h.At, h.Until
	}
	v.Snoozed, v.Moved = st.Snoozed, moveOf(st)
	v.Reminded, v.Reminder, v.Warned = st.Timing.Reminded, st.Timing.Reminder, st.Timing.Warned
	return v
}

// aheadOf adds what happens if nobody answers.
func (b *Bot) aheadOf(v templates.View, s ledger.Stop) templates.View {
	p := b.book().Policy(s.Record)
	for _, m := range escalation.Moments(p, s) {
		switch m.Act { //nolint:exhaustive // the others are no end and no change of hands
		case escalation.StepUp:
			v.Step = &templates.Step{At: m.At, To: m.To}
		case escalation.Cap:
			v.CapAt = m.At
		}
	}
	if level := s.State.Timing.Level; s.State.Phase == ledger.Open && level < len(p.Steps) {
		v.NextRole = p.Steps[level].To
		if v.Step == nil {
			v.Step = &templates.Step{To: v.NextRole, Held: s.State.Taken != nil}
		}
	}
	return v
}

// lateFrom is how long after its moment a step counts as late, and says so.
const lateFrom = 2 * time.Minute

// moveOf is how the stop came to its holder.
func moveOf(st ledger.State) *templates.Move {
	m := st.Moved
	if m == nil {
		return nil
	}
	move := &templates.Move{Kind: templates.Reassigned, By: m.By, At: m.At, From: m.From, To: m.To, Text: m.Text}
	switch m.Kind { //nolint:exhaustive // what else moves a stop is said as by hand
	case ledger.NotMineEntry:
		move.Kind = templates.NotMine
	case ledger.EscalatedEntry:
		move.Kind = templates.Escalated
		if e := st.Timing.Escalation; e != nil {
			move.Users = e.Users
			if e.At.Sub(e.Due) > lateFrom && e.By == nil {
				move.Due = e.Due
			}
		}
	}
	return move
}

// viewsOf is what a card showed of a stop at each rev, oldest first. It only ever grows.
func viewsOf(s ledger.Stop) []templates.View {
	var views []templates.View
	var st ledger.State
	for _, e := range s.Log {
		if e.Rev > st.Rev {
			views = append(views, templates.View{})
		}
		st = ledger.Apply(st, e)
		views[len(views)-1] = viewAt(s.Record, st)
	}
	return views
}

// thread is what a card's thread holds, in order: the parts that are too long for the card, then a line for each change.
// It only ever grows, so that its length says what has been posted of it.
func (b *Bot) thread(s ledger.Stop, place string) (parts, all []templates.Message) {
	views := viewsOf(s)
	parts = b.words.ThreadParts(views[0])
	all = slices.Clip(parts)
	for i, v := range views[1:] {
		v.Quiet = placeOf(s, v.Holder) != place
		all = append(all, b.words.ThreadLine(views[i], v)...)
	}
	return parts, all
}

// askedOf is what routing needs to know of a stop's question, asked now; key "" asks about the stop as a whole.
func askedOf(s ledger.Stop, key string) routing.Asked {
	q, _ := s.Record.Question(key)
	return routing.Asked{
		Addressee: s.Record.Addressee, Holder: s.State.Holder, Owner: s.Record.Loop.Owner,
		Fact: s.Record.Kind == loops.Fact, URL: q.URL != "", Call: q.Call != nil,
		Repository: s.Record.Loop.Repository, At: time.Now(),
	}
}

// logLines are the entries of a stop's log for people.
func logLines(entries []ledger.Entry) []templates.LogLine {
	lines := make([]templates.LogLine, 0, len(entries))
	for _, e := range entries {
		text := e.Text
		if text == "" {
			text = e.Reason
		}
		lines = append(lines, templates.LogLine{At: e.At, Kind: string(e.Kind), By: e.By, Key: e.Key, Verdict: e.Verdict, Text: text})
	}
	return lines
}
