package ledger

import (
	"time"

	"flagstop/loops"
)

// Command is what somebody wants to happen to a stop: one of the structs below. Decide says whether it may.
type Command interface {
	verb() string // for errors: what was being done to the stop
}

// Raise makes a stop of the record; the same bytes again change nothing. Policy is the one that counts for it, "" none.
type Raise struct {
	Record *loops.Record
	Policy string
}

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

// Note keeps free text, 2,000 characters at most: what is longer is cut visibly. The same message, or else the same text of
// the same person within a minute, is one note, and more than 6 of them in it are turned away with ErrFlood.
type Note struct {
	By      loops.By
	Text    string
	Message string // names the message that it was typed in; "" none
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
	Text  string // why; may be empty
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

// Visible notes that the stop can be seen in Slack, the first time.
type Visible struct{}

// SetPolicy notes that another policy counts for the stop from now on, and has its due moment computed anew in any case.
type SetPolicy struct{ Policy string }

// Step takes the next step of the stop's policy. It was decided on the stop as it stood at Seq: one that moved since is not
// changed, and has to be looked at again. Skips come before the step, each a reason why a step was passed over.
type Step struct {
	Seq   int64
	Level int // of the first that is taken or passed over, from 1
	Skips []string
	To    string // "" where every step was passed over
	Users []string
	Due   time.Time
	By    loops.By // who did not wait for it; zero: it was due
	Rev   int64    // as in Take
	Text  string   // what they noted with it; may be empty
}

// Remind notes that somebody is reminded of the stop as it stood at Seq.
type Remind struct {
	Seq   int64
	Users []string
	Due   time.Time
}

// Warn notes that the stop as it stood at Seq ends at a moment if nobody answers.
type Warn struct {
	Seq   int64
	Until time.Time
}

// Lapse notes that nobody is on the stop any more because whoever was did not say so again for too long. Seq as in Step.
type Lapse struct{ Seq int64 }

func (Raise) verb() string     { return "raise" }
func (Answer) verb() string    { return "answer" }
func (Dismiss) verb() string   { return "dismiss" }
func (TurnAway) verb() string  { return "turn away from" }
func (Note) verb() string      { return "note on" }
func (Withdraw) verb() string  { return "withdraw" }
func (Complete) verb() string  { return "complete" }
func (Resume) verb() string    { return "resume" }
func (Expire) verb() string    { return "expire" }
func (Take) verb() string      { return "take" }
func (Release) verb() string   { return "release" }
func (Snooze) verb() string    { return "snooze" }
func (Reassign) verb() string  { return "move" }
func (NotMine) verb() string   { return "move" }
func (HandOff) verb() string   { return "note a hand-off on" }
func (Visible) verb() string   { return "note the sight of" }
func (SetPolicy) verb() string { return "set the policy of" }
func (Step) verb() string      { return "escalate" }
func (Remind) verb() string    { return "remind of" }
func (Warn) verb() string      { return "warn of the end of" }
func (Lapse) verb() string     { return "let go of" }
