package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"flagstop/escalation"
	"flagstop/internal/rosters"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// verdictFlags say what to answer.
type verdictFlags struct {
	key, option, content, arguments, output, reason, behalf, machine *string
	accept, decline, always                                          *bool
}

func answerFlags(f *pflag.FlagSet) verdictFlags {
	return verdictFlags{
		key:       f.String("key", "", "the question's key; may be left out where there is one question"),
		accept:    f.Bool("accept", false, "accept: with --option, --content, --arguments, --output, or as it is"),
		decline:   f.Bool("decline", false, "decline: the loop is told the reason"),
		option:    f.String("option", "", "the const of the option to choose"),
		content:   f.String("content", "", "the answers of a form, as JSON"),
		arguments: f.String("arguments", "", "the whole edited arguments of a call, as JSON"),
		output:    f.String("output", "", "what stands in for the call's result, as JSON; the call is not run"),
		always:    f.Bool("always", false, "approve calls like this one from now on, where the loop can"),
		reason:    f.String("reason", "", "why; a note where you accept"),
		behalf:    f.String("for", "", "the role on whose behalf you answer"),
		machine:   f.String("machine", "", "answer as this configured machine"),
	}
}

// answer records a verdict from the terminal.
func answer(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "answer")
	v := answerFlags(f)
	asJSON := f.Bool("json", false, "print what was recorded as JSON")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	if *v.accept == *v.decline {
		return usageError("say either --accept or --decline")
	}
	l, b, done, err := asBot(ctx, io)
	if err != nil {
		return err
	}
	defer done()
	s, changed, err := v.record(ctx, l, b.Config, f.Arg(0))
	if err != nil {
		return turnedAway(err)
	}
	return printRecorded(io, s, changed, *asJSON)
}

// asBot opens the ledger to write, as the bot does.
func asBot(ctx context.Context, io stdio) (*ledger.Ledger, escalation.Book, func(), error) {
	fail := func(err error) (*ledger.Ledger, escalation.Book, func(), error) {
		return nil, escalation.Book{}, nil, err
	}
	e, err := readEnvironment()
	if err != nil {
		return fail(err)
	}
	log, err := e.logger(io)
	if err != nil {
		return fail(err)
	}
	c, err := e.loadSettings(ctx, log)
	if err != nil {
		return fail(err)
	}
	signer, err := e.signer()
	if err != nil {
		return fail(err)
	}
	rdb, err := dialRedis(ctx, e)
	if err != nil {
		return fail(err)
	}
	if err := c.useRosters(ctx, rosters.New(rdb, e.Prefix)); err != nil {
		return fail(errors.Join(err, rdb.Close()))
	}
	l, done, err := openLedger(ctx, rdb, c.options(ledger.Options{Redis: rdb, Prefix: e.Prefix, Signer: signer, Log: log}))
	return l, c.Book(), done, err
}

// record asks who may, and records.
func (v verdictFlags) record(ctx context.Context, l *ledger.Ledger, c routing.Config, id string) (ledger.Stop, bool, error) {
	s, err := l.Read(ctx, id)
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", id, err)
	}
	q, err := v.question(s)
	if err != nil {
		return s, false, err
	}
	by, err := v.by(c, s, q)
	if err != nil {
		return s, false, err
	}
	verdict, err := v.verdict(q)
	if err != nil {
		return s, false, err
	}
	return l.Do(ctx, id, ledger.Answer{By: by, Verdicts: map[string]loops.Verdict{q.Key: verdict}})
}

func (v verdictFlags) question(s ledger.Stop) (loops.Question, error) {
	if *v.key == "" && len(s.Record.Questions) == 1 {
		return s.Record.Questions[0], nil
	}
	if q, ok := s.Record.Question(*v.key); ok {
		return q, nil
	}
	var keys []string
	for _, q := range s.Record.Questions {
		keys = append(keys, q.Key)
	}
	return loops.Question{}, usageError("name the question with --key: %s", loops.ListKeys(keys))
}

// by says who answers, if that one may.
func (v verdictFlags) by(c routing.Config, s ledger.Stop, q loops.Question) (loops.By, error) {
	by := loops.By{ID: cliIdentity(), Through: "cli", For: *v.behalf}
	if *v.machine != "" {
		by.ID, by.Through = "machine:"+*v.machine, "machine"
	}
	d := may(c, askedOf(s, q, time.Now()), routing.Answerer{ID: by.ID}, by.For)
	if !d.OK {
		who := ""
		if len(d.Who) > 0 {
			who = "; the answerers are " + strings.Join(d.Who, ", ")
		}
		return by, fmt.Errorf("not recorded: %s You are %s here%s", d.Reason, by.ID, who)
	}
	by.Role = d.Role
	return by, nil
}

func (v verdictFlags) verdict(q loops.Question) (loops.Verdict, error) {
	x := loops.Verdict{Action: loops.Accept, Message: *v.reason}
	if *v.decline {
		x.Action = loops.Decline
	}
	if *v.always {
		x.Span = loops.Always
	}
	content := *v.content
	if *v.option != "" {
		p, ok := selectOf(q)
		if !ok || content != "" {
			return x, usageError("--option goes with a question that offers options, and without --content")
		}
		b, err := json.Marshal(map[string]string{p: *v.option})
		if err != nil {
			return x, err
		}
		content = string(b)
	}
	for _, part := range []struct {
		name, text string
		to         *json.RawMessage
	}{
		{"content", content, &x.Content}, {"arguments", *v.arguments, &x.Arguments}, {"output", *v.output, &x.Output},
	} {
		if part.text == "" {
			continue
		}
		if !json.Valid([]byte(part.text)) {
			return x, usageError("--%s is not JSON", part.name)
		}
		*part.to = json.RawMessage(part.text)
	}
	return x, nil
}

// selectOf returns the name of a form's single select.
func selectOf(q loops.Question) (string, bool) {
	if q.Schema != nil {
		for _, p := range q.Schema.Properties {
			if p.Type == loops.SelectProperty {
				return p.Name, true
			}
		}
	}
	return "", false
}

// turnedAway says in words why a verdict was not recorded.
func turnedAway(err error) error {
	if e, ok := errors.AsType[*ledger.AnsweredError](err); ok {
		return fmt.Errorf("not recorded: %w", sayStanding(e.Key, e.Standing))
	}
	if e, ok := errors.AsType[*ledger.ClosedError](err); ok {
		return fmt.Errorf("not recorded: %w since %s", e, e.Stop.State.End.At.UTC().Format("2 Jan 2006 15:04:05 MST"))
	}
	return err
}

func sayStanding(key string, v loops.Verdict) error {
	who := "somebody"
	if v.By != nil {
		who = v.By.ID
	}
	return fmt.Errorf("question %q was answered with %s by %s at %s; an answer is final", key, v.Action, who,
		v.At.UTC().Format("2 Jan 2006 15:04:05 MST"))
}

func printRecorded(io stdio, s ledger.Stop, changed, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(map[string]any{
			"id": s.ID, "state": s.State.Phase, "changed": changed, "verdicts": s.State.Verdicts,
		})
	}
	word := "recorded"
	if !changed {
		word = "recorded already; nothing changed"
	}
	_, err := fmt.Fprintf(io.out, "%s: %s, %d of %d questions have a verdict\n", word, s.State.Phase, len(s.State.Verdicts), len(s.Record.Questions))
	return err
}
