package stories

import "testing"

func TestTheCommandListsWhatIsTheirs(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("product-1"))
		w.Raise(Calls("facil-1", "ls"))
		w.Raise(instead(Calls("sec-1", "ls"), `"facilitator"`, `"security"`, `"owner":"U0MALLORY"`, `"owner":""`))
		w.SeeText(Product, "Choose")
		w.SeeText(Facil, "Approve")
		w.SeeText(Security, "Approve")
		w.Shown()
		for user, want := range map[string][]string{
			Ana:     {"Open stops: 1", "product-1", "!facil-1", "!sec-1"},
			Bob:     {"Open stops: 1", "facil-1", "!product-1", "!sec-1"},
			Eve:     {"Open stops: 1", "sec-1", "!product-1", "!facil-1"}, // by her user group
			Mallory: {"Open stops: 1", "facil-1", "!product-1", "!sec-1"}, // it is her loop that asks
		} {
			w.Type(user, Ops, "/stops")
			said(t, w, user, 1, want...)
		}
		w.Type(Chi, Ops, "/stops list")
		said(t, w, Chi, 1, "facil-1")
	})
}

func TestTheCommandSaysWhenNothingIsOpen(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Type(Ana, Ops, "/stops")
		said(t, w, Ana, 1, "Nothing is open for you or your role.")
	})
}
