package templates

import (
	"time"

	"github.com/slack-go/slack"

	"flagstop/loops"
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
}

// Message is what chat.postMessage or chat.update sends. Text is what notifications and screen readers get.
type Message struct {
	Text        string
	Blocks      []slack.Block
	Attachments []slack.Attachment
}

// Value is what a button or menu item of a card carries: the stop's id, the question's key, the option's index or the
// verb, and the rev that the person saw; nothing else (house rule 6). Option is -1 where Verb is set.
type Value struct {
	Stop   string
	Key    string
	Option int
	Verb   string
	Rev    int64
}

// The verbs of a card's buttons and menus.
const (
	VerbAnswer  = "answer"  // opens the form
	VerbSeen    = "seen"    // acknowledges a question without properties
	VerbDone    = "done"    // URL mode: "I have finished"
	VerbOpen    = "open"    // the link button; Slack reports the click, nothing is recorded
	VerbRun     = "run"     // approve the call as shown
	VerbAlways  = "always"  // approve it, and calls like it
	VerbEdit    = "edit"    // opens the arguments
	VerbOutput  = "output"  // opens "answer for it"
	VerbDecline = "decline" // opens the reason
	VerbDetails = "details" // opens the whole record
)

// Encode writes the value as a JSON array: [stop, key, option or verb, rev], or [stop, verb, rev] in a menu.
func (v Value) Encode() string { panic("skeleton") }

// ParseValue reads what Encode wrote. Anything else is an error.
func ParseValue(s string) (Value, error) { panic("skeleton") }

// Words are the sentences of cards and modals, parsed from words/*.tmpl or an operator's directory.
type Words struct{}

// Default returns the words that the binary carries.
func Default() *Words { panic("skeleton") }

// Load returns the default words with those replaced that dir has. Every template is tried on sample views first.
func Load(dir string) (*Words, error) { panic("skeleton") }

// Card renders the card of a view, within every limit of Slack.
func (w *Words) Card(v View) Message { panic("skeleton") }

// Plain renders the degraded form: short plain text and the command that answers, for when Slack refuses the card's content.
func (w *Words) Plain(v View) Message { panic("skeleton") }

// ThreadParts renders what is too long for the card (quote, arguments, long message), in order; empty when all fits. Posted
// in the card's thread before its buttons appear.
func (w *Words) ThreadParts(v View) []Message { panic("skeleton") }

// ThreadLine renders one line of the audit trail in the thread for a change from one view to the next: a verdict on
// one of several calls, an end, that the loop went on. Empty when there is nothing to say.
func (w *Words) ThreadLine(before, after View) []Message { panic("skeleton") }

// Modal renders the modal that a verb opens on a question (answer, edit, output, decline, details). What does not fit a Slack
// input is not offered by Card, so it is an error here.
func (w *Words) Modal(v View, val Value) (slack.ModalViewRequest, error) { panic("skeleton") }

// NotRecorded renders the modal that takes the place of a submitted one when it could not be recorded in time: it says so and
// keeps what was typed.
func (w *Words) NotRecorded(v View, val Value, typed loops.Verdict) slack.ModalViewRequest {
	panic("skeleton")
}

// ReadSubmission turns a submitted modal into a verdict. The faults are sentences by input block id, shown at the field.
func ReadSubmission(r *loops.Record, val Value, state *slack.ViewState) (v loops.Verdict, faults map[string]string) {
	panic("skeleton")
}

// Sentence names a private answer to a person: each starts with whether it was recorded.
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
)

// Say is what a sentence may need.
type Say struct {
	View    View
	Key     string
	Verdict *loops.Verdict // the standing one
	Reason  string
	Who     []string
}

// Say renders a private answer.
func (w *Words) Say(s Sentence, d Say) Message { panic("skeleton") }

// Row is one stop in a list.
type Row struct {
	View View
	Link string // permalink of the card, "" when there is none
}

// List renders `/stops`: the rows that fit, and how many more there are.
func (w *Words) List(rows []Row, more int) Message { panic("skeleton") }

// Show renders `/stops show ID`: the card's content without buttons, with its log.
func (w *Words) Show(v View, log []LogLine) Message { panic("skeleton") }

// LogLine is one entry of a stop's log for people.
type LogLine struct {
	At      time.Time
	Kind    string
	By      *loops.By
	Key     string
	Verdict *loops.Verdict
	Text    string
}

// Help renders `/stops help`.
func (w *Words) Help(command string) Message { panic("skeleton") }
