package standin

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

const form = `{"type":"modal","callback_id":"answer","notify_on_close":true,"title":{"type":"plain_text","text":"T"},"submit":{"type":"plain_text","text":"Send"},"blocks":[
 {"type":"section","block_id":"words","text":{"type":"plain_text","text":"w"}},
 {"type":"input","block_id":"name","label":{"type":"plain_text","text":"l"},"element":{"type":"plain_text_input","action_id":"v","min_length":2,"max_length":4}},
 {"type":"input","block_id":"mail","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"email_text_input","action_id":"v"}},
 {"type":"input","block_id":"page","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"url_text_input","action_id":"v"}},
 {"type":"input","block_id":"n","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"number_input","is_decimal_allowed":false,"min_value":"1","max_value":"9","action_id":"v"}},
 {"type":"input","block_id":"day","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"datepicker","action_id":"v"}},
 {"type":"input","block_id":"hour","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"timepicker","action_id":"v"}},
 {"type":"input","block_id":"when","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"datetimepicker","action_id":"v"}},
 {"type":"input","block_id":"one","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"radio_buttons","action_id":"v","options":[{"text":{"type":"plain_text","text":"Yes"},"value":"true"},{"text":{"type":"plain_text","text":"No"},"value":"false"}]}},
 {"type":"input","block_id":"pick","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"static_select","action_id":"v","options":[{"text":{"type":"plain_text","text":"A"},"value":"a"}]}},
 {"type":"input","block_id":"many","optional":true,"label":{"type":"plain_text","text":"l"},"element":{"type":"checkboxes","action_id":"v","options":[{"text":{"type":"plain_text","text":"A"},"value":"a"},{"text":{"type":"plain_text","text":"B"},"value":"b"}]}}]}`

// modal opens a modal for Ana, as an app does that got her click.
func (o *office) modal(view string) {
	o.t.Helper()
	if got := o.call("views.open", url.Values{"trigger_id": {o.trigger("U0ANA")}, "view": {view}}); got["ok"] != true {
		o.t.Fatalf("views.open: %v", got)
	}
}

func TestASubmissionCarriesTheStateThatSlackSends(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	o.modal(form)
	err := o.s.As("U0ANA").Submit(t.Context(), map[string]any{
		"name": "abc", "mail": "a@b.example", "page": "https://x.example", "n": 7, "day": "2026-12-31", "hour": "23:59",
		"when": 1764500000, "one": true, "pick": "a", "many": []string{"b"},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := a.last(t).payload
	text := func(s string) map[string]any { return map[string]any{"type": "plain_text", "text": s} }
	in := func(kind, key string, v any) any {
		return map[string]any{"v": map[string]any{"type": kind, key: v}}
	}
	want := map[string]any{
		"name": in("plain_text_input", "value", "abc"), "mail": in("email_text_input", "value", "a@b.example"),
		"page": in("url_text_input", "value", "https://x.example"), "n": in("number_input", "value", "7"),
		"day": in("datepicker", "selected_date", "2026-12-31"), "hour": in("timepicker", "selected_time", "23:59"),
		"when": in("datetimepicker", "selected_date_time", 1764500000.0),
		"one":  in("radio_buttons", "selected_option", map[string]any{"text": text("Yes"), "value": "true"}),
		"pick": in("static_select", "selected_option", map[string]any{"text": text("A"), "value": "a"}),
		"many": in("checkboxes", "selected_options", []any{map[string]any{"text": text("B"), "value": "b"}}),
	}
	if d := cmp.Diff(want, p["view"].(map[string]any)["state"].(map[string]any)["values"]); d != "" {
		t.Errorf("state (-want +got):\n%s", d)
	}
	var cb slack.InteractionCallback
	if err := json.Unmarshal([]byte(asJSON(t, p)), &cb); err != nil || cb.Type != slack.InteractionTypeViewSubmission || cb.View.CallbackID != "answer" || cb.TriggerID == "" {
		t.Errorf("the library reads %+v, %v", cb, err)
	}
	if o.s.As("U0ANA").View() != nil {
		t.Error("the modal is still open")
	}
}

func TestAnInputThatIsLeftEmptyIsNull(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	o.modal(form)
	if err := o.s.As("U0ANA").Submit(t.Context(), map[string]any{"name": "abc"}); err != nil {
		t.Fatal(err)
	}
	values := a.last(t).payload["view"].(map[string]any)["state"].(map[string]any)["values"].(map[string]any)
	for block, key := range map[string]string{"mail": "value", "day": "selected_date", "one": "selected_option", "when": "selected_date_time"} {
		if v, ok := values[block].(map[string]any)["v"].(map[string]any)[key]; !ok || v != nil {
			t.Errorf("%s.%s = %v, %v, want null", block, key, v, ok)
		}
	}
	if v := values["many"].(map[string]any)["v"].(map[string]any)["selected_options"]; len(v.([]any)) != 0 {
		t.Errorf("many = %v, want an empty list", v)
	}
}

func TestSlackItselfTurnsBackWhatAnInputDoesNotTake(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	o.modal(form)
	for block, values := range map[string][]any{
		"name": {"", "a", "abcde"}, "mail": {"a b"}, "page": {"example"}, "n": {"x", "0", "10", "1.5", "1e3", "0x1"},
	} {
		for _, v := range values {
			all := map[string]any{"name": "abc", "mail": "", "page": "", "n": ""}
			all[block] = v
			var back *TurnedBackError
			err := o.s.As("U0ANA").Submit(t.Context(), all)
			if !errors.As(err, &back) || back.Errors[block] == "" || len(back.Errors) != 1 || back.ByApp {
				t.Errorf("%s = %q: %v", block, v, err)
			}
			if shown := o.s.As("U0ANA").View().Errors; shown[block] == "" {
				t.Errorf("%s = %q: the view shows %v", block, v, shown)
			}
		}
	}
	if len(a.all()) != 0 {
		t.Error("the app was told")
	}
	for _, values := range []map[string]any{{"words": "x"}, {"none": "x"}, {"pick": "z"}, {"day": "tomorrow"}} {
		if err := o.s.As("U0ANA").Submit(t.Context(), values); err == nil {
			t.Errorf("Submit(%v) found an input", values)
		}
	}
}

func TestTheAppMayAnswerAForm(t *testing.T) {
	t.Parallel()
	next := json.RawMessage(strings.Replace(form, `"text":"T"`, `"text":"Next"`, 1))
	for name, row := range map[string]struct {
		ack    any
		title  string // of the modal that is left, "" for none
		fails  bool
		errors map[string]string
	}{
		"nothing closes it":           {ack: nil},
		"clear closes all":            {ack: map[string]any{"response_action": "clear"}},
		"update shows another":        {ack: map[string]any{"response_action": "update", "view": next}, title: "Next"},
		"push puts one on top":        {ack: map[string]any{"response_action": "push", "view": next}, title: "Next"},
		"errors stand at the inputs":  {ack: map[string]any{"response_action": "errors", "errors": map[string]any{"name": "taken"}}, title: "T", fails: true, errors: map[string]string{"name": "taken"}},
		"errors at what is no input":  {ack: map[string]any{"response_action": "errors", "errors": map[string]any{"words": "x"}}, title: "T", fails: true},
		"an action that there is not": {ack: map[string]any{"response_action": "explode"}, title: "T", fails: true},
		"a view that is none":         {ack: map[string]any{"response_action": "update", "view": map[string]any{}}, title: "T", fails: true},
		"an answer that is no JSON":   {ack: "sorry", title: "T", fails: true},
	} {
		for _, mode := range []string{"http", "socket"} {
			a := &app{answer: func(told) (any, int) { return row.ack, 0 }}
			o := inMode(t, mode, a)
			o.modal(form)
			p := o.s.As("U0ANA")
			if err := p.Submit(t.Context(), map[string]any{"name": "abc"}); (err != nil) != row.fails {
				t.Errorf("%s by %s: %v", name, mode, err)
			}
			v := p.View()
			if v.title() != row.title || v != nil && cmp.Diff(row.errors, v.Errors) != "" {
				t.Errorf("%s by %s: the view is %q, want %q with %v", name, mode, v.title(), row.title, row.errors)
			}
		}
	}
}

func TestClosingAModalIsToldWhereItAsksForThat(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	o.modal(form)
	p := o.s.As("U0ANA")
	if err := p.Close(t.Context()); err != nil || p.View() != nil {
		t.Fatalf("Close = %v, view %v", err, p.View())
	}
	if got := a.last(t).payload; got["type"] != "view_closed" || got["is_cleared"] != false || got["view"].(map[string]any)["callback_id"] != "answer" {
		t.Errorf("told %v", got)
	}
	o.modal(strings.Replace(form, `"notify_on_close":true`, `"notify_on_close":false`, 1))
	if err := p.Close(t.Context()); err != nil || len(a.all()) != 1 {
		t.Errorf("Close = %v; told %d times", err, len(a.all()))
	}
	if err := p.Close(t.Context()); err == nil {
		t.Error("nothing was open, and it closed")
	}
}

func TestAModalOpensWithinThreeSecondsOfAClickOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &app{}
		o := byHTTP(t, a)
		m := o.post(url.Values{"blocks": {twoButtons}})
		click := func() string {
			if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); err != nil {
				t.Fatal(err)
			}
			return a.last(t).payload["trigger_id"].(string)
		}
		open := func(trigger string) any {
			return o.call("views.open", url.Values{"trigger_id": {trigger}, "view": {form}})["error"]
		}
		id := click()
		time.Sleep(2900 * time.Millisecond)
		if err := open(id); err != nil {
			t.Errorf("after 2.9 s: %v", err)
		}
		if err := open(id); err != "exchanged_trigger_id" {
			t.Errorf("a second time: %v", err)
		}
		id = click()
		time.Sleep(3100 * time.Millisecond)
		if err := open(id); err != "expired_trigger_id" {
			t.Errorf("after 3.1 s: %v", err)
		}
		if err := open("1.2.x"); err != "invalid_trigger_id" {
			t.Errorf("of nobody: %v", err)
		}
	})
}
