package main

import (
	"encoding/json"
	"os"
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

func TestACommandWithoutABotSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	for _, args := range [][]string{{"list"}, {"raise", w.ask("s", loops.ProductThinker)}, {"answer", "s", "--accept"}} {
		if code, _, err := w.does(args...); code != exitError || !strings.Contains(err, "bot") {
			t.Errorf("%q = %d, %s; want to be told that no bot has started", args, code, err)
		}
	}
}
