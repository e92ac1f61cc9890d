package stories

import "testing"

func TestABotThatDiesWhileUpdatingLeavesTheNewestState(t *testing.T) {
	for name, after := range map[string]bool{"before the update is sent": false, "before it hears of it": true} {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				b := w.StartBot()
				w.Connected()
				ref := w.Raise(Judgement("s1"))
				card := w.SeeText(Product, "Choose")
				w.Shown()
				died := b.DieAt("chat.update", after)
				w.Click(Ana, card, "Choose", 0)
				<-died
				b.Stop()
				w.StartBot()
				w.GoOn(ref, "loop-s1")
				w.SeeText(Product, "went on", "!Choose")
				thread(t, w, card, "Keep both", "went on")
			})
		})
	}
}
