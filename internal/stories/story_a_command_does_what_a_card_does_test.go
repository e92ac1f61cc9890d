package stories

import (
	"fmt"
	"strings"
	"testing"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
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
			{"take nowhere", "No stop of yours has this id"},
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

func TestACommandOnAStopThatIsNotTheirsSaysNoMoreThanThat(t *testing.T) {
	tell(t, Options{Config: inPrivate}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		w.SeeText(Private, "Choose")
		verbs := []string{"show %s", "take %s", "release %s", "reassign %s security", "not-mine %s", "snooze %s 4h", "snooze %s tomorrow", "note %s aha", "escalate %s"}
		var told []string
		for _, id := range []string{"s1", "nothing"} {
			for _, verb := range verbs {
				w.Type(Eve, Ops, "/stops "+fmt.Sprintf(verb, id))
				all := w.Told(Eve, len(told)+1)
				told = append(told, all[len(all)-1].Text)
			}
		}
		for i, text := range told {
			if text != told[0] || !strings.HasPrefix(text, "No stop of yours has this id.") {
				t.Errorf("%q is answered %q, of the other stop %q", verbs[i%len(verbs)], text, told[0])
			}
		}
		untouched(t, w, "s1")
		if n := entries(w, "s1", ledger.NoteEntry); n != 0 {
			t.Errorf("%d notes of somebody who may not see it", n)
		}
	})
}

func TestACommandTakesWordsAsTheyAreTyped(t *testing.T) {
	tell(t, Options{Config: inTurns, Workspace: inKathmandu}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.SeeText(Facil, "Approve")
		const text = "a < b && *c* <!channel>  twice:  ok"
		w.Type(Bob, Ops, "/stops Note `s1` "+text)
		said(t, w, Bob, 1, "Recorded.")
		log := w.Stop("s1").Log
		if got := log[len(log)-1].Text; got != text {
			t.Errorf("it is kept as %q, want %q", got, text)
		}
		w.Type(Bob, Ops, "/stops show s1")
		said(t, w, Bob, 2, "note")
		literal(t, w.Told(Bob, 2)[1])
		w.Type(Bob, Ops, "/stops snooze s1 2d")
		said(t, w, Bob, 3, "Recorded.", "It is snoozed until")
		w.Type(Bob, Ops, "/stops snooze s1 8d")
		said(t, w, Bob, 4, "within the next 7 days")
		w.Type(Bob, Ops, "/stops Snooze s1 Tomorrow they are away")
		said(t, w, Bob, 5, "Recorded.", "It is snoozed until", " 03:15 UTC")
		if got, want := w.Stop("s1").State.Snoozed.Format("15:04"), "03:15"; got != want { // 9 in the morning in Kathmandu
			t.Errorf("it is snoozed until %s, want %s", got, want)
		}
	})
}

// inKathmandu is Bob's time.
func inKathmandu(o *standin.Options) {
	for i := range o.Users {
		if o.Users[i].ID == Bob {
			o.Users[i].Zone = "Asia/Kathmandu"
		}
	}
}

// inTurns has the facilitator see one question at a time, so that there is something to snooze.
func inTurns(c *routing.Config) {
	r := c.Roles[loops.Facilitator]
	r.OneAtATime = true
	c.Roles[loops.Facilitator] = r
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
		w.Type(Eve, Ops, "/stops list")
		said(t, w, Eve, 6, "Nothing is open for you")
		untouched(t, w, "s1")
	})
}
