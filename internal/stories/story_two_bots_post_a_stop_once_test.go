package stories

import "testing"

func TestTwoBotsThatSeeTheSameStopAtOncePostItOnce(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		for range 2 {
			w.StartBot()
		}
		for _, id := range []string{"a", "b", "c"} {
			w.Raise(Judgement(id))
		}
		all(t, w, Product, 3, "Choose")
		w.Shown()
		if n := len(w.Slack.Calls("chat.postMessage")); n != 3 {
			t.Errorf("%d posts were sent, want one for each stop", n)
		}
	})
}
