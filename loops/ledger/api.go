package ledger

import (
	"time"

	"flagstop/loops"
)

// Phase is where a stop is in its life: the field `state` of contract §3. Nothing leaves the last three.
type Phase string

// The phases of a stop.
const (
	Open      Phase = "open"
	Answered  Phase = "answered"
	Withdrawn Phase = "withdrawn"
	Expired   Phase = "expired"
)

// Stop is one consistent read of a stop: its record, its state, its log, and Redis's time at that moment.
type Stop struct {
	ID      string
	Record  *loops.Record
	State   State
	Outcome string  // the signed outcome, "" while it is open
	Log     []Entry // oldest first
	Now     time.Time

	raw []string // the log's bytes as stored
}

// State is what the log of a stop amounts to: Apply over its entries, oldest first. Digest and Cards are not in the log:
// the signed outcome binds the record beside the log, and where a message stands in Slack is the keeper's own book, which
// may be lost without harm.
type State struct {
	Digest    string
	Phase     Phase
	Seq       int64 // entries in the log
	Rev       int64 // moves only when what a card shows moves
	Holder    string
	Since     time.Time                // since when the holder has it
	Asked     time.Time                // when the ledger took it
	Verdicts  map[string]loops.Verdict // the standing verdict of each question that has one, with its By and At
	LastBy    *loops.By                // who gave the latest verdict
	End       *End                     // nil while it is open
	Resumed   *Resumed                 // nil until its loop said that it went on
	Completed time.Time                // URL mode: when the page reported that it is done
	Taken     *Taken                   // who is on it; nil: nobody said so
	Snoozed   time.Time                // until when nobody is reminded of it; zero or past: it is not snoozed
	Moved     *Moved                   // how the holder got it; nil: it was asked
	NotMine   *Moved                   // who said first that the wrong role was asked; nil: nobody
	HandedOff *HandedOff               // the latest shift that began while it was held
	Timing    Timing                   // what its policy counts with
	Cards     []Card                   // by Place
}

// Timing is what a policy counts with: where none counts for a stop, it is zero.
type Timing struct {
	Policy     string        // which one counts; "" none
	PolicyAt   time.Time     // since when it counts
	Visible    time.Time     // since when the stop can be seen; zero: not yet
	Base       time.Time     // from when the next step's time runs; zero while it cannot be seen
	Suspended  time.Duration // how long somebody was on it since then
	Level      int           // how many steps were taken
	Escalation *Escalation   // the latest step; nil: none was taken, or the stop moved by hand since
	Reminded   int           // how often somebody was reminded
	RemindedAt time.Time
	Reminder   []string  // who was reminded last: Slack user ids
	Warned     time.Time // when it ends, once that was said; zero: it was not
}

// Escalation is a step that was taken.
type Escalation struct {
	At, Due time.Time // when it was taken, and when it should have been
	From    string    // the role that had it
	Users   []string  // who was on call; none: nobody was
	By      *loops.By // who did not wait for it; nil: nobody
}

// Taken says who is on a stop, since when. It answers nothing, and ends when the stop moves to another holder.
type Taken struct {
	By *loops.By
	At time.Time
}

// Moved says how a stop came from one holder to another.
type Moved struct {
	By       *loops.By
	At       time.Time
	Kind     EntryKind
	From, To string // roles
	Text     string // what was noted with it
}

// HandedOff says who is on call for the holder since a shift began, until when.
type HandedOff struct {
	Users []string // Slack user ids
	At    time.Time
	Until time.Time // zero: not known
}

// End says how, when and by whom a stop was closed.
type End struct {
	At     time.Time
	Origin loops.Origin
	By     *loops.By
	Reason string
}

// Resumed says when which instance of the loop went on.
type Resumed struct {
	At time.Time
	By string
}

// Card is one message in Slack that shows a stop. A card is claimed (TS empty, Attempt set) before its message is
// sent; Place tells cards of one stop apart ("asked" is the first).
type Card struct {
	Place       string    `json:"place"`
	Channel     string    `json:"channel"`
	TS          string    `json:"ts,omitempty"`
	Rev         int64     `json:"rev,omitempty"`         // the rev that the message shows
	Attempt     string    `json:"attempt,omitempty"`     // random, in the message's metadata
	AttemptAt   time.Time `json:"attempt_at,omitzero"`   // before the first attempt to send it
	Thread      []string  `json:"thread,omitempty"`      // ts of the parts in its thread, in order
	Plain       bool      `json:"plain,omitempty"`       // the plain form was sent, the content having been refused
	Undelivered string    `json:"undelivered,omitempty"` // why its own channel could not be posted to
	Waiting     int       `json:"waiting,omitempty"`     // how many others wait for it, as the message says
}
