package bot

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Every name of reference table "what to do" is here, with the class that the table gives it.
func TestEveryCodeOfSlackIsInOneClass(t *testing.T) {
	for class, names := range map[Class]string{
		ClassRetry: `ratelimited rate_limited team_added_to_org org_login_required message_limit_exceeded hash_conflict`,
		ClassAmbiguous: `internal_error fatal_error service_unavailable request_timeout update_failed
			duplicate_message_not_found duplicate_channel_not_found something_slack_invents_tomorrow`,
		ClassContent: `invalid_blocks invalid_blocks_format msg_blocks_too_long msg_too_long msg_too_large no_text
			invalid_attachments too_many_attachments attachment_payload_limit_exceeded invalid_arguments invalid_arg_name
			invalid_metadata_format invalid_metadata_schema metadata_too_large markdown_text_conflict view_too_large`,
		ClassDestination: `channel_not_found not_in_channel is_archived is_inactive restricted_action
			restricted_action_read_only_channel restricted_action_thread_only_channel cannot_reply_to_message
			messages_tab_disabled user_not_in_channel cant_update_message message_not_found edit_window_closed
			ekm_access_denied slack_connect_file_link_sharing_blocked slack_connect_canvas_sharing_blocked team_not_found
			thread_not_found no_such_subteam plan_upgrade_required permission_denied not_enabled expired_url used_url`,
		ClassAuth: `invalid_auth not_authed account_inactive token_revoked token_expired missing_scope no_permission
			not_allowed_token_type access_denied accesslimited team_access_not_granted two_factor_setup_required
			enterprise_is_restricted method_deprecated deprecated_endpoint`,
		ClassTrigger: `expired_trigger_id exchanged_trigger_id invalid_trigger_id trigger_expired trigger_exchanged
			push_limit_reached not_found`,
	} {
		for code := range strings.FieldsSeq(names) {
			r := received{status: http.StatusOK, body: []byte(`{"ok":false,"error":"` + code + `"}`)}
			_, failed := readAnswer("chat.postMessage", r)
			if failed == nil || failed.Class != class || failed.Code != code {
				t.Errorf("readAnswer(%s) = %v, want class %s", code, failed, class)
			}
			if in := classesOf(code); len(in) > 1 {
				t.Errorf("%s is in the classes %v", code, in)
			}
		}
	}
}

// classesOf returns every class whose list has the code.
func classesOf(code string) []Class {
	var in []Class
	for class, has := range map[Class]func(string) bool{
		ClassRetry: retryCode, ClassContent: contentCode, ClassDestination: destinationCode, ClassAuth: authCode, ClassTrigger: triggerCode,
	} {
		if has(code) {
			in = append(in, class)
		}
	}
	return in
}

func TestAnAnswerIsASuccessOnlyWhenSlackSaysOK(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		class  Class // "" is success
	}{
		{"ok", 200, `{"ok":true}`, ""},
		{"ok with unexpected explanations", 200, `{"ok":true,"errors":{"a":[1]},"response_metadata":7}`, ""},
		{"neither ok nor error", 200, `{}`, ClassAmbiguous},
		{"not ok without an error", 200, `{"ok":false}`, ClassAmbiguous},
		{"not ok with an error that is none", 200, `{"ok":false,"error":"xoxb-12 leaks"}`, ClassAmbiguous},
		{"empty", 200, ``, ClassAmbiguous},
		{"HTML", 200, `<html>Slack is down</html>`, ClassAmbiguous},
		{"cut in the middle", 200, `{"ok":true,"ts":"17`, ClassAmbiguous},
		{"an array", 200, `[]`, ClassAmbiguous},
		{"null", 200, `null`, ClassAmbiguous},
		{"limited", 429, ``, ClassRetry},
		{"limited with an odd body", 429, `{"ok":true}`, ClassRetry},
		{"internal", 500, ``, ClassAmbiguous},
		{"internal with ok", 500, `{"ok":true}`, ClassAmbiguous},
		{"gateway", 502, `<html>`, ClassAmbiguous},
		{"away", 503, `{"ok":false,"error":"service_unavailable"}`, ClassAmbiguous},
		{"gateway timeout", 504, ``, ClassAmbiguous},
		{"a redirect", 302, ``, ClassAmbiguous},
		{"no such page", 404, ``, ClassAmbiguous},
		{"forbidden", 403, ``, ClassAuth},
		{"unauthorized", 401, `{"ok":false,"error":"invalid_auth"}`, ClassAuth},
		{"too large for the gateway", 413, ``, ClassContent},
	} {
		_, failed := readAnswer("chat.postMessage", received{status: c.status, body: []byte(c.body)})
		got := Class("")
		if failed != nil {
			got = failed.Class
		}
		if got != c.class {
			t.Errorf("%s: class = %q, want %q", c.name, got, c.class)
		}
	}
}

func TestRetryAfterIsReadInEveryForm(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header, member string
		want           time.Duration
	}{
		{"30", "", 30 * time.Second},
		{" 7 ", "", 7 * time.Second},
		{"1.5", "", 1500 * time.Millisecond},
		{"0", "", defaultRetry},
		{"-1", "", defaultRetry},
		{"NaN", "", defaultRetry},
		{"Inf", "", time.Hour},
		{"1e300", "", time.Hour},
		{"0.001", "", time.Second},
		{"86400", "", time.Hour},
		{"soon", "", defaultRetry},
		{"", "", defaultRetry},
		{"", "4", 4 * time.Second},
		{"2", "4", 2 * time.Second},
		{"", `{"a":1}`, defaultRetry},
		{now.Add(20 * time.Second).Format(http.TimeFormat), "", 20 * time.Second},
		{now.Add(-time.Minute).Format(http.TimeFormat), "", time.Second},
	} {
		h := http.Header{}
		if c.header != "" {
			h.Set("Retry-After", c.header)
		}
		if got := retryAfter(h, []byte(c.member), now); got != c.want {
			t.Errorf("retryAfter(%q, %q) = %v, want %v", c.header, c.member, got, c.want)
		}
	}
}

func TestAnErrorSaysWhatToDo(t *testing.T) {
	body := `{"ok":false,"error":"missing_scope","needed":"chat:write","provided":"commands"}`
	_, failed := readAnswer("chat.update", received{status: 200, body: []byte(body)})
	want := "slack chat.update: missing_scope: needs the scope chat:write: check the token and the scopes of the app"
	if failed.Error() != want {
		t.Errorf("Error() = %q, want %q", failed.Error(), want)
	}
}

func TestAContentErrorNamesThePlacesAndNotTheContent(t *testing.T) {
	body := `{"ok":false,"error":"invalid_blocks","errors":["secret words must be less than 3001 characters [json-pointer:/blocks/0/text/text]"],
		"response_metadata":{"messages":["[ERROR] secret words [json-pointer:/blocks/0/text/text]","[ERROR] [json-pointer:/blocks/2/elements/0]"]}}`
	_, failed := readAnswer("chat.postMessage", received{status: 200, body: []byte(body)})
	if got := failed.Error(); !strings.Contains(got, "at /blocks/0/text/text, /blocks/2/elements/0") || strings.Contains(got, "secret") {
		t.Errorf("Error() = %q, want both places once and no content", got)
	}
}

func FuzzClassify(f *testing.F) {
	f.Add(200, `{"ok":true}`, "")
	f.Add(200, `{"ok":false,"error":"invalid_blocks","errors":{"x":1}}`, "")
	f.Add(429, `{"retry_after":1}`, "1.5")
	f.Add(500, `<html>`, "Mon")
	f.Fuzz(func(t *testing.T, status int, body, retry string) {
		h := http.Header{}
		h.Set("Retry-After", retry)
		a, failed := readAnswer("chat.postMessage", received{status: status, header: h, body: []byte(body)})
		if failed == nil {
			if status != http.StatusOK || !a.OK {
				t.Fatalf("status %d, body %q is a success", status, body)
			}
			return
		}
		switch failed.Class {
		case ClassRetry, ClassAmbiguous, ClassContent, ClassDestination, ClassAuth, ClassTrigger:
		default:
			t.Fatalf("class = %q", failed.Class)
		}
		if failed.After < 0 || failed.After > longestRetry {
			t.Fatalf("After = %v", failed.After)
		}
		if limited(failed) && failed.After < time.Second {
			t.Fatalf("a limit of %v would be tried again at once", failed.After)
		}
		if failed.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}
