package ledger

import (
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"flagstop/loops"
)

// ErrUnknown says that nobody knows of a stop with that id.
var ErrUnknown = errors.New("no such stop")

// ErrBroken says that what Redis holds of a stop is not what the ledger wrote: trying again does not help, somebody has to
// look (flagstop log ID --verify).
var ErrBroken = errors.New("what redis holds of this stop is broken; look with flagstop log --verify")

// broken marks an error that no further try mends: a key of another type. Redis has no other name for it than its text,
// which a script may put something before.
func broken(err error) error {
	if reply, ok := errors.AsType[redis.Error](err); ok && strings.Contains(reply.Error(), "WRONGTYPE") {
		return fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return err
}

// Why a command does not apply to a stop. None of them has any effect.
var (
	// ErrNoQuestion says that a submission names no question, or one that the stop does not ask: see *QuestionError.
	ErrNoQuestion = errors.New("not a question of this stop")
	// ErrNotEnded says that a loop went on although its stop has no outcome yet.
	ErrNotEnded = errors.New("the stop is open: it has no outcome to go on with; wait for one")
	// ErrOtherOutcome says that a loop went on with another outcome than the one that is stored.
	ErrOtherOutcome = errors.New("this is not the outcome of the stop; read the stored one and verify it")
	// ErrNoPage says that a page was reported done for a stop that has no URL question.
	ErrNoPage = errors.New("no question of this stop is answered on a page")
	// ErrSnooze says that a stop was to be snoozed to a moment that is past, or more than 7 days away.
	ErrSnooze = errors.New("snooze to a moment within the next 7 days")
	// ErrMoved says that the stop moved after what was decided on it: look again.
	ErrMoved = errors.New("the stop has moved meanwhile; look again")
	// ErrFlood says that a person noted so much on a stop within a minute that no more is kept.
	ErrFlood = errors.New("that is too many notes within a minute; wait, and write what is left as one")
	// ErrIncomplete says that a command lacks what it needs, such as who gives it.
	ErrIncomplete = errors.New("the command lacks a part")
)

// ErrLeaseLost says that the lease lapsed, so that somebody else may be at work on the same stop.
var ErrLeaseLost = errors.New("the lease on the stop's cards lapsed")

// ClosedError says that the stop is not open any more. Stop is the read that said so: who answered what, when.
type ClosedError struct{ Stop Stop }

func (e *ClosedError) Error() string {
	return fmt.Sprintf("stop %s is %s", e.Stop.ID, e.Stop.State.Phase)
}

// AnsweredError says that a question has a standing verdict that differs from the one offered.
type AnsweredError struct {
	Key      string
	Standing loops.Verdict
	Stop     Stop
}

func (e *AnsweredError) Error() string {
	return fmt.Sprintf("question %q of stop %s has a verdict already", e.Key, e.Stop.ID)
}

// TakenError says that the id belongs to a stop with other bytes.
type TakenError struct{ ID, Digest string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("stop id %s is taken by another record", e.ID)
}

// QuestionError is a submission without any verdict, or with a key that the stop does not ask. It is an ErrNoQuestion.
type QuestionError struct {
	ID      string
	Unknown []string // sorted; empty: nothing was submitted
	Waiting []string // the questions that wait for a verdict, in the record's order
}

func (e *QuestionError) Error() string {
	what := "nothing was submitted"
	if len(e.Unknown) > 0 {
		what = "no such question: " + listed(e.Unknown)
	}
	if len(e.Waiting) == 0 {
		return fmt.Sprintf("stop %s: %s; no question waits", e.ID, what)
	}
	return fmt.Sprintf("stop %s: %s; waiting: %s", e.ID, what, listed(e.Waiting))
}

// Is makes every QuestionError an ErrNoQuestion.
func (e *QuestionError) Is(target error) bool { return target == ErrNoQuestion }

// listed names ten keys at most: contract §2 rule 4.
func listed(keys []string) string {
	const most = 10
	if len(keys) <= most {
		return strings.Join(keys, ", ")
	}
	return fmt.Sprintf("%s, … (%d more)", strings.Join(keys[:most], ", "), len(keys)-most)
}

// ChainError is the first entry of a log that does not fit what is before it, or what is stored beside it.
type ChainError struct {
	ID   string
	Seq  int64
	What string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("log of stop %s, entry %d: %s", e.ID, e.Seq, e.What)
}
