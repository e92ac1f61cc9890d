package templates

import (
	"github.com/slack-go/slack"
)

// standing is how an open stop stands, in one block, since a bar has five at most: whose it is now and why, who is on it, and
// what happens if nobody answers.
func (c *card) standing() slack.Block {
	var lines []piece
	for _, said := range c.stands() {
		lines = append(append(lines, said...), piece{kind: ownPiece, text: "\n"})
	}
	return note(append(lines, c.silence()...))
}

// stands are the sentences of standing but for the silence.
func (c *card) stands() [][]piece {
	var all [][]piece
	if m := c.v.Moved; m != nil {
		all = append(all, c.w.sentence("moved."+string(m.Kind), c.moved(m)))
	}
	if len(c.v.OnCall) > 0 {
		f := c.f
		f.Who, f.Until = people(c.v.OnCall), moment(c.v.OnCallUntil)
		all = append(all, c.w.sentence("on-call", f))
	}
	if t := c.v.Taken; t != nil {
		f := c.w.who(c.f, t.By, t.At)
		all = append(all, c.w.sentence("taken", f))
	}
	if !c.v.Snoozed.IsZero() {
		f := c.f
		f.Until = moment(c.v.Snoozed)
		all = append(all, c.w.sentence("snoozed", f))
	}
	if c.v.Waiting > 0 {
		f := c.f
		f.Count = c.v.Waiting
		all = append(all, c.w.sentence("waiting", f))
	}
	return all
}

// moved are the facts of a move: .Role is who was asked, .Holder who has it now.
func (c *card) moved(m *Move) facts {
	f := c.w.who(c.f, m.By, m.At)
	if m.By == nil {
		f.Person = ""
	}
	f.Holder, f.As, f.Reason, f.Who = text(roleWord(m.To), 60), text(roleWord(m.From), 60), text(m.Text, 300), people(m.Users)
	f.Role, f.Until = text(roleWord(c.r.Addressee), 60), moment(m.Due)
	if m.To == c.r.Addressee {
		f.Role = ""
	}
	return f
}

// standingLines are the lines of the thread for what is no verdict: who is on it, and whose it is.
func (w *Words) standingLines(before, after View) []Message {
	c := &card{w: w, v: after, r: after.Record, f: w.facts(after)}
	var all []Message
	add := func(name string, f facts) { all = append(all, line(w.sentence(name, f))) }
	moved := after.Moved != nil && (before.Moved == nil || !before.Moved.At.Equal(after.Moved.At))
	if moved {
		f := c.moved(after.Moved)
		if after.Moved.By != nil {
			f.Person = named(after.Moved.By)
		}
		add("thread."+string(after.Moved.Kind), f)
	}
	switch {
	case after.Taken != nil && !sameMark(before.Taken, after.Taken):
		f := w.who(c.f, after.Taken.By, after.Taken.At)
		f.Person = named(after.Taken.By)
		add("thread.taken", f)
	case before.Taken != nil && after.Taken == nil && !moved:
		add("thread.released", c.f)
	}
	if !after.Snoozed.IsZero() && !after.Snoozed.Equal(before.Snoozed) {
		f := c.f
		f.Until = moment(after.Snoozed)
		add("thread.snoozed", f)
	}
	if len(after.OnCall) > 0 && !after.OnCallSince.Equal(before.OnCallSince) {
		f := c.f
		f.Who, f.Until, f.Holder = people(after.OnCall), moment(after.OnCallUntil), text(roleWord(after.Holder), 60)
		if after.Quiet {
			add("thread.shift", f)
		} else {
			add("thread.handed-off", f)
		}
	}
	if after.Reminded > before.Reminded {
		f := c.f
		f.Who, f.Holder = people(after.Reminder), text(roleWord(after.Holder), 60)
		if after.Quiet {
			add("thread.reminder", f)
		} else {
			add("thread.reminded", f)
		}
	}
	if !after.Warned.IsZero() && before.Warned.IsZero() {
		f := c.f
		f.Until = moment(after.Warned)
		add("thread.warned", f)
	}
	return all
}

func sameMark(a, b *Mark) bool {
	return a != nil && b != nil && a.At.Equal(b.At) && a.By != nil && b.By != nil && a.By.ID == b.By.ID
}
