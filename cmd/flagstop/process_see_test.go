package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// card waits until a channel has the stop's card with each text, and returns it.
func (w *world) card(channel, id string, texts ...string) standin.Message {
	w.Helper()
	var card standin.Message
	until(w.T, fmt.Sprintf("a card of %s with %q", id, texts), func() bool {
		for _, m := range w.cards(channel, id) {
			card = m
			if shows(m, texts...) {
				return true
			}
		}
		return false
	})
	return card
}

func (w *world) cards(channel, id string) []standin.Message {
	return slices.DeleteFunc(w.slack.Messages(channel), func(m standin.Message) bool {
		return !strings.Contains(string(m.Metadata), `"`+id+`"`)
	})
}

func shows(m standin.Message, texts ...string) bool {
	all := m.Text + string(m.Blocks) + string(m.Attachments)
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(all, text) })
}

// click presses the first option of a stop's card, again where Slack says that nobody answered and nothing was recorded.
func (w *world) click(user, channel, id string) {
	w.Helper()
	until(w.T, "a click on "+id, func() bool {
		if s, err := w.stop(id); err == nil && s.State.Phase != ledger.Open {
			return true
		}
		cards := w.cards(channel, id)
		return len(cards) > 0 && shows(cards[0], "Choose") && w.slack.As(user).Click(w.Context(), cards[0], "Choose", 0) == nil
	})
}

// stop reads a stop from the ledger.
func (w *world) stop(id string) (ledger.Stop, error) {
	l, err := w.ledger()
	if err != nil {
		return ledger.Stop{}, err
	}
	return l.Read(w.Context(), id)
}

func (w *world) ledger() (*ledger.Ledger, error) {
	return ledger.OpenExisting(w.Context(), ledger.Options{Redis: w.rdb, Prefix: "fs"})
}

// recorded waits until the ledger has the stop with an entry of that kind.
func (w *world) recorded(id string, kind ledger.EntryKind) {
	w.Helper()
	until(w.T, fmt.Sprintf("an entry %s of %s", kind, id), func() bool {
		s, err := w.stop(id)
		return err == nil && slices.ContainsFunc(s.Log, func(e ledger.Entry) bool { return e.Kind == kind })
	})
}

// quiet waits until every card shows what the ledger says, and nothing is left to do.
func (w *world) quiet() {
	w.Helper()
	until(w.T, "a moment in which no card was behind", func() bool {
		l, err := w.ledger()
		if err != nil {
			return false
		}
		n, _, err := l.Behind(w.Context())
		left, errLeft := w.rdb.XLen(w.Context(), loops.Keys{Prefix: "fs", Partitions: 1}.In(0, "inbox")).Result()
		return err == nil && errLeft == nil && n == 0 && left == 0
	})
}

// wentOnOnce checks, when all is quiet, that the stop had one message in its channel ever, one outcome and one resume, and
// that its log holds.
func (w *world) wentOnOnce(channel, id string) {
	w.Helper()
	w.card(channel, id, "went on")
	w.quiet()
	if cards := w.cards(channel, id); len(cards) != 1 || shows(cards[0], "Choose") || !shows(cards[0], "went on") {
		w.Errorf("%s has %d messages in %s, want one that says that the loop went on: %+v", id, len(cards), channel, cards)
	}
	posts := 0
	for _, m := range w.slack.Calls("chat.postMessage") {
		if b, err := json.Marshal(m); err == nil && m["thread_ts"] == nil && bytes.Contains(b, []byte(id)) {
			posts++
		}
	}
	if posts != 1 {
		w.Errorf("%s was posted %d times, want once", id, posts)
	}
	s, err := w.stop(id)
	if err != nil {
		w.Fatal(err)
	}
	count := map[ledger.EntryKind]int{}
	for _, e := range s.Log {
		count[e.Kind]++
	}
	if count[ledger.RaisedEntry] != 1 || count[ledger.VerdictEntry] != 1 || count[ledger.AnsweredEntry] != 1 || count[ledger.ResumedEntry] != 1 {
		w.Errorf("the log of %s has %v, want one raise, verdict, answer and resume", id, count)
	}
	l, err := w.ledger()
	if err != nil {
		w.Fatal(err)
	}
	if err := l.Verify(w.Context(), id); err != nil {
		w.Error(err)
	}
}
