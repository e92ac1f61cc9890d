package stories

import (
	"slices"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/routing"
)

// onCall gives the facilitator a rotation of Bob and Chi that hands off each day at 00:10 in Lisbon.
func onCall() func(*routing.Config) {
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		panic(err) // the zones are in the binary
	}
	return func(c *routing.Config) {
		c.Rotations = map[string]routing.Roster{"desk": {Versions: []routing.Version{{Rotation: routing.Rotation{
			Name: "desk", Zone: zone, Start: routing.DateOf(time.Date(1999, 12, 1, 0, 0, 0, 0, zone)), HandOff: 10, Every: 1,
			Participants: []string{Bob, Chi},
		}}}}}
		c.Roles[loops.Facilitator] = routing.Role{Name: loops.Facilitator, Channel: Facil, Rotation: "desk"}
	}
}

// The bubble's clock begins at midnight of 1 January 2000, in the shift of Bob that began on 31 December.
func TestWhoeverIsOnCallAnswersAndWhoWasMayNotAnyMore(t *testing.T) {
	tellLong(t, Options{Config: onCall()}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Calls("s1", "ls"))
		card := w.SeeText(Facil, "Approve")
		w.Click(Chi, card, "Approve", 0)
		said(t, w, Chi, 1, "You may not answer this one.", "U0BOB may answer")
		w.Pass(11 * time.Minute)
		w.See(Facil, 2) // that Chi is on call now
		w.Click(Bob, card, "Approve", 0)
		said(t, w, Bob, 1, "You may not answer this one.", "U0CHI may answer")
		if s := w.Stop("s1").State; len(s.Verdicts) > 0 || !slices.Equal(s.HandedOff.Users, []string{Chi}) {
			t.Errorf("it has %d verdicts, handed off %+v", len(s.Verdicts), s.HandedOff)
		}
		w.Click(Chi, card, "Approve", 0)
		answeredBy(t, w.Outcome(ref), Chi, "call_a", loops.Accept)
	})
}
