package ledger

import "flagstop/loops"

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

func (Raise) isCommand()    {}
func (Answer) isCommand()   {}
func (Dismiss) isCommand()  {}
func (TurnAway) isCommand() {}
func (Note) isCommand()     {}
func (Withdraw) isCommand() {}
func (Complete) isCommand() {}
func (Resume) isCommand()   {}
func (Expire) isCommand()   {}
