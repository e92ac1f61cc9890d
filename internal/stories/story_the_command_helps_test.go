package stories

import "testing"

func TestTheCommandHelpsWhoeverTypesSomethingElse(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i, typed := range []string{"/stops help", "/stops dance", "/stops show", "/stops show a b", "/stops <!channel>"} {
			w.Type(Ana, Ops, typed)
			said(t, w, Ana, i+1, "/stops show ID", "/stops help")
			literal(t, w.Told(Ana, i+1)[i])
		}
		w.Type(Ana, Ops, "/stops show nothing")
		said(t, w, Ana, 6, "No stop of yours has this id.")
		w.Type(Ana, Ops, "/stops show not/an/id!")
		said(t, w, Ana, 7, "No stop of yours has this id.")
	})
}
