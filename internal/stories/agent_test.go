package stories

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagstop/loops"
)

// mostIterations is the cap of an agent that is a tool loop.
const mostIterations = 8

// box is where calls run. It outlives the agents that use it.
type box struct {
	mu  sync.Mutex
	ran []string
}

func (b *box) run(call string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran = append(b.ran, call)
	return "output of " + call
}

// times is how often a call ran.
func (b *box) times(call string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.ran {
		if c == call {
			n++
		}
	}
	return n
}

// agent is a tool loop: a model asks for calls, what is allowed runs at once, and everything else suspends it.
type agent struct {
	t     testing.TB
	w     *World
	loops *loops.Client
	box   *box
	model func(lines []line) (call string)
	agentState

	cancel context.CancelFunc
	done   chan struct{}
}

// agentState is everything that an agent needs to go on after a restart.
type agentState struct {
	ID        string   `json:"id"`
	Iteration int      `json:"iteration"`
	Lines     []line   `json:"lines"`
	Waits     *pending `json:"waits,omitempty"`
	End       string   `json:"end,omitempty"`    // done, blocked
	Origin    string   `json:"origin,omitempty"` // of a block: who decided it
}

type line struct{ Call, Result string }

// pending is a call that waits for its verdict, with the record as it was raised.
type pending struct {
	Stop, Call string
	Record     []byte
}

func newAgent(t testing.TB, w *World, id string, b *box, model func([]line) string) *agent {
	t.Helper()
	a := &agent{t: t, w: w, loops: w.NewLoops(5 * time.Minute), box: b, model: model, agentState: agentState{ID: id}}
	a.wake()
	return a
}

func keys() loops.Keys { return loops.Keys{Prefix: Prefix, Partitions: 1} }

// wake takes up what this agent has suspended, or else what it saved last.
func (a *agent) wake() {
	a.t.Helper()
	ctx := a.t.Context()
	suspended, err := a.w.Redis.SMembers(ctx, keys().In(0, "suspended:"+a.ID)).Result()
	a.w.must(err)
	key := "app:" + a.ID
	if len(suspended) > 0 {
		key = keys().Of(suspended[0], "context")
	}
	if saved := a.w.Redis.Get(ctx, key).Val(); saved != "" {
		a.w.must(json.Unmarshal([]byte(saved), &a.agentState))
	}
}

// start lets the agent live until it ends or is killed.
func (a *agent) start() *agent {
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(a.t.Context())
	a.done = make(chan struct{})
	go func() {
		defer close(a.done)
		a.live(ctx)
	}()
	a.t.Cleanup(a.kill)
	return a
}

// kill ends the agent in the middle of whatever it does.
func (a *agent) kill() {
	a.cancel()
	<-a.done
	_ = a.loops.Close()
}

func (a *agent) live(ctx context.Context) {
	for ctx.Err() == nil && a.End == "" {
		err := a.turn(ctx)
		if err == nil && a.Waits != nil {
			err = a.resume(ctx)
		}
		if err != nil && ctx.Err() == nil {
			a.t.Errorf("agent %s: %v", a.ID, err)
			return
		}
	}
}

// turn goes on until the agent ends, or is suspended: a third outcome beside done and blocked.
func (a *agent) turn(ctx context.Context) error {
	for a.End == "" && a.Waits == nil {
		if a.Iteration == mostIterations {
			a.End, a.Origin = "blocked", "limit_reached"
			break
		}
		a.Iteration++
		switch call := a.model(a.Lines); {
		case call == "":
			a.End = "done"
		case allowed(call):
			a.Lines = append(a.Lines, line{call, a.box.run(call)})
		default:
			return a.suspend(ctx, call)
		}
	}
	return a.save(ctx)
}

func allowed(call string) bool {
	first, _, _ := strings.Cut(call, " ")
	return slices.Contains([]string{"ls", "find", "pwd", "cat", "write"}, first) && !strings.Contains(call, "&&")
}

func (a *agent) save(ctx context.Context) error {
	return a.w.Redis.Set(ctx, "app:"+a.ID, encoded(a.agentState), 0).Err()
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return b
}

// suspend keeps the context before it raises: contract §3.
func (a *agent) suspend(ctx context.Context, call string) error {
	id := fmt.Sprintf("%s-%d", a.ID, a.Iteration)
	record := encoded(map[string]any{
		"v": 1, "id": id, "addressee": loops.Facilitator, "kind": "judgement", "concern": "permission",
		"loop": map[string]any{"id": a.ID, "repository": "acme/saudacao", "agent": "dev-agent", "task": "cd652d85"},
		"questions": []any{map[string]any{
			"key": "toolu_1", "message": "The agent wants to run a command that is not on its list.",
			"call": map[string]any{
				"name": "terminal", "arguments": map[string]any{"command": call}, "may": []any{"run", "edit", "output", "decline"},
			},
		}},
	})
	a.Waits = &pending{Stop: id, Call: call, Record: record}
	pipe := a.w.Redis.TxPipeline()
	pipe.Set(ctx, "app:"+a.ID, encoded(a.agentState), 0)
	pipe.Set(ctx, keys().Of(id, "context"), encoded(a.agentState), 24*time.Hour)
	pipe.SAdd(ctx, keys().In(0, "suspended:"+a.ID), id)
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	_, err := a.loops.Raise(ctx, record)
	return err
}

// resume waits for the verdict and carries it out: its result takes the place that was left open.
func (a *agent) resume(ctx context.Context) error {
	o, err := a.loops.Wait(ctx, a.Waits.Record)
	if err != nil {
		return err
	}
	claim, err := a.loops.Claim(ctx, o, a.ID)
	if err != nil {
		return err
	}
	defer func() { _ = claim.Release(context.WithoutCancel(ctx)) }()
	if o.End == loops.Answered {
		a.Lines = append(a.Lines, line{a.Waits.Call, a.carryOut(o.Verdicts["toolu_1"])})
	} else {
		a.End, a.Origin = "blocked", string(o.Origin)
	}
	stop := a.Waits.Stop
	a.Waits = nil
	if err := a.save(ctx); err != nil {
		return err
	}
	if err := claim.Done(ctx); err != nil {
		return err
	}
	return a.w.Redis.SRem(ctx, keys().In(0, "suspended:"+a.ID), stop).Err()
}

func (a *agent) carryOut(v loops.Verdict) string {
	if v.Action == loops.Decline {
		return "declined: " + v.Message
	}
	if v.Output != nil {
		return string(v.Output)
	}
	call := a.Waits.Call
	if v.Arguments != nil {
		var edited struct{ Command string }
		a.w.must(json.Unmarshal(v.Arguments, &edited))
		call = edited.Command
	}
	return a.box.run(call)
}

// saved is what an agent saved last.
func saved(t testing.TB, w *World, id string) (s agentState) {
	t.Helper()
	if kept := w.Redis.Get(t.Context(), "app:"+id).Val(); kept != "" {
		w.must(json.Unmarshal([]byte(kept), &s))
	}
	return s
}

// ended waits until an agent has ended, and returns what it saved.
func ended(t testing.TB, w *World, id string) agentState {
	t.Helper()
	w.Until(func() bool { return saved(t, w, id).End != "" }, "the end of %s", id)
	return saved(t, w, id)
}

// suspended waits until an agent waits for a verdict on a call, and returns what it saved.
func suspended(t testing.TB, w *World, id, call string) agentState {
	t.Helper()
	w.Until(func() bool {
		s := saved(t, w, id)
		return s.Waits != nil && s.Waits.Call == call
	}, "%s waiting for %q", id, call)
	return saved(t, w, id)
}

// dev is the model of story 1: five calls, two of which have to be asked for. What was declined it does without.
func dev(lines []line) string {
	plan := []string{"ls -la", "cat README.md", "git branch -a", "git rev-parse --abbrev-ref HEAD", "write hello.txt"}
	for i, l := range lines {
		if strings.HasPrefix(l.Result, "declined: ") {
			plan = append(plan[:i+1:i+1], "find .git -name HEAD", "write hello.txt")
			break
		}
	}
	if len(lines) == len(plan) {
		return ""
	}
	return plan[len(lines)]
}
