package main

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"flagstop/internal/standin"
)

func TestCheckNamesWhomSlackDoesNotKnow(t *testing.T) {
	slack := standin.New(standin.Options{
		BotToken: "xoxb-known", Users: []standin.User{{ID: "U0ANA", Name: "ana"}, {ID: "U0BOB", Name: "bob", Deleted: true}},
		Groups: []standin.Group{{ID: "S0FACIL", Handle: "facil", Users: []string{"U0ANA"}}, {ID: "S0EMPTY", Handle: "empty"}},
	})
	server := httptest.NewServer(slack)
	t.Cleanup(func() {
		slack.Close()
		server.Close()
	})
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, `roles:
  product-thinker: {channel: C0PRODUCT, answerers: [U0ANA, U0GONE]}
  facilitator: {channel: C0FACIL, answerers: [U0BOB, "@S0FACIL", "@S0GONE", "@S0EMPTY", "cli:bob@desk"]}
fallback_channel: C0OPS
`)
	t.Setenv("FLAGSTOP_CONFIG", "")
	if code, out, err := called(t, "", "check", path); code != exitDone || strings.Contains(out, "warning") {
		t.Errorf("without a token: %d, %s%s", code, out, err)
	}
	t.Setenv("FLAGSTOP_SLACK_BOT_TOKEN", "xoxb-known")
	t.Setenv("FLAGSTOP_SLACK_API_URL", server.URL+"/api/")
	code, out, err := called(t, "", "check", path)
	for _, want := range []string{"U0GONE is nobody whom Slack knows", "U0BOB is deactivated", "@S0GONE is no user group", "@S0EMPTY is a user group of nobody"} {
		if !strings.Contains(out, want) {
			t.Errorf("check = %d, %s%s; want %q", code, out, err, want)
		}
	}
	if code != exitDone || strings.Count(out, "warning") != 4 {
		t.Errorf("check = %d, %s; want four warnings", code, out)
	}
}
