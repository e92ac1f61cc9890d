package stories

import (
	"testing"
	"time"

	"flagstop/internal/standin"
)

func TestACardThatVanishedIsPostedAgainAndAnswered(t *testing.T) {
	for name, vanish := range map[string]struct {
		vanishes func(w *World, card standin.Message)
		again    string // in which channel it is posted then
	}{
		"deleted":  {func(w *World, m standin.Message) { w.Slack.Delete(Product, m.TS) }, Product},
		"archived": {func(w *World, _ standin.Message) { w.Slack.Archive(Product) }, Ops},
		"kicked":   {func(w *World, _ standin.Message) { w.Slack.Kick(Product) }, Ops},
	} {
		t.Run(name, func(t *testing.T) {
			tell(t, Options{}, func(t testing.TB, w *World) {
				switch name {
				case "archived":
					w.Refusals("is_archived")
				case "kicked":
					w.Refusals("not_in_channel")
				}
				w.StartBot()
				w.Connected()
				ref := w.Raise(Judgement("s1"))
				card := w.SeeText(Product, "Choose")
				w.Shown()
				vanish.vanishes(w, card)
				w.Until(func() bool {
					all := w.Slack.Messages(vanish.again)
					return len(all) == 1 && all[0].TS != card.TS
				}, "another card in %s", vanish.again)
				w.Click(Ana, w.SeeText(vanish.again, "Choose"), "Choose", 0)
				w.GoOn(ref, "loop-s1")
				w.SeeText(vanish.again, "went on", "!Choose")
				if vanish.again != Product {
					w.See(Product, 1) // the old one stays where nobody can answer it
				}
			})
		})
	}
}

func TestACardWhoseEndWasLostIsFoundGoneByTheDailyLook(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Raise(Judgement("s6")) // whose hour of the daily look is the third
		card := w.SeeText(Product, "Choose")
		w.Shown()
		b.Stop()
		w.Slack.Delete(Product, card.TS)
		w.Pass(2*time.Hour + 50*time.Minute) // Slack has given up telling of it
		w.StartBot()
		w.Pass(9 * time.Minute)
		w.See(Product, 0)
		w.SeeText(Product, "Choose")
	})
}
