package ledger

import (
	"time"

	"flagstop/loops"
)

// Command is what somebody wants to happen to a stop: one of the structs below. Decide says whether it may.
type Command interface{ isCommand() }

// Raise makes a stop of the record; the same bytes again change nothing.
type Raise struct{ Record *loops.Record }

// Answer records verdicts on one or more questions, whole or not at all.
type Answer struct {
	By       loops.By
	Verdicts map[string]loops.Verdict // by question key; By and At are filled in
}

// Dismiss notes that a modal was closed without sending.
type Dismiss struct {
	By  loops.By
	Key string
}

// TurnAway notes a click that may not or comes late. The first per person and minute is kept.
type TurnAway struct {
	By     loops.By
	Key    string
	Reason string
}

// Note keeps free text.
type Note struct {
	By   loops.By
	Text string
}

// Withdraw ends an open stop because its loop needs it no more. The zero By means the loop itself, through the inbox.
type Withdraw struct {
	By     loops.By
	Reason string
}

// Complete notes that the page of a URL question reported that it is done; never a verdict. The zero By
// means the loop itself, through the inbox.
type Complete struct{ By loops.By }

// Resume notes that the loop took its outcome (the signed one, compared with the stored one) and went on.
type Resume struct {
	By      string
	Outcome string
}

// Expire ends an open stop whose cap was hit. With OriginAsker it is decided against the record's own expires, and changes
// nothing before that; with OriginPolicy the caller has decided.
type Expire struct{ Origin loops.Origin }

// Take notes that somebody is on it. Rev is the one that the person saw, 0 where none was seen: what moved since then turns
// it away. The same person again changes nothing.
type Take struct {
	By  loops.By
	Rev int64
}

// Release notes that nobody is on it any more. Rev as in Take; a stop that nobody is on is not changed.
type Release struct {
	By  loops.By
	Rev int64
}

// Snooze keeps reminders, steps and turns away from the stop until a moment within 7 days.
type Snooze struct {
	By    loops.By
	Until time.Time
}

// Reassign gives the stop to another role. Whoever was asked may still answer.
type Reassign struct {
	By   loops.By
	To   string
	Text string // why; may be empty
}

// NotMine gives the stop to another role because the wrong one was asked: a defect of its loop.
type NotMine struct {
	By   loops.By
	To   string
	Text string // may be empty
}

// HandOff notes that a shift began for the role that holds the stop, once for each Shift and only while it holds it.
type HandOff struct {
	Shift string // names the shift: the rotation and its start
	Role  string
	Users []string  // who is on call now
	Until time.Time // when the shift ends
}

func (Raise) isCommand()    {}
func (Answer) isCommand()   {}
func (Dismiss) isCommand()  {}
func (TurnAway) isCommand() {}
func (Note) isCommand()     {}
func (Withdraw) isCommand() {}
func (Complete) isCommand() {}
func (Resume) isCommand()   {}
func (Expire) isCommand()   {}
func (Take) isCommand()     {}
func (Release) isCommand()  {}
func (Snooze) isCommand()   {}
func (Reassign) isCommand() {}
func (NotMine) isCommand()  {}
func (HandOff) isCommand()  {}
