package standin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
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
	bubble(t, func(t *testing.T) {
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

func TestAnElementInAnAttachmentAnOverflowAndALinkAreClicks(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	m := o.post(url.Values{"text": {"x"}, "attachments": {`[{"color":"#000000","blocks":[{"type":"divider"}]},{"blocks":` + twoButtons + `}]`}})
	ana := o.s.As("U0ANA")
	if err := ana.Click(t.Context(), m, "Later", 0); err != nil {
		t.Fatal(err)
	}
	p := a.last(t).payload
	if c := p["container"].(map[string]any); c["type"] != "message_attachment" || c["attachment_id"] != 2.0 {
		t.Errorf("container = %v", c)
	}
	if did := p["actions"].([]any)[0].(map[string]any); did["type"] != "overflow" || did["selected_option"].(map[string]any)["value"] != "later" {
		t.Errorf("action = %v", did)
	}
	if err := ana.Act(t.Context(), m, Action{BlockID: "b", ActionID: "link"}); err != nil {
		t.Fatal(err)
	}
	if did := a.last(t).payload["actions"].([]any)[0].(map[string]any); did["url"] != "https://example.com" {
		t.Errorf("a link: %v", did)
	}
	for _, bad := range []error{
		ana.Click(t.Context(), m, "Nowhere", 0), ana.Click(t.Context(), m, "Open", 1),
		ana.Act(t.Context(), m, Action{BlockID: "b", ActionID: "none"}), ana.Act(t.Context(), m, Action{BlockID: "b", ActionID: "more", Value: "never"}),
	} {
		if bad == nil {
			t.Error("what is not there was clicked")
		}
	}
	if len(a.all()) != 2 {
		t.Errorf("the app heard %d clicks, want 2", len(a.all()))
	}
}

func TestAStaleOrForgedClickReachesTheApp(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	m := o.post(url.Values{"blocks": {twoButtons}})
	o.call("chat.update", url.Values{"channel": {m.Channel}, "ts": {m.TS}, "text": {"done"}})
	ana := o.s.As("U0ANA")
	if err := ana.Click(t.Context(), m, "Open", 0); err == nil {
		t.Error("a button that is gone was clicked")
	}
	for value, text := range map[string]string{"1": "Yes &amp; no", "666": "Forged"} {
		if err := ana.ClickValue(t.Context(), m, "yes", value); err != nil {
			t.Fatal(err)
		}
		p := a.last(t).payload
		did := p["actions"].([]any)[0].(map[string]any)
		if did["value"] != value || did["text"].(map[string]any)["text"] != text || p["message"].(map[string]any)["text"] != "done" {
			t.Errorf("%s: %v", value, p)
		}
	}
	o.s.Delete(m.Channel, m.TS)
	if err := ana.ClickValue(t.Context(), m, "yes", "1"); err == nil {
		t.Error("a message that is gone was clicked")
	}
}

func TestASlashCommandIsToldAndAnsweredToThePersonAlone(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"http", "socket"} {
		a := &app{answer: func(told) (any, int) { return map[string]any{"text": "two stops"}, 0 }}
		o := inMode(t, mode, a)
		if err := o.s.As("U0ANA").Command(t.Context(), "C0PRODUCT", "/stops show <x> @bob #product"); err != nil {
			t.Fatal(err)
		}
		p := a.last(t).payload
		for name, want := range map[string]string{
			"command": "/stops", "text": "show &lt;x&gt; <@U0BOB> <#C0PRODUCT|product>", "user_id": "U0ANA", "user_name": "ana",
			"channel_id": "C0PRODUCT", "channel_name": "product", "team_id": "T0LOCAL",
		} {
			if p[name] != want {
				t.Errorf("%s by %s = %v, want %s", name, mode, p[name], want)
			}
		}
		if got := o.s.Ephemerals("U0ANA"); len(got) != 1 || got[0].Text != "two stops" {
			t.Errorf("shown by %s: %+v", mode, got)
		}
		a.answer = func(told) (any, int) { return map[string]any{"text": "for all", "response_type": "in_channel"}, 0 }
		if err := o.s.As("U0ANA").Command(t.Context(), "C0PRODUCT", "/stops"); err != nil {
			t.Fatal(err)
		}
		if got := o.s.Messages("C0PRODUCT"); len(got) != 1 || got[0].Text != "for all" {
			t.Errorf("in the channel by %s: %+v", mode, got)
		}
	}
}

func TestAResponseURLIsGoodForFiveAnswersAndHalfAnHour(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		a := &app{}
		o := byHTTP(t, a)
		m := o.post(url.Values{"blocks": {twoButtons}})
		click := func() string {
			if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); err != nil {
				t.Fatal(err)
			}
			return a.last(t).payload["response_url"].(string)
		}
		at := click()
		for range linkUses {
			if status, body := o.respond(at, `{"text":"psst"}`); status != 200 {
				t.Fatalf("%d %s", status, body)
			}
		}
		if status, body := o.respond(at, `{"text":"psst"}`); status != 404 || body != "used_url" {
			t.Errorf("the sixth: %d %s", status, body)
		}
		if got := o.s.Ephemerals("U0ANA"); len(got) != linkUses {
			t.Errorf("%d were shown, want %d", len(got), linkUses)
		}
		at = click()
		if status, body := o.respond(at, `{"text":"x","blocks":[{"type":"marquee"}]}`); status != 400 || body != "invalid_blocks" {
			t.Errorf("bad blocks: %d %s", status, body)
		}
		if status, _ := o.respond(at, `{"text":"new","replace_original":"true"}`); status != 200 || o.s.Messages("C0PRODUCT")[0].Text != "new" {
			t.Errorf("replace_original: %+v", o.s.Messages("C0PRODUCT"))
		}
		if status, _ := o.respond(at, `{"delete_original":true}`); status != 200 || len(o.s.Messages("C0PRODUCT")) != 0 {
			t.Errorf("delete_original: %+v", o.s.Messages("C0PRODUCT"))
		}
		if status, _ := o.respond(at, `{"text":"all","response_type":"in_channel"}`); status != 200 || len(o.s.Messages("C0PRODUCT")) != 1 {
			t.Errorf("in_channel: %+v", o.s.Messages("C0PRODUCT"))
		}
		time.Sleep(linkLife + time.Second)
		if status, body := o.respond(at, `{"text":"late"}`); status != 404 || body != "expired_url" {
			t.Errorf("after half an hour: %d %s", status, body)
		}
	})
}

func (o *office) respond(at, body string) (status int, said string) {
	o.t.Helper()
	req, err := http.NewRequestWithContext(o.t.Context(), http.MethodPost, at, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	resp, err := o.client.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var b strings.Builder
	buf := make([]byte, 512)
	for {
		n, err := resp.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return resp.StatusCode, strings.TrimSpace(b.String())
		}
	}
}

func TestEventsTellTheAppWhatHappens(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		a := &app{}
		o := byHTTP(t, a)
		next := func() map[string]any {
			synctest.Wait()
			return a.last(t).payload["event"].(map[string]any)
		}
		is := func(name string, ev map[string]any, want map[string]any) {
			t.Helper()
			for k, v := range want {
				if ev[k] != v {
					t.Errorf("%s: %s = %v, want %v", name, k, ev[k], v)
				}
			}
		}
		m := o.post(url.Values{"text": {"parent"}})
		if err := o.s.As("U0ANA").Post(t.Context(), "C0PRODUCT", m.TS, "hello @bob"); err != nil {
			t.Fatal(err)
		}
		is("a reply", next(), map[string]any{"type": "message", "user": "U0ANA", "text": "hello <@U0BOB>", "channel": "C0PRODUCT", "channel_type": "channel", "thread_ts": m.TS})
		o.s.Delete("C0PRODUCT", m.TS)
		is("a deletion", next(), map[string]any{"type": "message", "subtype": "message_deleted", "deleted_ts": m.TS, "channel": "C0PRODUCT"})
		if err := o.s.As("U0ANA").OpenHome(t.Context()); err != nil {
			t.Fatal(err)
		}
		is("a home", next(), map[string]any{"type": "app_home_opened", "user": "U0ANA", "tab": "home"})
		o.s.Kick("C0PRODUCT")
		is("a kick", next(), map[string]any{"type": "member_left_channel", "user": "U0FLAGSTOP", "channel": "C0PRODUCT"})
		o.s.Archive("C0SECRET")
		is("an archive", next(), map[string]any{"type": "channel_archive", "channel": "C0SECRET"})
		n := len(a.all())
		o.typed("U0ANA", "C0OTHER", "where the bot is not")
		synctest.Wait()
		if len(a.all()) != n || n != 5 {
			t.Errorf("the app heard %d events, then %d, want 5 and no more", n, len(a.all()))
		}
	})
}

func TestAPersonWritesOnlyWhereTheyMay(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for _, row := range [][2]string{{"U0BOB", "C0SECRET"}, {"U0BOB", "C0OTHER"}, {"U0ANA", "C0OLD"}, {"U0ANA", "C0NONE"}, {"U0NONE", "C0PRODUCT"}} {
		if o.s.As(row[0]).Post(t.Context(), row[1], "", "x") == nil || o.s.As(row[0]).Command(t.Context(), row[1], "/stops") == nil {
			t.Errorf("%s wrote in %s", row[0], row[1])
		}
	}
	if o.s.As("U0ANA").Post(t.Context(), "C0PRODUCT", "", "") == nil || o.s.As("U0ANA").Command(t.Context(), "C0PRODUCT", "stops") == nil {
		t.Error("nothing was said, and it was taken")
	}
}

func TestAnEphemeralIsClickedByItsPersonAndDismissed(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	o.call("chat.postEphemeral", url.Values{"channel": {"C0PRODUCT"}, "user": {"U0ANA"}, "blocks": {twoButtons}})
	m := o.s.Ephemerals("U0ANA")[0]
	if err := o.s.As("U0BOB").Click(t.Context(), m, "Open", 0); err == nil {
		t.Error("Bob clicked what only Ana sees")
	}
	if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); err != nil {
		t.Fatal(err)
	}
	p := a.last(t).payload
	if p["message"] != nil || p["container"].(map[string]any)["is_ephemeral"] != true {
		t.Errorf("payload %v", p)
	}
	o.s.As("U0BOB").Dismiss(m)
	if len(o.s.Ephemerals("U0ANA")) != 1 {
		t.Error("Bob dismissed Ana's message")
	}
	o.s.As("U0ANA").Dismiss(m)
	if len(o.s.Ephemerals("U0ANA")) != 0 {
		t.Error("it is still there")
	}
}

func TestAViewUpdatedKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	a := &app{answer: func(told) (any, int) {
		return map[string]any{"response_action": "update", "view": json.RawMessage(form)}, 0
	}}
	o := byHTTP(t, a)
	o.modal(form)
	if err := o.s.As("U0ANA").Submit(t.Context(), map[string]any{"name": "abc"}); err != nil {
		t.Fatal(err)
	}
	if v := o.s.As("U0ANA").View(); !strings.Contains(string(v.JSON), `"value":"abc"`) {
		t.Errorf("the view is %s", v.JSON)
	}
}

func TestUnreadCountsWhatOthersWroteSinceItWasRead(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	m := o.post(url.Values{"text": {"x"}})
	o.post(url.Values{"text": {"r"}, "thread_ts": {m.TS}})
	o.call("chat.postEphemeral", url.Values{"channel": {"C0PRODUCT"}, "user": {"U0ANA"}, "text": {"x"}})
	o.typed("U0ANA", "C0PRODUCT", "mine")
	if ana, bob := o.s.Unread("U0ANA", "C0PRODUCT"), o.s.Unread("U0BOB", "C0PRODUCT"); ana != 3 || bob != 3 {
		t.Errorf("unread: Ana %d, Bob %d, want 3 and 3", ana, bob)
	}
	o.s.MarkRead("U0ANA", "C0PRODUCT")
	if n := o.s.Unread("U0ANA", "C0PRODUCT"); n != 0 {
		t.Errorf("after reading: %d", n)
	}
}

func TestUntilLooksAfterEachChangeAndGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		o := open(t, people())
		go func() {
			time.Sleep(time.Minute)
			o.post(url.Values{"text": {"x"}})
		}()
		if err := o.s.Until(t.Context(), func() bool { return len(o.s.Messages("C0PRODUCT")) == 1 }); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := o.s.Until(ctx, func() bool { return false }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Until = %v", err)
		}
	})
}

// title is what stands over a view; a nil view has none.
func (v *View) title() string {
	if v == nil {
		return ""
	}
	var m struct{ Title struct{ Text string } }
	if err := json.Unmarshal(v.JSON, &m); err != nil {
		panic(err)
	}
	return m.Title.Text
}
