package stories

import (
	"errors"
	"strings"
	"testing"

	"flagstop/loops"
)

func TestAnOutcomeThatTheBotDidNotSignResumesNobody(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		other := w.Raise(Calls("other", "ls"))
		ref := w.Raise(Judgement("s1"))
		w.Click(Bob, w.SeeText(Facil, "Approve"), "Approve", 0)
		genuine := w.Outcome(other).JWS
		w.SeeText(Facil, "answered")
		card := w.SeeText(Product, "Choose")
		heard := make(chan error, 1)
		go func() {
			_, err := w.TryOutcome(ref)
			heard <- err
		}()
		channel := keys().Of("s1", "outcome")
		w.Until(func() bool { return w.Redis.PubSubNumSub(t.Context(), channel).Val()[channel] == 1 }, "the loop listening")
		for _, forged := range []string{"", "accept", genuine, genuine[:strings.LastIndexByte(genuine, '.')+1]} {
			w.must(w.Redis.Publish(t.Context(), channel, forged).Err())
		}
		w.Settle()
		select {
		case err := <-heard:
			t.Fatalf("the loop was resumed by what the bot did not sign for it: %v", err)
		default:
		}
		w.Click(Ana, card, "Choose", 0)
		w.must(<-heard)
		w.SeeText(Product, "answered")

		stored := w.Stop("s1").Outcome
		w.must(w.Redis.Set(t.Context(), channel, genuine, 0).Err())
		_, err := w.Loops.Get(t.Context(), ref)
		if _, ok := errors.AsType[*loops.VerifyError](err); !ok {
			t.Errorf("another stop's outcome at the key = %v, want a VerifyError", err)
		}
		w.must(w.Redis.Set(t.Context(), channel, stored, 0).Err())
	})
}
