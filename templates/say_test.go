package templates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"
)

func TestEverySentenceStartsWithWhetherItWasRecorded(t *testing.T) {
	w := templates.Default()
	v := views()["judgement-answered"]
	verdict := v.Verdicts["q"]
	var all []any
	for _, s := range sentences() {
		m := w.Say(s, templates.Say{View: v, Key: "q", Verdict: &verdict, Reason: "You are not on call.", Who: []string{"U0ANA", "U0BOB"}})
		checkMessage(t, m)
		start, _, _ := strings.Cut(m.Text, ".")
		if !strings.Contains(start, "ecorded") && !strings.Contains(start, "arrived") {
			t.Errorf("%s starts with %q", s, start)
		}
		all = append(all, map[string]any{"sentence": s, "message": payload(t, m)})
	}
	golden(t, "say", all)
}

func TestASentenceWithoutItsFactsStillSaysWhetherItWasRecorded(t *testing.T) {
	w := templates.Default()
	for _, s := range append(sentences(), "no-such-sentence") {
		m := w.Say(s, templates.Say{})
		checkMessage(t, m)
		if strings.Contains(m.Text, "  ") || !strings.Contains(m.Text, "ecorded") {
			t.Errorf("%s says %q", s, m.Text)
		}
	}
}

func TestListsAndOneStop(t *testing.T) {
	w := templates.Default()
	all := views()
	rows := []templates.Row{
		{View: all["judgement"], Asked: at("09:12"), Link: "https://acme.slack.example/archives/C0PRODUCT/p1764493920000100"},
		{View: all["batch-one-decided"], Asked: at("09:13")},
		{View: all["page"], Asked: at("09:14")},
	}
	second := templates.ListPage{Command: "/stops", What: "mine", Page: 2}
	golden(t, "list", payload(t, w.List(templates.Listing{Rows: rows, Total: 20, Earlier: 15, Hidden: 3, Page: second})))
	golden(t, "list-none", payload(t, w.List(templates.Listing{Page: second})))
	golden(t, "list-hidden", payload(t, w.List(templates.Listing{Hidden: 1, Part: true, Page: second})))
	golden(t, "help", payload(t, w.Help("/stops", "dance")))
	verdict := all["judgement-answered"].Verdicts["q"]
	log := []templates.LogLine{
		{At: at("09:12"), Kind: "raised", By: &loops.By{ID: "loop:dev-agent/cd652d85"}},
		{At: at("09:40"), Kind: "turned-away", By: &loops.By{ID: "slack:T0LOCAL/U0EVE", Name: "Eve"}, Text: "stranger"},
		{At: at("09:52"), Kind: "answered", By: ana(), Key: "q", Verdict: &verdict},
		{At: at("09:53"), Kind: "resumed", Text: "in iteration 3 of 8"},
	}
	golden(t, "show", payload(t, w.Show(all["judgement-went-on"], log)))
	golden(t, "put-off", payload(t, w.Say(templates.SayPutOff, templates.Say{View: templates.View{Snoozed: at("11:00")}})))
	golden(t, "noted", payload(t, w.Say(templates.SayNoted, templates.Say{})))
	golden(t, "show-unseen", payload(t, w.Say(templates.SayUnseen, templates.Say{View: all["judgement"]})))
	golden(t, "plain", payload(t, w.Plain(all["judgement"])))
	golden(t, "plain-batch", payload(t, w.Plain(all["batch"])))
}

func TestALongListSaysHowManyAreLeft(t *testing.T) {
	rows := make([]templates.Row, 120)
	for i := range rows {
		rows[i] = templates.Row{View: view(judgement())}
	}
	page := templates.ListPage{Command: "/stops", What: "mine", Page: 1}
	m := templates.Default().List(templates.Listing{Rows: rows, Total: 150, Page: page})
	checkMessage(t, m)
	shown := len(m.Blocks) - 3
	if want := number(150-shown) + " more are not shown"; !strings.Contains(m.Text, want) {
		t.Errorf("%d rows are shown, and the text says %q", shown, m.Text)
	}
}

func number(n int) string {
	raw, _ := json.Marshal(n)
	return string(raw)
}

func TestTheThreadHasWhatTheCardCuts(t *testing.T) {
	w := templates.Default()
	r := longRecord()
	var whole strings.Builder
	for _, m := range w.ThreadParts(view(r)) {
		checkMessage(t, m)
		for _, b := range m.Blocks[1:] {
			raw, err := json.Marshal(b)
			if err != nil {
				t.Fatal(err)
			}
			var block struct {
				Elements []struct {
					Elements []struct{ Text string }
				}
			}
			if err := json.Unmarshal(raw, &block); err != nil {
				t.Fatal(err)
			}
			whole.WriteString(block.Elements[0].Elements[0].Text)
		}
	}
	if whole.String() != r.Questions[0].Quote {
		t.Errorf("the thread has %d of %d bytes of the quote", whole.Len(), len(r.Questions[0].Quote))
	}
	if parts := w.ThreadParts(view(judgement())); len(parts) > 0 {
		t.Errorf("a card that cuts nothing has %d parts in its thread", len(parts))
	}
	early := view(longRecord())
	early.Thread = false
	if card := compact(t, w.Card(early)); strings.Contains(card, `"choose.0"`) {
		t.Error("there are buttons before the thread stands")
	}
}

func TestAModalThatCouldNotBeRecordedKeepsWhatWasTyped(t *testing.T) {
	w := templates.Default()
	val := templates.Value{Stop: "form-1", Key: "q", Option: -1, Verb: templates.VerbAnswer, Rev: 1}
	m := w.NotRecorded(view(formRecord()), val, loops.Verdict{Action: loops.Accept, Content: json.RawMessage(`{"rows":9007199254740993,"note":"Mind the <gap>","parts":["a","c"]}`)})
	checkModal(t, m)
	golden(t, "modal-not-recorded", m)
	if m.NotifyOnClose || m.Submit != nil {
		t.Error("closing it would count as a dismissal, or it could be sent again")
	}
}

func TestWhatDoesNotFitAnInputIsNotOffered(t *testing.T) {
	w := templates.Default()
	big := callRecord("big", call("k", "May it write the file?", "write", `{"path":"a","text":"`+strings.Repeat("x", 3000)+`"}`, loops.MayRun, loops.MayEdit))
	card := compact(t, w.Card(view(big)))
	if strings.Contains(card, `"edit"`) || !strings.Contains(card, "flagstop answer big --accept --arguments JSON") {
		t.Error("the card offers to edit what does not fit, or does not name the command")
	}
	if _, err := w.Modal(view(big), templates.Value{Stop: "big", Key: "k", Option: -1, Verb: templates.VerbEdit}); err == nil {
		t.Error("a window opens for what does not fit it")
	}
	form := formRecord()
	form.Questions[0].Schema.Properties[9].MinLength = new(3001)
	card = compact(t, w.Card(view(form)))
	if strings.Contains(card, `"answer"`) || !strings.Contains(card, "flagstop answer form-1 --accept --content JSON") {
		t.Error("the card offers a form that does not fit, or does not name the command")
	}
}

func TestOnlyWhatTheLoopCanCarryOutIsOffered(t *testing.T) {
	w := templates.Default()
	labels := map[loops.May]string{
		loops.MayRun: `"run"`, loops.MayEdit: `"edit"`, loops.MayOutput: `"output"`, loops.MayDecline: `"decline"`, loops.MayAlways: `"always"`,
	}
	for set := 1; set < 32; set++ {
		var may []loops.May
		for i, m := range []loops.May{loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline, loops.MayAlways} {
			if set&(1<<i) != 0 {
				may = append(may, m)
			}
		}
		card := compact(t, w.Card(view(callRecord("c", call("k", "May it run?", "ls", `{"p":1}`, may...)))))
		for i, m := range []loops.May{loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline, loops.MayAlways} {
			if got, want := strings.Contains(card, `"action_id":`+labels[m]), set&(1<<i) != 0; got != want {
				t.Errorf("may %v: offers %s: %v", may, m, got)
			}
		}
	}
}
