package stories

import (
	"testing"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestAKeptClickThatComesLateIsToldWhoWasFirst(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Shown()
		b.RedisAway(true)
		w.Click(Bob, card, "Approve", 0)
		said(t, w, Bob, 1, "not sure")
		_, _, err := w.Ledger.Do(t.Context(), "s1", ledger.Answer{ // Chi is quicker, on a machine that reaches Redis
			By:       loops.By{ID: "cli:chi@desk", Role: loops.Facilitator, Through: "cli"},
			Verdicts: map[string]loops.Verdict{"call_a": {Action: loops.Decline, Message: "Not now."}},
		})
		w.must(err)
		b.RedisAway(false)
		said(t, w, Bob, 2, "Not recorded.", "chi@desk", "answered first.")
		if v := w.Outcome(ref).Verdicts["call_a"]; v.Action != loops.Decline {
			t.Errorf("the verdict is %s, want the first one", v.Action)
		}
		w.SeeText(Facil, "Not now.", "!Approve")
	})
}
