package loops

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrNoBot says that no bot has started with this prefix yet, so nothing may be raised.
	ErrNoBot = errors.New("no Flagstop bot has started here")
	// ErrOpen says that the stop has no outcome yet.
	ErrOpen = errors.New("the stop is open: it has no outcome yet")
	// ErrUnknown says that nobody knows of the stop.
	ErrUnknown = errors.New("nobody knows of this stop: it was not raised here, or the raise was lost; raise the same bytes again")
	// ErrClosed says that the client was closed.
	ErrClosed = errors.New("the client is closed; wait again with a new one")
)

// SignedOutcome is a verified outcome and the JWS that it came from.
type SignedOutcome struct {
	Outcome
	JWS string
}

// RefusedError is bytes that did not become a stop: the signed refusal, with every problem.
type RefusedError struct{ Refusal }

// shownProblems is how many problems the sentence of a RefusedError has.
const shownProblems = 10

func (e *RefusedError) Error() string {
	var b strings.Builder
	b.WriteString("the bot refused the record; mend it and raise it again")
	for i, p := range e.Problems {
		if i == shownProblems {
			fmt.Fprintf(&b, "; … (%d more)", len(e.Problems)-i)
			break
		}
		fmt.Fprintf(&b, "; %s %s: %s", p.Code, p.Pointer, p.Message)
	}
	return b.String()
}

// TakenError is an id under which others have raised other bytes.
type TakenError struct {
	ID     string
	Digest string // of the bytes that have the id
}

func (e *TakenError) Error() string {
	return fmt.Sprintf("the id %s is taken by a record with other bytes (%s): raise yours under another id", e.ID, e.Digest)
}

// ClaimedError is an outcome that somebody has taken already.
type ClaimedError struct {
	ID      string    // of the stop
	By      string    // loop id and process, as they wrote it
	Since   time.Time // zero where they wrote no time
	Resumed bool      // the loop went on with it: nobody else may any more
}

func (e *ClaimedError) Error() string {
	since := "some time ago"
	if !e.Since.IsZero() {
		since = e.Since.UTC().Format(time.RFC3339)
	}
	if e.Resumed {
		return fmt.Sprintf("stop %s was resumed already, by %.200q, claimed %s: do nothing", e.ID, e.By, since)
	}
	return fmt.Sprintf("stop %s is claimed by %.200q since %s: let it go on, or try again when its lease of %v has lapsed", e.ID, e.By, since, lease)
}
