package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"flagstop/loops"
)

func TestTwoBotsOneOfThemKilledShowAndAnswerEachStopOnce(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, socket bool) {
		w := newWorld(t, socket)
		first := w.serve()
		w.serve()
		type asked struct {
			id, channel, user string
			loop              *process
		}
		var all []*asked
		for i := range 12 {
			a := &asked{id: fmt.Sprintf("s%02d", i), channel: demoProduct, user: demoAna}
			role := loops.ProductThinker
			if i%2 == 1 {
				a.channel, a.user, role = demoFacilitat, demoBob, loops.Facilitator
			}
			a.loop = w.start(call{args: []string{"raise", "--wait", w.ask(a.id, role)}})
			all = append(all, a)
		}
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for i, a := range all {
			if i == len(all)/3 {
				w.killBot(first)
			}
			w.click(a.user, a.channel, a.id)
			if i == 2*len(all)/3 {
				w.serve()
			}
		}
		for _, a := range all {
			if code := a.loop.ended(); code != exitDone {
				t.Errorf("the loop of %s ended with %d, want %d", a.id, code, exitDone)
			}
			w.wentOnOnce(a.channel, a.id)
		}
	})
}
