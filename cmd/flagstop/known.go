package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flagstop/bot"
	"flagstop/routing"
)

// unknownToSlack are the people and user groups of a configuration whom Slack does not know, as warnings. Nothing is said
// where the environment has no token.
func unknownToSlack(ctx context.Context, io stdio, c routing.Config) ([]fault, error) {
	e, err := readEnvironment()
	if err != nil || e.BotToken == "" {
		return nil, err
	}
	log, err := e.logger(io)
	if err != nil {
		return nil, err
	}
	slack := bot.NewSlack(bot.SlackOptions{BotToken: string(e.BotToken), APIURL: e.SlackAPIURL, HTTPClient: httpClient(), Log: log})
	var found []fault
	for _, entry := range everybody(c) {
		said, err := strange(ctx, slack, entry)
		if err != nil {
			return nil, fmt.Errorf("ask Slack for %s: %w", entry, err)
		}
		if said != "" {
			found = append(found, fault{Code: "unknown-to-slack", Message: entry + " " + said})
		}
	}
	return found, nil
}

// everybody are the people ("U…") and user groups ("@S…") that a configuration names, each once.
func everybody(c routing.Config) []string {
	all := map[string]bool{}
	add := func(entries ...string) {
		for _, entry := range entries {
			if !strings.Contains(entry, ":") {
				all[entry] = true
			}
		}
	}
	for _, role := range c.Roles {
		add(role.Answerers...)
		add(role.Fallback...)
		if role.UserGroup != "" {
			add("@" + role.UserGroup)
		}
	}
	for _, roster := range c.Rotations {
		for _, v := range roster.Versions {
			add(v.Participants...)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// strange says what is wrong with somebody, as Slack has it; "" nothing.
func strange(ctx context.Context, slack *bot.Slack, entry string) (string, error) {
	if group, ok := strings.CutPrefix(entry, "@"); ok {
		users, err := slack.GroupUsers(ctx, group)
		switch {
		case isSlack(err, "no_such_subteam"):
			return "is no user group that Slack knows", nil
		case err == nil && len(users) == 0:
			return "is a user group of nobody", nil
		}
		return "", err
	}
	info, err := slack.UserInfo(ctx, entry)
	switch {
	case isSlack(err, "user_not_found"), isSlack(err, "user_not_visible"):
		return "is nobody whom Slack knows", nil
	case err == nil && info.Deleted:
		return "is deactivated in Slack", nil
	}
	return "", err
}

func isSlack(err error, code string) bool {
	failed, ok := errors.AsType[*bot.SlackError](err)
	return ok && failed.Code == code
}
