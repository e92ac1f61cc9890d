package stories

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"testing"
)

// lead is a loop that has agents do its work, one after another or all at once. An agent that waits for a verdict is
// neither done nor blocked, so the lead waits with it.
type lead struct {
	t      testing.TB
	w      *World
	box    *box
	names  []string
	atOnce bool

	mu sync.Mutex
	leadState

	cancel context.CancelFunc
	done   chan struct{}
}

// leadState is everything that a lead needs to go on after a restart.
type leadState struct {
	Findings map[string]string `json:"findings"` // by agent
	Verdict  string            `json:"verdict,omitempty"`
	Origin   string            `json:"origin,omitempty"`
	Heard    []string          `json:"heard,omitempty"` // stops of its agents that ended
}

func newLead(t testing.TB, w *World, b *box, names ...string) *lead {
	t.Helper()
	l := &lead{t: t, w: w, box: b, names: names, leadState: leadState{Findings: map[string]string{}}}
	l.leadState = leadSaved(t, w)
	return l
}

func leadSaved(t testing.TB, w *World) (s leadState) {
	t.Helper()
	if kept := w.Redis.Get(t.Context(), "app:lead").Val(); kept != "" {
		w.must(json.Unmarshal([]byte(kept), &s))
	}
	if s.Findings == nil {
		s.Findings = map[string]string{}
	}
	return s
}

// start lets the lead and its agents live until they end or are killed.
func (l *lead) start() *lead {
	var ctx context.Context
	ctx, l.cancel = context.WithCancel(l.t.Context())
	l.done = make(chan struct{})
	go func() {
		defer close(l.done)
		if err := l.live(ctx); err != nil && ctx.Err() == nil {
			l.t.Errorf("lead: %v", err)
		}
	}()
	l.t.Cleanup(l.kill)
	return l
}

func (l *lead) kill() {
	l.cancel()
	<-l.done
}

func (l *lead) live(ctx context.Context) error {
	var agents sync.WaitGroup
	var errs sync.Map
	finished := maps.Clone(l.Findings)
	for _, name := range l.names {
		if finished[name] != "" {
			continue
		}
		delegate := func() {
			if err := l.delegate(ctx, name); err != nil {
				errs.Store(name, err)
			}
		}
		if l.atOnce {
			agents.Go(delegate)
			continue
		}
		if delegate(); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	agents.Wait()
	for _, err := range errs.Range {
		return err.(error)
	}
	return l.change(ctx, func() {
		if l.Verdict == "" {
			l.Verdict = "passed"
		}
	})
}

// delegate has an agent do its part, and keeps what it finds. The verdict is the agent's: the lead only hears that there is one.
func (l *lead) delegate(ctx context.Context, name string) error {
	a := newAgent(l.t, l.w, name, l.box, tester(name))
	defer func() { _ = a.loops.Close() }()
	for a.End == "" {
		if err := a.turn(ctx); err != nil {
			return err
		}
		if a.Waits == nil {
			continue
		}
		if _, err := l.w.Loops.Wait(ctx, a.Waits.Record); err != nil {
			return err
		}
		if err := l.change(ctx, func() { l.Heard = append(l.Heard, a.Waits.Stop) }); err != nil {
			return err
		}
		if err := a.resume(ctx); err != nil {
			return err
		}
	}
	return l.change(ctx, func() {
		if a.End != "done" {
			l.Verdict, l.Origin = a.End, a.Origin
			return
		}
		l.Findings[name] = a.Lines[len(a.Lines)-1].Result
	})
}

func (l *lead) change(ctx context.Context, change func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	return l.w.Redis.Set(ctx, "app:lead", encoded(l.leadState), 0).Err()
}

// compound is the command of the sixth real run: one of its parts is not on the list.
const compound = `ls -la && find . -name "AGENTS.md" -o -name "package.json" | head -50`

// tester is the model of a delegated agent. Those whose name says so have to ask for their first call.
func tester(name string) func([]line) string {
	plan := []string{"ls " + name, "cat report-" + name}
	if strings.HasPrefix(name, "qa-automacao") {
		plan = []string{compound, "cat report-" + name}
	}
	return func(lines []line) string {
		if len(lines) == len(plan) {
			return ""
		}
		return plan[len(lines)]
	}
}

// verdict waits until the lead gave one, and returns what it saved.
func verdict(t testing.TB, w *World) leadState {
	t.Helper()
	w.Until(func() bool { return leadSaved(t, w).Verdict != "" }, "a verdict of the lead")
	return leadSaved(t, w)
}

// leadWaits fails the test if the lead has said anything while an agent of its waits.
func leadWaits(t testing.TB, w *World, findings int) {
	t.Helper()
	if s := leadSaved(t, w); s.Verdict != "" || s.Origin != "" || len(s.Findings) != findings {
		t.Errorf("while an agent waits the lead says %+v, want no verdict and %d findings", s, findings)
	}
}
