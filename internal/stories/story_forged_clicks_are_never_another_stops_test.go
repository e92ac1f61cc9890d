package stories

import "testing"

func TestForgedAndForeignClicksAreAnsweredAndChangeNothing(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.Raise(Calls("f1", "ls"))
		card := w.SeeText(Product, "Choose")
		w.SeeText(Facil, "Approve")
		w.Shown()
		for i, forged := range []struct{ value, said string }{
			{`approve`, "could not be read"},
			{`{"stop":"s1"}`, "could not be read"},
			{`["s1","q",0,1,"more"]`, "could not be read"},
			{`["s1","other",0,1]`, "could not be read"},
			{`["s1","q",9,1]`, "could not be read"},
			{`["s1","q",2,-1]`, "could not be read"},
			{`["s1","q","run",1]`, "could not be read"},
			{`["s1","q","always",1]`, "could not be read"},
			{`["unknown","q",0,1]`, "Nobody here knows of this stop"},
			{`["f1","call_a","run",1]`, "You may not answer this one"},
			{`["f1","call_a","decline",1]`, "You may not answer this one"},
		} {
			w.Forge(Ana, card, "forged", forged.value)
			said(t, w, Ana, i+1, "Not recorded", forged.said)
		}
		for _, id := range []string{"s1", "f1"} {
			untouched(t, w, id)
		}
	})
}

func TestAClickWithAnotherStopsValueIsThatStopsAlone(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("f1", "ls"))
		w.SeeText(Facil, "Approve")
		ref := w.Raise(Calls("f2", "pwd"))
		cards := all(t, w, Facil, 2, "Approve")
		w.Shown()
		w.Forge(Bob, cards[0], "run", `["f2","call_a","run",1]`)
		w.GoOn(ref, "loop-f2")
		untouched(t, w, "f1")
		w.Until(func() bool {
			return Shows(w.See(Facil, 2)[1], "went on") && Shows(w.See(Facil, 2)[0], "Approve", "!went on")
		},
			"the second card answered and the first one not")
	})
}
