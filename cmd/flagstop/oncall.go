package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagstop/escalation"
	"flagstop/internal/rosters"
	"flagstop/routing"
)

// onCallOf is who is on call for a role, as printed. Times are in UTC.
type onCallOf struct {
	Role     string         `json:"role"`
	Rotation string         `json:"rotation"`
	At       time.Time      `json:"at"`
	Users    []string       `json:"users"`
	Source   routing.Source `json:"source"`
	Why      string         `json:"why"`
	Until    time.Time      `json:"until,omitzero"`
	Next     []string       `json:"next,omitempty"`
	NextFrom time.Time      `json:"next_from,omitzero"`
	Coming   []turn         `json:"coming,omitempty"`
}

// turn is who comes on call when, nobody included.
type turn struct {
	At    time.Time `json:"at"`
	Users []string  `json:"users"`
	Why   string    `json:"why"`
}

// mostTurns bounds --next.
const mostTurns = 1000

// oncall prints who is on call, until when, and who is next.
func oncall(ctx context.Context, io stdio, args []string) error {
	if len(args) > 0 && slices.Contains([]string{"override", "swap", "clear", "log"}, args[0]) {
		return changeRota(ctx, io, args[0], args[1:])
	}
	f := flags(io, "oncall")
	when := f.String("at", "", "at this time, such as 2026-12-24T09:00:00+01:00; now without it")
	next := f.Int("next", 0, "as many of the coming changes")
	asJSON := f.Bool("json", false, "one JSON object a role")
	if err := parse(f, args, 0, 1); err != nil {
		return err
	}
	at, err := instant(*when)
	if err != nil {
		return err
	}
	if *next < 0 || *next > mostTurns {
		return usageError("--next is from 0 to %d", mostTurns)
	}
	b, err := configured(ctx, io)
	if err != nil {
		return err
	}
	c := b.Config
	roles, err := rolesOnCall(c, f.Arg(0))
	if err != nil {
		return err
	}
	for _, role := range roles {
		if err := printOnCall(io, c, role, at, *next, *asJSON); err != nil {
			return err
		}
	}
	return nil
}

// instant reads --at.
func instant(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, usageError("--at is a time with its offset, such as 2026-12-24T09:00:00+01:00 or 2026-12-24T08:00:00Z")
	}
	return at, nil
}

// configured reads the configuration, as every command does that needs nothing else.
func configured(ctx context.Context, io stdio) (escalation.Book, error) {
	e, err := readEnvironment()
	if err != nil {
		return escalation.Book{}, err
	}
	log, err := e.logger(io)
	if err != nil {
		return escalation.Book{}, err
	}
	s, err := e.loadSettings(ctx, log)
	if err != nil || e.RedisURL == "" {
		return orEmpty(s), err
	}
	rdb, err := dialRedis(ctx, e)
	if err == nil {
		err = errors.Join(s.useRosters(ctx, rosters.New(rdb, e.Prefix)), rdb.Close())
	}
	if err != nil {
		_, _ = fmt.Fprintf(io.err, "flagstop: only the file counts here, without overrides and swaps: %v\n", err)
	}
	return s.Book(), nil
}

func orEmpty(s *settings) escalation.Book {
	if s == nil {
		return escalation.Book{}
	}
	return s.Book()
}

// rolesOnCall are the role that was asked for, or all that have a rotation.
func rolesOnCall(c routing.Config, asked string) ([]string, error) {
	with := slices.DeleteFunc(roleNames(c), func(name string) bool { return c.Roles[name].Rotation == "" })
	switch {
	case asked == "" && len(with) == 0:
		return nil, errors.New("no role has a rotation (docs/operating.md says how to give it one)")
	case asked == "":
		return with, nil
	case slices.Contains(with, asked):
		return []string{asked}, nil
	case slices.Contains(roleNames(c), asked):
		return nil, fmt.Errorf("the role %s has no rotation; its answerers are %s", asked, orDefault(strings.Join(c.Roles[asked].Answerers, ", "), "nobody"))
	}
	return nil, fmt.Errorf("there is no role %q; the roles are %s", asked, strings.Join(roleNames(c), ", "))
}

func printOnCall(io stdio, c routing.Config, role string, at time.Time, next int, asJSON bool) error {
	team, zone := c.Team(role), c.Zone(c.Roles[role].Rotation)
	d := routing.OnCall(team, at)
	turns := coming(team, at, next)
	if asJSON {
		return json.NewEncoder(io.out).Encode(onCallOf{
			Role: role, Rotation: c.Roles[role].Rotation, At: at.UTC(), Users: orNone(d.Users), Source: d.Source, Why: d.Why,
			Until: d.Until.UTC(), Next: d.Next, NextFrom: d.NextFrom.UTC(), Coming: turns,
		})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n  %s\n", role, sayDuty(d, zone), d.Why)
	for _, t := range turns {
		fmt.Fprintf(&b, "  %s  %s\n", clockIn(t.At, zone), sayUsers(t.Users))
	}
	_, err := fmt.Fprint(io.out, b.String())
	return err
}

// coming are the next n changes.
func coming(team routing.Team, at time.Time, n int) []turn {
	var turns []turn
	for d := range routing.Duties(team, at) {
		if d.At.After(at) {
			turns = append(turns, turn{d.At.UTC(), orNone(d.Users), d.Why})
		}
		if len(turns) >= n {
			break
		}
	}
	return turns
}

// orNone makes [] of nobody in JSON.
func orNone(users []string) []string {
	if users == nil {
		return []string{}
	}
	return users
}

func sayUsers(users []string) string { return orDefault(strings.Join(users, ", "), "nobody") }

// sayDuty says who, until when, and who is next.
func sayDuty(d routing.Duty, zone *time.Location) string {
	s := sayUsers(d.Users)
	if d.Until.IsZero() {
		return s + ", without a change within a year"
	}
	s += " until " + clockIn(d.Until, zone)
	switch {
	case len(d.Next) == 0:
		return s + ", then nobody within a year"
	case d.NextFrom.Equal(d.Until):
		return s + ", then " + sayUsers(d.Next)
	}
	return s + ", then nobody until " + clockIn(d.NextFrom, zone) + ", then " + sayUsers(d.Next)
}

// clockIn is a time as the clocks of a zone show it; one format everywhere, with the zone.
func clockIn(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("Mon 2006-01-02 15:04 MST")
}
