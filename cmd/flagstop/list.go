package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// summary is one stop in a list.
type summary struct {
	ID          string         `json:"id"`
	State       ledger.Phase   `json:"state"`
	Addressee   string         `json:"addressee"`
	Holder      string         `json:"holder"`
	Kind        loops.Kind     `json:"kind"`
	Concern     loops.Concern  `json:"concern"`
	Loop        loops.Loop     `json:"loop"`
	Asked       time.Time      `json:"asked"`
	Answered    int            `json:"answered"`
	Questions   int            `json:"questions"`
	Message     string         `json:"message"`
	Resumed     bool           `json:"resumed"`
	Undelivered []string       `json:"undelivered,omitempty"`
	Cards       []ledger.Card  `json:"cards,omitempty"`
	Record      *loops.Record  `json:"record,omitempty"`
	End         *ledger.End    `json:"end,omitempty"`
	Log         []ledger.Entry `json:"log,omitempty"`
}

func summarise(s ledger.Stop) summary {
	x := summary{
		ID: s.ID, State: s.State.Phase, Addressee: s.Record.Addressee, Holder: s.State.Holder, Kind: s.Record.Kind,
		Concern: s.Record.Concern, Loop: s.Record.Loop, Asked: s.State.Asked, Answered: len(s.State.Verdicts),
		Questions: len(s.Record.Questions), Message: s.Record.Questions[0].Message, Resumed: s.State.Resumed != nil,
	}
	for _, c := range s.State.Cards {
		if c.Undelivered != "" {
			x.Undelivered = append(x.Undelivered, c.Undelivered)
		}
	}
	return x
}

// list prints the stops that match.
func list(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "list")
	q := ledger.Query{}
	f.StringVar(&q.Holder, "role", "", "only those that this role has now")
	f.StringVar(&q.Repository, "repository", "", "only those of this repository")
	state := f.String("state", "", "only those that are open, answered, withdrawn or expired")
	f.BoolVar(&q.Untaken, "untaken", false, "only answered and expired ones whose outcome no loop has taken")
	f.BoolVar(&q.Undelivered, "undelivered", false, "only those whose own channel could not be posted to")
	wrong := f.Bool("defects", false, "in the place of stops: which agents asked the wrong role, and how often")
	refusals := f.Bool("refused", false, "what failed its check in the last 7 days, in the place of stops")
	asJSON := f.Bool("json", false, "one JSON object a line")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	q.Phase = ledger.Phase(*state)
	switch q.Phase {
	case "", ledger.Open, ledger.Answered, ledger.Withdrawn, ledger.Expired:
	default:
		return usageError("--state is open, answered, withdrawn or expired")
	}
	l, done, err := asViewer(ctx)
	if err != nil {
		return err
	}
	defer done()
	if *wrong {
		return listDefects(ctx, io, l, q, *asJSON)
	}
	if *refusals {
		return listRefusals(ctx, io, l, *asJSON)
	}
	return listStops(ctx, io, l, q, *asJSON)
}

func listStops(ctx context.Context, io stdio, l *ledger.Ledger, q ledger.Query, asJSON bool) error {
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	n := 0
	for s, err := range l.List(ctx, q) {
		if err != nil {
			return err
		}
		n++
		if err := printRow(io, w, summarise(s), asJSON); err != nil {
			return err
		}
	}
	if n == 0 && !asJSON {
		_, err := fmt.Fprintln(io.out, "no stops")
		return err
	}
	return w.Flush()
}

func printRow(io stdio, w *tabwriter.Writer, s summary, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(s)
	}
	_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", s.ID, stateOf(s), s.Holder, s.Asked.UTC().Format(time.RFC3339),
		s.Loop.Repository, shorten(plain(s.Message), 60))
	return err
}

// stateOf is the state in words.
func stateOf(s summary) string {
	switch {
	case s.State == ledger.Open && len(s.Undelivered) > 0:
		return "open, undelivered"
	case s.State == ledger.Open && s.Answered > 0:
		return fmt.Sprintf("open, %d of %d", s.Answered, s.Questions)
	case (s.State == ledger.Answered || s.State == ledger.Expired) && !s.Resumed:
		return string(s.State) + ", untaken"
	}
	return string(s.State)
}

// plain takes out what a terminal would obey, and keeps one line.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
			return '\ufffd'
		}
		return r
	}, s)
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

func listRefusals(ctx context.Context, io stdio, l *ledger.Ledger, asJSON bool) error {
	n := 0
	for r, err := range l.Refusals(ctx) {
		if err != nil {
			return err
		}
		n++
		if asJSON {
			if err := json.NewEncoder(io.out).Encode(r); err != nil {
				return err
			}
			continue
		}
		for _, p := range r.Problems {
			if _, err := fmt.Fprintf(io.out, "%s  %s  %s  %s: %s\n", r.At.UTC().Format(time.RFC3339), orDefault(plain(r.ID), "(no id)"),
				r.Digest[:min(len(r.Digest), 19)], plain(p.Pointer), plain(p.Message)); err != nil {
				return err
			}
		}
	}
	if n == 0 && !asJSON {
		_, err := fmt.Fprintln(io.out, "nothing was refused")
		return err
	}
	return nil
}

// show prints one stop whole.
func show(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "show")
	asJSON := f.Bool("json", false, "as one JSON object, with the record, the log and the cards")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	s, err := readStop(ctx, f.Arg(0))
	if err != nil {
		return err
	}
	x := summarise(s)
	x.Record, x.Log, x.Cards, x.End = s.Record, s.Log, s.State.Cards, s.State.End
	if *asJSON {
		return json.NewEncoder(io.out).Encode(x)
	}
	return printStop(io, s, x)
}

func readStop(ctx context.Context, id string) (ledger.Stop, error) {
	l, done, err := asViewer(ctx)
	if err != nil {
		return ledger.Stop{}, err
	}
	defer done()
	s, err := l.Read(ctx, id)
	if errors.Is(err, ledger.ErrUnknown) {
		return s, fmt.Errorf("%s: %w; flagstop list names those that there are", id, err)
	}
	return s, err
}

func printStop(io stdio, s ledger.Stop, x summary) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\nasks %s (%s, %s), held by %s, since %s\nfrom %s in %s\n", s.ID, stateOf(x), x.Addressee, x.Kind, x.Concern,
		x.Holder, x.Asked.UTC().Format(time.RFC3339), plain(x.Loop.ID), plain(x.Loop.Repository))
	for _, q := range s.Record.Questions {
		printQuestion(&b, q, s.State.Verdicts)
	}
	printStanding(&b, s.State)
	for _, c := range s.State.Cards {
		fmt.Fprintf(&b, "card %s in %s at %s shows rev %d of %d", c.Place, c.Channel, orDefault(c.TS, "(not posted yet)"), c.Rev, s.State.Rev)
		if c.Undelivered != "" {
			fmt.Fprintf(&b, "; undelivered: %s", c.Undelivered)
		}
		b.WriteByte('\n')
	}
	if s.State.Phase == ledger.Open {
		fmt.Fprintf(&b, "answer with: flagstop answer %s --accept … or --decline --reason …\n", s.ID)
	}
	_, err := fmt.Fprint(io.out, b.String())
	return err
}

func printQuestion(b *strings.Builder, q loops.Question, verdicts map[string]loops.Verdict) {
	fmt.Fprintf(b, "\n[%s] %s\n", plain(q.Key), plain(q.Message))
	if q.Call != nil {
		fmt.Fprintf(b, "  %s %s\n", plain(q.Call.Name), plain(string(q.Call.Arguments)))
	}
	if q.URL != "" {
		fmt.Fprintf(b, "  %s\n", plain(q.URL))
	}
	if q.Schema != nil {
		for _, p := range q.Schema.Properties {
			fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("  %s: %s %s", plain(p.Name), p.Type, plain(p.Title)), " "))
			for _, o := range p.Options {
				fmt.Fprintf(b, "    %s = %s  %s\n", plain(o.Const), plain(o.Title), plain(o.Description))
			}
		}
	}
	if v, ok := verdicts[q.Key]; ok {
		text, err := json.Marshal(v)
		if err == nil {
			fmt.Fprintf(b, "  verdict: %s\n", plain(string(text)))
		}
	}
}

// logCommand prints the log of a stop; with --verify it walks the hash chain first.
func logCommand(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "log")
	verify := f.Bool("verify", false, "walk the chain of hashes; a break is an error")
	asJSON := f.Bool("json", false, "one JSON object a line")
	if err := parse(f, args, 1, 1); err != nil {
		return err
	}
	l, done, err := asViewer(ctx)
	if err != nil {
		return err
	}
	defer done()
	s, err := l.Read(ctx, f.Arg(0))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Arg(0), err)
	}
	for _, e := range s.Log {
		if err := printEntry(io, e, *asJSON); err != nil {
			return err
		}
	}
	if !*verify {
		return nil
	}
	if err := l.Verify(ctx, s.ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(io.err, "the chain of %d entries holds\n", len(s.Log))
	return err
}

func printEntry(io stdio, e ledger.Entry, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(e)
	}
	by := ""
	if e.By != nil {
		by = "  " + plain(e.By.ID)
	}
	verdict, message := "", ""
	if e.Verdict != nil {
		verdict, message = "  "+string(e.Verdict.Action), e.Verdict.Message
	}
	line := fmt.Sprintf("%3d  %s  %-11s%s  %s%s  %s", e.Seq, e.At.UTC().Format(time.RFC3339), e.Kind, by,
		plain(e.Key), verdict, plain(strings.Join(strings.Fields(e.Reason+" "+e.Text+" "+message), " ")))
	_, err := fmt.Fprintln(io.out, strings.TrimRight(line, " "))
	return err
}
