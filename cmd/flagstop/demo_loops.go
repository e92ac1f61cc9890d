package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"flagstop/internal/standin"
	"flagstop/loops"
)

// sampleLoop is one scripted loop of the demo, after the stories that the stop record was made for. It does what stands
// before, asks, and goes on with what stands after.
type sampleLoop struct {
	id, title, agent string
	record           loops.Record
	at, cap          int // the iteration that asks, and the cap; 0: it counts none
	before, after    []string
	ran              string // what stands first after an approval as shown
	waitsFor         string
	channel          string // where its card comes
	person, button   string // who clicks what, with --auto
}

func (l sampleLoop) stopID() string { return l.record.ID }

func loopIDs(all []sampleLoop) string {
	var ids []string
	for _, l := range all {
		ids = append(ids, l.id)
	}
	return strings.Join(ids, ", ")
}

func sampleLoops() []sampleLoop { return []sampleLoop{productQuestion(), devAgent(), gate()} }

// devAgent is the loop whose iterations once burned away while its call waited.
func devAgent() sampleLoop {
	return sampleLoop{
		id: "dev-agent", title: "Greeting page, task cd652d85", agent: "dev-agent", at: 3, cap: 8, waitsFor: "■ Facilitator",
		channel: demoFacilitat, person: demoBob, button: "Approve",
		before: []string{"1 ls -la: ran", "2 cat README.md: ran", "3 git branch -a: asks, so the loop is suspended; no iteration is spent"},
		ran:    "3 git branch -a: ran as approved",
		after:  []string{"4 cat package.json: ran", "5 wrote src/greeting.js", "6 done, two iterations left"},
		record: loops.Record{
			V: 1, ID: "demo-dev-agent", Addressee: loops.Facilitator, Kind: loops.Judgement, Concern: loops.Permission,
			Loop: loops.Loop{ID: "dev-agent/cd652d85", Repository: "acme/saudacao", Agent: "dev-agent", Task: "cd652d85"},
			Questions: []loops.Question{{
				Key: "toolu_01", Message: "The dev agent needs to see which branches exist before it creates its own. May it run this?",
				Call: &loops.Call{
					Name: "terminal", Arguments: json.RawMessage(`{"command":"git branch -a"}`),
					May: []loops.May{loops.MayRun, loops.MayEdit, loops.MayDecline},
				},
			}},
		},
	}
}

// gate is the lead that once recorded "infrastructure failed" for a decision that nobody had made.
func gate() sampleLoop {
	return sampleLoop{
		id: "qa-gate", title: "Quality gate of two agents", agent: "qa-lead", waitsFor: "■ Facilitator",
		channel: demoFacilitat, person: demoBob, button: "Approve",
		before: []string{"lead: starts qa-automacao", "qa-automacao: a compound command asks, so it is suspended", "lead: waits with it; no verdict, nothing blocked"},
		ran:    "qa-automacao: ran as approved",
		after:  []string{"qa-automacao: 14 of 14 pass", "lead: keeps that, starts qa-performance-seguranca", "qa-performance-seguranca: nothing found", "lead: the gate passes"},
		record: loops.Record{
			V: 1, ID: "demo-qa-gate", Addressee: loops.Facilitator, Kind: loops.Judgement, Concern: loops.Permission,
			Loop: loops.Loop{ID: "qa-automacao/gate-77", Repository: "acme/saudacao", Agent: "qa-automacao", Task: "gate-77"},
			Questions: []loops.Question{{
				Key: "call_qa_7", Message: "QA automation lists the project files before it writes its report. May it run this?",
				Call: &loops.Call{
					Name:      "terminal",
					Arguments: json.RawMessage(`{"command":"ls -la && find . -name \"AGENTS.md\" -o -name \"package.json\" | head -50"}`),
				},
			}},
		},
	}
}

// productQuestion asks the product thinker, in product words.
func productQuestion() sampleLoop {
	return sampleLoop{
		id: "designer", title: "What closing a question means", agent: "designer", waitsFor: "◆ Product thinker",
		channel: demoProduct, person: demoAna, button: "Choose",
		before: []string{"wrote two drafts of the dialog", "a trade-off that only the product thinker can make: asks"},
		after:  []string{"goes on as that says"},
		record: loops.Record{
			V: 1, ID: "demo-designer", Addressee: loops.ProductThinker, Kind: loops.Judgement, Concern: loops.TradeOff,
			Loop: loops.Loop{ID: "designer/closing", Repository: "acme/saudacao", Agent: "designer", Task: "closing"},
			Questions: []loops.Question{{
				Key:     "q",
				Message: "A person can close a question without answering, or say no to it. Should these two mean different things?",
				Schema: &loops.Schema{Required: []string{"choice"}, Properties: []loops.Property{{
					Name: "choice", Type: loops.SelectProperty, Options: []loops.Option{
						{Const: "keep", Title: "Keep both", Description: "A person who closes the window is asked again next week; one who says no is not."},
						{Const: "one", Title: `Keep only "no"`, Description: "Closing the window and saying no mean the same, so the loop goes on at once."},
						{Const: "none", Title: "None of these", Description: "Both drafts are dropped, and the loop writes other ones."},
					},
				}}},
				NullOption: "none",
			}},
		},
	}
}

// play runs one loop: what it does before, the stop, the wait, the claim, and what it does after.
func (d *demoWorld) play(ctx context.Context, l sampleLoop) error {
	state := standin.LoopState{ID: l.id, Title: l.title, Agent: l.agent, Iteration: l.at, Cap: l.cap, WaitsFor: l.waitsFor}
	state.State = "suspended"
	if l.cap > 0 {
		state.State = fmt.Sprintf("suspended in iteration %d of %d", l.at, l.cap)
	}
	d.show.set(state, l.before...)
	record, err := json.Marshal(l.record)
	if err != nil {
		return err
	}
	if _, err := d.client.Raise(ctx, record); err != nil {
		return err
	}
	o, err := d.client.Wait(ctx, record)
	if err != nil {
		return err
	}
	claim, err := d.client.Claim(ctx, o, l.record.Loop.ID)
	if err != nil {
		return err
	}
	d.show.set(l.resumed(state, o), l.went(o)...)
	return claim.Done(ctx)
}

// resumed is what the page shows once the outcome is in.
func (l sampleLoop) resumed(s standin.LoopState, o *loops.SignedOutcome) standin.LoopState {
	s.WaitsFor, s.State = "", "done"
	if v := o.Verdicts[l.record.Questions[0].Key]; v.Action != loops.Accept {
		s.State = "going on another way"
	} else if l.cap > 0 {
		s.Iteration = 6
	}
	return s
}

// went are the lines of what the loop did with its outcome.
func (l sampleLoop) went(o *loops.SignedOutcome) []string {
	if o.End != loops.Answered {
		return []string{"the stop ended as " + string(o.End) + ": goes on without an answer"}
	}
	v := o.Verdicts[l.record.Questions[0].Key]
	switch {
	case v.Action != loops.Accept:
		return []string{"declined: " + v.Message, "takes another way; nothing counts as a failure"}
	case len(v.Content) > 0:
		return append([]string{"verified outcome: " + l.titleOf(v)}, l.after...)
	case len(v.Arguments) > 0:
		return append([]string{"verified outcome: approved as edited", "ran as edited: " + string(v.Arguments)}, l.after...)
	}
	return append([]string{"verified outcome: approved as shown", l.ran}, l.after...)
}

// titleOf is the title of the option that was chosen, in the words that its person saw.
func (l sampleLoop) titleOf(v loops.Verdict) string {
	var chosen struct{ Choice string }
	if err := json.Unmarshal(v.Content, &chosen); err == nil {
		for _, o := range l.record.Questions[0].Schema.Properties[0].Options {
			if o.Const == chosen.Choice {
				return o.Title
			}
		}
	}
	return string(v.Content)
}

// loopBoard shows the loops on the page, and in the transcript where there is one.
type loopBoard struct {
	mu         sync.Mutex
	server     *standin.Server
	loops      []standin.LoopState
	transcript io.Writer
}

// newLoopBoard shows the loops in their order, whichever asks first.
func newLoopBoard(s *standin.Server, samples []sampleLoop) *loopBoard {
	b := &loopBoard{server: s}
	for _, l := range samples {
		b.loops = append(b.loops, standin.LoopState{ID: l.id, Title: l.title, Agent: l.agent, State: "starting"})
	}
	return b
}

// set shows a loop's state and adds lines to its log.
func (b *loopBoard) set(s standin.LoopState, lines ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.loops, func(x standin.LoopState) bool { return x.ID == s.ID })
	s.Log = slices.Concat(b.loops[i].Log, lines)
	b.loops[i] = s
	b.server.SetLoops(b.loops)
	for _, line := range lines {
		b.print(s.ID + ": " + line)
	}
}

func (b *loopBoard) say(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.print(line)
}

func (b *loopBoard) print(line string) {
	if b.transcript != nil {
		_, _ = fmt.Fprintln(b.transcript, line)
	}
}
