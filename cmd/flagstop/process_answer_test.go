package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"flagstop/loops"
)

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
		{
			"--accept --option keep --for product-thinker", "relayed", "q",
			loops.Verdict{Action: "accept", Content: json.RawMessage(`{"choice":"keep"}`)},
			loops.By{ID: me, For: "product-thinker"},
		},
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
