package bot

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Class is what to do about an error of a Slack method.
type Class string

// The classes of errors.
const (
	ClassRetry       Class = "retry"       // definitely not done: wait, then the same again
	ClassAmbiguous   Class = "ambiguous"   // find out whether it happened
	ClassContent     Class = "content"     // give up on this content and send the plain form
	ClassDestination Class = "destination" // wrong destination: fall back
	ClassAuth        Class = "auth"        // wrong credentials: stop calling, tell the operator
	ClassTrigger     Class = "trigger"     // the trigger of a view is used up: the person has to press again
)

// advice says what to do about an error of the class.
func (c Class) advice() string {
	switch c {
	case ClassRetry:
		return "it was not done, try again"
	case ClassAmbiguous:
		return "it may have happened, look before trying again"
	case ClassContent:
		return "Slack does not take this content, send the plain form"
	case ClassDestination:
		return "check that the channel, user or group exists and that the bot may post there"
	case ClassAuth:
		return "check the token and the scopes of the app"
	case ClassTrigger:
		return "the person has to press again"
	default:
		return "unknown class " + string(c)
	}
}

// SlackError is a failed call of a Slack method.
type SlackError struct {
	Method string
	Code   string // Slack's error name, "" where there was none
	Class  Class
	After  time.Duration // how long to wait at least before the next try, 0 where Slack did not say
	Err    error         // holds no secret; may be nil
}

// Error says which method failed, why, and what to do.
func (e *SlackError) Error() string {
	var b strings.Builder
	b.WriteString("slack " + e.Method)
	if e.Code != "" {
		b.WriteString(": " + e.Code)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.After > 0 {
		fmt.Fprintf(&b, " (wait %v)", e.After)
	}
	return b.String() + ": " + e.Class.advice()
}

// Unwrap returns what went wrong underneath.
func (e *SlackError) Unwrap() error { return e.Err }

// classOfStatus is the class of an HTTP answer that names no error of Slack's.
func classOfStatus(status int) Class {
	switch status {
	case http.StatusTooManyRequests:
		return ClassRetry
	case http.StatusUnauthorized, http.StatusForbidden:
		return ClassAuth
	case http.StatusRequestEntityTooLarge:
		return ClassContent
	default:
		return ClassAmbiguous
	}
}

// classOfCode is the class of one of Slack's error names. The lists of errors are open-ended, so a name that is not known
// is ambiguous, as are internal_error, fatal_error and update_failed: Slack documents that some of it may have happened.
func classOfCode(code string) Class {
	switch {
	case retryCode(code):
		return ClassRetry
	case contentCode(code):
		return ClassContent
	case destinationCode(code):
		return ClassDestination
	case authCode(code):
		return ClassAuth
	case triggerCode(code):
		return ClassTrigger
	default:
		return ClassAmbiguous
	}
}

func retryCode(code string) bool {
	switch code {
	case "ratelimited", "rate_limited", "rate_limit_exceeded", "team_added_to_org", "org_login_required",
		quotaCode, "hash_conflict":
		return true
	}
	return false
}

// quotaCode is the free plan's quota of messages: waiting helps, but not soon.
const quotaCode = "message_limit_exceeded"

func contentCode(code string) bool {
	switch code {
	case "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "msg_too_large", "no_text",
		"invalid_attachments", "too_many_attachments", "attachment_payload_limit_exceeded", "invalid_arguments",
		"invalid_arg_name", "metadata_too_large", "markdown_text_conflict", "view_too_large", "block_mismatch",
		"invalid_json", "json_not_object", "invalid_array_arg", "invalid_charset", "metadata_must_be_sent_from_app":
		return true
	}
	return strings.HasPrefix(code, "invalid_metadata_")
}

func destinationCode(code string) bool {
	switch code {
	case "channel_not_found", "not_in_channel", "is_archived", "is_inactive", "cannot_reply_to_message",
		"messages_tab_disabled", "user_not_in_channel", "user_not_found", "cant_update_message", "cant_delete_message",
		"message_not_found", "thread_not_found", "edit_window_closed", "ekm_access_denied", "team_not_found",
		"channel_is_limited_access", "not_enabled", "no_such_subteam", "plan_upgrade_required", "permission_denied",
		"expired_url", "used_url", "no_service":
		return true
	}
	return strings.HasPrefix(code, "restricted_action") || strings.HasPrefix(code, "slack_connect_")
}

func authCode(code string) bool {
	switch code {
	case "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "missing_scope",
		"no_permission", "not_allowed_token_type", "access_denied", "accesslimited", "team_access_not_granted",
		"two_factor_setup_required", "enterprise_is_restricted", "method_deprecated", "deprecated_endpoint",
		"forbidden_team", "app_not_found":
		return true
	}
	return false
}

func triggerCode(code string) bool {
	switch code {
	case "expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id", "trigger_expired", "trigger_exchanged",
		"push_limit_reached", "not_found":
		return true
	}
	return false
}
