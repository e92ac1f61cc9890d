package templates_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, v any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read the golden file (go test -update writes it): %v", err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s is not as it was (-want +got):\n%s", path, diff)
	}
}

func TestEveryKindOfCardInEveryState(t *testing.T) {
	w := templates.Default()
	for name, v := range views() {
		t.Run(name, func(t *testing.T) {
			m := w.Card(v)
			golden(t, "card-"+name, payload(t, m))
			checkMessage(t, m)
			if m.Blocks == nil {
				t.Error("the card fell back to its plain form")
			}
		})
	}
}

func TestEveryModal(t *testing.T) {
	w := templates.Default()
	all := views()
	for name, open := range map[string]struct{ card, key, verb string }{
		"form":             {"form", "q", templates.VerbAnswer},
		"edit":             {"call", "toolu_01", templates.VerbEdit},
		"output":           {"batch", "call_2", templates.VerbOutput},
		"decline-call":     {"call", "toolu_01", templates.VerbDecline},
		"decline-question": {"judgement", "", templates.VerbDecline},
		"details":          {"long", "", templates.VerbDetails},
		"details-batch":    {"batch-one-decided", "", templates.VerbDetails},
		"details-form":     {"form", "", templates.VerbDetails},
		"details-moved":    {"judgement-given", "", templates.VerbDetails},
	} {
		t.Run(name, func(t *testing.T) {
			v := all[open.card]
			m, err := w.Modal(v, templates.Value{Stop: v.Record.ID, Key: open.key, Option: -1, Verb: open.verb, Rev: v.Rev})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "modal-"+name, m)
			checkModal(t, m)
		})
	}
}

func TestEveryLineOfTheThread(t *testing.T) {
	w := templates.Default()
	all := views()
	for name, v := range all {
		before := v
		before.Verdicts, before.End, before.Resumed, before.Completed = nil, "", time.Time{}, time.Time{}
		before.Taken, before.Moved, before.Snoozed, before.OnCall, before.OnCallSince = nil, nil, time.Time{}, nil, time.Time{}
		before.Reminded, before.Warned = 0, time.Time{}
		lines := w.ThreadLine(before, v)
		var payloads []any
		for _, m := range lines {
			checkMessage(t, m)
			payloads = append(payloads, payload(t, m))
		}
		if len(lines) > 0 {
			golden(t, "thread-"+name, payloads)
		}
		changed := v.End != "" || len(v.Verdicts) > 0 || !v.Completed.IsZero() || v.Taken != nil || v.Moved != nil ||
			!v.Snoozed.IsZero() || len(v.OnCall) > 0 || v.Reminded > 0 || !v.Warned.IsZero()
		if changed != (len(lines) > 0) {
			t.Errorf("%s: changed is %v, and the thread has %d lines", name, changed, len(lines))
		}
	}
}

func TestTheWindowForWhatIsDoneLessOften(t *testing.T) {
	v := views()["judgement"]
	v.Roles, v.Snoozable, v.NextRole = []string{"facilitator", "security"}, true, "facilitator"
	val := templates.Value{Stop: v.Record.ID, Option: -1, Verb: templates.VerbMore, Rev: v.Rev}
	m, err := templates.Default().Modal(v, val)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "modal-more", m)
	checkModal(t, m)
	v.Roles, v.Snoozable, v.NextRole = nil, false, ""
	if m, err = templates.Default().Modal(v, val); err != nil || len(m.Blocks.BlockSet) != 3 {
		t.Errorf("with nothing but a note it has %d blocks: %v", len(m.Blocks.BlockSet), err)
	}
}

func TestEveryWindowOfWhoAnswersForOthers(t *testing.T) {
	w := templates.Default()
	all := views()
	for name, open := range map[string]struct {
		card, key, verb string
		verdict         *loops.Verdict
	}{
		"option":       {"judgement", "q", "", &loops.Verdict{Action: loops.Accept, Content: []byte(`{"choice":"one"}`)}},
		"call":         {"call", "toolu_01", templates.VerbRun, &loops.Verdict{Action: loops.Accept}},
		"always":       {"batch", "call_3", templates.VerbAlways, &loops.Verdict{Action: loops.Accept, Span: loops.Always}},
		"seen":         {"fact", "q", templates.VerbSeen, &loops.Verdict{Action: loops.Accept}},
		"done":         {"page", "q", templates.VerbDone, &loops.Verdict{Action: loops.Accept}},
		"form":         {"form", "q", templates.VerbAnswer, nil},
		"edit":         {"call", "toolu_01", templates.VerbEdit, nil},
		"output":       {"batch", "call_2", templates.VerbOutput, nil},
		"decline":      {"judgement", "", templates.VerbDecline, nil},
		"decline-call": {"call", "toolu_01", templates.VerbDecline, nil},
	} {
		v := all[open.card]
		val := templates.Value{Stop: v.Record.ID, Key: open.key, Option: -1, Verb: open.verb, Rev: v.Rev}
		if open.verb == "" {
			val.Option = 1
		}
		m, err := w.Relay(v, val, loops.ProductThinker, open.verdict)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "relay-"+name, m)
		checkModal(t, m)
		meta, err := templates.ParseMetadata(m.PrivateMetadata)
		if err != nil || meta.For != loops.ProductThinker || meta.Value.Stop != v.Record.ID || meta.Value.Verb != open.verb {
			t.Errorf("%s carries %+v: %v", name, meta, err)
		}
	}
}

func TestOnlyMetadataOfOursIsRead(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "{}", `{"for":"product-thinker"}`, `{"for":"","value":"[\"s\",\"more\",1]"}`, `{"for":"x","value":"[]"}`, `["s"]`} {
		if m, err := templates.ParseMetadata(s); err == nil {
			t.Errorf("%q is read as %+v", s, m)
		}
	}
}

func TestWhatIsDoneLessOftenIsRead(t *testing.T) {
	t.Parallel()
	chosen := func(value string) slack.BlockAction {
		return slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: value}}
	}
	state := func(role, snooze, note string) *slack.ViewState {
		return &slack.ViewState{Values: map[string]map[string]slack.BlockAction{
			"role": {"v": chosen(role)}, "snooze": {"v": chosen(snooze)}, "note": {"v": slack.BlockAction{Value: note}},
		}}
	}
	for name, tc := range map[string]struct {
		state *slack.ViewState
		want  templates.Handling
		fault string
	}{
		"a role with a note": {state("security", "", " look \n"), templates.Handling{Role: "security", Text: "look"}, ""},
		"a snooze":           {state("", "4h", ""), templates.Handling{Snooze: 4 * time.Hour}, ""},
		"until tomorrow":     {state("", "tomorrow", "back then"), templates.Handling{Tomorrow: true, Text: "back then"}, ""},
		"not theirs":         {state("@not-mine", "", "ask them"), templates.Handling{Role: templates.NotTheirs, Text: "ask them"}, ""},
		"a note":             {state("", "", "look"), templates.Handling{Text: "look"}, ""},
		"nothing":            {state("", "", "  "), templates.Handling{}, "note"},
		"two things":         {state("security", "1h", ""), templates.Handling{}, "snooze"},
		"two other things":   {state("@not-mine", "tomorrow", ""), templates.Handling{}, "snooze"},
		"no duration":        {state("", "soon", ""), templates.Handling{}, "snooze"},
		"a snooze backwards": {state("", "-1h", ""), templates.Handling{}, "snooze"},
		"no window":          {nil, templates.Handling{}, "note"},
	} {
		got, faults := templates.ReadHandling(tc.state)
		if tc.fault == "" && (got != tc.want || len(faults) > 0) || tc.fault != "" && faults[tc.fault] == "" {
			t.Errorf("%s: %+v, %v", name, got, faults)
		}
	}
}
