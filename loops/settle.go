package loops

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Awaits says what a waiting call needs, and so what may end its wait.
type Awaits string

// What a call may wait for.
const (
	AwaitsApproval Awaits = "approval" // a decision on a gated call; its result comes from the tool, or with the accept
	AwaitsInput    Awaits = "input"    // a person's own input, which is the result: approving it says nothing
)

// Waiting is a call that waits, with the verdict that stands already where there is one.
type Waiting struct {
	Question Question
	Awaits   Awaits
	Verdict  *Verdict
}

// Reply is what came in for one call. An Output without an Action is an input from outside: it answers a call that awaits
// input, and decides nothing. A Reply without a Key is for no call in particular, such as a fresh request.
type Reply struct {
	Key     string
	Verdict Verdict
}

// Settle says what stands after replies came in for the calls that wait: contract §2, for loops that have their own harness.
// It looks at nothing else and changes nothing. Keep what it returns, whatever the error says; go on only without an error,
// once. Its errors are *ReplyError, where nothing of the replies counts, and *WaitingError, where they count and others are
// still waited for.
//
//   - The same reply twice is one. Two that differ on one call are a conflict, before anything else is looked at.
//   - A reply to a call that does not wait turns all of them away.
//   - A call that awaits approval takes an explicit accept or decline; an output alone decides nothing. A call that awaits input
//     takes its output, or a decline; an accept alone says nothing.
//   - A verdict that stands already stays; the same again changes nothing, another is turned away.
//   - With nothing waiting it goes on, whatever came in; with anything waiting it does not, whatever else came in.
func Settle(calls []Waiting, replies []Reply) (map[string]Verdict, error) {
	stands := map[string]Verdict{}
	for _, call := range calls {
		if call.Verdict != nil {
			stands[call.Question.Key] = *call.Verdict
		}
	}
	given, conflicts := distinct(replies)
	if len(conflicts) > 0 {
		return stands, &ReplyError{Conflicts: conflicts, Waiting: waiting(calls, stands)}
	}
	if len(waiting(calls, stands)) == 0 && onlyFresh(given) {
		return stands, nil
	}
	after, wrong := settle(calls, given, stands)
	if wrong.any() {
		wrong.Waiting = waiting(calls, stands)
		return stands, wrong
	}
	if left := waiting(calls, after); len(left) > 0 {
		return after, &WaitingError{Keys: left, Turned: slices.ContainsFunc(given, func(r Reply) bool { return r.Key == "" })}
	}
	return after, nil
}

// distinct leaves out what is said twice, and names what is said in two ways. Two fresh requests are no conflict.
func distinct(replies []Reply) (given []Reply, conflicts []string) {
	first := map[string]Verdict{}
	for _, r := range replies {
		before, again := first[r.Key]
		switch {
		case !again || r.Key == "":
			first[r.Key] = r.Verdict
			given = append(given, r)
		case !SameVerdict(before, r.Verdict) && !slices.Contains(conflicts, r.Key):
			conflicts = append(conflicts, r.Key)
		}
	}
	return given, conflicts
}

func onlyFresh(given []Reply) bool {
	return !slices.ContainsFunc(given, func(r Reply) bool { return r.Key != "" })
}

func settle(calls []Waiting, given []Reply, stands map[string]Verdict) (map[string]Verdict, *ReplyError) {
	after, wrong := maps.Clone(stands), &ReplyError{}
	for _, r := range given {
		if r.Key == "" {
			continue
		}
		i := slices.IndexFunc(calls, func(w Waiting) bool { return w.Question.Key == r.Key })
		if i < 0 {
			wrong.Unknown = append(wrong.Unknown, r.Key)
			continue
		}
		v, reason := calls[i].take(r.Verdict)
		standing, answered := stands[r.Key]
		switch {
		case reason != "":
			wrong.Undecided = append(wrong.Undecided, r.Key+" "+reason)
		case answered && SameVerdict(v, standing):
		case answered:
			wrong.Answered = append(wrong.Answered, r.Key)
		default:
			if err := CheckVerdict(calls[i].Question, v); err != nil {
				wrong.faults = append(wrong.faults, err)
			}
			after[r.Key] = v
		}
	}
	return after, wrong
}

// take is the verdict that a reply amounts to, or why it is none.
func (w *Waiting) take(v Verdict) (Verdict, string) {
	switch w.Awaits {
	case AwaitsApproval:
		if v.Action == "" {
			return v, "waits for approval, which only an accept or a decline is"
		}
		return v, ""
	case AwaitsInput:
		if v.Action == "" && len(v.Output) > 0 {
			v.Action = Accept
		}
		if v.Action == Accept && len(v.Output) == 0 && len(v.Content) == 0 {
			return v, "waits for input, and an approval is none"
		}
		return v, ""
	}
	return v, "waits for what is neither approval nor input"
}

// waiting are the keys without a verdict, in the calls' order.
func waiting(calls []Waiting, stands map[string]Verdict) []string {
	var keys []string
	for _, call := range calls {
		if _, ok := stands[call.Question.Key]; !ok {
			keys = append(keys, call.Question.Key)
		}
	}
	return keys
}

// ReplyError is replies of which nothing counts: nothing was applied, and what they said was neither sent nor saved.
type ReplyError struct {
	Conflicts []string // calls that are answered in two ways
	Unknown   []string // keys of calls that do not wait
	Undecided []string // calls with what does not end their wait, and why
	Answered  []string // calls whose verdict stands, and is another
	Waiting   []string // calls without a verdict
	faults    []error  // *VerdictError
}

func (e *ReplyError) any() bool {
	return len(e.Conflicts)+len(e.Unknown)+len(e.Undecided)+len(e.Answered)+len(e.faults) > 0
}

func (e *ReplyError) Error() string {
	var parts []string
	for _, p := range []struct {
		what string
		keys []string
	}{
		{"answered in two ways: ", e.Conflicts}, {"not waiting: ", e.Unknown}, {"", e.Undecided}, {"answered already, otherwise: ", e.Answered},
	} {
		if len(p.keys) > 0 {
			parts = append(parts, p.what+tenOf(p.keys))
		}
	}
	if err := errors.Join(e.faults...); err != nil {
		parts = append(parts, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	text := strings.Join(parts, "; ") + "; the replies were neither sent nor saved"
	if len(e.Waiting) > 0 {
		text += "; waiting: " + tenOf(e.Waiting)
	}
	return text
}

// Unwrap returns the verdicts that do not fit, each a *VerdictError.
func (e *ReplyError) Unwrap() []error { return e.faults }

// WaitingError is calls that still wait, so that the loop does not go on.
type WaitingError struct {
	Keys   []string // in the calls' order
	Turned bool     // there was an input for no call in particular, which was turned away
}

func (e *WaitingError) Error() string {
	text := "still waiting for a verdict: " + tenOf(e.Keys)
	if e.Turned {
		text += "; the input for none of them was neither sent nor saved"
	}
	return text
}

const shownKeys = 10

// tenOf lists keys, ten at most.
func tenOf(keys []string) string {
	shown := make([]string, 0, shownKeys)
	for _, key := range keys[:min(len(keys), shownKeys)] {
		shown = append(shown, clip(key, 80))
	}
	text := strings.Join(shown, ", ")
	if more := len(keys) - shownKeys; more > 0 {
		text += fmt.Sprintf(", … (%d more)", more)
	}
	return text
}
