package escalation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Policy is what a repository asks for where nobody answers: contract §7. Each part stands alone; the zero value asks for
// nothing, and then no timer of any kind exists.
type Policy struct {
	Schedule   Schedule // its ticks are when steps are taken
	Steps      []Step
	AckTimeout time.Duration // how long "I'm on it" holds; 0: until it is released
	Every      time.Duration // from one reminder to the next; 0: none
	AtMost     int           // reminders
	Cap        time.Duration // how long a stop waits, from when it was asked; 0: for ever
	Warning    time.Duration // how long before the cap the card warns of it; 0: not
}

// Step gives the stop to a role, when nobody answered for a time since it could be seen, or since the step before.
type Step struct {
	After time.Duration
	To    string
}

// None reports whether nothing is asked for.
func (p Policy) None() bool {
	return len(p.Steps) == 0 && p.Every == 0 && p.Cap == 0 && p.AckTimeout == 0
}

// ID names the policy by what it says: 12 characters, or "" where it asks for nothing.
func (p Policy) ID() string {
	if p.None() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d\n%d %d\n%d %d\n", p.Schedule, p.AckTimeout, p.Every, p.AtMost, p.Cap, p.Warning)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "%d %q\n", s.After, s.To)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:6])
}

// Shortest is the shortest time after which a step is due, 0 where there is none.
func (p Policy) Shortest() time.Duration {
	var shortest time.Duration
	for _, s := range p.Steps {
		if shortest == 0 || s.After < shortest {
			shortest = s.After
		}
	}
	return shortest
}
