package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// explained is where a stop goes and why, who may answer and why, and what happens if nobody does.
type explained struct {
	ID         string         `json:"id"`
	At         time.Time      `json:"at"`
	Addressee  string         `json:"addressee"`
	Holder     string         `json:"holder"`
	Repository string         `json:"repository"`
	Channel    string         `json:"channel"`
	ChannelWhy string         `json:"channel_why"`
	Fallback   string         `json:"fallback_channel,omitempty"`
	Answerers  []explainedWho `json:"answerers"`
	OnCall     []string       `json:"on_call,omitempty"` // in words, for each role with a rotation
	Otherwise  string         `json:"otherwise"`
	Ahead      []happening    `json:"ahead,omitempty"` // what happens if nobody does, one after another
	Expires    time.Time      `json:"expires,omitzero"`
}

// explainedWho is one who may answer as a role, or who answers as it but may not answer this.
type explainedWho struct {
	Role string `json:"role"`
	Who  string `json:"who"`
	For  string `json:"for,omitempty"`
	May  bool   `json:"may"`
	Why  string `json:"why"`
}

// explain says what the configuration makes of a stop.
func explain(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "explain")
	when := f.String("at", "", "at this time, such as 2026-12-24T09:00:00+01:00; now without it")
	asJSON := f.Bool("json", false, "as one JSON object")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	at, err := instant(*when)
	if err != nil {
		return err
	}
	b, err := configured(ctx, io)
	if err != nil {
		return err
	}
	c := b.Config
	s, err := stopOrFile(ctx, io, f.Arg(0), loops.CheckOptions{Now: at, Roles: roleNames(c)})
	if err != nil {
		return err
	}
	x := explainStop(b, s, at)
	if *asJSON {
		return json.NewEncoder(io.out).Encode(x)
	}
	return printExplained(io, x)
}

// stopOrFile reads a stop by its id, or a record from a file as if it had just been raised. No id has a dot or a slash.
func stopOrFile(ctx context.Context, io stdio, word string, o loops.CheckOptions) (ledger.Stop, error) {
	if word != "-" && !strings.ContainsAny(word, "./") {
		return readStop(ctx, word)
	}
	b, err := readInput(io, word)
	if err != nil {
		return ledger.Stop{}, err
	}
	r, faults := loops.Check(b, o)
	if len(faults) > 0 {
		return ledger.Stop{}, fmt.Errorf("%s would be refused: %s (flagstop check names all faults)", word, faults[0].Message)
	}
	return ledger.Stop{ID: r.ID, Record: r, State: ledger.State{Phase: ledger.Open, Holder: r.Addressee}}, nil
}

func explainStop(b escalation.Book, s ledger.Stop, at time.Time) explained {
	r, c := s.Record, b.Config
	x := explained{
		ID: s.ID, At: at.UTC(), Addressee: r.Addressee, Holder: s.State.Holder, Repository: r.Loop.Repository,
		Channel: routing.Channel(c, r.Addressee, r.Loop.Repository), ChannelWhy: whyThere(c, r), Fallback: c.FallbackChannel,
		Answerers: whoMay(c, s, at), Expires: r.Expires.UTC(),
	}
	x.Otherwise, x.Ahead = otherwise(s, b.Policy(r)), ahead(b, s, at)
	for _, role := range rolesOf(s) {
		if rotation := c.Roles[role].Rotation; rotation != "" {
			x.OnCall = append(x.OnCall, role+": "+sayDuty(routing.OnCall(c.Team(role), at), c.Zone(rotation)))
		}
	}
	return x
}

func whyThere(c routing.Config, r *loops.Record) string {
	entry := c.Repository(r.Loop.Repository)
	switch {
	case entry.Channels[r.Addressee] != "":
		return fmt.Sprintf("the repositories %q have it for %s", entry.Pattern, r.Addressee)
	case entry.Pattern != "":
		return fmt.Sprintf("the channel of %s; the repositories %q have none of their own for it", r.Addressee, entry.Pattern)
	}
	return fmt.Sprintf("the channel of %s; no pattern matches the repository", r.Addressee)
}

// otherwise says what happens when nobody answers.
func otherwise(s ledger.Stop, p escalation.Policy) string {
	switch {
	case s.State.Phase != ledger.Open:
		return "it is " + string(s.State.Phase) + " already"
	case !p.None() && s.Record.Expires.IsZero():
		return "what its repository asks for happens; in between, and after that, it waits"
	case s.Record.Expires.IsZero():
		return "it waits until somebody answers or the loop withdraws it: no timer exists"
	}
	return "it expires at " + s.Record.Expires.UTC().Format(time.RFC3339) + ", as its asker wants: nobody decided, and the loop is told so"
}

// whoMay is everybody who answers as a role whose stop it is, or for such a role, each asked as on a click.
func whoMay(c routing.Config, s ledger.Stop, at time.Time) []explainedWho {
	asked := askedOf(s, hardest(s.Record), at)
	var all []explainedWho
	for _, role := range rolesOf(s) {
		all = append(all, as(c, asked, role, "")...)
		for _, relay := range roleNames(c) {
			if slices.Contains(c.Roles[relay].RelaysFor, role) {
				all = append(all, as(c, asked, relay, role)...)
			}
		}
	}
	return all
}

// rolesOf are the roles whose stop it is.
func rolesOf(s ledger.Stop) []string {
	return slices.Compact([]string{s.Record.Addressee, s.State.Holder})
}

// hardest is the question that the fewest may answer: the first with a call, or the first.
func hardest(r *loops.Record) loops.Question {
	for _, q := range r.Questions {
		if q.Call != nil {
			return q
		}
	}
	return r.Questions[0]
}

// askedOf is what routing needs to know of a question.
func askedOf(s ledger.Stop, q loops.Question, at time.Time) routing.Asked {
	return routing.Asked{
		Addressee: s.Record.Addressee, Holder: s.State.Holder, Fact: s.Record.Kind == loops.Fact, URL: q.URL != "",
		Owner: s.Record.Loop.Owner, Call: q.Call != nil, Repository: s.Record.Loop.Repository, At: at,
	}
}

// as asks for each answerer of a role; behalf is the role that it would speak for.
func as(c routing.Config, asked routing.Asked, role, behalf string) []explainedWho {
	var all []explainedWho
	why := reasons(c, role, asked.At)
	for _, entry := range c.Answerers(role, asked.At) {
		x := explainedWho{Role: role, Who: entry, For: behalf, Why: why[entry]}
		d := may(c, asked, answererOf(entry), behalf)
		if x.May = d.OK; !d.OK {
			x.Why = d.Reason
		}
		all = append(all, x)
	}
	for name, m := range c.Machines {
		if !slices.Contains(m.MayAnswerAs, role) {
			continue
		}
		x := explainedWho{Role: role, Who: "machine:" + name, For: behalf, Why: "a machine of the configuration"}
		d := may(c, asked, routing.Answerer{ID: x.Who}, behalf)
		if x.May = d.OK; !d.OK {
			x.Why = d.Reason
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b explainedWho) int { return strings.Compare(a.Who, b.Who) })
	return all
}

func may(c routing.Config, asked routing.Asked, who routing.Answerer, behalf string) routing.Decision {
	if behalf != "" {
		return routing.MayFor(c, asked, who, behalf)
	}
	return routing.May(c, asked, who)
}

// answererOf is somebody whom an entry of answerers stands for: of a group, any member who is not named otherwise.
func answererOf(entry string) routing.Answerer {
	switch {
	case strings.HasPrefix(entry, "cli:"):
		return routing.Answerer{ID: entry}
	case strings.HasPrefix(entry, "@"):
		return routing.Answerer{ID: "slack:/anybody", Groups: []string{entry[1:]}, Member: routing.FullMember}
	}
	return routing.Answerer{ID: "slack:/" + entry}
}

// reasons say why each answerer of a role is one.
func reasons(c routing.Config, role string, at time.Time) map[string]string {
	why := map[string]string{}
	for _, entry := range c.Roles[role].Answerers {
		why[entry] = "named"
		if strings.HasPrefix(entry, "@") {
			why[entry] = "everybody in that user group"
		}
	}
	d := routing.OnCall(c.Team(role), at)
	for _, user := range d.Users {
		why[user] = "on call, " + d.Why
	}
	return why
}

func printExplained(io stdio, x explained) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s asks %s, for %s", x.ID, x.Addressee, plain(x.Repository))
	if x.Holder != x.Addressee {
		fmt.Fprintf(&b, "; %s has it now", x.Holder)
	}
	fmt.Fprintf(&b, "\ngoes to %s: %s\n", x.Channel, plain(x.ChannelWhy))
	fmt.Fprintf(&b, "if that cannot be posted to: %s\n", orDefault(x.Fallback, "nowhere, there is no fallback_channel"))
	fmt.Fprintf(&b, "who may answer at %s:\n", x.At.Format(time.RFC3339))
	for _, w := range x.Answerers {
		fmt.Fprintf(&b, "  %s%s as %s%s: %s\n", map[bool]string{true: "", false: "not "}[w.May], w.Who, w.Role, forRole(w.For), w.Why)
	}
	if !slices.ContainsFunc(x.Answerers, func(w explainedWho) bool { return w.May }) {
		b.WriteString("  nobody\n")
	}
	for _, line := range x.OnCall {
		fmt.Fprintf(&b, "on call as %s\n", line)
	}
	fmt.Fprintf(&b, "if nobody does: %s\n", x.Otherwise)
	for _, h := range x.Ahead {
		fmt.Fprintf(&b, "  %s  %s\n", h.At.Format(time.RFC3339), h.What)
	}
	_, err := fmt.Fprint(io.out, b.String())
	return err
}

func forRole(role string) string {
	if role == "" {
		return ""
	}
	return " for " + role
}
