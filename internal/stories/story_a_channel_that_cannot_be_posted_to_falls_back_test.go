package stories

import (
	"slices"
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

func TestAStopWhoseChannelCannotBePostedToGoesToTheFallbackAndIsListedAsUndelivered(t *testing.T) {
	gone := func(c *routing.Config) {
		r := c.Roles[loops.ProductThinker]
		r.Channel = "C0GONE"
		c.Roles[loops.ProductThinker] = r
	}
	tell(t, Options{Config: gone}, func(t testing.TB, w *World) {
		w.Refusals("channel_not_found")
		w.StartBot()
		w.Connected()
		w.Raise(Calls("fine", "ls"))
		w.SeeText(Facil, "Approve")
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Ops, "cannot be posted to", "Choose")
		w.Shown()
		var listed []string
		for s, err := range w.Ledger.List(t.Context(), ledger.Query{Undelivered: true}) {
			w.must(err)
			listed = append(listed, s.ID+" "+s.State.Cards[0].Undelivered)
		}
		if !slices.Equal(listed, []string{"s1 channel_not_found"}) {
			t.Errorf("undelivered are %q, want s1", listed)
		}
		w.Click(Ana, card, "Choose", 0)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Ops, "went on", "!Choose")
	})
}
