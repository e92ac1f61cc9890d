package stories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// Patience is how long a story waits for something to be seen; in a bubble it costs nothing.
const Patience = 10 * time.Minute

// realPatience is the same in real time, on a busy machine.
const realPatience = time.Minute

func (w *World) patience() time.Duration {
	if w.real {
		return realPatience
	}
	return Patience
}

// Raise raises a record and fails the test if it is refused at once.
func (w *World) Raise(record string) loops.Ref {
	w.TB.Helper()
	ref, err := w.Loops.Raise(w.TB.Context(), []byte(record))
	w.must(err)
	return ref
}

// RaiseUnchecked raises bytes as a loop without our check does.
func (w *World) RaiseUnchecked(id, record string) loops.Ref {
	w.TB.Helper()
	w.must(w.Redis.XAdd(w.TB.Context(), &redis.XAddArgs{
		Stream: w.parts.In(w.parts.Partition(id), "inbox"), Values: []any{"op", "raise", "body", record},
	}).Err())
	sum := sha256.Sum256([]byte(record))
	return loops.Ref{ID: id, Digest: "sha256:" + hex.EncodeToString(sum[:])}
}

// See waits until the channel has n messages and returns them. It fails the test when that does not come.
func (w *World) See(channel string, n int) []standin.Message {
	w.TB.Helper()
	w.messages[channel] = n
	w.Until(func() bool { return len(w.Slack.Messages(channel)) == n }, "%d messages in %s", n, channel)
	return w.Slack.Messages(channel)
}

// SeeText waits until the only message of a channel contains each text, or none of those that begin with "!", and returns it.
func (w *World) SeeText(channel string, texts ...string) standin.Message {
	w.TB.Helper()
	w.messages[channel] = 1
	var m standin.Message
	w.Until(func() bool {
		all := w.Slack.Messages(channel)
		if len(all) != 1 {
			return false
		}
		m = all[0]
		return Shows(m, texts...)
	}, "one message in %s with %q", channel, texts)
	return m
}

// Shows reports whether a message contains each text, and none of those that begin with "!".
func Shows(m standin.Message, texts ...string) bool {
	all := m.Text + "\n" + string(m.Blocks) + "\n" + string(m.Attachments)
	for _, text := range texts {
		not, negated := strings.CutPrefix(text, "!")
		if strings.Contains(all, not) == negated {
			return false
		}
	}
	return true
}

// Told waits until a person has been told n things privately and returns them.
func (w *World) Told(user string, n int) []standin.Message {
	w.TB.Helper()
	w.told[user] = n
	w.Until(func() bool { return len(w.Slack.Ephemerals(user)) >= n }, "%s to be told %d things", user, n)
	all := w.Slack.Ephemerals(user)
	if len(all) != n {
		w.TB.Fatalf("%s was told %d things, want %d: %s", user, len(all), n, texts(all))
	}
	return all
}

func texts(all []standin.Message) string {
	var b strings.Builder
	for _, m := range all {
		b.WriteString("\n- " + m.Text)
	}
	return b.String()
}

// Until waits until ok reports true, or fails the test.
func (w *World) Until(ok func() bool, what string, args ...any) {
	w.TB.Helper()
	ctx, cancel := context.WithTimeout(w.TB.Context(), w.patience())
	defer cancel()
	for !ok() {
		again := time.NewTimer(w.blink())
		select {
		case <-again.C:
		case <-ctx.Done():
			w.TB.Fatalf("there was never "+what, args...)
		}
	}
}

func (w *World) blink() time.Duration {
	if w.real {
		return 20 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// Stop reads a stop.
func (w *World) Stop(id string) ledger.Stop {
	w.TB.Helper()
	s, err := w.Ledger.Read(w.TB.Context(), id)
	w.must(err)
	return s
}

// Shown waits until everything that loops said is taken and nothing is behind any more.
func (w *World) Shown() {
	w.TB.Helper()
	w.Until(func() bool {
		for p := range w.parts.Partitions {
			waiting, err := w.Redis.XLen(w.TB.Context(), w.parts.In(p, "inbox")).Result()
			if err != nil || waiting > 0 {
				return false
			}
		}
		n, _, err := w.Ledger.Behind(w.TB.Context())
		return err == nil && n == 0
	}, "a moment in which no card was behind")
}

// Outcome waits for the outcome of a stop, verified.
func (w *World) Outcome(ref loops.Ref) *loops.SignedOutcome {
	w.TB.Helper()
	o, err := w.TryOutcome(ref)
	w.must(err)
	return o
}

// TryOutcome waits for the outcome of a stop, or for what a loop hears instead.
func (w *World) TryOutcome(ref loops.Ref) (*loops.SignedOutcome, error) {
	ctx, cancel := context.WithTimeout(w.TB.Context(), w.patience())
	defer cancel()
	return w.Loops.WaitRef(ctx, ref)
}

// GoOn has a loop take its outcome and go on.
func (w *World) GoOn(ref loops.Ref, loop string) {
	w.TB.Helper()
	o := w.Outcome(ref)
	claim, err := w.Loops.Claim(w.TB.Context(), o, loop)
	w.must(err)
	w.must(claim.Done(w.TB.Context()))
}

// Judgement is a question to the product thinker with three options.
func Judgement(id string) string {
	return record(map[string]any{
		"v": 1, "id": id, "addressee": loops.ProductThinker, "kind": "judgement", "concern": "trade-off",
		"loop": map[string]any{"id": "loop-" + id, "repository": "acme/saudacao"},
		"questions": []any{map[string]any{
			"key":     "q",
			"message": "A person can close a question without answering, or say no to it. Should these two mean different things?",
			"requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"answer": map[string]any{
				"type": "string", "oneOf": []any{
					option("both", "Keep both", "Closing leaves it open; no ends it."),
					option("no", "Keep only no", "Whoever closes it is asked again."),
					map[string]any{"const": "none", "title": "None of these"},
				},
			}}, "required": []any{"answer"}},
			"null_option": "none",
		}},
	})
}

func option(value, title, example string) map[string]any {
	return map[string]any{"const": value, "title": title, "description": example}
}

// Calls asks the facilitator about tool calls, one question a command.
func Calls(id string, commands ...string) string {
	var questions []any
	for i, c := range commands {
		questions = append(questions, map[string]any{
			"key": "call_" + string(rune('a'+i)), "message": "The agent wants to run a command.",
			"call": map[string]any{
				"name": "terminal", "arguments": map[string]any{"command": c},
				"may": []any{"run", "edit", "output", "decline", "always"},
			},
		})
	}
	return record(map[string]any{
		"v": 1, "id": id, "addressee": loops.Facilitator, "kind": "judgement", "concern": "permission",
		"loop":      map[string]any{"id": "loop-" + id, "repository": "acme/saudacao", "owner": Mallory},
		"questions": questions,
	})
}

func record(r map[string]any) string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return string(b)
}

// LongQuote is a judgement about a text that is too long for a card.
func LongQuote(id string) string {
	var r map[string]any
	if err := json.Unmarshal([]byte(Judgement(id)), &r); err != nil {
		panic(err) // it was marshalled above
	}
	q := r["questions"].([]any)[0].(map[string]any)
	q["quote"] = strings.Repeat("A person who closes a question has not answered it. ", 100)
	return record(r)
}

// ArgsShow reports whether the arguments of a call have the text.
func ArgsShow(args map[string]any, text string) bool { return strings.Contains(record(args), text) }

// StopOf is the stop whose card a message is, by its stamp.
func StopOf(m standin.Message) string {
	var stamp struct {
		Payload struct {
			Stop string `json:"stop"`
		} `json:"event_payload"`
	}
	_ = json.Unmarshal(m.Metadata, &stamp) // no stamp: no stop
	return stamp.Payload.Stop
}
