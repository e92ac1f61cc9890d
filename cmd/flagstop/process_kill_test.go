package main

import (
	"syscall"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// deaths are the steps of a stop's way after which the bot is killed. Each brings the stop there, and returns when the bot
// is to be killed; the loop waits beside it unless late.
func deaths() []death {
	return []death{
		{"the raise is in the inbox", false, func(w *world, bot *process, raise func()) {
			bot.signal(syscall.SIGSTOP)
			raise()
			until(w.T, "an entry in the inbox", func() bool { return w.rdb.XLen(w.Context(), inbox()).Val() == 1 })
		}},
		{"the ledger took it", false, func(w *world, _ *process, raise func()) {
			sender := "{fs}:sender:" + demoProduct
			w.rdb.Set(w.Context(), sender, "another bot", time.Minute) // so that nobody posts
			raise()
			w.recorded("s", ledger.RaisedEntry)
			w.rdb.Del(w.Context(), sender)
		}},
		{"the post was claimed", false, func(w *world, _ *process, raise func()) {
			held := w.door.hold("chat.postMessage", false)
			raise()
			w.reached(held, "a post")
		}},
		{"the post was stored and its response lost", false, func(w *world, _ *process, raise func()) {
			held := w.door.hold("chat.postMessage", true)
			raise()
			w.reached(held, "a post")
		}},
		{"the card stands", false, func(w *world, _ *process, raise func()) {
			raise()
			w.card(demoProduct, "s", "Choose")
			w.quiet()
		}},
		{"the click was recorded", false, func(w *world, _ *process, raise func()) {
			raise()
			held := w.door.hold("chat.update", false)
			w.click(demoAna, demoProduct, "s")
			w.reached(held, "an update")
		}},
		{"the card was updated and the response lost", false, func(w *world, _ *process, raise func()) {
			raise()
			held := w.door.hold("chat.update", true)
			w.click(demoAna, demoProduct, "s")
			w.reached(held, "an update")
		}},
		{"the loop said that it went on", true, func(w *world, bot *process, raise func()) {
			w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
			w.click(demoAna, demoProduct, "s")
			w.card(demoProduct, "s", "not gone on yet")
			w.quiet()
			bot.signal(syscall.SIGSTOP)
			raise()
			until(w.T, "an entry in the inbox", func() bool { return w.rdb.XLen(w.Context(), inbox()).Val() == 1 })
		}},
		{"the ledger knows that the loop went on", true, func(w *world, _ *process, raise func()) {
			w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
			w.click(demoAna, demoProduct, "s")
			w.card(demoProduct, "s", "not gone on yet")
			w.quiet()
			held := w.door.hold("chat.update", false)
			raise()
			w.reached(held, "an update")
			w.recorded("s", ledger.ResumedEntry)
		}},
	}
}

type death struct {
	after string
	late  bool // the loop only waits, for what was answered before
	step  func(w *world, bot *process, raise func())
}

func inbox() string { return loops.Keys{Prefix: "fs", Partitions: 1}.In(0, "inbox") }

func TestABotKilledAfterAnyStepLeavesOneMessageOneOutcomeOneResume(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, socket bool) {
		for _, d := range deaths() {
			t.Run(d.after, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, socket)
				bot := w.serve()
				var loop *process
				raise := func() {
					args := []string{"raise", "--wait", w.ask("s", loops.ProductThinker)}
					if d.late {
						args = []string{"wait", w.ask("s", loops.ProductThinker)}
					}
					loop = w.start(call{args: args})
				}
				d.step(w, bot, raise)
				w.killBot(bot)
				w.serve()
				if s, err := w.stop("s"); err != nil || s.State.Phase == ledger.Open {
					w.click(demoAna, demoProduct, "s")
				}
				if code := loop.ended(); code != exitDone {
					t.Errorf("the loop ended with %d, want %d", code, exitDone)
				}
				w.wentOnOnce(demoProduct, "s")
			})
		}
	})
}

func TestAClickThatTheKilledBotDidNotTakeIsPressedAgain(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, socket bool) {
		w := newWorld(t, socket)
		bot := w.serve()
		loop := w.start(call{args: []string{"raise", "--wait", w.ask("s", loops.ProductThinker)}})
		card := w.card(demoProduct, "s", "Choose")
		w.quiet()
		bot.signal(syscall.SIGSTOP)
		if err := w.slack.As(demoAna).Click(t.Context(), card, "Choose", 0); err == nil {
			t.Error("a stopped bot acknowledged a click")
		}
		w.killBot(bot)
		w.serve()
		w.click(demoAna, demoProduct, "s")
		if code := loop.ended(); code != exitDone {
			t.Errorf("the loop ended with %d, want %d", code, exitDone)
		}
		w.wentOnOnce(demoProduct, "s")
	})
}
