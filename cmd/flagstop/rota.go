package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"flagstop/internal/rosters"
	"flagstop/routing"
)

// rotaFlags are of the commands that change who is on call.
type rotaFlags struct {
	in, out, from, until *string
	asJSON               *bool
}

// changeRota overrides, swaps or clears shifts of a rotation, or prints what was changed.
func changeRota(ctx context.Context, io stdio, verb string, args []string) error {
	f := pflag.NewFlagSet("flagstop oncall "+verb, pflag.ContinueOnError)
	f.SetOutput(io.out)
	x := rotaFlags{
		in: f.String("in", "", "override: who comes, a Slack user id"), out: f.String("out", "", "override: who goes"),
		from:   f.String("from", "", "override: from then on, such as 2026-12-24T09:00 in the rotation's zone; now without it"),
		until:  f.String("until", "", "override: until then, or for so long, such as 4h"),
		asJSON: f.Bool("json", false, "print what was noted as JSON"),
	}
	words := map[string]int{"override": 1, "swap": 3, "clear": 2, "log": 1}[verb]
	if err := parse(f, args, words, words); err != nil {
		return err
	}
	r, err := openRota(ctx, io, f.Arg(0), verb != "log")
	if err != nil {
		return err
	}
	defer r.close()
	if verb == "log" {
		return r.printLog(ctx, io, *x.asJSON)
	}
	c, err := r.change(ctx, verb, x, f.Args()[1:])
	if err != nil {
		return err
	}
	return r.printChange(ctx, io, c, *x.asJSON)
}

// rotationCall is a rotation that somebody looks at or changes.
type rotationCall struct {
	name  string
	s     *settings
	store *rosters.Store
	close func()
	by    string
	now   time.Time
}

func openRota(ctx context.Context, io stdio, name string, toChange bool) (*rotationCall, error) {
	e, err := readEnvironment()
	if err != nil {
		return nil, err
	}
	log, err := e.logger(io)
	if err != nil {
		return nil, err
	}
	s, err := e.loadSettings(ctx, log)
	if err != nil {
		return nil, err
	}
	if _, ok := s.config().Rotations[name]; !ok {
		return nil, usageError("there is no rotation %q; there are %s", name, orDefault(strings.Join(rotationNames(s.config()), ", "), "none"))
	}
	rdb, err := dialRedis(ctx, e)
	if err != nil {
		return nil, err
	}
	r := &rotationCall{name: name, s: s, store: rosters.New(rdb, e.Prefix), by: cliIdentity(), now: time.Now(), close: func() { _ = rdb.Close() }}
	if err := s.useRosters(ctx, r.store); err != nil {
		r.close()
		return nil, err
	}
	if d := routing.MayChange(s.config(), name, routing.Answerer{ID: r.by}, r.now); toChange && !d.OK {
		r.close()
		return nil, fmt.Errorf("not changed: %s You are %s here", d.Reason, r.by)
	}
	return r, nil
}

func (r *rotationCall) roster() routing.Roster { return r.s.config().Rotations[r.name] }

// change notes what a command says.
func (r *rotationCall) change(ctx context.Context, verb string, x rotaFlags, words []string) (rosters.Change, error) {
	switch verb {
	case "clear":
		return r.store.Clear(ctx, r.name, words[0], r.by)
	case "swap":
		a, errA := routing.ParseDate(words[0])
		b, errB := routing.ParseDate(words[1])
		if err := errors.Join(errA, errB); err != nil {
			return rosters.Change{}, usageError("%w", err)
		}
		if err := r.roster().CheckSwap(routing.Swap{A: a, B: b}, r.now); err != nil {
			return rosters.Change{}, fmt.Errorf("not swapped: %w", err)
		}
		return r.store.Add(ctx, r.name, rosters.Change{By: r.by, A: a.String(), B: b.String()})
	}
	o, err := r.override(x)
	if err != nil {
		return rosters.Change{}, err
	}
	return r.store.Add(ctx, r.name, rosters.Change{By: r.by, Out: o.Out, In: o.In, From: o.From, Until: o.Until})
}

func (r *rotationCall) override(x rotaFlags) (routing.Override, error) {
	o := routing.Override{Out: *x.out, In: *x.in, From: r.now.UTC().Truncate(time.Second)}
	zone := r.s.config().Zone(r.name)
	if *x.from != "" {
		at, err := routing.ParseMoment(*x.from, zone)
		if err != nil {
			return o, usageError("--from: %w", err)
		}
		o.From = at.UTC()
	}
	d, err := routing.ParseDuration(*x.until)
	if o.Until = o.From.Add(d); err != nil {
		at, err := routing.ParseMoment(*x.until, zone)
		if err != nil {
			return o, usageError("--until: %w, and no duration such as 4h", err)
		}
		o.Until = at.UTC()
	}
	if err := o.Check(r.now); err != nil {
		return o, fmt.Errorf("not changed: %w", err)
	}
	return o, nil
}

// printChange prints what was noted, and who is on call next with it.
func (r *rotationCall) printChange(ctx context.Context, io stdio, c rosters.Change, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(c)
	}
	if err := r.s.refresh(ctx); err != nil {
		return err
	}
	var b strings.Builder
	zone := r.s.config().Zone(r.name)
	fmt.Fprintf(&b, "%s %s\n", c.ID, r.say(c))
	team := routing.Team{Rosters: []routing.Roster{r.roster()}}
	fmt.Fprintf(&b, "%s: %s\n", r.name, sayDuty(routing.OnCall(team, r.now), zone))
	gap := false
	for _, t := range coming(team, r.now, 3) {
		fmt.Fprintf(&b, "  %s  %s\n", clockIn(t.At, zone), sayUsers(t.Users))
		gap = gap || len(t.Users) == 0 && c.In == "" && c.Out != ""
	}
	if gap {
		b.WriteString("nobody is on call at some of these times; the fallback of the role, if there is one, stands in\n")
	}
	_, err := fmt.Fprint(io.out, b.String())
	return err
}

// say says a change in words.
func (r *rotationCall) say(c rosters.Change) string {
	zone := r.s.config().Zone(r.name)
	span := fmt.Sprintf("from %s until %s", clockIn(c.From, zone), clockIn(c.Until, zone))
	switch {
	case c.Clears != "":
		return "clears " + c.Clears
	case c.A != "":
		return fmt.Sprintf("swaps the shifts that begin on %s and %s", c.A, c.B)
	case c.Out == "":
		return c.In + " is on call in addition, " + span
	case c.In == "":
		return c.Out + " is not on call, " + span
	}
	return fmt.Sprintf("%s is on call in the place of %s, %s", c.In, c.Out, span)
}

// printLog prints everything that was ever changed, oldest first.
func (r *rotationCall) printLog(ctx context.Context, io stdio, asJSON bool) error {
	all, err := r.store.Changes(ctx, r.name)
	if err != nil {
		return err
	}
	counts := map[string]bool{}
	for _, c := range rosters.Counting(all) {
		counts[c.ID] = true
	}
	for _, c := range all {
		if asJSON {
			err = json.NewEncoder(io.out).Encode(c)
		} else {
			mark := map[bool]string{true: " ", false: "x"}[counts[c.ID] || c.Clears != ""]
			_, err = fmt.Fprintf(io.out, "%s %s  %s  %s  by %s\n", mark, c.ID, c.Made.Format(time.RFC3339), r.say(c), plain(c.By))
		}
		if err != nil {
			return err
		}
	}
	if len(all) == 0 && !asJSON {
		_, err = fmt.Fprintln(io.out, "nothing was changed")
	}
	return err
}
