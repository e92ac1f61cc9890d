package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestTheCommandLineDoesWhatACardDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.calls("s", "a"))
	w.raised(w.ask("product", loops.ProductThinker))
	w.raised(w.fact("closed", loops.Facilitator, time.Time{}))
	w.must(exitDone, "answer", "closed", "--accept")
	for _, row := range []struct {
		args string
		code int
		says string
	}{
		{"take s", exitDone, "recorded; the question stays open, with facilitator"},
		{"take s", exitDone, "nothing changed"},
		{"show s", exitDone, cliIdentity() + " is on it since"},
		{"release s", exitDone, "recorded"},
		{"note s looked", exitDone, "recorded"},
		{"snooze s 4h", exitError, "nothing to snooze"},
		{"reassign s nobody", exitUsage, "it can go to security"},
		{"reassign s product-thinker", exitError, "cannot be given to product-thinker"},
		{"reassign s security --note key", exitDone, "recorded; the question stays open, with security"},
		{"not-mine s --note theirs", exitDone, "with facilitator"},
		{"show s", exitDone, "not for security to answer, said " + cliIdentity()},
		{"take product", exitDone, "recorded"}, // its facilitator relays for it
		{"take closed", exitError, "is answered since"},
		{"take nowhere", exitError, "no such stop"},
		{"take", exitUsage, "a word is missing"},
	} {
		code, out, err := w.does(strings.Fields(row.args)...)
		if code != row.code || !strings.Contains(out+err, row.says) {
			t.Errorf("%s = %d, %s%s; want %d and %q", row.args, code, out, err, row.code, row.says)
		}
	}
	s, err := w.stop("s")
	if err != nil || s.State.Phase != ledger.Open || s.State.Holder != loops.Facilitator || len(s.State.Verdicts) > 0 {
		t.Errorf("it is %s with %s: %v", s.State.Phase, s.State.Holder, err)
	}
	got := decodeLines[defect](t, w.must(exitDone, "list", "--defects", "--json"))
	if len(got) != 1 || got[0].Count != 1 || !slices.Equal(got[0].Stops, []string{"s"}) {
		t.Errorf("defects: %+v", got)
	}
	if out := w.must(exitDone, "list", "--defects", "--role", "security"); !strings.Contains(out, "nobody said") {
		t.Errorf("defects of another role: %s", out)
	}
}
