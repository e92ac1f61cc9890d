package ledger

import (
	"errors"
	"fmt"

	"flagstop/loops"
)

// ErrUnknown says that nobody knows of a stop with that id.
var ErrUnknown = errors.New("no such stop")

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
