package stories

import (
	"testing"

	"flagstop/internal/standin"
)

func TestSlackThatFailsForAWhileLosesNothingAndDoublesNothing(t *testing.T) {
	for name, fault := range map[string]standin.Fault{
		"503 before it is done": {Status: 503}, "500 after it is done": {Status: 500, Lose: true},
		"fatal_error": {Error: "fatal_error"}, "internal_error after it is done": {Error: "internal_error", Lose: true},
		"cut": {Lose: true}, "no JSON": {Body: "<html>"},
	} {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				switch {
				case fault.Status == 503:
					w.Refusals("503")
				case fault.Status == 500:
					w.Refusals("500")
				case fault.Error != "":
					w.Refusals(fault.Error)
				}
				for _, method := range []string{"chat.postMessage", "chat.update"} {
					twice := fault
					twice.Method, twice.Times = method, 2
					w.Slack.Break(twice)
				}
				w.StartBot()
				w.Connected()
				ref := w.Raise(Judgement("s1"))
				w.Shown()
				card := w.SeeText(Product, "Choose")
				w.Click(Ana, card, "Choose", 0)
				w.GoOn(ref, "loop-s1")
				w.SeeText(Product, "went on", "!Choose")
				thread(t, w, card, "Keep both", "went on")
			})
		})
	}
}
