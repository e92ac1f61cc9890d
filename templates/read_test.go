package templates_test

import (
	"encoding/json"
	"testing"

	"flagstop/loops"
	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

type typed map[string]slack.BlockAction

func (in typed) state() *slack.ViewState {
	s := &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for block, a := range in {
		s.Values[block] = map[string]slack.BlockAction{"v": a}
	}
	return s
}

func picked(values ...string) []slack.OptionBlockObject {
	var all []slack.OptionBlockObject
	for _, v := range values {
		all = append(all, slack.OptionBlockObject{Value: v})
	}
	return all
}

func read(r *loops.Record, key, verb string, in typed) (loops.Verdict, map[string]string) {
	return templates.ReadSubmission(r, templates.Value{Stop: r.ID, Key: key, Option: -1, Verb: verb, Rev: 1}, in.state())
}

func TestAFormIsReadInTheOrderOfItsSchema(t *testing.T) {
	v, faults := read(formRecord(), "q", templates.VerbAnswer, typed{
		"p0": {Value: "7500"}, "p1": {Value: "0.10"}, "p2": {SelectedDate: "2026-12-01"}, "p3": {SelectedDateTime: 1796031120},
		"p4": {Value: " ops@example.com "}, "p5": {Value: "https://example.com/?a=1&b=2"}, "p6": {SelectedOption: picked("false")[0]},
		"p7": {SelectedOption: picked("1")[0]}, "p8": {SelectedOptions: picked("2", "0", "2")}, "p9": {Value: "a \"b\" <c>"},
	})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := `{"rows":7500,"ratio":0.10,"from":"2026-12-01","at":"2026-11-30T09:32:00Z","notify":"ops@example.com",` +
		`"docs":"https://example.com/?a=1\u0026b=2","dry":false,"mode":"once","parts":["c","a"],"note":"a \"b\" \u003cc\u003e"}`
	if diff := cmp.Diff(want, string(v.Content)); diff != "" || v.Action != loops.Accept {
		t.Errorf("%s (-want +got):\n%s", v.Action, diff)
	}
}

func TestDigitsStayAsTheyWereTyped(t *testing.T) {
	r := record("n", loops.Facilitator, loops.Judgement, loops.Technique, loops.Question{
		Key: "q", Message: "How many?",
		Schema: &loops.Schema{Properties: []loops.Property{{Name: "n", Type: loops.NumberProperty}}},
	})
	for in, want := range map[string]string{
		"9007199254740993": "9007199254740993", "1.50": "1.50", "+5": "5", "007": "7", "-0.5": "-0.5", ".5": "0.5", "1e3": "1e3", "0": "0",
	} {
		v, faults := read(r, "q", templates.VerbAnswer, typed{"p0": {Value: in}})
		if got := string(v.Content); got != `{"n":`+want+`}` || len(faults) > 0 {
			t.Errorf("%q was read as %s, %v", in, got, faults)
		}
	}
	for _, in := range []string{"five", "1,5", "0x10", "--1", "1.", "NaN", "1e99999"} {
		if v, faults := read(r, "q", templates.VerbAnswer, typed{"p0": {Value: in}}); faults["p0"] == "" {
			t.Errorf("%q was read as %s", in, v.Content)
		}
	}
}

func TestWhatWasNotEnteredIsNotInTheAnswer(t *testing.T) {
	v, faults := read(formRecord(), "q", templates.VerbAnswer, typed{
		"p0": {Value: "5"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "ops@example.com"}, "p9": {Value: ""},
	})
	if want := `{"rows":5,"from":"2026-12-01","notify":"ops@example.com"}`; string(v.Content) != want || len(faults) > 0 {
		t.Errorf("got %s, %v", v.Content, faults)
	}
}

func TestAFaultStandsAtItsField(t *testing.T) {
	for name, c := range map[string]struct {
		in    typed
		block string
	}{
		"above the maximum":      {typed{"p0": {Value: "10001"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "a@example.com"}}, "p0"},
		"not a whole number":     {typed{"p0": {Value: "1.5"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "a@example.com"}}, "p0"},
		"required":               {typed{"p0": {Value: "1"}, "p4": {Value: "a@example.com"}}, "p2"},
		"not an address":         {typed{"p0": {Value: "1"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "nobody"}}, "p4"},
		"an option not offered":  {typed{"p0": {Value: "1"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "a@example.com"}, "p7": {SelectedOption: picked("9")[0]}}, "p7"},
		"one of several options": {typed{"p0": {Value: "1"}, "p2": {SelectedDate: "2026-12-01"}, "p4": {Value: "a@example.com"}, "p8": {SelectedOptions: picked("0", "x")}}, "p8"},
	} {
		t.Run(name, func(t *testing.T) {
			v, faults := read(formRecord(), "q", templates.VerbAnswer, c.in)
			if faults[c.block] == "" || len(faults) != 1 {
				t.Errorf("faults %v, verdict %s; want one at %s", faults, v.Content, c.block)
			}
		})
	}
}

func TestADeclineNeedsAReason(t *testing.T) {
	if _, faults := read(judgement(), "", templates.VerbDecline, typed{"reason": {Value: " \n "}}); faults["reason"] == "" {
		t.Error("a blank reason was taken")
	}
	v, faults := read(judgement(), "", templates.VerbDecline, typed{"reason": {Value: " It is too early. "}})
	if want := (loops.Verdict{Action: loops.Decline, Message: "It is too early."}); len(faults) > 0 || !cmp.Equal(v, want) {
		t.Errorf("got %+v, %v", v, faults)
	}
}

func TestEditedArgumentsKeepTheirBytes(t *testing.T) {
	in := "{\n  \"command\": \"git branch\",\n  \"id\": 9007199254740993\n}"
	v, faults := read(branch(), "toolu_01", templates.VerbEdit, typed{"arguments": {Value: in}})
	if string(v.Arguments) != in || len(faults) > 0 {
		t.Errorf("got %s, %v", v.Arguments, faults)
	}
	for _, in := range []string{"", "git branch", `{“command”: “ls”}`, `["ls"]`, "null", `{"a":1,}`, `{"a":1,"a":2}`} {
		if v, faults := read(branch(), "toolu_01", templates.VerbEdit, typed{"arguments": {Value: in}}); faults["arguments"] == "" {
			t.Errorf("%q was taken as %s", in, v.Arguments)
		}
	}
}

func TestAnOutputIsText(t *testing.T) {
	v, faults := read(batch(), "call_2", templates.VerbOutput, typed{"output": {Value: "{\"sent\": 1}\n"}})
	var s string
	if err := json.Unmarshal(v.Output, &s); err != nil || s != "{\"sent\": 1}\n" || len(faults) > 0 {
		t.Errorf("got %s, %v, %v", v.Output, faults, err)
	}
	if _, faults := read(batch(), "call_1", templates.VerbOutput, typed{"output": {Value: "x"}}); faults["output"] == "" {
		t.Error("a call that allows no output got one")
	}
}

func TestWhatTheModalShowsIsWhatIsRead(t *testing.T) {
	m, err := templates.Default().Modal(view(branch()), templates.Value{Stop: "appr-1", Key: "toolu_01", Option: -1, Verb: templates.VerbEdit, Rev: 1})
	if err != nil {
		t.Fatal(err)
	}
	val, err := templates.ParseValue(m.PrivateMetadata)
	if err != nil {
		t.Fatal(err)
	}
	in := typed{}
	for _, b := range m.Blocks.BlockSet {
		if input, ok := b.(*slack.InputBlock); ok {
			in[input.BlockID] = slack.BlockAction{Value: input.Element.(*slack.PlainTextInputBlockElement).InitialValue}
		}
	}
	v, faults := templates.ReadSubmission(branch(), val, in.state())
	if len(faults) > 0 || !loops.SameVerdict(v, loops.Verdict{Action: loops.Accept, Arguments: branch().Questions[0].Call.Arguments}) {
		t.Errorf("got %s, %v", v.Arguments, faults)
	}
	if !m.NotifyOnClose {
		t.Error("nobody would hear that the window was closed")
	}
}

func FuzzReadSubmission(f *testing.F) {
	f.Add("answer", "p0", "500", "2026-12-01", "1", int64(1796031120))
	f.Add("edit", "arguments", `{"command":"ls"}`, "", "", int64(0))
	f.Add("decline", "reason", "no", "", "", int64(0))
	f.Add("output", "output", "\xff", "", "", int64(-1))
	f.Fuzz(func(t *testing.T, verb, block, value, date, option string, moment int64) {
		a := slack.BlockAction{
			Value: value, SelectedDate: date, SelectedDateTime: moment,
			SelectedOption: picked(option)[0], SelectedOptions: picked(option, value),
		}
		in := typed{block: a, "p0": a, "p1": a, "p2": a, "p3": a, "p6": a, "p7": a, "p8": a}
		for _, r := range []*loops.Record{formRecord(), branch(), batch(), judgement(), pageRecord(), factRecord()} {
			for _, q := range r.Questions {
				v, faults := read(r, q.Key, verb, in)
				if len(faults) == 0 {
					if err := loops.CheckVerdict(q, v); err != nil {
						t.Errorf("%s on %s was read as what its check refuses: %v", verb, r.ID, err)
					}
				} else if v.Action != "" {
					t.Errorf("%s on %s has faults and a verdict", verb, r.ID)
				}
			}
		}
	})
}
