//go:build interop

package interop

import (
	"strings"
	"testing"
)

// goLoop and nodeLoop run an example as it stands.
func goLoop(t *testing.T, st *station) *process {
	return program(t, "../..", st.loop, "go", "run", "./examples/go-loop")
}

func nodeLoop(t *testing.T, st *station) *process {
	return program(t, "../..", st.loop, "node", "examples/node-loop/loop.mjs")
}

func TestTheGoExampleGoesOnWithTheVerdict(t *testing.T) {
	st := serve(t)
	loop := goLoop(t, st)
	loop.await("suspended")
	card := st.card(t, facil, "build cache")
	if err := st.slack.As(bob).Click(within(t), card, "Approve", 0); err != nil {
		t.Fatal(err)
	}
	if out := loop.ends(); strings.Join(out, "\n") != "would run, as asked" {
		t.Errorf("the loop said %q", out)
	}
	st.wentOn(t, facil, "go-loop-cleanup-1")
}

func TestTheGoExampleHearsTheReasonOfADecline(t *testing.T) {
	st := serve(t)
	loop := goLoop(t, st)
	loop.await("suspended")
	card := st.card(t, facil, "build cache")
	person := st.slack.As(bob)
	if err := person.Click(within(t), card, "Decline…", 0); err != nil {
		t.Fatal(err)
	}
	until(t, st.slack, "a window", func() bool { return person.View() != nil })
	if err := person.Submit(within(t), map[string]any{"reason": "The release needs it."}); err != nil {
		t.Fatal(err)
	}
	if out := loop.ends(); strings.Join(out, "\n") != "declined: The release needs it." {
		t.Errorf("the loop said %q", out)
	}
	st.wentOn(t, facil, "go-loop-cleanup-1")
}

func TestTheNodeExampleGoesOnWithTheVerdict(t *testing.T) {
	st := serve(t)
	loop := nodeLoop(t, st)
	loop.await("suspended")
	if err := st.slack.As(ana).Click(within(t), st.card(t, product, "weekly report"), "Choose", 1); err != nil {
		t.Fatal(err)
	}
	if got := loop.await("went on with"); !strings.Contains(got, `"choice":"seen"`) {
		t.Errorf("the loop went on with %s", got)
	}
	loop.ends()
	st.wentOn(t, product, "node-loop-report-1")
}

// TestTheNodeExampleSurvivesItsDeath kills the loop while it waits, answers while nobody waits, and runs it again, twice: the
// second finds that the first went on.
func TestTheNodeExampleSurvivesItsDeath(t *testing.T) {
	st := serve(t)
	loop := nodeLoop(t, st)
	loop.await("suspended")
	card := st.card(t, product, "weekly report")
	loop.kill()
	again := nodeLoop(t, st)
	again.kill()
	if err := st.slack.As(ana).Click(within(t), card, "Choose", 2); err != nil {
		t.Fatal(err)
	}
	last := nodeLoop(t, st)
	if got := last.await("went on with"); !strings.Contains(got, `"choice":"none"`) {
		t.Errorf("the loop went on with %s", got)
	}
	last.ends()
	st.wentOn(t, product, "node-loop-report-1")
	late := nodeLoop(t, st)
	if got := late.await("taken by"); !strings.HasPrefix(got, "node-loop/report/") {
		t.Errorf("taken by %s", got)
	}
	late.ends()
}

func TestTheNodeExampleHearsADecline(t *testing.T) {
	st := serve(t)
	loop := nodeLoop(t, st)
	loop.await("suspended")
	person := st.slack.As(ana)
	if err := person.Click(within(t), st.card(t, product, "weekly report"), "Decline…", 0); err != nil {
		t.Fatal(err)
	}
	until(t, st.slack, "a window", func() bool { return person.View() != nil })
	if err := person.Submit(within(t), map[string]any{"reason": "There is no report this week."}); err != nil {
		t.Fatal(err)
	}
	if got := loop.await("went on with"); !strings.Contains(got, `"decline"`) || !strings.Contains(got, "no report this week") {
		t.Errorf("the loop went on with %s", got)
	}
	loop.ends()
	st.wentOn(t, product, "node-loop-report-1")
}
