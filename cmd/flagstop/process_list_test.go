package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

func TestListShowsWhatEachFilterAsksFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.ask("product", loops.ProductThinker))
	w.raised(w.calls("tools", "a"))
	w.raised(w.ask("gone", "security"))
	w.raised(w.fact("withdrawn", loops.Facilitator, time.Time{}))
	w.raised(w.fact("taken", loops.Facilitator, time.Time{}))
	w.must(exitDone, "withdraw", "withdrawn")
	w.raised(w.fact("untaken", loops.Facilitator, time.Time{}))
	w.must(exitDone, "answer", "taken", "--accept")
	w.must(exitDone, "answer", "untaken", "--accept")
	w.must(exitDone, "wait", w.fact("taken", loops.Facilitator, time.Time{}))
	w.recorded("withdrawn", ledger.WithdrawnEntry)
	w.recorded("taken", ledger.ResumedEntry)
	w.card("C0OPS", "gone")
	w.quiet()
	for filter, want := range map[string][]string{
		"":                                      {"gone", "product", "taken", "tools", "untaken", "withdrawn"},
		"--state open":                          {"gone", "product", "tools"},
		"--state answered":                      {"taken", "untaken"},
		"--state withdrawn":                     {"withdrawn"},
		"--state expired":                       nil,
		"--role product-thinker":                {"product"},
		"--role facilitator --state open":       {"tools"},
		"--repository acme/tools":               {"tools"},
		"--untaken":                             {"untaken"},
		"--undelivered":                         {"gone"},
		"--repository acme/tools --undelivered": nil,
		"--role nobody":                         nil,
		"--role facilitator --repository me/mine": nil,
	} {
		args := append([]string{"list", "--json"}, strings.Fields(filter)...)
		var got []string
		for _, s := range decodeLines[summary](t, w.must(exitDone, args...)) {
			got = append(got, s.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("list %s = %q, want %q", filter, got, want)
		}
	}
	text := w.must(exitDone, "list")
	for _, word := range []string{"open, undelivered", "answered, untaken", "acme/tools"} {
		if !strings.Contains(text, word) {
			t.Errorf("list printed %s, want %q in it", text, word)
		}
	}
	if strings.Contains(text, "withdrawn, untaken") {
		t.Errorf("list printed %s: nobody has to take what was withdrawn", text)
	}
	if out := w.must(exitDone, "list", "--state", "expired"); out != "no stops\n" {
		t.Errorf("an empty list = %q", out)
	}
}

func TestShowAndLogTellAStopWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.calls("s", "a", "b"))
	w.card(demoFacilitat, "s", "Approve")
	w.must(exitDone, "answer", "s", "--key", "a", "--decline", "--reason", "not now")
	w.quiet()
	text := w.must(exitDone, "show", "s")
	for _, part := range []string{"s  open, 1 of 2", hush, `terminal {"command":"ls"}`, "not now", "flagstop answer s", "card asked in " + demoFacilitat} {
		if !strings.Contains(text, part) {
			t.Errorf("show printed %s, want %q in it", text, part)
		}
	}
	whole := decodeLines[summary](t, w.must(exitDone, "show", "s", "--json"))
	if len(whole) != 1 || whole[0].Answered != 1 || len(whole[0].Log) != 2 || len(whole[0].Cards) != 1 || whole[0].Record == nil {
		t.Errorf("show --json = %+v", whole)
	}
	kinds := map[ledger.EntryKind]int{}
	for _, e := range decodeLines[ledger.Entry](t, w.must(exitDone, "log", "s", "--json")) {
		kinds[e.Kind]++
	}
	if want := map[ledger.EntryKind]int{ledger.RaisedEntry: 1, ledger.VerdictEntry: 1}; !maps.Equal(kinds, want) {
		t.Errorf("log --json has %v, want %v", kinds, want)
	}
	if code, out, err := w.does("log", "s", "--verify"); code != exitDone || !strings.Contains(out, "not now") || !strings.Contains(err, "2 entries holds") {
		t.Errorf("log --verify = %d, %s, %s", code, out, err)
	}
	key := loops.Keys{Prefix: "fs", Partitions: 1}.Of("s", "log")
	entry := w.rdb.LIndex(t.Context(), key, 0).Val()
	forged := strings.Replace(entry, loops.Facilitator, "somebodyels", 1)
	if forged == entry {
		t.Fatalf("the entry %s has no holder to forge", entry)
	}
	w.rdb.LSet(t.Context(), key, 0, forged)
	if code, _, err := w.does("log", "s", "--verify"); code != exitError || strings.Contains(err, "holds") {
		t.Errorf("log --verify of a forged log = %d, %s; want an error", code, err)
	}
	for _, args := range [][]string{{"show", "none"}, {"log", "none"}, {"answer", "none", "--accept"}} {
		if code, _, err := w.does(args...); code != exitError || !strings.Contains(err, "none") {
			t.Errorf("%q = %d, %s; want an error that names it", args, code, err)
		}
	}
}
