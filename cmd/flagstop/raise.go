package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"flagstop/loops"
)

// waiting are the flags that raise and wait share.
type waiting struct {
	timeout *time.Duration
	look    *bool
}

func waitingFlags(f *pflag.FlagSet) waiting {
	return waiting{
		timeout: f.Duration("timeout", 0, "end the wait, not the stop, after this long (exit code 14)"),
		look:    f.Bool("no-claim", false, "only look: do not claim the outcome, another instance goes on with it"),
	}
}

// raise raises a stop from a file, standard input, or flags.
func raise(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "raise")
	form := questionFlags(f)
	wait := f.Bool("wait", false, "wait for the outcome and print it as JSON")
	w := waitingFlags(f)
	asJSON := f.Bool("json", false, "print the id and digest as JSON")
	if err := parse(f, args, 0, 1); err != nil {
		return err
	}
	record, err := recordOf(io, f, form)
	if err != nil {
		return err
	}
	c, done, err := asLoop(ctx)
	if err != nil {
		return err
	}
	defer done()
	ref, err := c.Raise(ctx, record)
	if err != nil {
		return refused(err)
	}
	if err := printRef(io, ref, *asJSON); err != nil || !*wait {
		return err
	}
	return w.outcome(ctx, io, c, func(ctx context.Context) (*loops.SignedOutcome, error) { return c.Wait(ctx, record) }, loopOf(record))
}

func printRef(io stdio, ref loops.Ref, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(map[string]string{"id": ref.ID, "digest": ref.Digest})
	}
	_, err := fmt.Fprintln(io.out, ref.ID, ref.Digest)
	return err
}

func loopOf(record []byte) string {
	if r, err := loops.Load(record); err == nil {
		return r.Loop.ID
	}
	return cliIdentity()
}

// recordOf reads the record from the file that is named, or builds it from flags.
func recordOf(io stdio, f *pflag.FlagSet, q question) ([]byte, error) {
	if f.NArg() == 0 {
		if !q.any(f) {
			return nil, usageError("name a file, - for standard input, or describe the stop with flags")
		}
		return q.record()
	}
	if q.any(f) {
		return nil, usageError("name a file or describe the stop with flags, not both")
	}
	return readInput(io, f.Arg(0))
}

// question are the flags that describe a stop.
type question struct {
	id, to, kind, concern, message, quote, null, url, repository, loop, agent, task, owner *string
	options                                                                                *[]string
}

func questionFlags(f *pflag.FlagSet) question {
	return question{
		id:         f.String("id", "", "the stop's id; default random"),
		to:         f.String("to", "", "the role that is asked"),
		kind:       f.String("kind", "judgement", "judgement or fact"),
		concern:    f.String("concern", "", "scope, acceptance, trade-off, evidence, technique, verifiability or permission"),
		message:    f.String("message", "", "the question, one sentence of context first"),
		quote:      f.String("quote", "", "text that is to be accepted"),
		options:    f.StringArray("option", nil, "const=Title[:example], two or three of them; none: to be acknowledged"),
		null:       f.String("null", "", "the const of the null answer"),
		url:        f.String("url", "", "a page to visit, in the place of options"),
		repository: f.String("repository", "", "the loop's repository"),
		loop:       f.String("loop", "", "the loop's stable name"),
		agent:      f.String("agent", "", "the agent that asks"),
		task:       f.String("task", "", "the task that it works on"),
		owner:      f.String("owner", "", "the Slack user id of the person whose loop it is"),
	}
}

// any reports whether one of the flags that describe a stop was given.
func (question) any(f *pflag.FlagSet) bool {
	found := false
	f.Visit(func(x *pflag.Flag) {
		switch x.Name {
		case "wait", "timeout", "json", "no-claim":
		default:
			found = true
		}
	})
	return found
}

func (q question) record() ([]byte, error) {
	r := loops.Record{
		V: 1, ID: orDefault(*q.id, rand.Text()), Addressee: *q.to, Kind: loops.Kind(*q.kind), Concern: loops.Concern(*q.concern),
		Loop:   loops.Loop{ID: *q.loop, Repository: *q.repository, Agent: *q.agent, Task: *q.task, Owner: *q.owner},
		Raised: time.Now().UTC().Truncate(time.Second),
	}
	x := loops.Question{Key: "q", Message: *q.message, Quote: *q.quote, NullOption: *q.null}
	if *q.url != "" {
		x.Mode, x.URL = loops.URLMode, *q.url
	} else {
		schema, err := schemaOf(*q.options)
		if err != nil {
			return nil, err
		}
		x.Schema = schema
	}
	r.Questions = []loops.Question{x}
	return json.Marshal(r)
}

// schemaOf makes a single select of the options, or a schema without properties where there are none.
func schemaOf(options []string) (*loops.Schema, error) {
	if len(options) == 0 {
		return &loops.Schema{}, nil
	}
	p := loops.Property{Name: "choice", Type: loops.SelectProperty}
	for _, o := range options {
		value, rest, ok := strings.Cut(o, "=")
		if !ok {
			return nil, usageError("--option %q is not const=Title or const=Title:example", o)
		}
		title, example, _ := strings.Cut(rest, ":")
		p.Options = append(p.Options, loops.Option{Const: value, Title: strings.TrimSpace(title), Description: strings.TrimSpace(example)})
	}
	return &loops.Schema{Properties: []loops.Property{p}, Required: []string{"choice"}}, nil
}

// refused turns a record's faults, or a refusal, into the exit code that they have.
func refused(err error) error {
	_, faults := errors.AsType[*loops.FaultsError](err)
	_, refusal := errors.AsType[*loops.RefusedError](err)
	_, taken := errors.AsType[*loops.TakenError](err)
	if faults || refusal || taken {
		return exit{exitRefused, err}
	}
	return err
}

// terminal reports whether a file is one that a person looks at.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
