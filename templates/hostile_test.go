package templates_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

func TestNothingHostileBreaksALimitOrPings(t *testing.T) {
	w := templates.Default()
	for seed := range uint64(80) {
		r := random{rand.New(rand.NewPCG(seed, 7))}
		v := r.view()
		faults := cardFaults(t, w, v)
		faults = append(faults, sayFaults(t, w, r, v)...)
		faults = append(faults, windowFaults(t, w, r, v)...)
		if len(faults) > 0 {
			t.Fatalf("seed %d: %s", seed, strings.Join(faults[:min(8, len(faults))], "\n"))
		}
	}
}

func cardFaults(t *testing.T, w *templates.Words, v templates.View) []string {
	t.Helper()
	card := w.Card(v)
	faults := messageFaults(t, card)
	if card.Blocks == nil {
		faults = append(faults, "the card fell back to its plain form")
	}
	faults = append(faults, messageFaults(t, w.Plain(v))...)
	for _, m := range append(w.ThreadParts(v), w.ThreadLine(templates.View{}, v)...) {
		faults = append(faults, messageFaults(t, m)...)
	}
	return faults
}

func sayFaults(t *testing.T, w *templates.Words, r random, v templates.View) []string {
	t.Helper()
	verdict := r.verdict()
	var faults []string
	for _, s := range sentences() {
		m := w.Say(s, templates.Say{View: v, Key: v.Record.Questions[0].Key, Verdict: &verdict, Reason: r.text(), Who: []string{r.text(), "U0ANA", "cli:bob@build1"}, Names: []string{r.text(), r.text()}})
		faults = append(faults, messageFaults(t, m)...)
	}
	lines := make([]templates.LogLine, r.IntN(60))
	for i := range lines {
		lines[i] = templates.LogLine{At: at("10:00"), Kind: r.limited(20), By: r.by(), Key: v.Record.Questions[0].Key, Verdict: &verdict, Text: r.text()}
	}
	rows := make([]templates.Row, r.IntN(80)*r.IntN(2))
	for i := range rows {
		rows[i] = templates.Row{View: v, Asked: at("09:12"), Link: []string{"", "https://acme.slack.example/archives/C0/p1", "javascript:" + r.text()}[r.IntN(3)]}
	}
	shown := w.Show(v, lines)
	list := templates.Listing{
		Rows: rows, Total: len(rows) + r.IntN(3), Earlier: r.IntN(3), Hidden: r.IntN(3), Part: r.IntN(2) == 0,
		Page: templates.ListPage{Command: r.text(), What: r.text(), Page: r.IntN(4)},
	}
	for _, m := range []templates.Message{shown, w.List(list), w.Help(r.text(), r.text())} {
		faults = append(faults, messageFaults(t, m)...)
	}
	raw, err := json.Marshal(shown.Blocks)
	if err != nil || strings.Contains(string(raw), `"button"`) || strings.Contains(string(raw), `"overflow"`) {
		faults = append(faults, "what is shown for reading has buttons")
	}
	return faults
}

func sentences() []templates.Sentence {
	return []templates.Sentence{
		templates.SayStranger, templates.SayAnswered, templates.SaySame, templates.SayClosed, templates.SayStoreAway,
		templates.SayNotSure, templates.SayRecorded, templates.SayNotRecorded, templates.SayUnknown, templates.SayGarbled,
		templates.SayBusy, templates.SayModalGone, templates.SayFault, templates.SayHandled, templates.SayAsItWas,
		templates.SayStale, templates.SayMisfit, templates.SaySnooze, templates.SayNoSnooze, templates.SayNoStep, templates.SayNoRole,
	}
}

func windowFaults(t *testing.T, w *templates.Words, r random, v templates.View) []string {
	t.Helper()
	q := v.Record.Questions[r.IntN(len(v.Record.Questions))]
	var faults []string
	verdict := r.verdict()
	for _, verb := range []string{
		templates.VerbAnswer, templates.VerbEdit, templates.VerbOutput, templates.VerbDecline, templates.VerbDetails, templates.VerbMore,
	} {
		val := templates.Value{Stop: v.Record.ID, Key: q.Key, Option: -1, Verb: verb, Rev: v.Rev}
		m, err := w.Modal(v, val)
		if err == nil {
			faults = append(faults, modalFaults(t, m)...)
		}
		faults = append(faults, modalFaults(t, w.NotRecorded(v, val, r.verdict()))...)
		templates.ReadSubmission(v.Record, val, &slack.ViewState{})
		if verb == templates.VerbDetails || verb == templates.VerbMore { // which answer nothing, on nobody's behalf
			continue
		}
		for _, shown := range []*loops.Verdict{nil, &verdict} {
			if m, err := w.Relay(v, val, r.limited(80), shown); err == nil {
				faults = append(faults, modalFaults(t, m)...)
			}
		}
	}
	return faults
}

func TestTwentyCallsWith64KiBOfArgumentsStillFit(t *testing.T) {
	w := templates.Default()
	for _, filler := range []string{"x", "&", "👩‍👩‍👧‍👦", "\u202e", "line\n"} {
		var calls []loops.Question
		for i := range 20 {
			body, err := json.Marshal(map[string]string{"command": strings.Repeat(filler, 3200/len(filler)), "cwd": "/"})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call(fmt.Sprintf("call_%d", i), strings.Repeat(filler, 40), "terminal", string(body), loops.MayRun, loops.MayEdit, loops.MayDecline))
		}
		v := view(callRecord("big", calls...))
		m := w.Card(v)
		checkMessage(t, m)
		if n := strings.Count(compact(t, m), `"q`); m.Blocks == nil || n < 20 {
			t.Errorf("with %q the card offers %d of 20 calls", filler, n)
		}
		v.Thread = false
		if early := w.Card(v); strings.Contains(compact(t, early), `"actions"`) {
			t.Errorf("with %q there are buttons before the thread stands", filler)
		}
		for _, part := range w.ThreadParts(v) {
			checkMessage(t, part)
		}
	}
}

func compact(t *testing.T, m templates.Message) string {
	t.Helper()
	raw, err := json.Marshal(payload(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
