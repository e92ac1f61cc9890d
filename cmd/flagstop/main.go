// Command flagstop is the bot that answers the stops of autonomous agent loops, and the tools around it: docs/protocol.md and
// contract §5.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // the image has no zones of its own

	"github.com/redis/go-redis/v9/logging"
	"github.com/spf13/pflag"
)

func main() {
	logging.Disable() // it writes to standard error past our log, which says the same in its own form
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	os.Exit(run(ctx, stdio{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:]))
}

// Exit codes: contract §5.
const (
	exitDone      = 0
	exitError     = 1
	exitUsage     = 2
	exitDeclined  = 10
	exitExpired   = 11
	exitWithdrawn = 12
	exitRefused   = 13
	exitOpen      = 14
)

// stdio is what a command reads from and writes to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// command is one word after flagstop.
type command struct {
	name, args, summary string
	run                 func(ctx context.Context, io stdio, args []string) error
}

// words are the command and what goes with it.
func (c command) words() string { return strings.TrimSpace(c.name + " " + c.args) }

func commands() []command {
	return slices.Concat([]command{
		{"demo", "[--auto] [--addr HOST:PORT]", "the whole of it on this machine: a page to click, no account", demo},
		{"serve", "", "the bot, as the environment says: docs/operating.md", serve},
		{"raise", "[FILE|-] [flags] [--wait]", "raise a stop from a record or from flags", raise},
		{"wait", "FILE | ID --digest sha256:…", "wait for the outcome of a stop", wait},
		{"withdraw", "ID [--reason TEXT]", "say that the loop needs it no more", withdraw},
		{"list", "[--role R] [--repository R] [--state S]", "the stops", list},
		{"show", "ID", "one stop, whole", show},
		{"log", "ID [--verify]", "every entry of a stop's log", logCommand},
		{"answer", "ID --accept … | --decline --reason TEXT", "answer from the terminal", answer},
	}, handlings(), []command{
		{"explain", "ID|FILE [--at T]", "where a stop goes, who may answer, what happens if nobody does", explain},
		{"oncall", "[ROLE] [--at T] [--next N]", "who is on call, until when, who is next", oncall},
		{"check", "FILE… [--expect FILE]", "every fault of records and configurations", check},
		{"manifest", "[--http URL]", "the manifest of the Slack app", manifest},
		{"keygen", "[--out DIR] [--add FILE]", "the keys of a new installation", keygen},
		{"version", "", "which build this is", version},
	})
}

// exit ends a command with a code and, where there is one, a sentence on standard error.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// usageError says what is wrong with the words of a call.
func usageError(format string, args ...any) error {
	return exit{exitUsage, fmt.Errorf(format, args...)}
}

func run(ctx context.Context, io stdio, args []string) int {
	if len(args) == 0 {
		usage(io.err)
		return exitUsage
	}
	if slices.Contains([]string{"help", "-h", "--help"}, args[0]) {
		usage(io.out)
		return exitDone
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return finish(io, c, c.run(ctx, io, args[1:]))
		}
	}
	_, _ = fmt.Fprintf(io.err, "flagstop: there is no command %q; flagstop help lists them\n", args[0])
	return exitUsage
}

// finish prints what a command ended with and returns its exit code.
func finish(io stdio, c command, err error) int {
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return exitDone
	}
	code := exitError
	if e, ok := errors.AsType[exit](err); ok {
		code = e.code
	}
	if text := err.Error(); text != "" {
		_, _ = fmt.Fprintf(io.err, "flagstop %s: %s\n", c.name, text)
	}
	if code == exitUsage {
		_, _ = fmt.Fprintf(io.err, "usage: flagstop %s   (flagstop %s --help says more)\n", c.words(), c.name)
	}
	return code
}

func usage(w io.Writer) {
	var b strings.Builder
	b.WriteString("flagstop answers the stops of agent loops in Slack.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-9s %s\n", c.name, c.summary)
	}
	b.WriteString("\nflagstop COMMAND --help says more. Start with: flagstop demo\n")
	_, _ = io.WriteString(w, b.String())
}

// flags returns the flag set of a command; its help goes to standard output.
func flags(io stdio, name string) *pflag.FlagSet {
	f := pflag.NewFlagSet("flagstop "+name, pflag.ContinueOnError)
	f.SetOutput(io.out)
	f.SortFlags = false
	for _, c := range commands() {
		if c.name == name {
			f.Usage = func() {
				_, _ = fmt.Fprintf(io.out, "flagstop %s\n%s.\n\n%s", c.words(), capital(c.summary), f.FlagUsages())
			}
		}
	}
	return f
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// parse reads the flags of a command and checks how many words are left.
func parse(f *pflag.FlagSet, args []string, least, most int) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return exit{exitUsage, err}
	}
	switch n := f.NArg(); {
	case n < least:
		return usageError("a word is missing")
	case n > most:
		return usageError("%q is a word too many", f.Arg(most))
	}
	return nil
}
