package escalation

import (
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// Book is a configuration with the policies of its repositories, by the patterns of these.
type Book struct {
	Config   routing.Config
	Policies map[string]Policy
}

// Policy is what the repository of a record asks for.
func (b Book) Policy(r *loops.Record) Policy {
	return b.Policies[b.Config.Repository(r.Loop.Repository).Pattern]
}

// Name names the policy of a record: ledger.Options.Policy.
func (b Book) Name(r *loops.Record) string { return b.Policy(r).ID() }

// Next is when a stop has to be looked at next: ledger.Options.Due.
func (b Book) Next(stop ledger.Stop) time.Time { return Next(b.Policy(stop.Record), stop) }

// SnoozeMatters reports whether anything would happen to a stop that a snooze keeps away: its policy has steps or reminders, or
// its holder sees one question at a time.
func (b Book) SnoozeMatters(stop ledger.Stop) bool {
	p := b.Policy(stop.Record)
	return len(p.Steps) > 0 || p.Every > 0 || b.Config.Roles[stop.State.Holder].OneAtATime
}
