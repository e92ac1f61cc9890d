package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// handling is a command that does with a stop what is no answer.
type handling struct {
	name  string
	words int // after the id
	flags func(*pflag.FlagSet)
	// command says what to do; its error says what is wrong with the words.
	command func(b escalation.Book, s ledger.Stop, by loops.By, words []string) (ledger.Command, error)
}

func (x handling) run(ctx context.Context, io stdio, args []string) error {
	f := flags(io, x.name)
	if x.flags != nil {
		x.flags(f)
	}
	asJSON := f.Bool("json", false, "print what came of it as JSON")
	if err := parse(f, args, 1+x.words, 1+x.words); err != nil {
		return err
	}
	l, b, done, err := asBot(ctx, io)
	if err != nil {
		return err
	}
	defer done()
	s, changed, err := x.record(ctx, l, b, f.Args())
	if err != nil {
		return notDone(err)
	}
	return printHandled(io, s, changed, *asJSON)
}

// record asks who may, and does it.
func (x handling) record(ctx context.Context, l *ledger.Ledger, b escalation.Book, words []string) (ledger.Stop, bool, error) {
	s, err := l.Read(ctx, words[0])
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", words[0], err)
	}
	by := loops.By{ID: cliIdentity(), Through: "cli"}
	d := mayHandle(b.Config, s, by.ID, x.name == "note")
	if !d.OK {
		who := ""
		if len(d.Who) > 0 {
			who = "; the answerers are " + strings.Join(d.Who, ", ")
		}
		return s, false, fmt.Errorf("not recorded: %s You are %s here%s", d.Reason, by.ID, who)
	}
	by.Role = d.Role
	command, err := x.command(b, s, by, words[1:])
	if err != nil {
		return s, false, err
	}
	return l.Do(ctx, s.ID, command)
}

// mayHandle asks routing: whoever may see a stop may also note something on it.
func mayHandle(c routing.Config, s ledger.Stop, id string, note bool) routing.Decision {
	asked := askedOf(s, loops.Question{}, time.Now())
	who := routing.Answerer{ID: id}
	d := routing.MayHandle(c, asked, who)
	if note && !d.OK {
		return routing.MaySee(c, asked, who, false)
	}
	return d
}

// handlings are the commands that do what is no answer, each as a command of its own.
func handlings() []command {
	noteFlag := func(to *string) func(*pflag.FlagSet) {
		return func(f *pflag.FlagSet) { f.StringVar(to, "note", "", "why; it is kept with the stop") }
	}
	var note string
	return []command{
		{"take", "ID", "say that you are on it; answers nothing", handling{
			name: "take",
			command: func(_ escalation.Book, _ ledger.Stop, by loops.By, _ []string) (ledger.Command, error) {
				return ledger.Take{By: by}, nil
			},
		}.run},
		{"release", "ID", "say that nobody is on it any more", handling{
			name: "release",
			command: func(_ escalation.Book, _ ledger.Stop, by loops.By, _ []string) (ledger.Command, error) {
				return ledger.Release{By: by}, nil
			},
		}.run},
		{"reassign", "ID ROLE [--note TEXT]", "give it to another role", handling{
			name: "reassign", words: 1, flags: noteFlag(&note),
			command: func(b escalation.Book, s ledger.Stop, by loops.By, words []string) (ledger.Command, error) {
				return reassign(b.Config, s, by, words[0], note)
			},
		}.run},
		{"not-mine", "ID [--note TEXT]", "say that the wrong role was asked: the facilitator gets it", handling{
			name: "not-mine", flags: noteFlag(&note),
			command: func(_ escalation.Book, _ ledger.Stop, by loops.By, _ []string) (ledger.Command, error) {
				return ledger.NotMine{By: by, To: loops.Facilitator, Text: note}, nil
			},
		}.run},
		{"snooze", "ID 4h|TIME [--note TEXT]", "put it off, 7 days at most", handling{
			name: "snooze", words: 1, flags: noteFlag(&note),
			command: func(b escalation.Book, s ledger.Stop, by loops.By, words []string) (ledger.Command, error) {
				return snooze(b, s, by, words[0], note)
			},
		}.run},
		{"escalate", "ID", "take its policy's next step now", handling{
			name: "escalate",
			command: func(b escalation.Book, s ledger.Stop, by loops.By, _ []string) (ledger.Command, error) {
				return nextStep(b, s, by)
			},
		}.run},
		{"note", "ID TEXT", "keep a note with it", handling{
			name: "note", words: 1,
			command: func(_ escalation.Book, _ ledger.Stop, by loops.By, words []string) (ledger.Command, error) {
				return ledger.Note{By: by, Text: words[0]}, nil
			},
		}.run},
	}
}

func nextStep(b escalation.Book, s ledger.Stop, by loops.By) (ledger.Command, error) {
	p := b.Policy(s.Record)
	if s.State.Phase == ledger.Open && s.State.Timing.Level >= len(p.Steps) {
		return nil, errors.New("not recorded: no step is left: it stays where it is until somebody answers")
	}
	step := escalation.NextStep(p, b.Config, s, s.Now)
	step.By, step.Due = by, s.Now
	return step, nil
}

func reassign(c routing.Config, s ledger.Stop, by loops.By, role, note string) (ledger.Command, error) {
	if _, ok := c.Roles[role]; !ok {
		fits := slices.DeleteFunc(routing.MayMoveTo(c, askedOf(s, loops.Question{}, time.Time{})), func(name string) bool {
			return len(s.Record.Misfits(name)) > 0
		})
		return nil, usageError("there is no role %q; it can go to %s", role, orDefault(strings.Join(fits, ", "), "no other role"))
	}
	return ledger.Reassign{By: by, To: role, Text: note}, nil
}

func snooze(b escalation.Book, s ledger.Stop, by loops.By, until, note string) (ledger.Command, error) {
	if !b.SnoozeMatters(s) {
		return nil, errors.New("not recorded: there is nothing to snooze: nobody is reminded of this one, and it goes to nobody else by itself")
	}
	d, err := routing.ParseDuration(until)
	if err == nil {
		return ledger.Snooze{By: by, Until: s.Now.Add(d), Text: note}, nil
	}
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return nil, usageError("%q is neither a duration such as 4h nor a time such as 2026-12-24T09:00:00+01:00", until)
	}
	return ledger.Snooze{By: by, Until: at, Text: note}, nil
}

// notDone says in words why something was not recorded.
func notDone(err error) error {
	if e, ok := errors.AsType[*ledger.ClosedError](err); ok {
		return fmt.Errorf("not recorded: %w since %s", e, e.Stop.State.End.At.UTC().Format("2 Jan 2006 15:04:05 MST"))
	}
	if e, ok := errors.AsType[exit](err); ok {
		return e
	}
	if strings.HasPrefix(err.Error(), "not recorded") {
		return err
	}
	return fmt.Errorf("not recorded: %w", err)
}

func printHandled(io stdio, s ledger.Stop, changed, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(map[string]any{
			"id": s.ID, "state": s.State.Phase, "holder": s.State.Holder, "changed": changed,
		})
	}
	word := "recorded; the question stays open"
	if !changed {
		word = "nothing changed: it was so already"
	}
	_, err := fmt.Fprintf(io.out, "%s, with %s\n", word, s.State.Holder)
	return err
}

// printStanding says how an open stop stands: whose it is and why, and who is on it.
func printStanding(b *strings.Builder, s ledger.State) {
	if m := s.Moved; m != nil {
		fmt.Fprintf(b, "\n%s since %s: %s by %s, before with %s. %s", m.To, m.At.UTC().Format(time.RFC3339), m.Kind, byOr(m.By, "its policy"), m.From, plain(m.Text))
	}
	if s.NotMine != nil {
		fmt.Fprintf(b, "\nnot for %s to answer, said %s", s.NotMine.From, byOr(s.NotMine.By, "somebody"))
	}
	if s.Taken != nil {
		fmt.Fprintf(b, "\n%s is on it since %s", byOr(s.Taken.By, "somebody"), s.Taken.At.UTC().Format(time.RFC3339))
	}
	if !s.Snoozed.IsZero() {
		fmt.Fprintf(b, "\nsnoozed until %s", s.Snoozed.UTC().Format(time.RFC3339))
	}
	b.WriteByte('\n')
}

func byOr(by *loops.By, nobody string) string {
	if by == nil {
		return nobody
	}
	return plain(by.ID)
}
