package templates_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
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
		lines := w.ThreadLine(before, v)
		var payloads []any
		for _, m := range lines {
			checkMessage(t, m)
			payloads = append(payloads, payload(t, m))
		}
		if len(lines) > 0 {
			golden(t, "thread-"+name, payloads)
		}
		changed := v.End != "" || len(v.Verdicts) > 0 || !v.Completed.IsZero()
		if changed != (len(lines) > 0) {
			t.Errorf("%s: changed is %v, and the thread has %d lines", name, changed, len(lines))
		}
	}
}
