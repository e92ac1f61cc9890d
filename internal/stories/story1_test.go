package stories

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Story 1 of the cases: eight iterations burned. What is common to its endings.

// devSuspended starts the agent, and returns it when it waits for its first verdict, in its third iteration, with nothing
// in the place of the result.
func devSuspended(t testing.TB, w *World, b *box) *agent {
	t.Helper()
	a := newAgent(t, w, "dev", b, dev).start()
	s := suspended(t, w, "dev", "git branch -a")
	if s.Iteration != 3 || len(s.Lines) != 2 || s.End != "" {
		t.Errorf("the agent is in iteration %d with %d results, want the third with two", s.Iteration, len(s.Lines))
	}
	w.SeeText(Facil, "git branch -a", "Approve", "Decline…")
	return a
}

// devDone approves the second call too, and sees the task done in six iterations, each call having run once.
func devDone(t testing.TB, w *World, b *box) {
	t.Helper()
	suspended(t, w, "dev", "git rev-parse --abbrev-ref HEAD")
	cards := w.See(Facil, 2)
	w.Click(Bob, cards[1], "Approve", 0)
	s := ended(t, w, "dev")
	if s.End != "done" || s.Iteration != 6 {
		t.Errorf("the agent ended %s in iteration %d, want done in the sixth", s.End, s.Iteration)
	}
	want := []line{
		{"ls -la", "output of ls -la"},
		{"cat README.md", "output of cat README.md"},
		{"git branch -a", "output of git branch -a"},
		{"git rev-parse --abbrev-ref HEAD", "output of git rev-parse --abbrev-ref HEAD"},
		{"write hello.txt", "output of write hello.txt"},
	}
	if diff := cmp.Diff(want, s.Lines); diff != "" {
		t.Errorf("what the model saw (-want +got):\n%s", diff)
	}
	for _, call := range b.ran {
		if n := b.times(call); n != 1 {
			t.Errorf("%q ran %d times, want once", call, n)
		}
	}
	all(t, w, Facil, 2, "Approved", "went on", "!Decline…")
}
