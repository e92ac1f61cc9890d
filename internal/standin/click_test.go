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
)

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
	synctest.Test(t, func(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
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

func TestACommandThatTheAppDoesNotHaveIsNotSentToIt(t *testing.T) {
	t.Parallel()
	s := New(Options{
		Commands: []string{"/stops"}, Users: []User{{ID: "U0ANA", Name: "ana"}},
		Channels: []Channel{{ID: "C0PRODUCT", Name: "product", Members: []string{"U0ANA"}}},
	})
	defer s.Close()
	err := s.As("U0ANA").Command(t.Context(), "C0PRODUCT", "/dance")
	if err == nil || !strings.Contains(err.Error(), "it has /stops") {
		t.Errorf("/dance ended with %v, want which commands there are", err)
	}
}
