package stories

import "testing"

func TestABotThatDiesWhilePostingLeavesOneMessage(t *testing.T) {
	for name, after := range map[string]bool{"between the claim and the post": false, "between the post and the note of it": true} {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				b := w.StartBot()
				died := b.DieAt("chat.postMessage", after)
				ref := w.Raise(Judgement("s1"))
				<-died
				b.Stop()
				w.StartBot()
				w.Connected()
				w.Shown()
				card := w.SeeText(Product, "Choose")
				w.Click(Ana, card, "Choose", 0)
				w.GoOn(ref, "loop-s1")
				w.SeeText(Product, "went on", "!Choose")
				thread(t, w, card, "Keep both", "went on")
				if n := len(w.Slack.Calls("chat.postMessage")); n != 3 {
					t.Errorf("Slack got %d posts, want the card and two lines of its thread", n)
				}
			})
		})
	}
}
