package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flagstop/loops"
)

// Change is what a command does to a stop. The zero Change does nothing.
type Change struct {
	Entries     []Entry       // to be appended, complete but for Prev
	State       State         // the state after them
	Record      *loops.Record // to be stored; nil but for a stop's first change
	KeepContext bool          // the loop's sealed context stays as long as the stop does
	Due         bool          // the due moment is computed anew although nothing is appended
	KeepClaim   string        // the claim of this instance of the loop is permanent; "" leaves claims alone
}

func (c Change) nothing() bool {
	return len(c.Entries) == 0 && !c.KeepContext && c.KeepClaim == "" && !c.Due
}

// Decide says what a command does to a stop, at a time, or why it does nothing: it looks at nothing else and changes
// nothing. A stop that does not exist yet has the zero State. Errors are those of Ledger.Do that are not Redis's.
func Decide(stop Stop, c Command, now time.Time) (Change, error) {
	now = now.UTC().Truncate(time.Millisecond)
	if r, ok := c.(Raise); ok {
		return raise(stop, r, now)
	}
	if stop.State.Phase == "" {
		return Change{}, ErrUnknown
	}
	switch c := c.(type) {
	case Answer:
		return answer(stop, c, now)
	case Dismiss:
		return dismiss(stop, c, now)
	case TurnAway:
		return turnAway(stop, c, now)
	case Note:
		return note(stop, c, now)
	case Withdraw:
		return withdraw(stop, c, now)
	case Complete:
		return complete(stop, c, now)
	case Resume:
		return resume(stop, c, now)
	case Expire:
		return expire(stop, c, now)
	case Take, Release, Snooze, Reassign, NotMine, HandOff:
		return hold(stop, c, now)
	case Visible, SetPolicy, Step, Remind, Warn, Lapse:
		return elapse(stop, c, now)
	default:
		return Change{}, fmt.Errorf("%w: %T is not a command", ErrIncomplete, c)
	}
}

// raise makes the context permanent also when the stop is there already: a loop that restarts seals it anew, with a
// day's expiry, before it raises the same bytes again.
func raise(stop Stop, c Raise, now time.Time) (Change, error) {
	r := c.Record
	if r == nil || len(r.Bytes()) == 0 {
		return Change{}, fmt.Errorf("%w: a record that came from a check", ErrIncomplete)
	}
	if stop.State.Phase == "" {
		ch := then(stop, now, Entry{Kind: RaisedEntry, Holder: r.Addressee, Policy: c.Policy})
		ch.State.Digest = r.Digest()
		ch.Record, ch.KeepContext = r, true
		return ch, nil
	}
	if stop.State.Digest != r.Digest() {
		return Change{}, &TakenError{ID: stop.ID, Digest: stop.State.Digest}
	}
	return Change{State: stop.State, KeepContext: true}, nil
}

// answer looks at all of a submission before any of it counts.
func answer(stop Stop, c Answer, now time.Time) (Change, error) {
	if c.By.ID == "" {
		return Change{}, fmt.Errorf("%w: who answers", ErrIncomplete)
	}
	if err := asked(stop, c.Verdicts); err != nil {
		return Change{}, err
	}
	fresh, err := unanswered(stop, c.Verdicts)
	if err != nil || len(fresh) == 0 {
		return Change{State: stop.State}, err
	}
	if stop.State.Phase != Open {
		return Change{}, &ClosedError{Stop: stop}
	}
	var faults []error
	var entries []Entry
	for _, q := range fresh {
		v := c.Verdicts[q.Key]
		faults = append(faults, loops.CheckVerdict(q, v))
		v.By, v.At = nil, time.Time{} // the entry says them
		entries = append(entries, Entry{Kind: VerdictEntry, By: &c.By, Key: q.Key, Verdict: &v})
	}
	if err := errors.Join(faults...); err != nil {
		return Change{}, err
	}
	if len(stop.State.Verdicts)+len(fresh) == len(stop.Record.Questions) {
		entries = append(entries, Entry{Kind: AnsweredEntry, Origin: originOf(c.By)})
	}
	return then(stop, now, entries...), nil
}

// asked refuses an empty submission and keys that the stop does not ask.
func asked(stop Stop, verdicts map[string]loops.Verdict) error {
	var unknown []string
	for key := range verdicts {
		if _, ok := stop.Record.Question(key); !ok {
			unknown = append(unknown, key)
		}
	}
	if len(verdicts) > 0 && len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return &QuestionError{ID: stop.ID, Unknown: unknown, Waiting: stop.Waiting()}
}

// unanswered returns the questions, in the record's order, whose verdicts are not the standing ones. Any that differs
// from a standing one turns the whole submission away.
func unanswered(stop Stop, verdicts map[string]loops.Verdict) ([]loops.Question, error) {
	var fresh []loops.Question
	for _, q := range stop.Record.Questions {
		v, given := verdicts[q.Key]
		standing, stands := stop.State.Verdicts[q.Key]
		switch {
		case !given:
		case !stands:
			fresh = append(fresh, q)
		case loops.SameVerdict(v, standing):
		case stop.State.Phase == Withdrawn || stop.State.Phase == Expired:
			return nil, &ClosedError{Stop: stop}
		default:
			return nil, &AnsweredError{Key: q.Key, Standing: standing, Stop: stop}
		}
	}
	return fresh, nil
}

// originOf is the origin of an answered stop: that of the verdict which completed it.
func originOf(by loops.By) loops.Origin {
	if strings.HasPrefix(by.ID, "machine:") {
		return loops.OriginMachine
	}
	return loops.OriginPerson
}

// dismiss keeps the first of a person's dismissals in a minute, for the same reason as turnAway.
func dismiss(stop Stop, c Dismiss, now time.Time) (Change, error) {
	if stop.State.Phase != Open {
		return Change{}, &ClosedError{Stop: stop}
	}
	if _, ok := stop.Record.Question(c.Key); c.Key != "" && !ok {
		return Change{}, &QuestionError{ID: stop.ID, Unknown: []string{c.Key}, Waiting: stop.Waiting()}
	}
	if justNow(stop, DismissedEntry, c.By, now) {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: DismissedEntry, By: &c.By, Key: c.Key}), nil
}

// justNow reports whether the same person did the same within the last minute.
func justNow(stop Stop, kind EntryKind, by loops.By, now time.Time) bool {
	_, ok := lately(stop, kind, by, now)
	return ok
}

// lately is the latest entry of a kind by a person, if it is not a minute old.
func lately(stop Stop, kind EntryKind, by loops.By, now time.Time) (Entry, bool) {
	for _, e := range slices.Backward(stop.Log) {
		if now.Sub(e.At) >= time.Minute {
			break
		}
		if e.Kind == kind && e.By != nil && e.By.ID == by.ID {
			return e, true
		}
	}
	return Entry{}, false
}

// turnAway keeps the first of a person's clicks in a minute, so that an impatient finger cannot grow the log.
func turnAway(stop Stop, c TurnAway, now time.Time) (Change, error) {
	if justNow(stop, TurnedAwayEntry, c.By, now) {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: TurnedAwayEntry, By: &c.By, Key: c.Key, Reason: c.Reason}), nil
}

func note(stop Stop, c Note, now time.Time) (Change, error) {
	if strings.TrimSpace(c.Text) == "" {
		return Change{}, fmt.Errorf("%w: the text of the note", ErrIncomplete)
	}
	c.Text = cut(c.Text)
	if noteStands(stop, c, now) {
		return Change{State: stop.State}, nil
	}
	if noted(stop, c.By, now) >= notesAMinute {
		return Change{}, ErrFlood
	}
	return then(stop, now, Entry{Kind: NoteEntry, By: &c.By, Key: c.Message, Text: c.Text}), nil
}

// noteStands reports whether a note is in the log already.
func noteStands(stop Stop, c Note, now time.Time) bool {
	if c.Message == "" {
		e, ok := lately(stop, NoteEntry, c.By, now)
		return ok && e.Text == c.Text
	}
	return slices.ContainsFunc(stop.Log, func(e Entry) bool { return e.Kind == NoteEntry && e.Key == c.Message })
}

// notesAMinute is how many notes of one person are kept with a stop in a minute, so that nobody can flood its log.
const notesAMinute = 6

// noted counts the notes of a person within the last minute.
func noted(stop Stop, by loops.By, now time.Time) (n int) {
	for _, e := range slices.Backward(stop.Log) {
		if now.Sub(e.At) >= time.Minute {
			break
		}
		if e.Kind == NoteEntry && e.By != nil && e.By.ID == by.ID {
			n++
		}
	}
	return n
}

func withdraw(stop Stop, c Withdraw, now time.Time) (Change, error) {
	switch stop.State.Phase {
	case Open:
		return then(stop, now, Entry{
			Kind: WithdrawnEntry, By: loopOr(c.By, stop.Record), Origin: loops.OriginAsker, Reason: c.Reason,
		}), nil
	case Withdrawn:
		return Change{State: stop.State}, nil
	case Answered, Expired:
	}
	return Change{}, &ClosedError{Stop: stop}
}

func complete(stop Stop, c Complete, now time.Time) (Change, error) {
	page := func(q loops.Question) bool { return q.URL != "" }
	if !slices.ContainsFunc(stop.Record.Questions, page) {
		return Change{}, ErrNoPage
	}
	if !stop.State.Completed.IsZero() {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: CompletedEntry, By: loopOr(c.By, stop.Record)}), nil
}

// loopOr is who did what loops do: nobody named is the stop's own loop.
func loopOr(by loops.By, r *loops.Record) *loops.By {
	if by.ID == "" {
		by = loops.By{ID: "loop:" + r.Loop.ID, Through: "inbox"}
	}
	return &by
}

// resume keeps the claim of the instance that went on first. Another one that comes after it changes nothing.
func resume(stop Stop, c Resume, now time.Time) (Change, error) {
	switch {
	case c.By == "":
		return Change{}, fmt.Errorf("%w: which instance of the loop went on", ErrIncomplete)
	case stop.State.Phase == Open:
		return Change{}, ErrNotEnded
	case c.Outcome != stop.Outcome:
		return Change{}, ErrOtherOutcome
	case stop.State.Resumed == nil:
		ch := then(stop, now, Entry{Kind: ResumedEntry, By: &loops.By{ID: "loop:" + c.By, Through: "inbox"}})
		ch.KeepClaim = c.By
		return ch, nil
	case stop.State.Resumed.By == c.By:
		return Change{State: stop.State, KeepClaim: c.By}, nil
	default:
		return Change{State: stop.State}, nil
	}
}

func expire(stop Stop, c Expire, now time.Time) (Change, error) {
	if c.Origin != loops.OriginAsker && c.Origin != loops.OriginPolicy {
		return Change{}, fmt.Errorf("%w: a stop expires by its asker's cap or by a policy's", ErrIncomplete)
	}
	switch stop.State.Phase {
	case Open:
	case Expired:
		return Change{State: stop.State}, nil
	case Answered, Withdrawn:
		return Change{}, &ClosedError{Stop: stop}
	}
	limit := stop.Record.Expires
	if c.Origin == loops.OriginAsker && (limit.IsZero() || now.Before(limit)) {
		return Change{State: stop.State}, nil
	}
	return then(stop, now, Entry{Kind: ExpiredEntry, Origin: c.Origin}), nil
}

// then makes the change that appends entries. One change moves rev by one at most, however many entries it has.
func then(stop Stop, now time.Time, entries ...Entry) Change {
	rev, state := stop.State.Rev, stop.State
	for i := range entries {
		e := &entries[i]
		if e.Kind.moves() {
			rev = stop.State.Rev + 1
		}
		e.Seq, e.Rev, e.At = state.Seq+1, rev, now
		state = Apply(state, *e)
	}
	return Change{Entries: entries, State: state}
}

// With is the stop after a change that was decided on it, before anybody stored it: without the bytes of its log, and
// without an outcome.
func (s Stop) With(c Change) Stop {
	if c.Record != nil {
		s.Record = c.Record
	}
	s.Log = append(slices.Clip(s.Log), c.Entries...)
	s.State, s.raw = c.State, nil
	return s
}

// Waiting returns the keys of the questions that have no verdict, in the record's order.
func (s Stop) Waiting() []string {
	var keys []string
	for _, q := range s.Record.Questions {
		if _, stands := s.State.Verdicts[q.Key]; !stands {
			keys = append(keys, q.Key)
		}
	}
	return keys
}
