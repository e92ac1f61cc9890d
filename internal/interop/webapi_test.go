//go:build interop

package interop

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flagstop/internal/standin"
)

type object = map[string]any

// answer is what Slack's WebClient made of a call.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Class  string `json:"class"`
		Code   string `json:"code"`
		Name   string `json:"name"`
		Status int    `json:"status"`
	} `json:"error"`
	Took int `json:"took"` // milliseconds
}

// caller is Slack's WebClient in a process.
type caller struct{ *process }

func (c caller) try(method string, args object) answer {
	c.t.Helper()
	c.send(object{"method": method, "args": args})
	return decode[answer](c.t, c.await("answer"))
}

// call calls a method, which has to succeed.
func (c caller) call(method string, args object) object {
	c.t.Helper()
	a := c.try(method, args)
	if a.Error != nil {
		c.t.Fatalf("%s %v: %+v", method, args, *a.Error)
	}
	return decode[object](c.t, string(a.Result))
}

func section(text string) []object {
	return []object{{"type": "section", "text": object{"type": "mrkdwn", "text": text}}}
}

func button() []object {
	return []object{{"type": "actions", "block_id": "b", "elements": []object{
		{"type": "button", "action_id": "go", "value": "1", "text": object{"type": "plain_text", "text": "Go"}},
	}}}
}

func modal(callback string) object {
	plain := func(s string) object { return object{"type": "plain_text", "text": s} }
	return object{"type": "modal", "callback_id": callback, "title": plain("T"), "submit": plain("S"), "blocks": []object{
		{"type": "input", "block_id": "n", "label": plain("l"), "element": object{"type": "plain_text_input", "action_id": "v"}},
	}}
}

// walk calls every method once and returns what came back, by method. A person clicks for the triggers.
func walk(t *testing.T, s *standin.Server, e *endpoint, c caller) map[string]object {
	got := map[string]object{}
	call := func(method string, args object) object {
		got[method] = c.call(method, args)
		return got[method]
	}
	call("api.test", object{"foo": "bar"})
	call("auth.test", object{})
	call("bots.info", object{"bot": "B0FLAGSTOP"})
	ts := call("chat.postMessage", object{
		"channel": product, "text": "a < b", "blocks": append(section("*hi*"), button()...),
		"attachments": []object{{"color": "#245AA6", "blocks": section("in a bar")}},
		"metadata":    object{"event_type": "flagstop_card", "event_payload": object{"stop": "s-1", "rev": 1}},
	})["ts"]
	call("chat.postEphemeral", object{"channel": product, "user": ana, "text": "for you"})
	call("chat.update", object{"channel": product, "ts": ts, "text": "changed", "blocks": button()})
	c.call("chat.postMessage", object{"channel": product, "text": "a reply", "thread_ts": ts})
	call("chat.getPermalink", object{"channel": product, "message_ts": ts})
	call("reactions.add", object{"channel": product, "timestamp": ts, "name": "eyes"})
	call("conversations.history", object{"channel": product, "include_all_metadata": true, "limit": 10})
	call("conversations.replies", object{"channel": product, "ts": ts})
	for _, method := range []string{"conversations.info", "conversations.members"} {
		call(method, object{"channel": product})
	}
	call("conversations.open", object{"users": ana, "return_im": true})
	call("conversations.list", object{"types": "public_channel,private_channel", "limit": 2})
	call("conversations.join", object{"channel": "C0ELSE"})
	call("users.info", object{"user": ana})
	call("users.list", object{"limit": 2})
	call("usergroups.list", object{"include_users": true})
	call("usergroups.users.list", object{"usergroup": "S0TEAM"})
	call("usergroups.users.update", object{"usergroup": "S0TEAM", "users": ana + "," + bob})
	call("views.publish", object{"user_id": ana, "view": object{"type": "home", "blocks": section("home")}})
	walkViews(t, s, e, call)
	call("chat.delete", object{"channel": product, "ts": ts})
	return got
}

// walkViews opens, pushes and updates windows for a person who clicks. Nobody answers the clicks; their triggers count.
func walkViews(t *testing.T, s *standin.Server, e *endpoint, call func(string, object) object) {
	view := call("views.open", object{"trigger_id": e.trigger(t, func() error {
		return s.As(ana).Click(within(t), s.Messages(product)[0], "Go", 0)
	}), "view": viewWithButton()})["view"].(object)
	call("views.push", object{"trigger_id": e.trigger(t, func() error {
		return s.As(ana).ActInView(within(t), view["id"].(string), standin.Action{BlockID: "b", ActionID: "go"})
	}), "view": modal("second")})
	call("views.update", object{"view_id": view["id"], "hash": view["hash"], "view": modal("first")})
}

func viewWithButton() object {
	v := modal("first")
	v["blocks"] = append(v["blocks"].([]object), button()...)
	return v
}

// TestTheWebClientCallsEveryMethod holds the answers to every method that the stand-in has against the types that Slack
// publishes for them.
func TestTheWebClientCallsEveryMethod(t *testing.T) {
	e := listen(t)
	s, base := slack(t, func(o *standin.Options) { o.InteractionsURL = e.url })
	got := walk(t, s, e, caller{node(t, "web-api.cjs", base, botToken)})
	got["apps.connections.open"] = caller{node(t, "web-api.cjs", base, appToken)}.call("apps.connections.open", object{})

	source := &strings.Builder{}
	source.WriteString(plain)
	for i, method := range slices.Sorted(maps.Keys(got)) {
		if got[method]["ok"] != true {
			t.Errorf("%s: ok is %v", method, got[method]["ok"])
		}
		fmt.Fprintf(source, "import type { %s as R%d } from '@slack/web-api';\n(%s) satisfies Plain<R%[2]d>;\n",
			responseType(method), i, encode(t, got[method]))
	}
	if err := compile(t, source.String()); err != nil {
		t.Error(err)
	}
	if missing := notIn(methodsOfStandin(t), got); len(missing) > 0 {
		t.Errorf("the stand-in has methods that nothing here calls: %v", missing)
	}
}

// plain makes of a type of @slack/web-api what JSON can be held against: enumerations as their texts, null where something may
// be left out, anything where the samples that the types are made from had nothing, and members that Slack's pages name and
// the types lack.
const plain = "type Lacking = { is_stranger?: boolean; auto_type?: null; deleted_by?: null; attachments?: unknown; " +
	"ts?: string; user_count?: number; username?: string };\n" +
	"type Plain<T> = T extends string ? `${T}` : T extends (infer U)[] ? Plain<U>[] : T extends object ? " +
	"keyof T extends never ? unknown : { [K in keyof T]: Plain<T[K]> | null } & Lacking : T;\n"

// responseType is the name of a method's answer in @slack/web-api: chat.postMessage is ChatPostMessageResponse.
func responseType(method string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(method, ".") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String() + "Response"
}

// methodsOfStandin reads from its source which methods the stand-in has.
func methodsOfStandin(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("../standin/api.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`case "([a-z]+\.[A-Za-z.]+)":`).FindAllSubmatch(source, -1) {
		out = append(out, string(m[1]))
	}
	if len(out) < 20 {
		t.Fatalf("only %d methods found in the stand-in: %v", len(out), out)
	}
	return out
}

func notIn(all []string, got map[string]object) []string {
	return slices.DeleteFunc(all, func(m string) bool { return got[m] != nil })
}

// TestTheWebClientUnderstandsEveryRefusal holds Slack's error names against what its own client makes of them.
func TestTheWebClientUnderstandsEveryRefusal(t *testing.T) {
	_, base := slack(t, nil)
	c := caller{node(t, "web-api.cjs", base, botToken)}
	ts := c.call("chat.postMessage", object{"channel": product, "text": "there"})["ts"]
	for _, x := range []struct {
		method string
		args   object
		want   string
	}{
		{"api.test", object{"error": "my_error"}, "my_error"},
		{"apps.connections.open", object{}, "not_allowed_token_type"},
		{"bots.info", object{"bot": "B0NOBODY"}, "bot_not_found"},
		{"chat.postMessage", object{"channel": "C0NONE", "text": "x"}, "channel_not_found"},
		{"chat.postMessage", object{"channel": "C0OLD", "text": "x"}, "is_archived"},
		{"chat.postMessage", object{"channel": "C0ELSE", "text": "x"}, "not_in_channel"},
		{"chat.postMessage", object{"channel": product}, "no_text"},
		{"chat.postMessage", object{"channel": product, "text": "x", "blocks": section(strings.Repeat("x", 3001))}, "invalid_blocks"},
		{"chat.postEphemeral", object{"channel": product, "user": "U0NOBODY", "text": "x"}, "user_not_in_channel"},
		{"chat.update", object{"channel": product, "ts": "1.000001", "text": "x"}, "message_not_found"},
		{"chat.update", object{"channel": product, "ts": ts, "text": strings.Repeat("x", 4001)}, "msg_too_long"},
		{"chat.delete", object{"channel": product, "ts": "1.000001"}, "message_not_found"},
		{"chat.getPermalink", object{"channel": product, "message_ts": "1.000001"}, "message_not_found"},
		{"conversations.history", object{"channel": "C0ELSE"}, "not_in_channel"},
		{"conversations.history", object{"channel": product, "cursor": "x"}, "invalid_cursor"},
		{"conversations.replies", object{"channel": product, "ts": "1.000001"}, "thread_not_found"},
		{"conversations.info", object{"channel": "C0NONE"}, "channel_not_found"},
		{"conversations.open", object{"users": "U0NOBODY"}, "user_not_found"},
		{"conversations.join", object{"channel": "C0OLD"}, "is_archived"},
		{"reactions.add", object{"channel": product, "timestamp": "1.000001", "name": "eyes"}, "message_not_found"},
		{"users.info", object{"user": "U0NOBODY"}, "user_not_found"},
		{"usergroups.users.list", object{"usergroup": "S0NONE"}, "no_such_subteam"},
		{"views.open", object{"trigger_id": "1.2.3", "view": modal("m")}, "invalid_trigger_id"},
		{"views.open", object{"trigger_id": "1.2.3", "view": object{"type": "modal"}}, "invalid_arguments"},
		{"views.update", object{"view_id": "V0NONE", "view": modal("m")}, "not_found"},
		{"dnd.info", object{"user": ana}, "unknown_method"},
	} {
		got := c.try(x.method, x.args)
		if got.Error == nil || got.Error.Class != "WebAPIPlatformError" || got.Error.Name != x.want {
			t.Errorf("%s %v: want %s, got %+v", x.method, x.args, x.want, got.Error)
		}
	}
	stranger := caller{node(t, "web-api.cjs", base, "xoxb-forged")}
	if got := stranger.try("auth.test", object{}); got.Error == nil || got.Error.Name != "invalid_auth" {
		t.Errorf("a forged token: %+v", got)
	}
}

// TestTheWebClientWaitsAsRetryAfterSays lets the client meet a budget that is spent, and a server in trouble.
func TestTheWebClientWaitsAsRetryAfterSays(t *testing.T) {
	s, base := slack(t, func(o *standin.Options) { o.RateLimits = true })
	c := caller{node(t, "web-api.cjs", base, botToken)}
	for i := range 3 { // the burst that a channel takes
		c.call("chat.postMessage", object{"channel": product, "text": strconv.Itoa(i)})
	}
	before := len(s.Calls("chat.postMessage"))
	late := c.try("chat.postMessage", object{"channel": product, "text": "late"})
	if late.Error != nil || late.Took < 1000 {
		t.Errorf("want it sent after the second that Retry-After says, got %+v after %d ms", late.Error, late.Took)
	}
	if n := len(s.Calls("chat.postMessage")) - before; n != 2 || len(s.Messages(product)) != 4 {
		t.Errorf("%d calls and %d messages, want one refused, one sent", n, len(s.Messages(product)))
	}
	s.Break(standin.Fault{Method: "chat.update", Times: 1, Status: 503})
	ts := s.Messages(product)[0].TS
	c.call("chat.update", object{"channel": product, "ts": ts, "text": "after all"})
	if n := len(s.Calls("chat.update")); n != 2 {
		t.Errorf("%d calls of chat.update, want 2", n)
	}
}
