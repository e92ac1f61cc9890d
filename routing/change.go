package routing

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// MayChange reports whether somebody may override, swap and clear shifts of a rotation: whoever answers as a role that has it,
// and its participants.
func MayChange(c Config, rotation string, who Answerer, at time.Time) Decision {
	no := Decision{Reason: "You are neither a participant of " + rotation + " nor among those who answer by it."}
	if slices.Contains(c.participants(rotation), slackUser(who.ID)) {
		return Decision{OK: true}
	}
	for name, role := range c.Roles {
		if role.Rotation != rotation || machine(who.ID) != "" {
			continue
		}
		if d := c.mayAs(name, Asked{Addressee: name, At: at}, who); d.OK {
			return d
		} else if d.Member {
			no.Reason, no.Member = d.Reason, true
		}
	}
	return no
}

// maxOverride is how long an override may last.
const maxOverride = 90 * 24 * time.Hour

var userForm = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`)

// Check says what is wrong with an override that somebody wants to make at a time; nil where nothing is.
func (o Override) Check(now time.Time) error {
	for _, user := range []string{o.Out, o.In} {
		if user != "" && !userForm.MatchString(user) {
			return fmt.Errorf("%q is no Slack user id, such as U0ANA", user)
		}
	}
	switch {
	case o.Out == "" && o.In == "":
		return errors.New("say who comes, who goes, or both")
	case o.Out == o.In:
		return errors.New("nobody takes their own place")
	case !o.Until.After(o.From):
		return errors.New("it ends before it begins")
	case !o.Until.After(now):
		return errors.New("it is over already")
	case o.Until.Sub(o.From) > maxOverride:
		return errors.New("it lasts for more than 90 days: change the rotation instead")
	}
	return nil
}

// CheckSwap says what is wrong with a swap of two shifts of a roster that somebody wants to make at a time.
func (r Roster) CheckSwap(w Swap, now time.Time) error {
	p := r.rota()
	for _, day := range []Date{w.A, w.B} {
		if _, ok := p.beginning(day); !ok {
			return fmt.Errorf("no shift begins on %s", day)
		}
	}
	a, b := p.end(w.A), p.end(w.B)
	switch {
	case w.A == w.B:
		return errors.New("that is one shift")
	case !a.After(now) || !b.After(now):
		return errors.New("one of the shifts is over already")
	}
	return nil
}

// end is when the shift that begins on a day ends; zero where there is none.
func (p rota) end(d Date) time.Time {
	for i, s := range slices.Backward(p.segments) {
		if k, on := s.beginsOn(d); on && k >= s.first {
			return p.shift(i, k).End
		}
	}
	return time.Time{}
}
