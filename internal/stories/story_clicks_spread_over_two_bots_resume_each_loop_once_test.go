package stories

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"flagstop/internal/standin"
	"flagstop/loops"
)

// question is one of the stops of this story: in which channel it is asked, who answers, and with what.
type question struct{ record, channel, user, button string }

func TestTwoBotsShowTwentyStopsOnceEachAndResumeEachLoopOnce(t *testing.T) {
	t.Parallel()
	tellInMemory(t, Options{}, func(t testing.TB, w *World) { spread(t, w, 20) })
	tellOnRedis(t, Options{}, func(t testing.TB, w *World) { spread(t, w, 6) })
}

func spread(t testing.TB, w *World, n int) {
	t.Helper()
	for range 2 {
		w.StartBot()
	}
	w.Connected()
	asked := map[string]question{}
	refs := map[string]loops.Ref{}
	in := map[string]int{}
	for i := range n {
		id := fmt.Sprintf("s%d", i)
		asked[id] = []question{
			{Judgement(id), Product, Ana, "Choose"},
			{Calls(id, "ls"), Facil, []string{Bob, Chi}[i%2], "Approve"},
			{instead(Calls(id, "ls"), `"facilitator"`, `"security"`), Security, Eve, "Approve"},
		}[i%3]
		refs[id] = w.Raise(asked[id].record)
		in[asked[id].channel]++
	}
	var cards []standin.Message
	for channel, n := range in {
		cards = append(cards, w.See(channel, n)...)
	}
	var resumed sync.WaitGroup
	for _, i := range rand.Perm(len(cards)) {
		id := StopOf(cards[i])
		q := asked[id]
		resumed.Go(func() { w.GoOn(refs[id], "loop-"+id) })
		w.Click(q.user, cards[i], q.button, 0)
	}
	resumed.Wait()
	for channel, n := range in {
		all(t, w, channel, n, "went on", "!Decline…")
	}
	w.Shown()
	for id := range refs {
		if v, r := entries(w, id, "verdict"), entries(w, id, "resumed"); v != 1 || r != 1 {
			t.Errorf("stop %s has %d verdicts and was resumed %d times, want one of each", id, v, r)
		}
	}
}
