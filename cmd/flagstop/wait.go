package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"flagstop/loops"
)

// wait waits for the outcome of a record, or of an id and digest.
func wait(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "wait")
	digest := f.String("digest", "", "sha256:… of the record's bytes, where the id is given in the place of a file")
	w := waitingFlags(f)
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	var record []byte
	if *digest == "" {
		var err error
		if record, err = readInput(io, f.Arg(0)); err != nil {
			return fmt.Errorf("%w (with an id in the place of a file, give --digest)", err)
		}
	}
	c, done, err := asLoop(ctx)
	if err != nil {
		return err
	}
	defer done()
	if record != nil {
		return w.outcome(ctx, io, c, func(ctx context.Context) (*loops.SignedOutcome, error) { return c.Wait(ctx, record) }, loopOf(record))
	}
	ref := loops.Ref{ID: f.Arg(0), Digest: *digest}
	return w.outcome(ctx, io, c, func(ctx context.Context) (*loops.SignedOutcome, error) { return c.WaitRef(ctx, ref) }, cliIdentity())
}

// outcome waits, claims, prints the outcome as JSON, says that the loop went on, and returns the exit code as an error.
func (w waiting) outcome(ctx context.Context, io stdio, c *loops.Client,
	waitFor func(context.Context) (*loops.SignedOutcome, error), loop string,
) error {
	o, err := w.waitFor(ctx, io, waitFor)
	if err != nil {
		return err
	}
	if *w.look {
		return printOutcome(io, o)
	}
	claim, err := c.Claim(ctx, o, loop)
	if err != nil {
		return err
	}
	verdict := printOutcome(io, o)
	if !isVerdict(verdict) {
		return errors.Join(verdict, claim.Release(ctx))
	}
	if err := claim.Done(ctx); err != nil {
		return err
	}
	return verdict
}

// isVerdict reports whether printing went well: the exit code only says what the outcome was.
func isVerdict(err error) bool {
	e, ok := errors.AsType[exit](err)
	return err == nil || ok && e.err == nil
}

func (w waiting) waitFor(ctx context.Context, io stdio, waitFor func(context.Context) (*loops.SignedOutcome, error),
) (*loops.SignedOutcome, error) {
	if *w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *w.timeout)
		defer cancel()
	}
	stop := spin(ctx, io)
	o, err := waitFor(ctx)
	stop()
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return nil, exit{exitOpen, errors.New("still open: the wait ended, the stop did not")}
	}
	return o, refused(err)
}

// spin shows on a terminal that something is being waited for.
func spin(ctx context.Context, io stdio) (stop func()) {
	if !terminal(io.err) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			_, _ = fmt.Fprintf(io.err, "\r%c waiting for a verdict (Ctrl-C ends the wait, not the stop) ", `|/-\`[i%4])
			select {
			case <-ctx.Done():
				_, _ = fmt.Fprint(io.err, "\r\x1b[K")
				return
			case <-tick.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// printOutcome prints the outcome and returns its exit code: contract §5.
func printOutcome(io stdio, o *loops.SignedOutcome) error {
	if err := json.NewEncoder(io.out).Encode(o.Outcome); err != nil {
		return err
	}
	switch o.End {
	case loops.Expired:
		return exit{exitExpired, nil}
	case loops.Withdrawn:
		return exit{exitWithdrawn, nil}
	case loops.Answered:
	}
	for _, v := range o.Verdicts {
		if v.Action != loops.Accept {
			return exit{exitDeclined, nil}
		}
	}
	return nil
}

// withdraw says that the loop needs a stop no more; the outcome says which was first.
func withdraw(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "withdraw")
	reason := f.String("reason", "", "why, for whoever was asked")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	c, done, err := asLoop(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := c.Withdraw(ctx, f.Arg(0), *reason); err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.out, "asked for the withdrawal of %s; its outcome says which was first\n", f.Arg(0))
	return err
}
