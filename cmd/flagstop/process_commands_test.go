package main

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// calls asks the facilitator whether calls may run, one question a key.
func (w *world) calls(id string, keys ...string) string {
	w.Helper()
	r := loops.Record{
		V: 1, ID: id, Addressee: loops.Facilitator, Kind: loops.Judgement, Concern: loops.Permission,
		Loop: loops.Loop{ID: "loop-" + id, Repository: "acme/tools"},
	}
	for _, k := range keys {
		r.Questions = append(r.Questions, loops.Question{
			Key: k, Message: "May it run this (" + hush + ")?",
			Call: &loops.Call{
				Name: "terminal", Arguments: json.RawMessage(`{"command":"ls"}`),
				May: []loops.May{loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline},
			},
		})
	}
	return w.record(r)
}

// fact asks the facilitator to see something.
func (w *world) fact(id, role string, expires time.Time) string {
	w.Helper()
	return w.record(loops.Record{
		V: 1, ID: id, Addressee: role, Kind: loops.Fact, Concern: loops.Evidence, Expires: expires,
		Loop:      loops.Loop{ID: "loop-" + id, Repository: "acme/saudacao"},
		Questions: []loops.Question{{Key: "q", Message: "The job is done (" + hush + ").", Schema: &loops.Schema{}}},
	})
}

// raised raises a record and waits until the ledger has it.
func (w *world) raised(record string) {
	w.Helper()
	w.must(exitDone, "raise", record)
	b, err := os.ReadFile(record)
	if err != nil {
		w.Fatal(err)
	}
	r, err := loops.Load(b)
	if err != nil {
		w.Fatal(err)
	}
	w.recorded(r.ID, ledger.RaisedEntry)
}

// outcomeOf is what wait prints.
type outcomeOf struct {
	End      string
	Origin   string
	By       *loops.By
	Verdicts map[string]loops.Verdict
}

func TestRaiseTakesFlagsAFileAndStandardInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	flags := []string{
		"raise", "--id", "by-flags", "--to", "product-thinker", "--concern", "trade-off", "--message", "Which of them should stay?",
		"--option", "keep=Keep both:Who closes the window is asked again.", "--option", "none=None of these", "--null", "none",
		"--loop", "mine", "--repository", "me/mine", "--json",
	}
	ref := decodeLines[loops.Ref](t, w.must(exitDone, flags...))
	if len(ref) != 1 || ref[0].ID != "by-flags" || !strings.HasPrefix(ref[0].Digest, "sha256:") {
		t.Errorf("raise --json printed %+v", ref)
	}
	w.card(demoProduct, "by-flags", "Keep both", "None of these")
	text := w.must(exitDone, "raise", w.fact("by-file", loops.Facilitator, time.Time{}))
	b, err := os.ReadFile(w.fact("by-stdin", loops.Facilitator, time.Time{}))
	if err != nil {
		t.Fatal(err)
	}
	if code, _, err := w.doesWith(call{args: []string{"raise", "-"}, in: string(b)}); code != exitDone {
		t.Errorf("raise of standard input = %d, %s", code, err)
	}
	w.card(demoFacilitat, "by-file", "I have seen this")
	w.card(demoFacilitat, "by-stdin", "I have seen this")

	id, digest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if code, _, err := w.does("wait", id, "--digest", digest, "--timeout", "1s"); code != exitOpen || !strings.Contains(err, "still open") {
		t.Errorf("wait with a time limit = %d, %s; want %d", code, err, exitOpen)
	}
	w.must(exitOpen, "raise", "--wait", "--timeout", "1s", w.fact("by-file", loops.Facilitator, time.Time{}))
	w.must(exitUsage, "raise", w.fact("by-file", loops.Facilitator, time.Time{}), "--to", "facilitator")
	w.must(exitError, "wait", w.dir+"/none.json")
}

func TestWaitEndsWithTheCodeOfWhatBecameOfTheStop(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	for name, row := range map[string]struct {
		record func() string
		end    func()
		code   int
		want   outcomeOf
	}{
		"accepted": {func() string { return w.ask("accepted", loops.ProductThinker) }, func() {
			w.click(demoAna, demoProduct, "accepted")
		}, exitDone, outcomeOf{End: "answered", Origin: "person"}},
		"the null option": {func() string { return w.ask("null", loops.Facilitator) }, func() {
			w.must(exitDone, "answer", "null", "--accept", "--option", "none")
		}, exitDone, outcomeOf{End: "answered", Origin: "person"}},
		"declined in part": {func() string { return w.calls("declined", "a", "b") }, func() {
			w.must(exitDone, "answer", "declined", "--key", "a", "--accept")
			w.must(exitDone, "answer", "declined", "--key", "b", "--decline", "--reason", "not now")
		}, exitDeclined, outcomeOf{End: "answered", Origin: "person"}},
		"withdrawn": {func() string { return w.ask("withdrawn", loops.ProductThinker) }, func() {
			w.must(exitDone, "withdraw", "withdrawn", "--reason", "found it out")
		}, exitWithdrawn, outcomeOf{End: "withdrawn", Origin: "asker"}},
		"expired": {func() string { return w.fact("expired", loops.Facilitator, time.Now().Add(20*time.Second)) }, func() {}, exitExpired, outcomeOf{End: "expired", Origin: "asker"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loop := w.start(call{args: []string{"raise", "--wait", row.record()}})
			until(t, "a stop that is raised", func() bool { return strings.Contains(loop.out.String(), "sha256:") })
			id, _, _ := strings.Cut(loop.out.String(), " ")
			w.recorded(id, ledger.RaisedEntry)
			row.end()
			if code := loop.ended(); code != row.code {
				t.Errorf("raise --wait = %d, want %d", code, row.code)
			}
			_, text, _ := strings.Cut(loop.out.String(), "\n")
			if got := decodeLines[outcomeOf](t, text); len(got) != 1 || got[0].End != row.want.End || got[0].Origin != row.want.Origin {
				t.Errorf("it printed %s, want one outcome, %s by %s", text, row.want.End, row.want.Origin)
			}
		})
	}
}

func TestWhatIsRefusedHasItsCodeAndIsListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	faulty := w.file("faulty.json", `{"v":1,"id":"faulty"}`)
	if code, _, err := w.does("raise", "--wait", faulty); code != exitRefused || !strings.Contains(err, "/questions") {
		t.Errorf("raise of a faulty record = %d, %s; want %d and the faults", code, err, exitRefused)
	}
	// The loop does not know the roles; the bot does.
	unknown := w.fact("unknown-role", "nobody", time.Time{})
	if code, _, err := w.does("raise", "--wait", unknown); code != exitRefused || !strings.Contains(err, "/addressee") {
		t.Errorf("raise to an unknown role = %d, %s; want %d and the fault", code, err, exitRefused)
	}
	w.raised(w.fact("taken", loops.Facilitator, time.Time{}))
	if code, _, err := w.does("raise", "--wait", w.ask("taken", loops.Facilitator)); code != exitRefused {
		t.Errorf("raise of a taken id = %d, %s; want %d", code, err, exitRefused)
	}
	if out := w.must(exitDone, "list", "--refused"); !strings.Contains(out, "unknown-role") || !strings.Contains(out, "/addressee") {
		t.Errorf("list --refused printed %s", out)
	}
	ids := map[string]bool{}
	for _, r := range decodeLines[loops.Refusal](t, w.must(exitDone, "list", "--refused", "--json")) {
		ids[r.ID] = len(r.Problems) > 0
	}
	if !ids["unknown-role"] || !ids["taken"] || len(ids) != 2 {
		t.Errorf("list --refused --json has %v, want both with their problems", ids)
	}
}

func TestAnOutcomeThatDoesNotVerifyIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	record := w.ask("s", loops.ProductThinker)
	w.raised(record)
	w.click(demoAna, demoProduct, "s")
	_, other, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	code, out, errText := w.doesWith(call{args: []string{"wait", record}, env: []string{"FLAGSTOP_VERIFY_KEY=" + string(other)}})
	if code != exitError || strings.Contains(out, "verdicts") || !strings.Contains(errText, "key") {
		t.Errorf("wait with another key = %d, %s, %s; want an error that names the key", code, out, errText)
	}
	code, _, errText = w.doesWith(call{args: []string{"wait", record}, env: []string{"FLAGSTOP_VERIFY_KEY="}})
	if code != exitError || !strings.Contains(errText, "FLAGSTOP_UNVERIFIED") {
		t.Errorf("wait without a key = %d, %s", code, errText)
	}
	w.must(exitDone, "wait", "--no-claim", record)
	if s, err := w.stop("s"); err != nil || s.State.Resumed != nil {
		t.Errorf("after looks the stop is resumed by %+v (%v), want nobody", s.State.Resumed, err)
	}
	w.must(exitDone, "wait", record)
	w.wentOnOnce(demoProduct, "s")
}

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

func TestAnswerRecordsEveryKindOfVerdict(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.ask("option", loops.Facilitator))
	w.raised(w.ask("content", loops.Facilitator))
	w.raised(w.calls("call", "run", "edit", "output", "decline"))
	w.raised(w.ask("relayed", loops.ProductThinker))
	w.raised(w.fact("machine", loops.Facilitator, time.Time{}))
	me := cliIdentity()
	for _, row := range []struct {
		args    string
		id, key string
		want    loops.Verdict
		by      loops.By
	}{
		{"--accept --option keep", "option", "q", loops.Verdict{Action: "accept", Content: json.RawMessage(`{"choice":"keep"}`)}, loops.By{ID: me}},
		{`--accept --content {"choice":"none"}`, "content", "q", loops.Verdict{Action: "accept", Content: json.RawMessage(`{"choice":"none"}`)}, loops.By{ID: me}},
		{"--accept", "call", "run", loops.Verdict{Action: "accept"}, loops.By{ID: me}},
		{`--accept --arguments {"command":"ls-a"}`, "call", "edit", loops.Verdict{Action: "accept", Arguments: json.RawMessage(`{"command":"ls-a"}`)}, loops.By{ID: me}},
		{`--accept --output {"files":0}`, "call", "output", loops.Verdict{Action: "accept", Output: json.RawMessage(`{"files":0}`)}, loops.By{ID: me}},
		{"--decline --reason no", "call", "decline", loops.Verdict{Action: "decline", Message: "no"}, loops.By{ID: me}},
		{"--accept --option keep --for product-thinker", "relayed", "q",
			loops.Verdict{Action: "accept", Content: json.RawMessage(`{"choice":"keep"}`)}, loops.By{ID: me, For: "product-thinker"}},
		{"--accept --machine ci-hook", "machine", "q", loops.Verdict{Action: "accept"}, loops.By{ID: "machine:ci-hook"}},
	} {
		args := append([]string{"answer", row.id, "--key", row.key, "--json"}, strings.Fields(row.args)...)
		type recorded struct {
			ID, State string
			Changed   bool
			Verdicts  map[string]loops.Verdict
		}
		got := decodeLines[recorded](t, w.must(exitDone, args...))
		if len(got) != 1 || !got[0].Changed {
			t.Errorf("answer %s printed %+v, want that it was recorded", row.args, got)
			continue
		}
		v := got[0].Verdicts[row.key]
		if v.By == nil || v.By.ID != row.by.ID || v.By.For != row.by.For || v.By.Role != loops.Facilitator {
			t.Errorf("answer %s was recorded as by %+v, want %+v as facilitator", row.args, v.By, row.by)
		}
		if v.Action != row.want.Action || v.Message != row.want.Message || string(v.Content) != string(row.want.Content) ||
			string(v.Arguments) != string(row.want.Arguments) || string(v.Output) != string(row.want.Output) {
			t.Errorf("answer %s recorded %+v, want %+v", row.args, v, row.want)
		}
		if code, out, err := w.does(args...); code != exitDone || !strings.Contains(out, `"changed":false`) {
			t.Errorf("the same again = %d, %s, %s; want that nothing changed", code, out, err)
		}
	}
}

func TestAnswerTurnsAwayWhoMayNotOrComesLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.ask("product", loops.ProductThinker))
	w.raised(w.ask("judgement", loops.Facilitator))
	w.raised(w.calls("call", "a", "b"))
	w.raised(w.fact("closed", loops.Facilitator, time.Time{}))
	w.must(exitDone, "answer", "closed", "--accept")
	w.must(exitDone, "answer", "call", "--key", "a", "--accept")
	for _, row := range []struct {
		args string
		code int
		says []string
	}{
		{"product --accept --option keep", exitError, []string{"not recorded", cliIdentity(), demoAna}},
		{"judgement --accept --option keep --machine ci-hook", exitError, []string{"not recorded", "fact only"}},
		{"judgement --accept --option keep --machine stranger", exitError, []string{"not recorded", "not configured"}},
		{"judgement --accept --option keep --for security", exitError, []string{"not recorded", "does not ask security"}},
		{"judgement --accept --option elsewhere", exitError, []string{"/content/choice"}},
		{"judgement --accept --content {", exitUsage, []string{"--content", "JSON"}},
		{"call --accept", exitUsage, []string{"--key", "a, b"}},
		{"call --key c --accept", exitUsage, []string{"--key"}},
		{"call --key b --accept --option keep", exitUsage, []string{"--option"}},
		{"call --key b --accept --always", exitError, []string{"always"}},
		{"call --key a --decline --reason late", exitError, []string{"not recorded", `"a"`, "accept", cliIdentity()}},
		{"closed --decline --reason late", exitError, []string{"not recorded"}},
	} {
		code, _, err := w.does(append([]string{"answer"}, strings.Fields(row.args)...)...)
		if code != row.code {
			t.Errorf("answer %s = %d (%s), want %d", row.args, code, err, row.code)
		}
		for _, text := range row.says {
			if !strings.Contains(err, text) {
				t.Errorf("answer %s said %s, want %q in it", row.args, err, text)
			}
		}
	}
	for _, id := range []string{"product", "judgement"} {
		if s, err := w.stop(id); err != nil || len(s.State.Verdicts) > 0 {
			t.Errorf("%s has %v (%v), want no verdict", id, s.State.Verdicts, err)
		}
	}
}

func TestACommandWithoutABotSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	for _, args := range [][]string{{"list"}, {"raise", w.ask("s", loops.ProductThinker)}, {"answer", "s", "--accept"}} {
		if code, _, err := w.does(args...); code != exitError || !strings.Contains(err, "bot") {
			t.Errorf("%q = %d, %s; want to be told that no bot has started", args, code, err)
		}
	}
}
