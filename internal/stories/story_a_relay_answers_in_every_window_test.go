package stories

import (
	"testing"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/routing"
)

// groupRelays lets security, which is a user group, speak for the facilitator.
func groupRelays(c *routing.Config) {
	role := c.Roles["security"]
	role.RelaysFor = []string{loops.Facilitator}
	c.Roles["security"] = role
}

func TestARelayAnswersInEveryWindow(t *testing.T) {
	for name, tc := range map[string]struct {
		record, button string
		shows          string // in the window
		typed          map[string]any
		key            string
		action         loops.Action
		on             string // the card, afterwards
	}{
		"a form": {
			form("s1"), "Answer…", "Rows",
			map[string]any{"p0": "as she said", "p2": "500", "p8": "In steps", "p9": []string{"a"}},
			"q", loops.Accept, "as she said",
		},
		"an approval":      {Calls("s1", "ls"), "Approve", "The answer: ", nil, "call_a", loops.Accept, "Approved"},
		"an edit":          {Calls("s1", "ls"), "Edit…", "ls", map[string]any{"arguments": `{"command":"pwd"}`}, "call_a", loops.Accept, "Approved as edited"},
		"an output":        {Calls("s1", "ls"), "Answer for it…", "ls", map[string]any{"output": "README"}, "call_a", loops.Accept, "Answered for it"},
		"a declined call":  {Calls("s1", "ls"), "Decline…", "Reason", map[string]any{"reason": "Not on a Friday."}, "call_a", loops.Decline, "Not on a Friday."},
		"one of two calls": {Calls("s1", "ls", "pwd"), "Approve", "The answer: ", nil, "call_a", loops.Accept, "1 of 2 decided"},
	} {
		t.Run(name, func(t *testing.T) {
			tell(t, Options{Config: groupRelays}, func(t testing.TB, w *World) {
				w.StartBot()
				w.Connected()
				w.Raise(tc.record)
				w.Click(Eve, w.SeeText(Facil, tc.button), tc.button, 0)
				w.Until(func() bool { return textShows(w.Window(Eve), "You answer for the", "facilitator", tc.shows) }, "a window that says for whom")
				untouched(t, w, "s1")
				w.Submit(Eve, tc.typed)
				w.SeeText(Facil, tc.on, "for the facilitator")
				v := w.Stop("s1").State.Verdicts[tc.key]
				if v.Action != tc.action || v.By == nil || v.By.ID != "slack:T0LOCAL/"+Eve || v.By.Role != "security" || v.By.For != loops.Facilitator {
					t.Errorf("%s by %+v", v.Action, v.By)
				}
			})
		})
	}
}

func TestNobodyRelaysForTheCallsOfTheirOwnLoop(t *testing.T) {
	tell(t, Options{Config: groupRelays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(instead(Calls("s1", "ls"), Mallory, Eve))
		card := w.SeeText(Facil, "Approve")
		for i, button := range []string{"Approve", "Decline…"} {
			w.Click(Eve, card, button, 0)
			said(t, w, Eve, i+1, "You may not answer this one", "It is your own loop")
		}
		untouched(t, w, "s1")
	})
}

func TestNobodyRelaysWhileTheirGroupCannotBeRead(t *testing.T) {
	tell(t, Options{Config: groupRelays}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Calls("s1", "ls"))
		w.Refusals("missing_scope")
		w.Slack.Break(standin.Fault{Method: "usergroups.users.list", Times: 1, Error: "missing_scope"})
		w.Click(Eve, w.SeeText(Facil, "Approve"), "Approve", 0)
		said(t, w, Eve, 1, "You may not answer this one", "Slack did not say who is in the user group of security")
		untouched(t, w, "s1")
	})
}
