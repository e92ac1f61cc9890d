package ledger

import (
	"errors"
	"strings"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// after decides commands one after another, a second apart, without a store, and fails where one is an error.
func after(t *testing.T, o object, commands ...Command) Stop {
	t.Helper()
	stop := Stop{ID: o["id"].(string)}
	for i, c := range append([]Command{Raise{Record: recordOf(t, o)}}, commands...) {
		change, err := Decide(stop, c, noon.Add(time.Duration(i)*time.Second))
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		stop = with(stop, change)
	}
	return stop
}

func with(stop Stop, c Change) Stop { return stop.With(c) }

func decided(t *testing.T, stop Stop, c Command) Change {
	t.Helper()
	change, err := Decide(stop, c, noon.Add(time.Hour))
	ok(t, err)
	return change
}

func kinds(entries []Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, string(e.Kind))
	}
	return strings.Join(names, " ")
}

func TestASubmissionIsValidatedWholeBeforeAnyEffect(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"))
	c := Answer{By: ana, Verdicts: map[string]loops.Verdict{"a": accept(), "b": {Action: "maybe"}}}
	change, err := Decide(stop, c, noon)
	var fault *loops.VerdictError
	if !errors.As(err, &fault) || fault.Key != "b" {
		t.Errorf("err = %v, want a VerdictError of b", err)
	}
	if len(change.Entries) > 0 {
		t.Errorf("entries = %s, want none", kinds(change.Entries))
	}
}

func TestTheSameVerdictAgainIsSuccessWithoutASecondEffect(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"), answers(ana, decline("no"), "a"))
	if c := decided(t, stop, answers(bob, decline("no"), "a")); len(c.Entries) > 0 {
		t.Errorf("entries = %s, want none", kinds(c.Entries))
	}
	stop = with(stop, decided(t, stop, answers(ana, accept(), "b")))
	if c := decided(t, stop, answers(bob, decline("no"), "a")); len(c.Entries) > 0 {
		t.Errorf("after the end: entries = %s, want none", kinds(c.Entries))
	}
}

func TestTheFirstVerdictOfAKeyStands(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"), answers(ana, accept(), "a"))
	c := Answer{By: bob, Verdicts: map[string]loops.Verdict{"a": decline("no"), "b": accept()}}
	change, err := Decide(stop, c, noon)
	var told *AnsweredError
	if !errors.As(err, &told) {
		t.Fatalf("err = %v, want an AnsweredError", err)
	}
	if told.Key != "a" || told.Standing.By.ID != ana.ID || !told.Standing.At.Equal(noon.Add(time.Second)) {
		t.Errorf("it tells of %s by %v at %v", told.Key, told.Standing.By, told.Standing.At)
	}
	if len(change.Entries) > 0 {
		t.Errorf("entries = %s, want none: b must not count either", kinds(change.Entries))
	}
}

func TestUnknownKeysAndEmptySubmissionsListTenWaitingKeysAtMost(t *testing.T) {
	stop := after(t, withCalls("s", numbered(12)...), answers(ana, accept(), "call_1"))
	_, err := Decide(stop, answers(ana, accept(), "nobody asked"), noon)
	want := "stop s: no such question: nobody asked; waiting: call_2, call_3, call_4, call_5, call_6, call_7, call_8, " +
		"call_9, call_10, call_11, … (1 more)"
	if err == nil || err.Error() != want || !errors.Is(err, ErrNoQuestion) {
		t.Errorf("err = %v\nwant  %s", err, want)
	}
	_, err = Decide(stop, Answer{By: ana}, noon)
	if err == nil || !strings.Contains(err.Error(), "nothing was submitted") || !errors.Is(err, ErrNoQuestion) {
		t.Errorf("err = %v, want that nothing was submitted", err)
	}
}

func TestPartialVerdictsAreKeptAndTheLastOneEndsTheStop(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"), answers(ana, accept(), "a"))
	if stop.State.Phase != Open || stop.State.Rev != 2 || len(stop.Waiting()) != 1 {
		t.Fatalf("after one of two: %s, rev %d, waiting %v", stop.State.Phase, stop.State.Rev, stop.Waiting())
	}
	stop = with(stop, decided(t, stop, answers(bot, decline("not this"), "b")))
	if got := kinds(stop.Log); got != "raised verdict verdict answered" {
		t.Errorf("log = %s", got)
	}
	if stop.State.Phase != Answered || stop.State.Rev != 3 {
		t.Errorf("it is %s at rev %d, want answered at rev 3: one change moves rev once", stop.State.Phase, stop.State.Rev)
	}
	if stop.State.End.Origin != loops.OriginMachine {
		t.Errorf("origin = %s, want machine: it gave the verdict that completed the stop", stop.State.End.Origin)
	}
	if v := stop.State.Verdicts["a"]; v.By.ID != ana.ID {
		t.Errorf("the verdict on a is by %v, want Ana", v.By)
	}
}

func TestADeclineEndsItsQuestion(t *testing.T) {
	stop := after(t, withCalls("s", "a"), answers(ana, decline("use the other tool"), "a"))
	if stop.State.Phase != Answered || stop.State.End.Origin != loops.OriginPerson {
		t.Errorf("it is %s by %s, want answered by a person", stop.State.Phase, stop.State.End.Origin)
	}
}

func TestADismissalIsNotedAndLeavesTheStopOpen(t *testing.T) {
	stop := after(t, withCalls("s", "a"), Dismiss{By: ana, Key: "a"})
	if stop.State.Phase != Open || stop.State.Rev != 1 || kinds(stop.Log) != "raised dismissed" {
		t.Errorf("it is %s at rev %d with %s", stop.State.Phase, stop.State.Rev, kinds(stop.Log))
	}
}

func TestTheSamePersonIsNotedInTheLogOnceAMinute(t *testing.T) {
	for name, same := range map[string]func(by loops.By) Command{
		"turned away": func(by loops.By) Command { return TurnAway{By: by, Reason: "not yours"} },
		"dismissed":   func(by loops.By) Command { return Dismiss{By: by, Key: "a"} },
	} {
		stop := after(t, withCalls("s", "a"), same(ana), same(bob))
		for _, tc := range []struct {
			after time.Duration
			want  int
		}{{30 * time.Second, 0}, {59 * time.Second, 0}, {62 * time.Second, 1}} {
			change, err := Decide(stop, same(ana), noon.Add(tc.after))
			ok(t, err)
			if len(change.Entries) != tc.want {
				t.Errorf("%s, %v later: %d entries, want %d", name, tc.after, len(change.Entries), tc.want)
			}
			if change.State.Rev != 1 {
				t.Errorf("%s: rev = %d, want 1", name, change.State.Rev)
			}
		}
	}
}

func TestNothingCountsBeforeTheAskersOwnCap(t *testing.T) {
	o := toSee("s")
	o["expires"] = noon.Add(time.Minute).Format(time.RFC3339)
	stop := after(t, o)
	for _, tc := range []struct {
		after time.Duration
		want  string
	}{{59 * time.Second, ""}, {time.Minute, "expired"}} {
		change, err := Decide(stop, Expire{Origin: loops.OriginAsker}, noon.Add(tc.after))
		ok(t, err)
		if got := kinds(change.Entries); got != tc.want {
			t.Errorf("%v later: %q, want %q", tc.after, got, tc.want)
		}
	}
}

func TestAClickCountsAfterTheCapWhileTheStopIsOpen(t *testing.T) {
	o := toSee("s")
	o["expires"] = noon.Add(time.Minute).Format(time.RFC3339)
	if c := decided(t, after(t, o), answers(ana, accept(), "q")); kinds(c.Entries) != "verdict answered" {
		t.Errorf("entries = %q", kinds(c.Entries))
	}
}

func TestTheStateIsTheFoldOfTheLog(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"), answers(ana, accept(), "a"), Dismiss{By: bob, Key: "b"},
		TurnAway{By: bot, Key: "b", Reason: "no"}, Note{By: bob, Text: "a look"}, answers(bob, accept(), "b"))
	var folded State
	for _, e := range stop.Log {
		folded = Apply(folded, e)
	}
	folded.Digest = stop.Record.Digest() // the record's own
	if diff := cmp.Diff(stop.State, folded); diff != "" {
		t.Errorf("state (-decided +folded):\n%s", diff)
	}
}

func TestApplyLeavesTheStateThatItIsGiven(t *testing.T) {
	stop := after(t, withCalls("s", "a", "b"), answers(ana, accept(), "a"))
	Apply(stop.State, Entry{Kind: VerdictEntry, Key: "b", Verdict: &loops.Verdict{Action: loops.Accept}})
	if _, leaked := stop.State.Verdicts["b"]; leaked {
		t.Error("a verdict leaked into the state before")
	}
}

func TestAnEntryOfAnUnknownKindMovesWhatItSays(t *testing.T) {
	stop := after(t, withCalls("s", "a"))
	s := Apply(stop.State, Entry{Seq: 2, Kind: "handed-off", Rev: 2, At: noon.Add(time.Hour), Holder: "security"})
	if s.Seq != 2 || s.Rev != 2 || s.Holder != "security" || !s.Since.Equal(noon.Add(time.Hour)) || s.Phase != Open {
		t.Errorf("state = %+v", s)
	}
}

func TestNothingLeavesAnEnd(t *testing.T) {
	stop := after(t, withCalls("s", "a"), Withdraw{Reason: "done"})
	for _, kind := range []EntryKind{AnsweredEntry, ExpiredEntry, WithdrawnEntry} {
		s := Apply(stop.State, Entry{Seq: 3, Kind: kind, Rev: 3, Origin: loops.OriginPolicy})
		if s.Phase != Withdrawn || s.End.Reason != "done" {
			t.Errorf("%s made it %s", kind, s.Phase)
		}
	}
}

func TestAWithdrawalIsTheAskers(t *testing.T) {
	stop := after(t, withCalls("s", "a"), Withdraw{Reason: "no longer needed"})
	want := &End{
		At: noon.Add(time.Second), Origin: loops.OriginAsker, Reason: "no longer needed",
		By: &loops.By{ID: "loop:dev/1", Through: "inbox"},
	}
	if diff := cmp.Diff(want, stop.State.End); diff != "" {
		t.Errorf("end (-want +got):\n%s", diff)
	}
}

func TestOnlyTheFirstInstanceThatWentOnKeepsTheClaim(t *testing.T) {
	stop := after(t, withCalls("s", "a"), Withdraw{}, Resume{By: "dev/1/ab"})
	if c := decided(t, stop, Resume{By: "dev/1/cd"}); !c.nothing() {
		t.Errorf("another instance changes %+v", c)
	}
	if c := decided(t, stop, Resume{By: "dev/1/ab"}); c.KeepClaim != "dev/1/ab" || len(c.Entries) > 0 {
		t.Errorf("the same instance again changes %+v", c)
	}
	if got := stop.State.Resumed.By; got != "dev/1/ab" {
		t.Errorf("resumed by %q", got)
	}
}
