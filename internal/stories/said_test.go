package stories

import (
	"strings"
	"testing"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// said fails the test unless a person has been told n things, the last of them with each of the texts.
func said(t testing.TB, w *World, user string, n int, want ...string) {
	t.Helper()
	if m := w.Told(user, n)[n-1]; !Shows(m, want...) {
		t.Errorf("%s was told %q, want %q in it", user, m.Text, want)
	}
}

// all waits until a channel has n messages that show each of the texts.
func all(t testing.TB, w *World, channel string, n int, want ...string) []standin.Message {
	t.Helper()
	var cards []standin.Message
	w.Until(func() bool {
		cards = w.See(channel, n)
		for _, m := range cards {
			if !Shows(m, want...) {
				return false
			}
		}
		return true
	}, "%d messages in %s with %q", n, channel, want)
	return cards
}

// thread fails the test unless a card's thread has exactly these lines, each with its text.
func thread(t testing.TB, w *World, card standin.Message, want ...string) {
	t.Helper()
	w.Shown()
	lines := w.Slack.Thread(card.Channel, card.TS)
	if len(lines) != len(want) {
		t.Errorf("the thread has %d lines, want %d:%s", len(lines), len(want), texts(lines))
		return
	}
	for i, text := range want {
		if !Shows(lines[i], text) {
			t.Errorf("line %d of the thread is %q, want %q in it", i+1, lines[i].Text, text)
		}
	}
}

// untouched fails the test unless a stop is open, without any verdict, as its card showed it first.
func untouched(t testing.TB, w *World, id string) {
	t.Helper()
	if s := w.Stop(id).State; s.Phase != ledger.Open || s.Rev != 1 || len(s.Verdicts) > 0 {
		t.Errorf("stop %s is %s at rev %d with %d verdicts, want open at 1 with none", id, s.Phase, s.Rev, len(s.Verdicts))
	}
}

// entries counts the entries of a kind in a stop's log.
func entries(w *World, id string, kind ledger.EntryKind) (n int) {
	w.TB.Helper()
	for _, e := range w.Stop(id).Log {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// instead is a record with some of its text replaced.
func instead(record string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(record)
}

// answeredBy fails the test unless an outcome is a person's, with that verdict on the question.
func answeredBy(t testing.TB, o *loops.SignedOutcome, user, key string, action loops.Action) loops.Verdict {
	t.Helper()
	v := o.Verdicts[key]
	if o.End != loops.Answered || o.Origin != loops.OriginPerson || v.Action != action || v.By == nil || v.By.ID != "slack:T0LOCAL/"+user {
		t.Errorf("the outcome is %s (%s) with %s by %+v on %q, want %s by %s", o.End, o.Origin, v.Action, v.By, key, action, user)
	}
	return v
}

// textShows reports whether a text contains each of the others, and none of those that begin with "!".
func textShows(text string, want ...string) bool {
	return Shows(standin.Message{Text: text}, want...)
}
