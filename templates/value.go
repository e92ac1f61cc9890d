package templates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Value is what a button or menu item of a card carries: the stop's id, the question's key, the option's index or the
// verb, and the rev that the person saw; nothing else (house rule 6). Option is -1 where Verb is set. A menu item is
// too small for a key, so Key is "" there: it means the stop's only question, or the whole stop.
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
	VerbTake    = "take"    // "I'm on it": answers nothing; rev counts
	VerbRelease = "release" // nobody is on it any more; rev counts
	VerbNotMine = "not-mine"
	VerbMore    = "more" // opens what is done less often: give it away, snooze it, note something
)

// maxOption is the highest index that an option of a single select can have: contract §1 allows three.
const maxOption = 2

var (
	stopID     = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	errForeign = errors.New("it is not a value that a card of Flagstop carries")
)

func verbs() []string {
	return []string{
		VerbAnswer, VerbSeen, VerbDone, VerbOpen, VerbRun, VerbAlways, VerbEdit, VerbOutput, VerbDecline, VerbDetails,
		VerbTake, VerbRelease, VerbNotMine, VerbMore,
	}
}

// Encode writes the value as a JSON array: [stop, key, option or verb, rev], or [stop, verb, rev] where there is no
// key. It is at most 1,400 characters for a key of 200 code points, and at most 107 without a key.
func (v Value) Encode() string {
	parts := []any{v.Stop}
	if v.Key != "" {
		parts = append(parts, v.Key)
	}
	if v.Verb != "" {
		parts = append(parts, v.Verb)
	} else {
		parts = append(parts, v.Option)
	}
	b, err := json.Marshal(append(parts, v.Rev))
	if err != nil { // strings and numbers always marshal
		panic(err)
	}
	return string(b)
}

// ParseValue reads what Encode wrote. Anything else is an error, which does not repeat what was read.
func ParseValue(s string) (Value, error) {
	v, err := parseValue(s)
	if err != nil {
		return Value{}, fmt.Errorf("read the value of a click: %w", err)
	}
	if v.Encode() != s {
		return Value{}, fmt.Errorf("read the value of a click: %w", errForeign)
	}
	return v, nil
}

func parseValue(s string) (Value, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal([]byte(s), &parts); err != nil {
		return Value{}, errForeign
	}
	v := Value{Option: -1}
	var ok bool
	switch len(parts) {
	case 3:
		ok = into(parts[0], &v.Stop) && into(parts[1], &v.Verb) && into(parts[2], &v.Rev)
	case 4:
		ok = into(parts[0], &v.Stop) && into(parts[1], &v.Key) && into(parts[3], &v.Rev) &&
			(into(parts[2], &v.Verb) || into(parts[2], &v.Option)) && v.Key != ""
	}
	if !ok || !v.valid() {
		return Value{}, errForeign
	}
	return v, nil
}

func into(raw json.RawMessage, target any) bool {
	if bytes.Equal(raw, []byte("null")) {
		return false
	}
	return json.Unmarshal(raw, target) == nil
}

func (v Value) valid() bool {
	if !stopID.MatchString(v.Stop) || utf8.RuneCountInString(v.Key) > 200 || v.Rev < 0 {
		return false
	}
	if v.Verb != "" {
		return v.Option == -1 && slices.Contains(verbs(), v.Verb)
	}
	return v.Option >= 0 && v.Option <= maxOption
}
