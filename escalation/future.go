package escalation

import (
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
)

// Happening is something that will happen to a stop, and what the stop is then.
type Happening struct {
	Moment
	Command ledger.Command
	Stop    ledger.Stop
}

// futureAtMost bounds how far anybody looks ahead.
const futureAtMost = 100

// Future is everything that happens to a stop under its policy if nobody does anything: the same decisions that will be
// taken, one after another. The configuration stays as it is. What has no end is cut after a hundred.
func Future(p Policy, c routing.Config, stop ledger.Stop, now time.Time) []Happening {
	var all []Happening
	for len(all) < futureAtMost {
		at := latest(Next(p, stop), now)
		if Next(p, stop).IsZero() {
			break
		}
		var did Moment
		for _, m := range Moments(p, stop) {
			did = m
			break
		}
		command := Plan(p, c, stop, at, false)
		if command == nil {
			break
		}
		change, err := ledger.Decide(stop, command, at)
		if err != nil {
			break
		}
		stop, now = stop.With(change), at
		if _, set := command.(ledger.SetPolicy); !set {
			all = append(all, Happening{Moment: did, Command: command, Stop: stop})
		}
	}
	return all
}
