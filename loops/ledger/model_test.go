package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// model is the ledger in a few lines: what a stop is after the calls so far.
type model struct {
	phase    Phase
	verdicts map[string]int // which of three verdicts stands on each of two questions
	rev      int64
	entries  int64
	resumed  bool
	lease    *Lease
	leaseRev int64 // the rev when the lease was taken
	turned   bool  // Ana was turned away within this minute
	noted    bool  // Ana noted something within this minute
	holder   string
	taken    bool // by Ana
	notMine  bool
}

var (
	modelKeys     = []string{"a", "b"}
	modelVerdicts = []loops.Verdict{accept(), decline("no"), {Action: loops.Accept, Output: json.RawMessage(`"main"`)}}
)

func TestRandomCallsKeepToTheModel(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		seeds := uint64(12)
		if testing.Short() {
			seeds = 5
		}
		for seed := range seeds {
			ok(t, r.FlushAll(t.Context()).Err())
			w := &walk{room: newRoom(t, r, func(o *Options) { o.Partitions = 1 + int(seed%2)*3 }), rand: rand.New(rand.NewPCG(seed, 0)), stops: map[string]*model{}}
			for range 60 {
				w.step()
				w.hold()
				if t.Failed() {
					t.Fatalf("seed %d:\n%s", seed, strings.Join(w.calls, "\n"))
				}
			}
		}
	})
}

// walk is one sequence of random calls.
type walk struct {
	*room
	rand  *rand.Rand
	stops map[string]*model
	calls []string
}

func (w *walk) step() {
	id := fmt.Sprint("s", w.rand.IntN(4))
	m := w.stops[id]
	if m == nil {
		m = &model{verdicts: map[string]int{}}
		w.stops[id] = m
	}
	before := m.rev
	var want string
	var got error
	var call string
	switch n := w.rand.IntN(15); n {
	case 0, 1:
		call, want, got = w.raise(id, m, n == 1)
	case 2, 3, 4:
		call, want, got = w.answer(id, m)
	case 5:
		call, want, got = w.end(id, m, Withdrawn, Withdraw{})
	case 6:
		call, want, got = w.end(id, m, Expired, Expire{Origin: loops.OriginPolicy})
	case 7:
		call, want, got = w.remark(id, m)
	case 8:
		call, want, got = w.resume(id, m)
	case 9:
		call, want, got = w.leaseIt(id, m)
	case 10:
		call, want, got = w.giveBack(id, m)
	case 11, 12, 13:
		call, want, got = w.handle(id, m)
	default:
		call = "touch"
		got = w.Touch(w.t.Context(), id, "", "")
		if m.lease != nil {
			m.leaseRev = -1 // its owner will find it behind
		}
	}
	is := ""
	if got != nil {
		is = w.reason(got)
	}
	w.calls = append(w.calls, fmt.Sprintf("%s %s: %q, rev %d → %d", id, call, is, before, m.rev))
	if is != want {
		w.t.Errorf("%s %s: %q, want %q", id, call, is, want)
	}
}

func (w *walk) call(id string, c Command, changes bool) error {
	w.t.Helper()
	_, changed, err := w.Do(w.t.Context(), id, c)
	if err == nil && changed != changes {
		w.t.Errorf("%s %T: changed %t, want %t", id, c, changed, changes)
	}
	return err
}

func (w *walk) raise(id string, m *model, other bool) (call, want string, got error) {
	o := withCalls(id, modelKeys...)
	if capped(id) {
		o["expires"] = "2999-01-01T00:00:00Z"
	}
	if other && m.phase != "" {
		o["loop"] = object{"id": "dev/2", "repository": "acme/site"}
		return "raise others", "taken", w.call(id, Raise{Record: recordOf(w.t, o)}, false)
	}
	fresh := m.phase == ""
	if fresh {
		m.phase, m.rev, m.entries, m.holder = Open, 1, 1, loops.Facilitator
	}
	return "raise", "", w.call(id, Raise{Record: recordOf(w.t, o)}, fresh)
}

func (w *walk) answer(id string, m *model) (call, want string, got error) {
	given := map[string]int{}
	for _, key := range modelKeys {
		if w.rand.IntN(2) == 0 {
			given[key] = w.rand.IntN(len(modelVerdicts))
		}
	}
	c := Answer{By: ana, Verdicts: map[string]loops.Verdict{}}
	fresh, differs := 0, false
	for key, v := range given {
		c.Verdicts[key] = modelVerdicts[v]
		standing, stands := m.verdicts[key]
		switch {
		case !stands:
			fresh++
		case standing != v:
			differs = true
		}
	}
	call = fmt.Sprint("answer ", given)
	ended := m.phase == Withdrawn || m.phase == Expired
	switch {
	case m.phase == "":
		return call, "unknown", w.call(id, c, false)
	case len(given) == 0:
		return call, "no such question", w.call(id, c, false)
	case ended && (differs || fresh > 0):
		return call, "closed", w.call(id, c, false)
	case differs:
		return call, "answered", w.call(id, c, false)
	case fresh > 0:
		m.rev++
		m.entries += int64(fresh)
		maps.Copy(m.verdicts, given)
		if len(m.verdicts) == len(modelKeys) {
			m.phase = Answered
			m.entries++
		}
	}
	return call, "", w.call(id, c, fresh > 0)
}

func (w *walk) end(id string, m *model, p Phase, c Command) (call, want string, got error) {
	call = string(p)
	switch m.phase {
	case "":
		return call, "unknown", w.call(id, c, false)
	case p:
		return call, "", w.call(id, c, false)
	case Open:
		m.phase = p
		m.rev++
		m.entries++
		return call, "", w.call(id, c, true)
	case Answered, Withdrawn, Expired:
	}
	return call, "closed", w.call(id, c, false)
}

func (w *walk) remark(id string, m *model) (call, want string, got error) {
	if m.phase == "" {
		return "note", "unknown", w.call(id, Note{By: ana, Text: "x"}, false)
	}
	if w.rand.IntN(2) == 0 {
		first := !m.noted
		if first {
			m.noted = true
			m.entries++
		}
		return "note", "", w.call(id, Note{By: ana, Text: "x"}, first)
	}
	first := !m.turned
	if first {
		m.turned = true
		m.entries++
	}
	return "turn away", "", w.call(id, TurnAway{By: ana, Reason: "x"}, first)
}

// handle does what is no verdict.
func (w *walk) handle(id string, m *model) (call, want string, got error) {
	to := []string{loops.Facilitator, "security", loops.ProductThinker}[w.rand.IntN(3)]
	n := w.rand.IntN(4)
	c := []Command{Take{By: ana}, Release{By: ana}, Reassign{By: ana, To: to}, NotMine{By: ana, To: to}}[n]
	call = fmt.Sprintf("%T %s", c, to)
	changes := map[int]bool{0: !m.taken, 1: m.taken, 2: to != m.holder, 3: to != m.holder}[n]
	switch {
	case m.phase == "":
		return call, "unknown", w.call(id, c, false)
	case m.phase != Open:
		return call, "closed", w.call(id, c, false)
	case n > 1 && changes && to == loops.ProductThinker:
		return call, "misfit", w.call(id, c, false)
	case changes:
		m.rev++
		m.entries++
		m.taken = n == 0
		if n > 1 {
			m.holder, m.notMine = to, m.notMine || n == 3
		}
	}
	return call, "", w.call(id, c, changes)
}

func (w *walk) resume(id string, m *model) (call, want string, got error) {
	c := Resume{By: "dev/1/ab"}
	stop, err := w.Read(w.t.Context(), id)
	switch {
	case errors.Is(err, ErrUnknown):
		return "resume", "unknown", w.call(id, c, false)
	case m.phase == Open:
		return "resume", "not ended", w.call(id, c, false)
	case w.rand.IntN(3) == 0:
		return "resume otherwise", "other outcome", w.call(id, c, false)
	}
	c.Outcome = stop.Outcome
	first := !m.resumed
	if first {
		m.resumed = true
		m.rev++
		m.entries++
	}
	return "resume", "", w.call(id, c, first)
}

// capped says which stops have an expires.
func capped(id string) bool { return id == "s1" || id == "s3" }

// leaseIt takes the lease on one stop, if it is due.
func (w *walk) leaseIt(id string, m *model) (call, want string, got error) {
	lease, held, err := w.lease(w.t.Context(), id, time.Hour)
	if held && m.lease != nil {
		w.t.Errorf("%s is leased twice", id)
	}
	if held {
		m.lease, m.leaseRev = &lease, m.rev
	}
	return "lease", "", err
}

func (w *walk) giveBack(id string, m *model) (call, want string, got error) {
	if m.lease == nil {
		return "nothing", "", nil
	}
	lease, rev := *m.lease, m.rev
	m.lease = nil
	if w.rand.IntN(2) == 0 {
		return "postpone", "", w.Postpone(w.t.Context(), lease, time.Now())
	}
	shown := max(m.leaseRev, 1)
	done, err := w.Shown(w.t.Context(), lease, shown)
	if want := m.leaseRev == rev; done != want {
		w.t.Errorf("%s shown %d of %d: done %t, want %t", id, shown, rev, done, want)
	}
	return fmt.Sprint("shown ", shown), "", err
}

// hold checks what holds after each call.
func (w *walk) hold() {
	w.t.Helper()
	for id, m := range w.stops {
		in := func(name string) bool { return w.has(w.keys.In(w.keys.Partition(id), name), id) }
		if m.phase == "" {
			continue
		}
		stop := w.read(id)
		s := stop.State
		if s.Phase != m.phase || s.Rev != m.rev || s.Seq != m.entries || len(s.Verdicts) != len(m.verdicts) || (s.Resumed != nil) != m.resumed {
			w.t.Errorf("%s: %s rev %d seq %d, %d verdicts; want %+v", id, s.Phase, s.Rev, s.Seq, len(s.Verdicts), m)
		}
		open := m.phase == Open
		for _, role := range roles() {
			if in("holder:"+role) != (open && role == m.holder) {
				w.t.Errorf("%s is %s with %s; listed with %s: %t", id, s.Phase, m.holder, role, in("holder:"+role))
			}
		}
		if s.Holder != m.holder || (s.Taken != nil) != m.taken || (s.NotMine != nil) != m.notMine || in("due") != (open && capped(id)) {
			w.t.Errorf("%s is with %s, taken %t, not mine %t, due %t; want %+v", id, s.Holder, s.Taken != nil, s.NotMine != nil, in("due"), m)
		}
		settled := m.phase == Withdrawn || m.resumed
		if in("closed") != settled || in("untaken") != (!open && !settled) {
			w.t.Errorf("%s is %s, resumed %t; closed: %t, untaken: %t", id, s.Phase, m.resumed, in("closed"), in("untaken"))
		}
		if in("work") != in("behind") {
			w.t.Errorf("%s: in work: %t, behind: %t", id, in("work"), in("behind"))
		}
		w.holdOutcome(stop)
		if err := w.Verify(w.t.Context(), id); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *walk) holdOutcome(stop Stop) {
	w.t.Helper()
	if (stop.Outcome == "") != (stop.State.Phase == Open) {
		w.t.Errorf("%s is %s with the outcome %q", stop.ID, stop.State.Phase, stop.Outcome)
	}
	if stop.Outcome == "" {
		return
	}
	o, err := w.set.VerifyOutcome(stop.Outcome, "fs", ref(stop))
	if err != nil || string(o.End) != string(stop.State.Phase) {
		w.t.Errorf("%s is %s; its outcome is %+v, %v", stop.ID, stop.State.Phase, o, err)
	}
}
