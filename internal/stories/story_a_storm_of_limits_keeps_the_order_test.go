package stories

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flagstop/internal/standin"
)

func TestAStormOfLimitsLosesNothingAndKeepsTheOrderOfAsking(t *testing.T) {
	tellLong(t, Options{RateLimits: true}, func(t testing.TB, w *World) {
		w.Refusals("429")
		w.Slack.Break(standin.Fault{Method: "chat.postMessage", Times: 5, Status: 429, RetryAfter: "7"})
		w.StartBot()
		w.Connected()
		var asked []string
		for i := range 8 {
			id := fmt.Sprintf("s%d", (i*5)%8)
			asked = append(asked, id)
			w.Raise(Judgement(id))
			w.Pass(10 * time.Millisecond)
		}
		cards := all(t, w, Product, len(asked), "Choose")
		var got []string
		for _, card := range cards {
			got = append(got, StopOf(card))
		}
		if diff := cmp.Diff(asked, got); diff != "" {
			t.Errorf("the order of the cards (-asked +posted):\n%s", diff)
		}
		w.Shown()
		w.Slack.Break(standin.Fault{Method: "chat.update", Times: 4, Status: 429, RetryAfter: "20"})
		for _, card := range cards {
			w.Click(Ana, card, "Choose", 0)
		}
		all(t, w, Product, len(asked), "answered", "!Choose")
		w.Shown()
		if n, want := len(w.Slack.Calls("chat.postMessage")), 5+2*len(asked); n != want {
			t.Errorf("%d posts were sent, want %d: each card, a line of each thread, and the five that were limited", n, want)
		}
	})
}
