package loops_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
)

func approval(key string) loops.Waiting {
	return loops.Waiting{Awaits: loops.AwaitsApproval, Question: loops.Question{Key: key, Call: &loops.Call{
		Name: "terminal", Arguments: json.RawMessage(`{}`), May: []loops.May{loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline},
	}}}
}

func humanInput(key string) loops.Waiting {
	w := approval(key)
	w.Awaits, w.Question.Call.May = loops.AwaitsInput, []loops.May{loops.MayOutput, loops.MayDecline}
	return w
}

func standing(w loops.Waiting, v loops.Verdict) loops.Waiting {
	w.Verdict = &v
	return w
}

func yes(key string) loops.Reply {
	return loops.Reply{Key: key, Verdict: loops.Verdict{Action: loops.Accept}}
}

func no(key string) loops.Reply {
	return loops.Reply{Key: key, Verdict: loops.Verdict{Action: loops.Decline, Message: "no"}}
}

func output(key, json string) loops.Reply {
	return loops.Reply{Key: key, Verdict: loops.Verdict{Output: []byte(json)}}
}

// settled names what stands, by key: yes, no, output.
func settled(verdicts map[string]loops.Verdict) map[string]string {
	got := map[string]string{}
	for key, v := range verdicts {
		switch {
		case v.Action == loops.Decline:
			got[key] = "no"
		case v.Output != nil:
			got[key] = "output"
		default:
			got[key] = "yes"
		}
	}
	return got
}

// fresh is an input for no call in particular.
func fresh() loops.Reply { return output("", `"another request"`) }

func TestSettle(t *testing.T) {
	t.Parallel()
	var eleven []loops.Waiting
	for i := range 11 {
		eleven = append(eleven, approval(fmt.Sprintf("call_%d", i+1)))
	}
	one, two := approval("call_1"), approval("call_2")
	accepted := loops.Verdict{Action: loops.Accept}
	type stands = map[string]string
	for rule, c := range map[string]struct {
		calls   []loops.Waiting
		replies []loops.Reply
		want    stands
		err     string // "" goes on
	}{
		"the same approval twice is one":              {[]loops.Waiting{one}, []loops.Reply{yes("call_1"), yes("call_1")}, stands{"call_1": "yes"}, ""},
		"approved and rejected is a conflict":         {[]loops.Waiting{one, two}, []loops.Reply{yes("call_1"), yes("call_2"), no("call_2")}, stands{}, "answered in two ways: call_2; the replies were neither sent nor saved; waiting: call_1, call_2"},
		"a conflict comes before anything else":       {[]loops.Waiting{one}, []loops.Reply{yes("nobody"), yes("x"), no("x")}, stands{}, "answered in two ways: x; the replies were neither sent nor saved; waiting: call_1"},
		"a conflict counts with nothing waiting too":  {nil, []loops.Reply{yes("x"), no("x")}, stands{}, "answered in two ways: x; the replies were neither sent nor saved"},
		"an unknown id turns all of them away":        {[]loops.Waiting{one}, []loops.Reply{yes("call_1"), yes("call_9")}, stands{}, "not waiting: call_9; the replies were neither sent nor saved; waiting: call_1"},
		"no decision stays paused":                    {[]loops.Waiting{one, two}, nil, stands{}, "still waiting for a verdict: call_1, call_2"},
		"a partial decision is kept and waits":        {[]loops.Waiting{one, two}, []loops.Reply{no("call_2")}, stands{"call_2": "no"}, "still waiting for a verdict: call_1"},
		"the rest completes it":                       {[]loops.Waiting{one, standing(two, accepted)}, []loops.Reply{no("call_1")}, stands{"call_1": "no", "call_2": "yes"}, ""},
		"the same again changes nothing":              {[]loops.Waiting{standing(one, accepted), two}, []loops.Reply{yes("call_1"), yes("call_2")}, stands{"call_1": "yes", "call_2": "yes"}, ""},
		"another after it stands is turned away":      {[]loops.Waiting{standing(one, accepted), two}, []loops.Reply{no("call_1"), yes("call_2")}, stands{"call_1": "yes"}, "answered already, otherwise: call_1; the replies were neither sent nor saved; waiting: call_2"},
		"nothing pending goes on":                     {nil, nil, stands{}, ""},
		"nothing pending takes a fresh request":       {nil, []loops.Reply{fresh()}, stands{}, ""},
		"a fresh request does not pass what waits":    {[]loops.Waiting{one}, []loops.Reply{fresh()}, stands{}, "still waiting for a verdict: call_1; the input for none of them was neither sent nor saved"},
		"an output does not approve":                  {[]loops.Waiting{one}, []loops.Reply{output("call_1", `"done"`)}, stands{}, "call_1 waits for approval, which only an accept or a decline is; the replies were neither sent nor saved; waiting: call_1"},
		"an accept with an output does":               {[]loops.Waiting{one}, []loops.Reply{{Key: "call_1", Verdict: loops.Verdict{Action: loops.Accept, Output: []byte(`1`)}}}, stands{"call_1": "output"}, ""},
		"human input takes its output":                {[]loops.Waiting{humanInput("call_1")}, []loops.Reply{output("call_1", `"Lisbon"`)}, stands{"call_1": "output"}, ""},
		"an approval is no input":                     {[]loops.Waiting{humanInput("call_1")}, []loops.Reply{yes("call_1")}, stands{}, "call_1 waits for input, and an approval is none; the replies were neither sent nor saved; waiting: call_1"},
		"human input can be declined":                 {[]loops.Waiting{humanInput("call_1")}, []loops.Reply{no("call_1")}, stands{"call_1": "no"}, ""},
		"mixed calls keep their difference":           {[]loops.Waiting{one, humanInput("call_2")}, []loops.Reply{yes("call_1"), output("call_2", `2`)}, stands{"call_1": "yes", "call_2": "output"}, ""},
		"one of two inputs is kept, the other taken":  {[]loops.Waiting{standing(humanInput("call_1"), loops.Verdict{Action: loops.Accept, Output: []byte(`1`)}), humanInput("call_2")}, []loops.Reply{output("call_1", `1`), output("call_2", `2`)}, stands{"call_1": "output", "call_2": "output"}, ""},
		"an unknown action is no consent":             {[]loops.Waiting{one}, []loops.Reply{{Key: "call_1", Verdict: loops.Verdict{Action: "approve"}}}, stands{}, "the verdict on question call_1 does not fit at /action: Write accept or decline. Nothing else is a verdict; the replies were neither sent nor saved; waiting: call_1"},
		"a dismissal is no verdict":                   {[]loops.Waiting{one}, []loops.Reply{{Key: "call_1", Verdict: loops.Verdict{Action: "cancel"}}}, stands{}, "the verdict on question call_1 does not fit at /action: Write accept or decline. Nothing else is a verdict; the replies were neither sent nor saved; waiting: call_1"},
		"an empty verdict is no consent":              {[]loops.Waiting{one}, []loops.Reply{{Key: "call_1"}}, stands{}, "call_1 waits for approval, which only an accept or a decline is; the replies were neither sent nor saved; waiting: call_1"},
		"eleven that wait are ten and one more":       {eleven, nil, stands{}, "still waiting for a verdict: call_1, call_2, call_3, call_4, call_5, call_6, call_7, call_8, call_9, call_10, … (1 more)"},
		"a call that waits for nothing known is none": {[]loops.Waiting{{Question: one.Question}}, []loops.Reply{yes("call_1")}, stands{}, "call_1 waits for what is neither approval nor input; the replies were neither sent nor saved; waiting: call_1"},
	} {
		got, err := loops.Settle(c.calls, c.replies)
		if diff := cmp.Diff(c.want, settled(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rule, diff)
		}
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != c.err {
			t.Errorf("%s: it says\n%q, want\n%q", rule, said, c.err)
		}
	}
}

func TestFaultsOfRepliesAreMatchable(t *testing.T) {
	t.Parallel()
	_, err := loops.Settle([]loops.Waiting{approval("call_1")}, []loops.Reply{{Key: "call_1", Verdict: loops.Verdict{Action: loops.Accept, Arguments: []byte(`1`)}}})
	if _, ok := errors.AsType[*loops.VerdictError](err); !ok {
		t.Errorf("Settle = %v, want a VerdictError", err)
	}
}

// Submissions in any order and any mixture: what stands never changes, nothing but an explicit decision comes to stand, and it
// goes on only when every call has one.
func FuzzSettle(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		calls := make([]loops.Waiting, r.IntN(4))
		for i := range calls {
			calls[i] = approval(strconv.Itoa(i))
			if r.IntN(2) == 0 {
				calls[i] = humanInput(strconv.Itoa(i))
			}
		}
		for range 10 {
			before := map[string]loops.Verdict{}
			for _, c := range calls {
				if c.Verdict != nil {
					before[c.Question.Key] = *c.Verdict
				}
			}
			replies := someReplies(r, len(calls))
			got, err := loops.Settle(calls, replies)
			holds(t, calls, replies, before, got, err)
			for i := range calls {
				if v, ok := got[calls[i].Question.Key]; ok {
					calls[i].Verdict = &v
				}
			}
		}
	})
}

func someReplies(r *rand.Rand, calls int) []loops.Reply {
	replies := make([]loops.Reply, r.IntN(5))
	for i := range replies {
		key := strconv.Itoa(r.IntN(calls + 2))
		replies[i] = []loops.Reply{yes(key), no(key), output(key, `1`), output(key, `2`), fresh(), {Key: key}}[r.IntN(6)]
	}
	return replies
}

func holds(t *testing.T, calls []loops.Waiting, replies []loops.Reply, before, got map[string]loops.Verdict, err error) {
	t.Helper()
	for key, v := range before {
		if now, ok := got[key]; !ok || !loops.SameVerdict(v, now) {
			t.Errorf("the verdict on %s was %v and is %v", key, v, now)
		}
	}
	if err == nil && len(got) != len(calls) {
		t.Errorf("it goes on with %d of %d verdicts", len(got), len(calls))
	}
	if _, ok := errors.AsType[*loops.ReplyError](err); ok && len(got) != len(before) {
		t.Errorf("%v, but something was applied", err)
	}
	for _, c := range calls {
		v, ok := got[c.Question.Key]
		if !ok {
			continue
		}
		if c.Awaits == loops.AwaitsInput && v.Action == loops.Accept && v.Output == nil {
			t.Errorf("an approval stands for the input of %s", c.Question.Key)
		}
		if v.Action != loops.Accept && v.Action != loops.Decline {
			t.Errorf("%q stands for %s", v.Action, c.Question.Key)
		}
	}
	if err != nil && strings.TrimSpace(err.Error()) == "" {
		t.Errorf("an error without a word for %v", replies)
	}
}
