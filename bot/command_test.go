package bot

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
)

// typist is a hand that reads commands and does nothing.
func typist() *hand {
	b := New(Options{Words: templates.Default(), Book: func() escalation.Book {
		return escalation.Book{Config: routing.Config{Roles: map[string]routing.Role{loops.Facilitator: {}, "security": {}}}}
	}})
	b.people.of = map[string]acquaintance{"U1": {member: routing.FullMember, zone: time.UTC, until: time.Now().Add(time.Hour)}}
	return &hand{Bot: b, who: person{team: "T1", user: "U1"}}
}

func TestWhatFollowsACommandIsReadAsItWasTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]wording{
		"":                         {},
		"  help ":                  {text: "help", verb: "help"},
		"Show `s1`":                {text: "Show `s1`", verb: "show", args: "`s1`", id: "s1"},
		"note s1 a &lt;\n\n b  c ": {text: "note s1 a <\n\n b  c", verb: "note", args: "s1 a <\n\n b  c", id: "s1", rest: "a <\n\n b  c"},
		"note s1 &amp;lt;":         {text: "note s1 &lt;", verb: "note", args: "s1 &lt;", id: "s1", rest: "&lt;"},
		"\u00a0take\u2003s1\xff":   {text: "take\u2003s1\ufffd", verb: "take", args: "s1\ufffd", id: "s1\ufffd"},
	} {
		if diff := cmp.Diff(want, wordingOf(text), cmp.AllowUnexported(wording{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestTomorrowIsTheNextMorningWhereThePersonIs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ zone, now, want string }{
		{"UTC", "2026-12-01T00:00:00Z", "2026-12-02T09:00:00Z"},
		{"UTC", "2026-12-01T23:59:59Z", "2026-12-02T09:00:00Z"},
		{"Asia/Kathmandu", "2026-12-01T18:20:00Z", "2026-12-03T03:15:00Z"},      // there it is the 2nd already
		{"America/Los_Angeles", "2026-12-02T07:00:00Z", "2026-12-02T17:00:00Z"}, // there it is still the 1st
		{"Europe/Lisbon", "2026-10-24T12:00:00Z", "2026-10-25T09:00:00Z"},       // the clock goes back
		{"America/New_York", "2026-12-31T12:00:00Z", "2027-01-01T14:00:00Z"},
	} {
		zone, err := time.LoadLocation(tc.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, tc.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := nextMorning(now, zone).UTC().Format(time.RFC3339); got != tc.want {
			t.Errorf("in %s at %s it is %s, want %s", tc.zone, tc.now, got, tc.want)
		}
	}
}

// FuzzCommand types anything after a command: it is read as something that can be done, or as something that is not
// understood, and shown without meaning anything to Slack.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{
		"", "list", "list acme/* page 2", "list page 9999999999999999999", "show s1", "take s1", "note s1 <!channel> *x* `y`", "snooze s1 tomorrow",
		"snooze s1 4h because", "snooze s1 99999999999999999999w", "reassign s1 security why", "not-mine s1", "escalate s1", "\x00\x02\x03\x1f",
		"list \u202e/", "&lt;!channel&gt;", strings.Repeat("note ", 2000),
	} {
		f.Add(text)
	}
	h := typist()
	f.Fuzz(func(t *testing.T, text string) {
		w := wordingOf(text)
		if !utf8.ValidString(w.text) || w.verb != strings.ToLower(w.verb) || !strings.HasSuffix(w.text, w.rest) {
			t.Errorf("%q is read as %+v", text, w)
		}
		if l, ok := h.listingOf("/stops", w); ok {
			again, ok := h.listingFor(l.page)
			if !ok || again.page != l.page || l.page.Page < 1 {
				t.Errorf("%q lists %+v, which its button would not", text, l.page)
			}
			l.pick("security", ledger.Brief{Repository: text})
		}
		if do, ok := h.actionTyped(context.Background(), w); ok && w.verb == "note" {
			if c, _ := do(ledger.Stop{}, loops.By{}); c.(ledger.Note).Text != w.rest || w.rest == "" {
				t.Errorf("%q notes %+v", text, c)
			}
		}
		m := h.words.Help("/stops", w.text)
		raw, err := json.Marshal(m.Blocks)
		if err != nil || strings.Contains(m.Text, "<") || len(raw) > 20_000 {
			t.Errorf("%q is answered %q, %d bytes of blocks, %v", text, m.Text, len(raw), err)
		}
	})
}
