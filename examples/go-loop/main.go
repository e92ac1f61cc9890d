// Command go-loop is a loop in Go that asks before it deletes something, waits however long it takes, and goes on once.
// Run it, kill it while it waits, and run it again: it waits on the same stop.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"

	"github.com/redis/go-redis/v9"

	"flagstop/loops"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "go-loop:", err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
}

func run(ctx context.Context) error {
	client, err := connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()

	record, err := json.Marshal(question())
	if err != nil {
		return err
	}
	ref, err := client.Raise(ctx, record) // the same bytes again are the same stop
	if err != nil {
		return err
	}
	say("suspended on stop %s", ref.ID)

	outcome, err := client.Wait(ctx, record)
	if err != nil {
		return err
	}
	claim, err := client.Claim(ctx, outcome, "go-loop/cleanup") // two instances: one goes on
	if err != nil {
		return err
	}
	act(outcome)
	return claim.Done(ctx) // after what the verdict led to is saved
}

func connect(ctx context.Context) (*loops.Client, error) {
	address, err := redis.ParseURL(os.Getenv("FLAGSTOP_REDIS_URL")) //nolint:forbidigo // an example reads its own environment
	if err != nil {
		return nil, fmt.Errorf("FLAGSTOP_REDIS_URL: %w", err)
	}
	keys, err := loops.NewKeySet([]byte(os.Getenv("FLAGSTOP_VERIFY_KEY")), nil) //nolint:forbidigo // an example reads its own environment
	if err != nil {
		return nil, fmt.Errorf("FLAGSTOP_VERIFY_KEY: %w", err)
	}
	return loops.NewClient(ctx, loops.Options{Redis: redis.NewClient(address), Keys: keys})
}

func question() loops.Record {
	return loops.Record{
		V: 1, ID: "go-loop-cleanup-1", Addressee: loops.Facilitator, Kind: loops.Judgement, Concern: loops.Permission,
		Loop: loops.Loop{ID: "go-loop/cleanup", Repository: "acme/examples", Agent: "go-loop"},
		Questions: []loops.Question{{
			Key:     "call_1",
			Message: "The build cache is 40 GB and older than a month. May the loop delete it?",
			Call: &loops.Call{
				Name: "terminal", Arguments: json.RawMessage(`{"command":"rm -r .cache/build"}`),
				May: []loops.May{loops.MayRun, loops.MayEdit, loops.MayDecline},
			},
		}},
	}
}

// act carries out exactly what the verdict says, and nothing else counts as consent.
func act(outcome *loops.SignedOutcome) {
	verdict := outcome.Verdicts["call_1"]
	switch {
	case outcome.End != loops.Answered:
		say("ended as %s: nothing runs", outcome.End)
	case verdict.Action != loops.Accept:
		say("declined: %s", verdict.Message)
	case len(verdict.Arguments) > 0:
		say("would run, as edited: %s", verdict.Arguments)
	default:
		say("would run, as asked")
	}
}

func say(format string, args ...any) { _, _ = fmt.Fprintf(os.Stdout, format+"\n", args...) }
