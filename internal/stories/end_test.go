package stories

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"flagstop/internal/standin"
)

// witness hears the faults that a world reports, instead of failing the test.
type witness struct {
	testing.TB
	faults []string
}

// Errorf implements testing.TB.
func (w *witness) Errorf(format string, args ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// Error implements testing.TB.
func (w *witness) Error(args ...any) { w.faults = append(w.faults, fmt.Sprint(args...)) }

func TestWhatNobodyExpectedFailsTheStory(t *testing.T) {
	t.Parallel()
	for what, unexpected := range map[string]struct {
		happens func(w *World)
		fault   string
	}{
		"nothing":   {func(*World) {}, ""},
		"a message": {func(w *World) { w.must(w.Slack.As(Bob).Post(w.TB.Context(), Ops, "", "Hello")) }, "C0OPS has 1 messages"},
		"a line of a thread": {func(w *World) {
			card := w.See(Product, 1)[0]
			w.must(w.Slack.As(Bob).Post(w.TB.Context(), Product, card.TS, "Hello"))
		}, "the thread of stop s1"},
		"a word to a person": {func(w *World) { w.Click(Mallory, w.See(Product, 1)[0], "Choose", 0) }, "U0MALLORY was told 1 things"},
		"a refusal": {func(w *World) {
			w.Slack.Break(standin.Fault{Method: "chat.update", Times: 1, Error: "ratelimited"})
			w.Click(Ana, w.See(Product, 1)[0], "Choose", 0)
		}, "ratelimited"},
		"a changed log": {func(w *World) {
			w.Click(Ana, w.See(Product, 1)[0], "Choose", 0)
			w.SeeText(Product, "answered")
			w.must(w.Redis.LSet(w.TB.Context(), "{fs:0}:log:s1", 0, `{"seq":1,"entry":"raised","rev":1}`).Err())
		}, "log of stop s1"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := New(t, Options{})
				w.StartBot()
				w.Raise(Judgement("s1"))
				w.SeeText(Product, "Choose")
				w.Shown()
				unexpected.happens(w)
				heard := &witness{TB: t}
				w.TB = heard
				w.End()
				w.TB = t
				got := strings.Join(heard.faults, "\n")
				if unexpected.fault == "" && got != "" || !strings.Contains(got, unexpected.fault) {
					t.Errorf("the world found %q, want %q", got, unexpected.fault)
				}
			})
		})
	}
}
