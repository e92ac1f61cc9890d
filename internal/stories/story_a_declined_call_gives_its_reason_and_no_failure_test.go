package stories

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestADeclinedCallHasItsReasonInThePlaceOfTheResult(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		var b box
		devSuspended(t, w, &b)
		w.Click(Bob, w.SeeText(Facil, "Decline…"), "Decline…", 0)
		w.Submit(Bob, map[string]any{"reason": "There is one branch: read .git/HEAD."})
		s := ended(t, w, "dev")
		if s.End != "done" || s.Iteration != 6 {
			t.Errorf("the agent ended %s in iteration %d, want done: nothing counts as a failure", s.End, s.Iteration)
		}
		want := []line{
			{"ls -la", "output of ls -la"},
			{"cat README.md", "output of cat README.md"},
			{"git branch -a", "declined: There is one branch: read .git/HEAD."},
			{"find .git -name HEAD", "output of find .git -name HEAD"},
			{"write hello.txt", "output of write hello.txt"},
		}
		if diff := cmp.Diff(want, s.Lines); diff != "" {
			t.Errorf("what the model saw (-want +got):\n%s", diff)
		}
		if n := b.times("git branch -a"); n != 0 {
			t.Errorf("the declined call ran %d times", n)
		}
		w.SeeText(Facil, "Declined", "read .git/HEAD", "went on", "!Approve")
	})
}
