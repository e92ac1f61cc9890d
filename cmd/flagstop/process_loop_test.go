package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// loopDeaths are the steps after which the loop is killed. Each starts the loop and returns it when it is to be killed.
func loopDeaths() []loopDeath {
	return []loopDeath{
		{"it raised", func(w *world, bot *process, start func() *process) *process {
			bot.signal(syscall.SIGSTOP)
			loop := start()
			until(w.T, "an entry in the inbox", func() bool { return w.rdb.XLen(w.Context(), inbox()).Val() == 1 })
			loop.kill()
			bot.signal(syscall.SIGCONT)
			return loop
		}},
		{"it heard that the stop is open", func(w *world, _ *process, start func() *process) *process {
			loop := start()
			w.card(demoProduct, "s", "Choose")
			return loop
		}},
		{"the outcome was published to it", func(w *world, _ *process, start func() *process) *process {
			loop := start()
			w.card(demoProduct, "s", "Choose")
			channel := loops.Keys{Prefix: "fs", Partitions: 1}.Of("s", "outcome")
			until(w.T, "a loop that listens", func() bool { return w.rdb.PubSubNumSub(w.Context(), channel).Val()[channel] == 1 })
			loop.signal(syscall.SIGSTOP)
			w.click(demoAna, demoProduct, "s")
			w.recorded("s", ledger.AnsweredEntry)
			return loop
		}},
		{"it claimed the outcome", func(w *world, _ *process, start func() *process) *process {
			w.must(exitDone, "raise", w.ask("s", loops.ProductThinker))
			w.click(demoAna, demoProduct, "s")
			loop := w.start(call{args: []string{"wait", w.ask("s", loops.ProductThinker)}, out: w.fullPipe()})
			until(w.T, "a claim", func() bool { return w.rdb.Exists(w.Context(), claim()).Val() == 1 })
			return loop
		}},
	}
}

func claim() string { return loops.Keys{Prefix: "fs", Partitions: 1}.Of("s", "claim") }

type loopDeath struct {
	after string
	step  func(w *world, bot *process, start func() *process) *process
}

// fullPipe is a standard output that takes nothing: who prints an outcome stands still with the claim in hand.
func (w *world) fullPipe() *os.File {
	w.Helper()
	r, p, err := os.Pipe()
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _, _ = r.Close(), p.Close() })
	if err := p.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		w.Fatal(err)
	}
	for page := make([]byte, 4096); err == nil; {
		_, err = p.Write(page)
	}
	if !os.IsTimeout(err) {
		w.Fatal(err)
	}
	return p
}

func TestALoopKilledAfterAnyStepIsResumedOnce(t *testing.T) {
	t.Parallel()
	for _, d := range loopDeaths() {
		t.Run(d.after, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, true)
			bot := w.serve()
			again := call{args: []string{"raise", "--wait", w.ask("s", loops.ProductThinker)}}
			d.step(w, bot, func() *process { return w.start(again) }).kill()
			loop := w.start(again)
			if s, err := w.stop("s"); err != nil || s.State.Phase == ledger.Open {
				w.click(demoAna, demoProduct, "s")
			}
			code := loop.ended()
			if code == exitError { // the dead one's claim has to lapse
				if said := loop.err.String(); !strings.Contains(said, `claimed by "loop-s/`) {
					t.Errorf("standard error = %s, want who has claimed it", said)
				}
				until(t, "a claim that lapsed", func() bool { return w.rdb.Exists(t.Context(), claim()).Val() == 0 })
				loop = w.start(again)
				code = loop.ended()
			}
			if code != exitDone {
				t.Errorf("the second loop ended with %d, want %d", code, exitDone)
			}
			w.wentOnOnce(demoProduct, "s")
			if code, out, err := w.doesWith(again); code != exitError || strings.Contains(out, "verdicts") || !strings.Contains(err, "loop-s/") {
				t.Errorf("a third loop ended with %d, %s, %s; want to be told that it is taken", code, out, err)
			}
		})
	}
}

func TestARedisKilledDuringAWaitLosesNothing(t *testing.T) {
	t.Parallel()
	transports(t, func(t *testing.T, socket bool) {
		w := newWorld(t, socket)
		bot := w.serve()
		loop := w.start(call{args: []string{"raise", "--wait", w.ask("s", loops.ProductThinker)}})
		w.card(demoProduct, "s", "Choose")
		w.quiet()
		w.redis.Kill()
		w.notReady(bot, "Redis cannot be reached")
		w.redis.Restart()
		w.click(demoAna, demoProduct, "s")
		if code := loop.ended(); code != exitDone {
			t.Errorf("the loop ended with %d, want %d", code, exitDone)
		}
		w.wentOnOnce(demoProduct, "s")
	})
}
