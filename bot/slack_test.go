package bot

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

var cardStamp = Stamp{Prefix: "fs", Stop: "s1", Place: "own", Attempt: "a1", Part: 2, Rev: 1 << 40}

func TestPostSendsAMessageThatPingsNobodyByItself(t *testing.T) {
	a := &api{answer: says(`{"ok":true,"channel":"C1ID","ts":"1700000000.000100","message":{"thread_ts":"1600000000.000100"}}`)}
	m := templates.Message{Text: "words", Blocks: []slack.Block{slack.NewDividerBlock()}, Attachments: []slack.Attachment{{Color: "#112233"}}}
	got, err := overTCP(t, a).Post(t.Context(), "C1", "1600000000.000100", m, cardStamp)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Posted{Channel: "C1ID", TS: "1700000000.000100", ThreadTS: "1600000000.000100"}); got != want {
		t.Errorf("Post = %+v, want %+v", got, want)
	}
	call := a.all()[0]
	if call.method != "chat.postMessage" || call.auth != "Bearer xoxb-test" {
		t.Errorf("called %s with %q", call.method, call.auth)
	}
	want := map[string]any{
		"channel": "C1", "thread_ts": "1600000000.000100", "text": "words", "parse": "none",
		"unfurl_links": false, "unfurl_media": false,
		"blocks": []any{map[string]any{"type": "divider"}},
		"metadata": map[string]any{"event_type": "flagstop_card", "event_payload": map[string]any{
			"prefix": "fs", "stop": "s1", "place": "own", "attempt": "a1", "part": 2.0, "rev": float64(1 << 40),
		}},
	}
	if diff := cmp.Diff(want, without(call.args, "attachments")); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if n := len(call.args["attachments"].([]any)); n != 1 {
		t.Errorf("%d attachments were sent, want 1", n)
	}
}

func TestAReplyWhoseParentIsGoneSaysSo(t *testing.T) {
	a := &api{answer: says(okPosted)}
	got, err := overTCP(t, a).Post(t.Context(), "C1", "1600000000.000100", hello(), Stamp{})
	if err != nil || got.ThreadTS != "" {
		t.Errorf("Post = %+v, %v, want no thread", got, err)
	}
}

func TestUpdateAlwaysSendsTextBlocksAndAttachments(t *testing.T) {
	a := &api{answer: says(`{"ok":true}`)}
	if err := overTCP(t, a).Update(t.Context(), "C1", "1.2", hello(), Stamp{Prefix: "fs"}); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"channel": "C1", "ts": "1.2", "text": "hello", "blocks": []any{}, "attachments": []any{}, "parse": "none"}
	got := a.all()[0].args
	if diff := cmp.Diff(want, without(got, "metadata")); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if got["metadata"] == nil {
		t.Error("the stamp was not sent")
	}
}

func TestDeletingWhatIsGoneIsNoError(t *testing.T) {
	a := &api{answer: says(`{"ok":false,"error":"message_not_found"}`)}
	s := overTCP(t, a)
	if err := s.Delete(t.Context(), "C1", "1.2"); err != nil {
		t.Error(err)
	}
	a.answer = says(`{"ok":false,"error":"cant_delete_message"}`)
	if err := s.Delete(t.Context(), "C1", "1.2"); err == nil {
		t.Error("deleting another's message succeeded")
	}
}

func TestIdentifyAsksOnceAndWantsABot(t *testing.T) {
	a := &api{answer: says(`{"ok":true,"team_id":"T1","user_id":"U1","bot_id":"B1"}`)}
	s := overTCP(t, a)
	for range 3 {
		me, err := s.Identify(t.Context())
		if want := (Identity{Team: "T1", BotUser: "U1", BotID: "B1"}); err != nil || me != want {
			t.Fatalf("Identify = %+v, %v, want %+v", me, err, want)
		}
	}
	if n := len(a.all()); n != 1 {
		t.Errorf("auth.test was asked %d times", n)
	}
	a.answer = says(`{"ok":true,"team_id":"T1","user_id":"U1"}`)
	_, err := overTCP(t, a).Identify(t.Context())
	if failed := asFailed(t, err); failed.Class != ClassAuth {
		t.Errorf("a user's token gives %v, want class auth", failed)
	}
}

func TestViewsGroupsAndLinks(t *testing.T) {
	a := &api{answer: func(w http.ResponseWriter, c gotCall) {
		_, _ = io.WriteString(w, map[string]string{
			"views.open":            `{"ok":true,"view":{"id":"V1"}}`,
			"views.update":          `{"ok":true}`,
			"usergroups.users.list": `{"ok":true,"users":["U1","U2"]}`,
			"chat.getPermalink":     `{"ok":true,"permalink":"https://x.slack.com/p1"}`,
		}[c.method])
	}}
	s := overTCP(t, a)
	if id, err := s.OpenView(t.Context(), "trigger", slack.ModalViewRequest{Type: slack.VTModal}); err != nil || id != "V1" {
		t.Errorf("OpenView = %q, %v", id, err)
	}
	if err := s.UpdateView(t.Context(), "V1", slack.ModalViewRequest{Type: slack.VTModal}); err != nil {
		t.Error(err)
	}
	if users, err := s.GroupUsers(t.Context(), "S1"); err != nil || !cmp.Equal(users, []string{"U1", "U2"}) {
		t.Errorf("GroupUsers = %q, %v", users, err)
	}
	if link, err := s.Permalink(t.Context(), "C1", "1.2"); err != nil || link != "https://x.slack.com/p1" {
		t.Errorf("Permalink = %q, %v", link, err)
	}
	calls := a.all()
	if calls[0].args["trigger_id"] != "trigger" || calls[1].args["view_id"] != "V1" || calls[2].args["usergroup"] != "S1" || calls[3].args["message_ts"] != "1.2" {
		t.Errorf("arguments = %v", calls)
	}
}

func TestAUsedTriggerAsksThePersonToPressAgain(t *testing.T) {
	a := &api{answer: says(`{"ok":false,"error":"exchanged_trigger_id"}`)}
	_, err := overTCP(t, a).OpenView(t.Context(), "trigger", slack.ModalViewRequest{})
	if failed := asFailed(t, err); failed.Class != ClassTrigger {
		t.Errorf("error = %v, want class trigger", failed)
	}
}

func TestWhisperCountsAnAmbiguousFailureAsTold(t *testing.T) {
	a := &api{answer: abort}
	s := overTCP(t, a)
	if err := s.Whisper(t.Context(), "C1", "1.2", "U1", hello()); err != nil {
		t.Error(err)
	}
	a.mu.Lock()
	a.answer = says(`{"ok":false,"error":"user_not_in_channel"}`)
	a.mu.Unlock()
	failed := asFailed(t, s.Whisper(t.Context(), "C1", "", "U1", hello()))
	if failed.Class != ClassDestination || failed.Code != "user_not_in_channel" {
		t.Errorf("error = %v, want user_not_in_channel of class destination", failed)
	}
	want := map[string]any{"channel": "C1", "thread_ts": "1.2", "user": "U1", "text": "hello", "parse": "none"}
	if diff := cmp.Diff(want, a.all()[0].args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestALimitedWhisperIsToldLater(t *testing.T) {
	a := &api{answer: limitOnce("chat.postEphemeral", "3")}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		if err := s.Whisper(t.Context(), "C1", "", "U1", hello()); err != nil {
			t.Error(err)
		}
		if calls := a.all(); len(calls) != 2 || calls[1].at.Sub(calls[0].at).Seconds() != 3 {
			t.Errorf("calls = %v, want a second after 3 s", calls)
		}
	})
}

func TestRespondReadsWhatResponseURLsAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		class  Class
	}{
		{"word", 200, "ok", ""},
		{"nothing", 200, "", ""},
		{"JSON", 200, `{"ok":true}`, ""},
		{"used up", 200, `{"ok":false,"error":"used_url"}`, ClassDestination},
		{"expired", 404, `{"ok":false,"error":"expired_url"}`, ClassDestination},
		{"expired without a word", 404, "", ClassDestination},
		{"bad blocks", 400, "invalid_blocks", ClassContent},
		{"away counts as told", 503, "", ""},
		{"a page counts as told", 200, "<html>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var auth string
			var args map[string]any
			a := &api{answer: func(w http.ResponseWriter, got gotCall) {
				auth, args = got.auth, got.args
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}}
			server := httptest.NewServer(a)
			defer server.Close()
			s := NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: server.URL + "/api/"})
			err := s.Respond(t.Context(), server.URL+"/actions/T1/secret", hello())
			if got := classOf(err); got != c.class {
				t.Errorf("Respond = %v, want class %q", err, c.class)
			}
			want := map[string]any{"response_type": "ephemeral", "replace_original": false, "text": "hello", "parse": "none"}
			if diff := cmp.Diff(want, args); diff != "" || auth != "" {
				t.Errorf("Authorization %q, arguments (-want +got):\n%s", auth, diff)
			}
		})
	}
}

func classOf(err error) Class {
	for _, class := range []Class{ClassRetry, ClassAmbiguous, ClassContent, ClassDestination, ClassAuth, ClassTrigger} {
		if hasClass(err, class) {
			return class
		}
	}
	return ""
}

func TestRespondGoesNowhereInThePlain(t *testing.T) {
	s := NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: "http://slack.internal:8080/api/"})
	for _, u := range []string{
		"", "hooks.slack.com/actions/1", "http://hooks.slack.com/actions/1", "ftp://hooks.slack.com/1", "file:///etc/passwd",
		"javascript:alert(1)", "https://", "https://a:b@hooks.slack.com/1", "http://slack.internal/1", "http://10.0.0.1/1", "https://%zz",
	} {
		if s.mayRespond(u) {
			t.Errorf("mayRespond(%q) = true", u)
		}
		if got := classOf(s.Respond(t.Context(), u, hello())); got != ClassDestination {
			t.Errorf("Respond(%q) has class %q", u, got)
		}
	}
	for _, u := range []string{"http://127.0.0.1:6379/", "http://localhost/1", "http://[::1]:9/1", "http://slack.com/1"} {
		if NewSlack(SlackOptions{BotToken: "xoxb-test"}).mayRespond(u) {
			t.Errorf("with Slack's own API mayRespond(%q) = true", u)
		}
	}
	for _, u := range []string{
		"https://hooks.slack.com/actions/1", "http://127.0.0.1:9/response/1", "http://localhost/1", "http://[::1]:9/1", "http://slack.internal:8080/response/1",
	} {
		if !s.mayRespond(u) {
			t.Errorf("mayRespond(%q) = false", u)
		}
	}
}
