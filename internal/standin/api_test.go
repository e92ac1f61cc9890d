package standin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestATokenHasToBeTheRightOneInTheRightPlace(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for _, row := range []struct{ method, body, header, want string }{
		{"auth.test", "xoxb-test", "", ""},
		{"auth.test", "", "xoxb-test", ""},
		{"auth.test", "", "", "not_authed"},
		{"auth.test", "xoxb-other", "", "invalid_auth"},
		{"auth.test", "xapp-test", "", "not_allowed_token_type"},
		{"apps.connections.open", "", "xapp-test", ""},
		{"apps.connections.open", "xapp-test", "", "not_authed"},
		{"apps.connections.open", "", "xoxb-test", "not_allowed_token_type"},
		{"api.test", "", "", ""},
		{"chat.shout", "xoxb-test", "", "unknown_method"},
	} {
		form := url.Values{}
		if row.body != "" {
			form.Set("token", row.body)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/api/"+row.method, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if row.header != "" {
			req.Header.Set("Authorization", "Bearer "+row.header)
		}
		resp, err := o.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if got := readBody(t, resp); got["ok"] != (row.want == "") || row.want != "" && got["error"] != row.want {
			t.Errorf("%+v: %v", row, got)
		}
	}
}

func TestWhereTheBotMayNotWriteItIsToldWhy(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	theirs := o.typed("U0ANA", "C0PRODUCT", "mine")
	for _, row := range []struct {
		method, want string
		form         url.Values
	}{
		{"chat.postMessage", "channel_not_found", url.Values{"channel": {"C0NONE"}, "text": {"x"}}},
		{"chat.postMessage", "channel_not_found", url.Values{"channel": {"C0HIDDEN"}, "text": {"x"}}},
		{"chat.postMessage", "not_in_channel", url.Values{"channel": {"C0OTHER"}, "text": {"x"}}},
		{"chat.postMessage", "is_archived", url.Values{"channel": {"C0OLD"}, "text": {"x"}}},
		{"chat.postEphemeral", "user_not_in_channel", url.Values{"channel": {"C0SECRET"}, "user": {"U0BOB"}, "text": {"x"}}},
		{"chat.update", "cant_update_message", url.Values{"channel": {"C0PRODUCT"}, "ts": {theirs.TS}, "text": {"x"}}},
		{"chat.update", "message_not_found", url.Values{"channel": {"C0PRODUCT"}, "ts": {"1.000000"}, "text": {"x"}}},
		{"chat.delete", "cant_delete_message", url.Values{"channel": {"C0PRODUCT"}, "ts": {theirs.TS}}},
		{"chat.getPermalink", "message_not_found", url.Values{"channel": {"C0PRODUCT"}, "message_ts": {"1.000000"}}},
		{"reactions.add", "message_not_found", url.Values{"channel": {"C0PRODUCT"}, "timestamp": {"1.000000"}, "name": {"x"}}},
		{"conversations.history", "not_in_channel", url.Values{"channel": {"C0OTHER"}}},
		{"conversations.history", "invalid_cursor", url.Values{"channel": {"C0PRODUCT"}, "cursor": {"x"}}},
		{"conversations.history", "invalid_ts_oldest", url.Values{"channel": {"C0PRODUCT"}, "oldest": {"x"}}},
		{"conversations.replies", "thread_not_found", url.Values{"channel": {"C0PRODUCT"}, "ts": {"1.000000"}}},
		{"conversations.open", "user_not_found", url.Values{"users": {"U0NONE"}}},
		{"conversations.open", "user_disabled", url.Values{"users": {"U0GONE"}}},
		{"conversations.join", "is_archived", url.Values{"channel": {"C0OLD"}}},
		{"conversations.join", "method_not_supported_for_channel_type", url.Values{"channel": {"C0SECRET"}}},
		{"users.info", "user_not_found", url.Values{"user": {"U0NONE"}}},
		{"bots.info", "bot_not_found", url.Values{"bot": {"B0NONE"}}},
		{"usergroups.users.list", "no_such_subteam", url.Values{"usergroup": {"S0NONE"}}},
		{"usergroups.users.update", "invalid_users", url.Values{"usergroup": {"S0TEAM"}, "users": {"U0NONE"}}},
		{"views.update", "not_found", url.Values{"view_id": {"V0NONE"}, "view": {"{}"}}},
		{"api.test", "as_asked", url.Values{"error": {"as_asked"}}},
	} {
		if got := o.call(row.method, row.form); got["error"] != row.want {
			t.Errorf("%s %v: %v, want %s", row.method, row.form, got["error"], row.want)
		}
	}
}

// typed is a message that a person typed.
func (o *office) typed(user, channel, text string) Message {
	o.t.Helper()
	if err := o.s.As(user).Post(o.t.Context(), channel, "", text); err != nil {
		o.t.Fatal(err)
	}
	all := o.s.Messages(channel)
	return all[len(all)-1]
}

func TestAnEphemeralMessageIsNoMessageToUpdateNorHistory(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	got := o.call("chat.postEphemeral", url.Values{"channel": {"C0PRODUCT"}, "user": {"U0ANA"}, "text": {"x"}})
	if up := o.call("chat.update", url.Values{"channel": {"C0PRODUCT"}, "ts": {got["message_ts"].(string)}, "text": {"y"}}); up["error"] != "message_not_found" {
		t.Errorf("update: %v", up)
	}
	if h := o.call("conversations.history", url.Values{"channel": {"C0PRODUCT"}}); len(h["messages"].([]any)) != 0 {
		t.Errorf("history: %v", h)
	}
}

func TestAnUpdateChangesWhatItNames(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	all := url.Values{"text": {"t"}, "blocks": {`[{"type":"divider"}]`}, "attachments": {`[{"color":"#123456","blocks":[{"type":"divider"}]}]`}, "metadata": {`{"event_type":"a","event_payload":{}}`}}
	for name, row := range map[string]struct {
		form url.Values
		want [4]bool // text t, blocks, attachments, metadata
	}{
		"text takes blocks away":       {url.Values{"text": {"u"}}, [4]bool{false, false, true, true}},
		"text and blocks":              {url.Values{"text": {"u"}, "blocks": {`[{"type":"divider"}]`}}, [4]bool{false, true, true, true}},
		"blocks alone keep the text":   {url.Values{"blocks": {`[{"type":"divider"}]`}}, [4]bool{true, true, true, true}},
		"no attachments take them":     {url.Values{"attachments": {"[]"}}, [4]bool{true, true, false, true}},
		"an empty object takes it":     {url.Values{"metadata": {"{}"}}, [4]bool{true, true, true, false}},
		"no blocks, with text, clears": {url.Values{"text": {"t"}, "blocks": {"[]"}}, [4]bool{true, false, true, true}},
	} {
		m := o.post(all)
		row.form.Set("channel", m.Channel)
		row.form.Set("ts", m.TS)
		if got := o.call("chat.update", row.form); got["ok"] != true {
			t.Errorf("%s: %v", name, got)
		}
		now := o.s.Messages("C0PRODUCT")[len(o.s.Messages("C0PRODUCT"))-1]
		got := [4]bool{now.Text == "t", now.Blocks != nil, now.Attachments != nil, now.Metadata != nil}
		if got != row.want {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

func TestAReplyToWhatIsGoneLandsInTheChannel(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	parent := o.post(url.Values{"text": {"p"}})
	if r := o.post(url.Values{"text": {"r"}, "thread_ts": {parent.TS}}); r.ThreadTS != parent.TS {
		t.Errorf("thread_ts = %q, want %q", r.ThreadTS, parent.TS)
	}
	o.s.Delete(parent.Channel, parent.TS)
	if r := o.post(url.Values{"text": {"r"}, "thread_ts": {parent.TS}}); r.ThreadTS != "" {
		t.Errorf("thread_ts = %q, want none", r.ThreadTS)
	}
}

func TestNoTwoMessagesHaveOneTS(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // where no time passes
		o := open(t, people())
		var last int64
		for range 50 {
			at, ok := parseTS(o.post(url.Values{"text": {"x"}}).TS)
			if !ok || at <= last {
				t.Fatalf("ts %d after %d", at, last)
			}
			last = at
		}
	})
}

func TestAnArgumentMayComeInAnyShape(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for contentType, body := range map[string]string{
		"application/json; charset=utf-8":   `{"channel":"C0PRODUCT","text":"x","blocks":[{"type":"divider"}]}`,
		"application/json":                  `{"channel":"C0PRODUCT","text":"x","blocks":"[{\"type\":\"divider\"}]"}`,
		"application/x-www-form-urlencoded": `channel=C0PRODUCT&text=x&blocks=[{"type":"divider"}]`,
		"multipart/form-data; boundary=b": "--b\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nC0PRODUCT\r\n" +
			"--b\r\nContent-Disposition: form-data; name=\"blocks\"\r\n\r\n[{\"type\":\"divider\"}]\r\n--b--\r\n",
	} {
		if got := o.raw(contentType, body); got["ok"] != true || len(got["message"].(map[string]any)["blocks"].([]any)) != 1 {
			t.Errorf("%s: %v", contentType, got)
		}
	}
	for contentType, row := range map[string][2]string{
		"application/json":                        {`{"channel":`, "invalid_json"},
		"application/json; charset=utf-8":         {`null`, "json_not_object"},
		"text/plain":                              {`x`, "invalid_post_type"},
		"application/x-www-form-urlencoded":       {`%`, "invalid_form_data"},
		"multipart/form-data; boundary=something": {`x`, "invalid_form_data"},
	} {
		if got := o.raw(contentType, row[0]); got["error"] != row[1] {
			t.Errorf("%s %s: %v, want %s", contentType, row[0], got, row[1])
		}
	}
}

func (o *office) raw(contentType, body string) map[string]any {
	o.t.Helper()
	req, err := http.NewRequestWithContext(o.t.Context(), http.MethodPost, "http://127.0.0.1/api/chat.postMessage", strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Authorization", "Bearer xoxb-test")
	resp, err := o.client.Do(req)
	if err != nil {
		o.t.Fatal(err)
	}
	return readBody(o.t, resp)
}

func TestTheLogOfCallsHoldsArgumentsAndNoToken(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	o.post(url.Values{"text": {"x"}, "blocks": {`[{"type":"divider"}]`}})
	want := []map[string]any{{"channel": "C0PRODUCT", "text": "x", "blocks": []any{map[string]any{"type": "divider"}}}}
	if d := cmp.Diff(want, o.s.Calls("chat.postMessage")); d != "" {
		t.Errorf("Calls (-want +got):\n%s", d)
	}
}
