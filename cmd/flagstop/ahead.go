package main

import (
	"fmt"
	"strings"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// happening is what happens to a stop at a moment if nobody does anything.
type happening struct {
	At     time.Time `json:"at"`
	Act    string    `json:"act"`
	What   string    `json:"what"`
	Holder string    `json:"holder"` // who has it then
}

// ahead is the whole future of a stop under its policy, as sweeps will have it. A record that nobody raised is taken as
// raised and seen at that time.
func ahead(b escalation.Book, s ledger.Stop, at time.Time) []happening {
	p := b.Policy(s.Record)
	if s.State.Seq == 0 {
		s = raisedAt(s, p, at)
	}
	var all []happening
	for _, h := range escalation.Future(p, b.Config, s, at) {
		all = append(all, happening{At: h.At.UTC(), Act: string(h.Act), What: whatHappens(h), Holder: h.Stop.State.Holder})
	}
	return all
}

// raisedAt is a stop as it would be, had its record just been raised.
func raisedAt(s ledger.Stop, p escalation.Policy, at time.Time) ledger.Stop {
	fresh := ledger.Stop{ID: s.ID}
	for _, c := range []ledger.Command{ledger.Raise{Record: s.Record, Policy: p.ID()}, ledger.Visible{}} {
		change, err := ledger.Decide(fresh, c, at)
		if err != nil {
			return s
		}
		fresh = fresh.With(change)
	}
	return fresh
}

func whatHappens(h escalation.Happening) string {
	switch c := h.Command.(type) {
	case ledger.Step:
		return whatStep(c, h)
	case ledger.Remind:
		return "reminder to " + orDefault(strings.Join(c.Users, ", "), "nobody: the channel is told")
	case ledger.Warn:
		return "its card warns that it ends at " + c.Until.UTC().Format(time.RFC3339)
	case ledger.Lapse:
		return "nobody is on it any more, as the ack_timeout says"
	case ledger.Expire:
		if c.Origin == loops.OriginAsker {
			return "it ends undecided, as its asker wants; the loop is told so"
		}
		return "it ends undecided, as the wait_cap says; the loop is told so"
	}
	return string(h.Act)
}

func whatStep(c ledger.Step, h escalation.Happening) string {
	var said []string
	for _, reason := range c.Skips {
		said = append(said, map[string]string{
			escalation.SkipHeld: "a step is passed over: the role has it already", escalation.SkipNobody: "a step is passed over: nobody is on call",
			escalation.SkipMisfit: "a step is passed over: the role cannot be asked this",
		}[reason])
	}
	if c.To != "" {
		said = append(said, fmt.Sprintf("it goes to %s (%s), due since %s", c.To,
			orDefault(strings.Join(c.Users, ", "), "nobody on call: the channel is told"), h.Due.UTC().Format(time.RFC3339)))
	}
	return strings.Join(said, "; ")
}
