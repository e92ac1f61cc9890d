package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asking is a record that asks the facilitator whether a call may run.
const asking = `{"v":1,"id":"a","addressee":"facilitator","kind":"judgement","concern":"permission",` +
	`"loop":{"id":"l","repository":"acme/shop","owner":"U0CHI"},"questions":[{"key":"q","message":"May it run?",` +
	`"call":{"name":"terminal","arguments":{"command":"ls"}}}]}`

func explainedOf(t *testing.T, record string, at string) explained {
	t.Helper()
	path := filepath.Join(t.TempDir(), "record.json")
	write(t, path, record)
	code, out, err := called(t, "", "explain", path, "--json", "--at", at)
	if code != exitDone {
		t.Fatalf("explain = %d, %s", code, err)
	}
	var x explained
	if err := json.Unmarshal([]byte(out), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestExplainSaysWhereAStopGoesWhoMayAndWhatElseHappens(t *testing.T) {
	withRota(t)
	code, out, err := called(t, asking, "explain", "-", "--at", "2026-10-23T12:00:00Z")
	want := `a asks facilitator, for acme/shop
goes to C0ACME: the repositories "acme/*" have it for facilitator
if that cannot be posted to: C0OPS
who may answer at 2026-10-23T12:00:00Z:
  @S0FACIL as facilitator: everybody in that user group
  not U0CHI as facilitator: It is your own loop that asks to run this, so somebody else has to answer.
  cli:bob@desk as facilitator: named
  not machine:ci-hook as facilitator: A machine answers as facilitator on stops of kind fact only.
on call as facilitator: U0CHI until Mon 2026-10-26 09:00 WET, then U0DEE
if nobody does: it waits until somebody answers or the loop withdraws it: no timer exists
`
	if d := cmp.Diff(want, out); code != exitDone || d != "" {
		t.Errorf("explain = %d %s (-want +got):\n%s", code, err, d)
	}
}

func TestExplainFollowsTheRepositoryTheTimeAndTheRecord(t *testing.T) {
	withRota(t)
	const shift = "2026-10-23T12:00:00Z"
	x := explainedOf(t, strings.Replace(asking, "acme/shop", "lab/x", 1), shift)
	if x.Channel != "C0FACIL" || !strings.Contains(x.ChannelWhy, `"lab/*"`) || !mayOf(x, "U0CHI") {
		t.Errorf("where self_approval is true: %+v, want that the owner may", x)
	}
	x = explainedOf(t, strings.Replace(asking, "acme/shop", "other/x", 1), "2026-10-26T09:00:00Z")
	if x.Channel != "C0FACIL" || !strings.Contains(x.ChannelWhy, "no pattern matches") || !mayOf(x, "U0DEE") || mayOf(x, "U0CHI") {
		t.Errorf("after the hand-off: %+v, want that U0DEE may", x)
	}
	x = explainedOf(t, strings.Replace(asking, `"questions"`, `"expires":"2026-10-30T00:00:00+01:00","questions"`, 1), shift)
	if !strings.Contains(x.Otherwise, "it expires at 2026-10-29T23:00:00Z") {
		t.Errorf("otherwise = %q, want when it expires", x.Otherwise)
	}
	const scope = `{"v":1,"id":"b","addressee":"product-thinker","kind":"fact","concern":"scope","loop":{"id":"l","repository":"r"},` +
		`"questions":[{"key":"q","message":"Seen?","requestedSchema":{"type":"object","properties":{}}}]}`
	x = explainedOf(t, scope, shift)
	want := []explainedWho{
		{Role: "product-thinker", Who: "U0ANA", May: true, Why: "named"},
		{Role: "facilitator", For: "product-thinker", Who: "@S0FACIL", May: true, Why: "everybody in that user group"},
		{Role: "facilitator", For: "product-thinker", Who: "U0CHI", May: true, Why: "on call, the shift of facilitators that began on 2026-10-19"},
		{Role: "facilitator", For: "product-thinker", Who: "cli:bob@desk", May: true, Why: "named"},
		{Role: "facilitator", For: "product-thinker", Who: "machine:ci-hook", May: true, Why: "a machine of the configuration"},
	}
	if d := cmp.Diff(want, x.Answerers); d != "" {
		t.Errorf("answerers of the product thinker's stop (-want +got):\n%s", d)
	}
}

func mayOf(x explained, who string) bool {
	for _, w := range x.Answerers {
		if w.Who == who {
			return w.May
		}
	}
	return false
}

func TestExplainSaysNobodyWhereNobodyMay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, "roles:\n  facilitator: {channel: C0A}\n")
	t.Setenv("FLAGSTOP_CONFIG", path)
	code, out, _ := called(t, asking, "explain", "-")
	for _, want := range []string{":\n  nobody\n", "nowhere, there is no fallback_channel"} {
		if code != exitDone || !strings.Contains(out, want) {
			t.Errorf("explain = %d, %q; want %q", code, out, want)
		}
	}
	if code, _, err := called(t, strings.Replace(asking, "facilitator", "stranger", 1), "explain", "-"); code != exitError || !strings.Contains(err, "would be refused") {
		t.Errorf("explain of a faulty record = %d, %q", code, err)
	}
}

func TestExplainReadsAStopThatWasRaised(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.calls("wondered", "a"))
	out := w.must(exitDone, "explain", "wondered")
	for _, want := range []string{"wondered asks facilitator, for acme/tools", "goes to C0FACIL", "U0BOB as facilitator: named", "it waits"} {
		if !strings.Contains(out, want) {
			t.Errorf("explain = %q, want %q", out, want)
		}
	}
	w.must(exitDone, "answer", "wondered", "--accept")
	if out := w.must(exitDone, "explain", "wondered"); !strings.Contains(out, "it is answered already") {
		t.Errorf("explain of an answered stop = %q", out)
	}
	if code, _, err := w.does("explain", "unknown"); code != exitError || !strings.Contains(err, "flagstop list names those that there are") {
		t.Errorf("explain of an unknown id = %d, %q", code, err)
	}
}
