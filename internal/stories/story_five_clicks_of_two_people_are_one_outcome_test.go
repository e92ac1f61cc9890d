package stories

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"flagstop/loops"
)

// Both bots are slow to reach Redis, so that each of them has read the stop before the other one has written.
func TestFiveClicksOfTwoPeopleOnTwoBotsAreOneOutcome(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		slow := 40 * time.Millisecond
		if w.real { // on a busy machine that would be too long for an ack in time
			slow = 4 * time.Millisecond
		}
		for range 2 {
			w.StartBot().RedisSlow(slow)
		}
		w.Connected()
		const stops = 2
		refs := map[string]loops.Ref{}
		for i := range stops {
			id := fmt.Sprintf("s%d", i)
			refs[id] = w.Raise(Calls(id, "ls"))
		}
		cards := all(t, w, Facil, stops, "Approve")
		w.Shown()
		told := map[string]int{}
		for _, card := range cards {
			var clicks sync.WaitGroup
			for i, user := range []string{Bob, Chi, Bob, Chi, Bob} {
				clicks.Go(func() {
					<-time.After(time.Duration(i) * 40 * time.Millisecond)
					verb := map[string]string{Bob: `"run"`, Chi: `"always"`}[user]
					w.ClickOld(user, card, verb)
				})
			}
			clicks.Wait()
			first := w.Outcome(refs[StopOf(card)]).Verdicts["call_a"].By.Name
			for _, user := range []string{Bob, Chi} {
				name, n := map[string]string{Bob: "bob", Chi: "chi"}[user], map[string]int{Bob: 3, Chi: 2}[user]
				want := "Already recorded"
				if name == first {
					n--
				} else {
					want = first + " answered first"
				}
				told[user] += n
				for _, m := range w.Told(user, told[user])[told[user]-n:] {
					if !Shows(m, want) {
						t.Errorf("%s, when %s was first, was told %q, want %q", user, first, m.Text, want)
					}
				}
			}
		}
		for id, ref := range refs {
			if n := entries(w, id, "verdict"); n != 1 {
				t.Errorf("stop %s has %d verdicts, want one", id, n)
			}
			w.GoOn(ref, "loop-"+id)
		}
		all(t, w, Facil, stops, "went on", "!Decline…")
	})
}
