package templates

import (
	"time"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// View is everything that a card shows of a stop at one rev.
type View struct {
	Record    *loops.Record
	Rev       int64
	End       loops.End // "" while it is open
	Origin    loops.Origin
	EndedAt   time.Time
	EndedBy   *loops.By
	Reason    string // of a withdrawal
	Holder    string // the role that has it now
	Verdicts  map[string]loops.Verdict
	Resumed   time.Time // zero: the loop has not said that it went on
	Completed time.Time // URL mode
	Fallback  string    // the channel that should have had this card, when it stands in the fallback channel
	Thread    bool      // what is too long for the card stands in the thread already

	Taken       *Mark     // who is on it; nil: nobody said so
	Moved       *Move     // how its holder got it; nil: it was asked
	Snoozed     time.Time // until when; zero: it is not
	OnCall      []string  // who is on call for the holder since the latest hand-off: Slack user ids
	OnCallSince time.Time
	OnCallUntil time.Time
	Step        *Step     // what happens next if nobody answers; nil: it waits
	CapAt       time.Time // when it ends undecided, as its repository says; zero: never
	Reminded    int       // how often somebody was reminded
	Reminder    []string  // who was reminded last: Slack user ids
	Warned      time.Time // when it ends, once that was said; zero: it was not
	NextRole    string    // which role the next step gives it to, which need not be waited for; "" there is none
	First       *Place    // where the card of the role that was asked stands, on another card
	Quiet       bool      // whoever is on call is spoken to elsewhere
	Waiting     int       // how many others wait until it is answered
	Snoozable   bool      // it can be snoozed: something would happen otherwise
	Roles       []string  // to which it can be given
}

// Step is what a policy does next.
type Step struct {
	At   time.Time // zero: not yet known
	To   string
	Held bool // not while somebody is on it
}

// Place is where a card stands.
type Place struct{ Channel, Link string }

// Mark is somebody, since a moment.
type Mark struct {
	By *loops.By
	At time.Time
}

// MoveKind says why a stop moved to another role.
type MoveKind string

// The kinds of moves.
const (
	Reassigned MoveKind = "reassigned"
	NotMine    MoveKind = "not-mine"
	Escalated  MoveKind = "escalated"
)

// Move says how a stop came from one role to another.
type Move struct {
	Kind     MoveKind
	By       *loops.By // nil: nobody, it was due
	At       time.Time
	From, To string
	Text     string    // what was noted with it
	Users    []string  // who was on call then, of an escalated one: Slack user ids and "@S…" groups
	Due      time.Time // when it should have happened, where it came late; zero: in time
}

// Message is what chat.postMessage or chat.update sends. Text is what notifications and screen readers get; it is
// escaped, and goes with parse "none" and without link_names. A Message without Blocks is shown by its Text alone.
type Message struct {
	Text        string
	Blocks      []slack.Block
	Attachments []slack.Attachment
}

// Sentence names a private answer to a person: each that answers a click starts with whether it was recorded.
type Sentence string

// The private answers.
const (
	SayStranger    Sentence = "stranger"     // may not answer this one (Reason, Who)
	SayAnswered    Sentence = "answered"     // somebody else was first (Verdict, Key)
	SaySame        Sentence = "same"         // the same again; recorded already
	SayClosed      Sentence = "closed"       // withdrawn or expired meanwhile
	SayStoreAway   Sentence = "store-away"   // Redis cannot be reached
	SayNotSure     Sentence = "not-sure"     // 2 s passed; not sure yet that it was recorded
	SayRecorded    Sentence = "recorded"     // after not-sure: it was recorded
	SayNotRecorded Sentence = "not-recorded" // after not-sure: it was not
	SayUnknown     Sentence = "unknown"      // nobody knows of this stop
	SayGarbled     Sentence = "garbled"      // the click could not be read
	SayBusy        Sentence = "busy"         // too many at once, press again
	SayModalGone   Sentence = "modal-gone"   // the trigger expired, press again
	SayFault       Sentence = "fault"        // anything unexpected
	SayUnseen      Sentence = "unseen"       // a command names a stop that is not there, or not this person's to read
	SayNotListed   Sentence = "not-listed"   // a list or a stop could not be read
	SayPutOff      Sentence = "put-off"      // it was snoozed, until then (View.Snoozed)
	SayFlood       Sentence = "flood"        // too many notes
	SayNoted       Sentence = "noted"        // what was typed in a thread is kept, and answers nothing
	SayHandled     Sentence = "handled"      // what is no answer was recorded
	SayAsItWas     Sentence = "as-it-was"    // nothing had to be recorded
	SayStale       Sentence = "stale"        // the card had changed since the person looked
	SayMisfit      Sentence = "misfit"       // the role could not have been asked this (Reason)
	SaySnooze      Sentence = "snooze"       // not to that moment
	SayNoSnooze    Sentence = "no-snooze"    // there is nothing to snooze
	SayNoStep      Sentence = "no-step"      // no step is left
	SayNoRole      Sentence = "no-role"      // there is no such role (Names)
)

// Say is what a sentence may need. Who are Slack user ids, or the names of those who have none.
type Say struct {
	View    View // its Record may be nil where nobody knows of the stop
	Key     string
	Verdict *loops.Verdict // the standing one
	Reason  string
	Who     []string
	Names   []string
}

// Row is one stop in a list.
type Row struct {
	View  View
	Asked time.Time // when it was taken
	Link  string    // permalink of the card, "" when there is none
}

// LogLine is one entry of a stop's log for people.
type LogLine struct {
	At      time.Time
	Kind    string
	By      *loops.By
	Key     string
	Verdict *loops.Verdict
	Text    string
}
