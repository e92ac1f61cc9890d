package main

import (
	"context"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// scopes are the bot's: posting, finding its own posts again, user groups, who is in a channel, and a word to one person.
func scopes() []string {
	return []string{
		"chat:write", "chat:write.public", "commands", "channels:read", "groups:read", "channels:history", "groups:history",
		"users:read", "usergroups:read", "usergroups:write", "im:write",
	}
}

// manifest prints the manifest of the Slack app: for Socket Mode, or with --http for signed delivery to a URL.
func manifest(_ context.Context, io stdio, args []string) error {
	f := flags(io, "manifest")
	base := f.String("http", "", "the bot's public https URL: deliver over HTTP in the place of Socket Mode")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	if *base != "" {
		u, err := url.Parse(*base)
		if err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
			return usageError("--http takes an https URL such as https://flagstop.example.com")
		}
	}
	enc := yaml.NewEncoder(io.out)
	enc.SetIndent(2)
	if err := enc.Encode(appManifest(strings.TrimSuffix(*base, "/"))); err != nil {
		return err
	}
	return enc.Close()
}

type object = map[string]any

// appManifest follows Slack's manifest schema, major version 2. base is "" for Socket Mode.
func appManifest(base string) object {
	commands := []object{
		{"command": "/stops", "description": "The stops that wait for you", "usage_hint": "[list ROLE | show ID | take ID | help]", "should_escape": true},
		{"command": "/oncall", "description": "Who is on call, and who is next", "usage_hint": "[next | override | help]", "should_escape": true},
	}
	events := object{"bot_events": []string{
		"app_home_opened", "app_uninstalled", "channel_archive", "channel_deleted", "group_archive", "group_deleted", "member_left_channel",
		"message.channels", "message.groups", "tokens_revoked",
	}}
	interactivity := object{"is_enabled": true}
	if base != "" {
		for _, c := range commands {
			c["url"] = base + "/slack/commands"
		}
		events["request_url"] = base + "/slack/events"
		interactivity["request_url"] = base + "/slack/interactions"
	}
	return object{
		"_metadata": object{"major_version": 2},
		"display_information": object{
			"name": "Flagstop", "description": "Answers the stops of agent loops", "background_color": "#245AA6",
		},
		"features": object{
			"app_home": object{
				"home_tab_enabled": true, "messages_tab_enabled": true, "messages_tab_read_only_enabled": true,
			},
			"bot_user":       object{"display_name": "flagstop", "always_online": true},
			"slash_commands": commands,
		},
		"oauth_config": object{"scopes": object{"bot": scopes()}},
		"settings": object{
			"event_subscriptions": events, "interactivity": interactivity, "org_deploy_enabled": false,
			"socket_mode_enabled": base == "", "token_rotation_enabled": false,
		},
	}
}
