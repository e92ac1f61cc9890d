package ledger

import (
	"time"

	"flagstop/loops"
)

// EntryKind says what an entry of the log reports.
type EntryKind string

// The kinds of entries. More may be added; a reader keeps what it does not know.
const (
	RaisedEntry     EntryKind = "raised"      // the ledger took the stop
	VerdictEntry    EntryKind = "verdict"     // a verdict on one question (Key, Verdict)
	DismissedEntry  EntryKind = "dismissed"   // a modal closed without sending; moves nothing
	TurnedAwayEntry EntryKind = "turned-away" // a click that may not or comes late (Reason); moves neither rev nor work
	NoteEntry       EntryKind = "note"        // free text (Text; Key names the message that it was typed in)
	AnsweredEntry   EntryKind = "answered"    // all verdicts are in
	WithdrawnEntry  EntryKind = "withdrawn"   // by the asker (Reason)
	ExpiredEntry    EntryKind = "expired"     // a cap was hit (Origin)
	CompletedEntry  EntryKind = "completed"   // URL mode: the page is done
	ResumedEntry    EntryKind = "resumed"     // the loop took the outcome and went on

	TakenEntry      EntryKind = "taken"      // somebody is on it, which answers nothing
	ReleasedEntry   EntryKind = "released"   // nobody is on it any more
	SnoozedEntry    EntryKind = "snoozed"    // nobody is reminded of it before Until
	ReassignedEntry EntryKind = "reassigned" // another role has it now (Holder, Text)
	NotMineEntry    EntryKind = "not-mine"   // it was asked of the wrong role: a defect of its loop (Holder, Text)
	VisibleEntry    EntryKind = "visible"    // it can be seen in Slack: from here its policy counts
	PolicyEntry     EntryKind = "policy"     // another policy counts for it from now on (Policy)
	EscalatedEntry  EntryKind = "escalated"  // a step gave it to another role (Holder, Level, Due, Users; By who did not wait for it)
	SkippedEntry    EntryKind = "skipped"    // a step changed nothing (Level, Reason)
	RemindedEntry   EntryKind = "reminded"   // somebody was reminded (Users)
	WarnedEntry     EntryKind = "warned"     // it ends soon if nobody answers (Until)
	HandedOffEntry  EntryKind = "handed-off" // a shift began while it was held (Key names the shift; Users, Until)
)

// Entry is one thing that happened to a stop. Rev is the stop's rev after it. Holder, where set, is who has the stop from
// now on. A verdict in an entry has neither By nor At of its own: they are the entry's. Who raised is the record's loop,
// who answered is whose verdict came last: such entries name nobody again. Prev is the hash of the entry before it ("sha256:<hex>" over its bytes as
// stored), "" in the first.
type Entry struct {
	Seq     int64          `json:"seq"`
	Kind    EntryKind      `json:"entry"`
	Rev     int64          `json:"rev"`
	At      time.Time      `json:"at"`
	By      *loops.By      `json:"by,omitempty"`
	Key     string         `json:"key,omitempty"`
	Verdict *loops.Verdict `json:"verdict,omitempty"`
	Origin  loops.Origin   `json:"origin,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Text    string         `json:"text,omitempty"`
	Holder  string         `json:"holder,omitempty"`
	Users   []string       `json:"users,omitempty"` // who is on call now: Slack user ids
	Until   time.Time      `json:"until,omitzero"`
	Policy  string         `json:"policy,omitempty"` // which policy counts
	Level   int            `json:"level,omitempty"`  // how many steps were taken
	Due     time.Time      `json:"due,omitzero"`     // when it should have happened
	Prev    string         `json:"prev"`
}

// moves reports whether a card looks different after an entry of this kind.
func (k EntryKind) moves() bool {
	switch k {
	case RaisedEntry, VerdictEntry, AnsweredEntry, WithdrawnEntry, ExpiredEntry, CompletedEntry, ResumedEntry,
		TakenEntry, ReleasedEntry, SnoozedEntry, ReassignedEntry, NotMineEntry, HandedOffEntry,
		VisibleEntry, PolicyEntry, EscalatedEntry, SkippedEntry, RemindedEntry, WarnedEntry:
		return true
	case DismissedEntry, TurnedAwayEntry, NoteEntry:
	}
	return false
}
