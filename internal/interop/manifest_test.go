//go:build interop

package interop

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// appManifest has what the limits are of; what may stand in a manifest at all is for Slack's own type to say.
type appManifest struct {
	Display struct {
		Name        string `yaml:"name"`
		Description string `yaml:"description"`
		Color       string `yaml:"background_color"`
	} `yaml:"display_information"`
	Features struct {
		Bot struct {
			Name string `yaml:"display_name"`
		} `yaml:"bot_user"`
		Commands []struct {
			Command     string `yaml:"command"`
			Description string `yaml:"description"`
			Hint        string `yaml:"usage_hint"`
			URL         string `yaml:"url"`
		} `yaml:"slash_commands"`
	} `yaml:"features"`
	OAuth struct {
		Scopes struct {
			Bot []string `yaml:"bot"`
		} `yaml:"scopes"`
	} `yaml:"oauth_config"`
	Settings struct {
		Socket bool `yaml:"socket_mode_enabled"`
		Events struct {
			Bot []string `yaml:"bot_events"`
			URL string   `yaml:"request_url"`
		} `yaml:"event_subscriptions"`
		Interactivity struct {
			URL string `yaml:"request_url"`
		} `yaml:"interactivity"`
	} `yaml:"settings"`
}

// TestTheManifestKeepsSlacksLimits prints the app's manifest for both modes.
func TestTheManifestKeepsSlacksLimits(t *testing.T) {
	const at = "https://flagstop.example.com"
	for mode, args := range map[string][]string{"Socket Mode": {"manifest"}, "HTTP": {"manifest", "--http", at + "/"}} {
		t.Run(mode, func(t *testing.T) {
			text := strings.Join(flagstop(t, nil, args...).ends(), "\n")
			var m appManifest
			var whole object
			for _, into := range []any{&m, &whole} {
				if err := yaml.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			m.keepsLimits(t)
			urls := fmt.Sprint(m.Settings.Socket, m.Settings.Events.URL, m.Settings.Interactivity.URL, m.Features.Commands[0].URL)
			want := map[string]string{
				"Socket Mode": "true", "HTTP": fmt.Sprint(false, at+"/slack/events", at+"/slack/interactions", at+"/slack/commands"),
			}[mode]
			if urls != want {
				t.Errorf("delivers to %s, want %s", urls, want)
			}
			if err := compile(t, fmt.Sprintf("import type { AppsManifestValidateArguments as A } from '@slack/web-api';\n"+
				"(%s) satisfies Exclude<A['manifest'], string>;\n", encode(t, whole))); err != nil {
				t.Error(err)
			}
		})
	}
}

func (m appManifest) keepsLimits(t *testing.T) {
	t.Helper()
	length := func(what, s string, low, high int) {
		t.Helper()
		if n := utf8.RuneCountInString(s); n < low || n > high {
			t.Errorf("%s has %d characters, want %d to %d: %q", what, n, low, high, s)
		}
	}
	length("the name", m.Display.Name, 1, 35)
	length("the description", m.Display.Description, 1, 140)
	length("the bot's name", m.Features.Bot.Name, 1, 80)
	for _, c := range m.Features.Commands {
		length("a command", c.Command, 2, 32)
		length("a command's description", c.Description, 1, 2000)
		length("a command's hint", c.Hint, 0, 1000)
		if !strings.HasPrefix(c.Command, "/") {
			t.Errorf("the command is %q", c.Command)
		}
	}
	for what, n := range map[string][3]int{
		"commands": {len(m.Features.Commands), 1, 50}, "events": {len(m.Settings.Events.Bot), 1, 100}, "scopes": {len(m.OAuth.Scopes.Bot), 1, 255},
	} {
		if n[0] < n[1] || n[0] > n[2] {
			t.Errorf("%d %s, want %d to %d", n[0], what, n[1], n[2])
		}
	}
	if !regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`).MatchString(m.Display.Color) {
		t.Errorf("the colour is %q", m.Display.Color)
	}
}
