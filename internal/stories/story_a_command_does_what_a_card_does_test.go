package stories

import (
	"fmt"
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestACommandDoesWhatACardDoes(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.SeeText(Facil, "Approve")
		for i, step := range []struct{ typed, told string }{
			{"take s1", "Recorded. That answers nothing"},
			{"take s1", "Nothing has changed."},
			{"release s1", "Recorded."},
			{"note s1 looked at the branch", "Recorded."},
			{"snooze s1 4h", "There is nothing to snooze"},
			{"reassign s1 security a key is missing", "Recorded."},
			{"not-mine s1", "Recorded."},
			{"dance s1", "Not understood: dance s1"},
			{"take", "Not understood: take"},
			{"snooze s1 soon", "Not understood: snooze s1 soon"},
			{"take nowhere", "Nobody here knows of this stop"},
		} {
			w.Type(Bob, Ops, "/stops "+step.typed)
			said(t, w, Bob, i+1, step.told)
			if step.typed == "reassign s1 security a key is missing" {
				w.SeeText(Security, "Asked first in", "a key is missing")
			}
		}
		w.SeeText(Facil, "said that it is not for the security to answer")
		if s := w.Stop("s1"); s.State.Holder != loops.Facilitator || entries(w, "s1", ledger.NoteEntry) != 1 {
			t.Errorf("it is with %s", s.State.Holder)
		}
	})
}

func TestACommandOfSomeoneWithNoRoleDoesNothing(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.SeeText(Product, "Choose")
		for i, typed := range []string{"take s1", "release s1", "reassign s1 security", "not-mine s1", "snooze s1 4h"} {
			w.Type(Eve, Ops, "/stops "+typed)
			said(t, w, Eve, i+1, "You may not answer this one", "!Should these two")
		}
		w.Type(Eve, Ops, "/stops list all")
		said(t, w, Eve, 6, "Nothing is open for you")
		untouched(t, w, "s1")
	})
}

func TestALongListComesInPages(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i := range 45 {
			w.Raise(instead(Calls(fmt.Sprintf("s%02d", i), "ls"), "acme/saudacao", []string{"acme/shop", "acme/site", "other/shop"}[i%3]))
		}
		w.See(Facil, 45)
		w.Shown()
		for i, step := range []struct {
			typed string
			shows []string
		}{
			{"", []string{"Open stops: 45", "s00", "s19", "!s20", "25 more are not shown: /stops list mine page 2"}},
			{"list mine page 2", []string{"Open stops: 45", "!s19", "s20", "s39", "!s40", "5 more are not shown: /stops list mine page 3"}},
			{"list mine page 3", []string{"Open stops: 45", "!s39", "s40", "s44", "Oldest first"}},
			{"list acme/*", []string{"Open stops: 30", "/stops list acme/* page 2", "!s02"}},
			{"list other/shop", []string{"Open stops: 15", "s02", "!s00"}},
			{"list facilitator page 3", []string{"Open stops: 45", "s44"}},
			{"list security", []string{"Nothing is open for you"}},
			{"list nobody-here", []string{"Not understood: list nobody-here"}},
			{"list mine page 0", []string{"Not understood: list mine page 0"}},
		} {
			w.Type(Bob, Ops, "/stops "+step.typed)
			said(t, w, Bob, i+1, step.shows...)
		}
	})
}
