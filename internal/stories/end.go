package stories

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"flagstop/loops/ledger"
)

// Refusals are what a story counts on Slack to refuse: names of errors, or statuses.
func (w *World) Refusals(codes ...string) { w.refusals = append(w.refusals, codes...) }

// End fails the test if anything was there that the story did not see: a message, a word to a person, a line of a thread, or
// something that Slack refused; or if a stop is not whole.
func (w *World) End() {
	w.TB.Helper()
	if len(w.alive()) > 0 {
		w.Shown()
		if !w.real {
			w.Pass(time.Minute)
		}
	}
	for _, channel := range allChannels() {
		if all := w.Slack.Messages(channel); len(all) != w.messages[channel] {
			w.TB.Errorf("%s has %d messages, want %d:%s", channel, len(all), w.messages[channel], texts(all))
		}
	}
	for _, user := range Everybody() {
		if all := w.Slack.Ephemerals(user); len(all) != w.told[user] {
			w.TB.Errorf("%s was told %d things, want %d:%s", user, len(all), w.told[user], texts(all))
		}
	}
	w.endRefusals()
	for stop, err := range w.Ledger.List(w.TB.Context(), ledger.Query{}) {
		w.must(err)
		w.endStop(stop)
	}
}

func (w *World) endRefusals() {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := map[string]bool{}
	for code := range w.refused {
		got[code] = true
	}
	want := map[string]bool{}
	for _, code := range w.refusals {
		want[code] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.TB.Errorf("what Slack refused (-counted on +did):\n%s", diff)
	}
}

// endStop holds what is true of every stop, whatever happened to it.
func (w *World) endStop(s ledger.Stop) {
	if err := w.Ledger.Verify(w.TB.Context(), s.ID); err != nil {
		w.TB.Error(err)
	}
	ends, resumed := 0, 0
	for _, e := range s.Log {
		switch e.Kind { //nolint:exhaustive // the others may come as often as they like
		case ledger.AnsweredEntry, ledger.WithdrawnEntry, ledger.ExpiredEntry:
			ends++
		case ledger.ResumedEntry:
			resumed++
		}
	}
	if ends > 1 || resumed > 1 || (ends == 1) != (s.Outcome != "") {
		w.TB.Errorf("stop %s ended %d times and was resumed %d times, with the outcome %q", s.ID, ends, resumed, s.Outcome)
	}
	for _, c := range s.State.Cards {
		w.endCard(s, c)
	}
}

func (w *World) endCard(s ledger.Stop, c ledger.Card) {
	if len(w.alive()) == 0 || c.TS == "" {
		return
	}
	var got []string
	typed := w.replies[c.TS]
	for _, m := range w.Slack.Thread(c.Channel, c.TS) {
		if m.BotID == "" && typed > 0 {
			typed--
			continue
		}
		got = append(got, m.TS)
	}
	want := slices.DeleteFunc(slices.Clone(c.Thread), func(ts string) bool { return ts == "" })
	if diff := cmp.Diff(want, got, cmp.Comparer(slices.Equal[[]string])); diff != "" {
		w.TB.Errorf("the thread of stop %s (-as kept +as it stands):\n%s", s.ID, diff)
	}
	if c.Rev != s.State.Rev || c.Attempt != "" {
		w.TB.Errorf("the card of stop %s shows rev %d of %d, and is claimed by %q", s.ID, c.Rev, s.State.Rev, c.Attempt)
	}
}
