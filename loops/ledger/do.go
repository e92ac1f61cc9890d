package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"flagstop/loops"
)

// tries is how often a command is decided again when others were first. Each of them moved the stop, and a stop moves
// only so often.
const tries = 1000

// Do decides and appends a command, again if the stop moved meanwhile. It returns the stop as it stands afterwards;
// changed reports whether this call changed it (the same verdict again is success and changes nothing). Errors:
// ErrUnknown, *ClosedError, *AnsweredError, *TakenError, *QuestionError, *loops.VerdictError, ErrNotEnded,
// ErrOtherOutcome, ErrNoPage, ErrFlood, ErrSnooze, *StaleError, *MisfitError, ErrIncomplete, or what Redis said: then the caller does not know whether it was recorded,
// and may do it again.
func (l *Ledger) Do(ctx context.Context, id string, c Command) (stop Stop, changed bool, err error) {
	return l.do(ctx, id, c, "")
}

// do takes the inbox entry that asked for it, if any, out of the inbox in the same step.
func (l *Ledger) do(ctx context.Context, id string, c Command, entry string) (Stop, bool, error) {
	stop, changed, err := l.decide(ctx, id, c, entry)
	if err != nil {
		return stop, false, fmt.Errorf("%s stop %s: %w", verbOf(c), id, err)
	}
	return stop, changed, nil
}

func (l *Ledger) decide(ctx context.Context, id string, c Command, entry string) (Stop, bool, error) {
	if r, ok := c.(Raise); ok && r.Record != nil && r.Record.ID != id {
		return Stop{}, false, fmt.Errorf("%w: the record of this id", ErrIncomplete)
	}
	var tried sealed
	for range tries {
		stop, err := l.look(ctx, id)
		if err != nil {
			return Stop{}, false, err
		}
		// Redis may have appended what it did not live to acknowledge: the client sent it twice.
		if tried.standsIn(stop) {
			return stop, true, nil
		}
		change, err := Decide(stop, c, stop.Now)
		if err != nil || change.nothing() && entry == "" {
			return stop, false, err
		}
		if tried, err = l.seal(stop, change); err != nil {
			return stop, false, err
		}
		done, err := l.append(ctx, stop, tried, entry)
		if err != nil {
			return stop, false, fmt.Errorf("append: %w", broken(err))
		}
		if done {
			return tried.stop, len(change.Entries) > 0, nil
		}
	}
	return Stop{}, false, errors.New("it moves too fast; try again")
}

func verbOf(c Command) string {
	if c == nil {
		return "change"
	}
	return c.verb()
}

// sealed is a change ready to be stored: the entries' bytes, chained, and the stop as it stands with them.
type sealed struct {
	change  Change
	entries []string
	stop    Stop
}

func (n sealed) standsIn(stop Stop) bool {
	first := len(n.stop.raw) - len(n.entries)
	return len(n.entries) > 0 && len(stop.raw) >= len(n.stop.raw) &&
		slices.Equal(stop.raw[first:len(n.stop.raw)], n.entries)
}

// seal chains the entries, and signs the outcome when they end the stop.
func (l *Ledger) seal(stop Stop, c Change) (sealed, error) {
	n := sealed{change: c, stop: stop}
	if c.Record != nil {
		n.stop.Record = c.Record
	}
	n.stop.Log, n.stop.raw = slices.Clip(stop.Log), slices.Clip(stop.raw)
	for _, e := range c.Entries {
		if k := len(n.stop.raw); k > 0 {
			e.Prev = digestOf(n.stop.raw[k-1])
		}
		raw, err := encode(e)
		if err != nil {
			return sealed{}, fmt.Errorf("encode an entry: %w", err)
		}
		n.entries = append(n.entries, raw)
		n.stop.Log, n.stop.raw = append(n.stop.Log, e), append(n.stop.raw, raw)
	}
	n.stop.State = c.State
	if stop.State.End != nil || c.State.End == nil {
		return n, nil
	}
	if l.opt.Signer == nil {
		return sealed{}, errors.New("there is no signing key, so no stop can end here")
	}
	jws, err := l.opt.Signer.SignOutcome(l.outcome(n.stop))
	if err != nil {
		return sealed{}, fmt.Errorf("sign the outcome: %w", err)
	}
	n.stop.Outcome = jws
	return n, nil
}

func (l *Ledger) outcome(stop Stop) loops.Outcome {
	end := stop.State.End
	o := loops.Outcome{
		V: 1, Prefix: l.keys.Prefix, Stop: stop.ID, Digest: stop.State.Digest, End: loops.End(stop.State.Phase),
		Origin: end.Origin, By: end.By, At: end.At, Reason: end.Reason, Log: digestOf(stop.raw[len(stop.raw)-1]),
	}
	if stop.State.Phase == Answered {
		o.Verdicts = stop.State.Verdicts
	}
	return o
}

// encode keeps the bytes of what people and loops wrote: no character is escaped that need not be.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// append runs append.lua and reports whether the stop was still the one that was read.
func (l *Ledger) append(ctx context.Context, was Stop, n sealed, entry string) (bool, error) {
	id, state := was.ID, n.stop.State
	in := func(name string) string { return l.keys.In(l.keys.Partition(id), name) }
	of := func(name string) string { return l.keys.Of(id, name) }
	holder, first := state.Holder, was.State.Holder
	if first == "" {
		first = holder
	}
	keys := []string{
		of("stop"), of("log"), of("record"), of("outcome"), in("inbox"), in("due"), in("work"), in("behind"), in("holders"),
		in("holder:" + first), in("holder:" + holder), in("closed"), in("untaken"), of("claim"), of("context"),
	}
	fields := []any{
		"digest", state.Digest, "state", string(state.Phase), "seq", state.Seq, "rev", state.Rev, "holder", holder,
	}
	if len(n.entries) == 0 {
		fields = nil
	}
	args := append(n.moves(was, l.opt.Due), group, entry, len(fields))
	args = append(args, fields...)
	for _, e := range n.entries {
		args = append(args, e)
	}
	done, err := l.scripts.append.Run(ctx, l.redis, keys, args...).Int()
	return done == 1, err
}

// moves are the arguments 1 to 14 of append.lua: what follows from the change for the indexes and the keys beside.
func (n sealed) moves(was Stop, due func(Stop) time.Time) []any {
	state := n.stop.State
	since, next, record, outcome := "=", n.due(due), "", ""
	if state.Phase == Open && (state.Holder != was.State.Holder || !state.Since.Equal(was.State.Since)) {
		since = millis(state.Since)
	}
	if r := n.change.Record; r != nil {
		record = string(r.Bytes())
	}
	closed, untaken := "", ""
	if state.End != nil && was.State.End == nil {
		since, next, outcome = "", "", n.stop.Outcome
		untaken = millis(state.End.At)
		if state.Phase == Withdrawn {
			closed, untaken = untaken, ""
		}
	}
	if state.Resumed != nil && was.State.Resumed == nil {
		closed = millis(state.Resumed.At)
	}
	moved, context := "", ""
	if state.Rev > was.State.Rev {
		moved = "1"
	}
	if n.change.KeepContext {
		context = "1"
	}
	at := n.stop.Now.UTC().Format(time.RFC3339)
	return []any{
		was.ID, was.State.Seq, was.State.Holder, state.Holder, since, next, moved, record, outcome, closed, untaken,
		n.change.KeepClaim, at, context,
	}
}

// due is when a policy, or the asker's cap, has to look at the stop next: "=" as before, "" never.
func (n sealed) due(next func(Stop) time.Time) string {
	switch {
	case n.stop.State.Phase != Open, len(n.change.Entries) == 0 && !n.change.Due:
		return "="
	case next == nil && n.stop.State.Timing.Policy != "": // somebody else knows what its policy is
		return "="
	}
	at := n.stop.Record.Expires
	if next != nil {
		at = next(n.stop)
	}
	if at.IsZero() {
		return ""
	}
	return millis(at.Add(time.Millisecond - 1)) // not before it
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
