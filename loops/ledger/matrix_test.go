package ledger

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

var update = flag.Bool("update", false, "write the matrix into docs/protocol.md")

const protocol = "../../docs/protocol.md"

// columns are where a stop can be in its life, and how it got there. Its two calls are a and b; the stop of a page has
// no part that could be answered alone.
var columns = []struct {
	name string
	way  []Command
}{
	{"none", nil},
	{"open", []Command{Raise{}}},
	{"open, `a` answered", []Command{Raise{}, answers(ana, accept(), "a")}},
	{"answered", []Command{Raise{}, answers(ana, accept(), "a", "b")}},
	{"answered, resumed", []Command{Raise{}, answers(ana, accept(), "a", "b"), Resume{By: "dev/1/ab"}}},
	{"withdrawn", []Command{Raise{}, Withdraw{Reason: "done"}}},
	{"expired", []Command{Raise{}, Expire{Origin: loops.OriginPolicy}}},
}

const (
	same     = "no change"
	unknown  = "✗ unknown"
	closed   = "✗ closed"
	answered = "✗ answered"
	noKey    = "✗ no such question"
	cannot   = "–"
)

// matrix says what each command does in each column: the entries that are appended, `rev+1` where a card looks different
// afterwards, and the phase where it is another. A Raise without a record is of the stop's own bytes, a Resume without
// an outcome has the stored one.
var matrix = []struct {
	name    string
	command Command
	other   string // "bytes", "outcome", "page" or "cap": what is different about the command or its stop; "taken", "handed off"
	want    [7]string
}{
	{"raise", Raise{}, "", [7]string{"raised, rev+1 → open", same, same, same, same, same, same}},
	{"raise, other bytes", Raise{}, "bytes", [7]string{
		"raised, rev+1 → open", "✗ taken", "✗ taken", "✗ taken", "✗ taken", "✗ taken", "✗ taken",
	}},
	{"answer `a`", answers(bob, accept(), "a"), "", [7]string{unknown, "verdict, rev+1", same, same, same, closed, closed}},
	{"answer `a` otherwise", answers(bob, decline("no"), "a"), "", [7]string{
		unknown, "verdict, rev+1", answered, answered, answered, closed, closed,
	}},
	{"answer `b`", answers(bob, accept(), "b"), "", [7]string{
		unknown, "verdict, rev+1", "verdict answered, rev+1 → answered", same, same, closed, closed,
	}},
	{"answer all", answers(bob, accept(), "a", "b"), "", [7]string{
		unknown, "verdict verdict answered, rev+1 → answered", "verdict answered, rev+1 → answered", same, same, closed, closed,
	}},
	{"answer nothing", Answer{By: bob}, "", [7]string{unknown, noKey, noKey, noKey, noKey, noKey, noKey}},
	{"answer what is not asked", answers(bob, accept(), "a", "z"), "", [7]string{unknown, noKey, noKey, noKey, noKey, noKey, noKey}},
	{"answer `b` with what does not fit", answers(bob, loops.Verdict{Action: "cancel"}, "b"), "", [7]string{
		unknown, "✗ verdict", "✗ verdict", answered, answered, closed, closed,
	}},
	{"dismiss", Dismiss{By: bob, Key: "b"}, "", [7]string{unknown, "dismissed", "dismissed", closed, closed, closed, closed}},
	{"turn away", TurnAway{By: bob, Reason: "not yours"}, "", [7]string{
		unknown, "turned-away", "turned-away", "turned-away", "turned-away", "turned-away", "turned-away",
	}},
	{"note", Note{By: bob, Text: "a look"}, "", [7]string{unknown, "note", "note", "note", "note", "note", "note"}},
	{"withdraw", Withdraw{}, "", [7]string{
		unknown, "withdrawn, rev+1 → withdrawn", "withdrawn, rev+1 → withdrawn", closed, closed, same, closed,
	}},
	{"complete", Complete{}, "", [7]string{
		unknown, "✗ no page", "✗ no page", "✗ no page", "✗ no page", "✗ no page", "✗ no page",
	}},
	{"complete, a page", Complete{}, "page", [7]string{
		unknown, "completed, rev+1", cannot, "completed, rev+1", "completed, rev+1", "completed, rev+1", "completed, rev+1",
	}},
	{"resume", Resume{By: "dev/1/ab"}, "", [7]string{
		unknown, "✗ not ended", "✗ not ended", "resumed, rev+1", same, "resumed, rev+1", "resumed, rev+1",
	}},
	{"resume, another instance", Resume{By: "dev/1/cd"}, "", [7]string{
		unknown, "✗ not ended", "✗ not ended", "resumed, rev+1", same, "resumed, rev+1", "resumed, rev+1",
	}},
	{"resume, another outcome", Resume{By: "dev/1/ab", Outcome: "e30.e30.e30"}, "outcome", [7]string{
		unknown, "✗ not ended", "✗ not ended", "✗ other outcome", "✗ other outcome", "✗ other outcome", "✗ other outcome",
	}},
	{"expire, the asker's cap ahead or none", Expire{Origin: loops.OriginAsker}, "", [7]string{
		unknown, same, same, closed, closed, closed, same,
	}},
	{"expire, the asker's cap over", Expire{Origin: loops.OriginAsker}, "cap", [7]string{
		unknown, "expired, rev+1 → expired", "expired, rev+1 → expired", closed, closed, closed, same,
	}},
	{"expire, a policy's cap", Expire{Origin: loops.OriginPolicy}, "", [7]string{
		unknown, "expired, rev+1 → expired", "expired, rev+1 → expired", closed, closed, closed, same,
	}},
	{"take", Take{By: bob}, "", held("taken, rev+1")},
	{"take, as seen before it moved", Take{By: bob, Rev: 99}, "", held("✗ stale")},
	{"release what nobody took", Release{By: bob}, "", held(same)},
	{"release", Release{By: bob}, "taken", held("released, rev+1")},
	{"release, as seen before it moved", Release{By: bob, Rev: 99}, "taken", held("✗ stale")},
	{"take what the same person took", Take{By: ana, Rev: 99}, "taken", held(same)},
	{"take what another took", Take{By: bob}, "taken", held("taken, rev+1")},
	{"snooze", Snooze{By: bob, Until: far}, "", held("snoozed, rev+1")},
	{"snooze to the past, or for longer than 7 days", Snooze{By: bob, Until: noon.AddDate(-50, 0, 0)}, "", held("✗ snooze")},
	{"reassign", Reassign{By: bob, To: "security", Text: "a token"}, "", held("reassigned, rev+1")},
	{"reassign to its holder", Reassign{By: bob, To: loops.Facilitator}, "", held(same)},
	{"reassign to whom it could not be addressed", Reassign{By: bob, To: loops.ProductThinker}, "", held("✗ misfit")},
	{"not mine to answer", NotMine{By: bob, To: "security"}, "", held("not-mine, rev+1")},
	{"hand-off", handOffOf(loops.Facilitator), "", held("handed-off, rev+1")},
	{"hand-off, the same shift", handOffOf(loops.Facilitator), "handed off", held(same)},
	{"visible", Visible{}, "", held("visible, rev+1")},
	{"visible already", Visible{}, "visible", held(same)},
	{"another policy", SetPolicy{Policy: "4f2a"}, "", held("policy, rev+1")},
	{"the same policy", SetPolicy{}, "", held(same)},
	{"step", Step{Level: 1, To: "security"}, "", held("escalated, rev+1")},
	{"step after two that are passed over", Step{Level: 1, Skips: []string{"nobody", "nobody"}, To: "security"}, "", held("skipped skipped escalated, rev+1")},
	{"every step passed over", Step{Level: 1, Skips: []string{"held"}}, "", held("skipped, rev+1")},
	{"step, decided before it moved", Step{Seq: 99, Level: 1, To: "security"}, "", held("✗ moved")},
	{"step, as seen before it moved", Step{Level: 1, To: "security", By: bob, Rev: 99}, "", held("✗ stale")},
	{"step that is not the next", Step{Level: 2, To: "security"}, "", held("✗ incomplete")},
	{"step to its holder", Step{Level: 1, To: loops.Facilitator}, "", held("✗ incomplete")},
	{"step to whom it could not be addressed", Step{Level: 1, To: loops.ProductThinker}, "", held("✗ misfit")},
	{"remind", Remind{Users: []string{"U0BOB"}}, "", held("reminded, rev+1")},
	{"remind, decided before it moved", Remind{Seq: 99}, "", held("✗ moved")},
	{"warn", Warn{}, "", held("warned, rev+1")},
	{"lapse", Lapse{}, "taken", held("released, rev+1")},
	{"lapse where nobody is on it", Lapse{}, "", held(same)},
	{"hand-off of another role", handOffOf("security"), "", held(same)},
}

// far is within the next 7 days of a real clock and of one that starts in a bubble: it is filled in.
var far = time.Unix(1, 0)

// held is a row of what only an open stop takes.
func held(open string) [7]string {
	return [7]string{unknown, open, open, closed, closed, closed, closed}
}

func handOffOf(role string) HandOff {
	return HandOff{Shift: "facilitators 2026-11-30", Role: role, Users: []string{"U0BOB"}}
}

// before is what was done to an open stop before the row's command.
var before = map[string]Command{"taken": Take{By: ana}, "handed off": handOffOf(loops.Facilitator), "visible": Visible{}}

func TestEveryCommandInEveryPhase(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for i, row := range matrix {
			for j, column := range columns {
				if row.want[j] == cannot {
					continue
				}
				id := fmt.Sprintf("r%d-c%d", i, j)
				if got := k.cell(id, row.command, row.other, column.way); got != row.want[j] {
					t.Errorf("%s in %s: %q, want %q", row.name, column.name, got, row.want[j])
				}
			}
		}
	})
}

// cell brings a stop where its column says, gives the command, and says what came of it.
func (k *room) cell(id string, c Command, other string, way []Command) string {
	k.t.Helper()
	o := withCalls(id, "a", "b")
	switch other {
	case "page":
		o = withPage(id)
	case "cap": // a record that was checked when its cap lay ahead
		o["expires"] = "1999-01-01T00:00:00Z"
	}
	for _, w := range way {
		if a, is := w.(Answer); is && other == "page" {
			w = answers(a.By, accept(), "q")
		}
		k.do(id, k.complete(id, o, w))
	}
	if c, ok := before[other]; ok && len(way) > 0 && k.read(id).State.Phase == Open {
		k.do(id, c)
	}
	if other == "bytes" {
		o["loop"] = object{"id": "dev/2", "repository": "acme/site"}
	}
	was := Stop{}
	if way != nil {
		was = k.read(id)
	}
	stop, changed, err := k.Do(k.t.Context(), id, k.complete(id, o, c))
	if err != nil {
		return "✗ " + k.reason(err)
	}
	if !changed {
		if diff := cmp.Diff(was.State, k.read(id).State); diff != "" {
			k.t.Errorf("%s says that nothing changed (-before +after):\n%s", id, diff)
		}
		return same
	}
	if diff := cmp.Diff(stop.State, k.read(id).State); diff != "" {
		k.t.Errorf("%s (-returned +stored):\n%s", id, diff)
	}
	ok(k.t, k.Verify(k.t.Context(), id))
	return effect(was, stop)
}

// complete fills in what only the stop knows.
func (k *room) complete(id string, o object, c Command) Command {
	k.t.Helper()
	switch c := c.(type) {
	case Raise:
		return Raise{Record: recordOf(k.t, o)}
	case Resume:
		if stop, err := k.Read(k.t.Context(), id); err == nil && c.Outcome == "" {
			c.Outcome = stop.Outcome
		}
		return c
	case Step:
		c.Seq = k.seqOr(id, c.Seq)
		return c
	case Remind:
		c.Seq = k.seqOr(id, c.Seq)
		return c
	case Warn:
		c.Seq = k.seqOr(id, c.Seq)
		return c
	case Lapse:
		c.Seq = k.seqOr(id, c.Seq)
		return c
	case Snooze:
		if c.Until.Equal(far) {
			stop, err := k.look(k.t.Context(), id)
			ok(k.t, err)
			c.Until = stop.Now.Add(7 * 24 * time.Hour)
		}
		return c
	default:
		return c
	}
}

// seqOr is the seq of the stop as it stands, unless the row says another.
func (k *room) seqOr(id string, seq int64) int64 {
	k.t.Helper()
	if seq != 0 {
		return seq
	}
	stop, err := k.look(k.t.Context(), id)
	ok(k.t, err)
	return stop.State.Seq
}

func effect(before, stop Stop) string {
	s := kinds(stop.Log[len(before.Log):])
	if stop.State.Rev > before.State.Rev {
		s += fmt.Sprintf(", rev+%d", stop.State.Rev-before.State.Rev)
	}
	if stop.State.Phase != before.State.Phase {
		s += " → " + string(stop.State.Phase)
	}
	return s
}

// reason names an error as the matrix does.
func (k *room) reason(err error) string {
	var (
		closed  *ClosedError
		told    *AnsweredError
		taken   *TakenError
		verdict *loops.VerdictError
		stale   *StaleError
		misfit  *MisfitError
	)
	switch {
	case errors.Is(err, ErrUnknown):
		return "unknown"
	case errors.Is(err, ErrNoQuestion):
		return "no such question"
	case errors.Is(err, ErrNoPage):
		return "no page"
	case errors.Is(err, ErrNotEnded):
		return "not ended"
	case errors.Is(err, ErrOtherOutcome):
		return "other outcome"
	case errors.Is(err, ErrMoved):
		return "moved"
	case errors.Is(err, ErrIncomplete):
		return "incomplete"
	case errors.Is(err, ErrSnooze):
		return "snooze"
	case errors.As(err, &stale):
		return "stale"
	case errors.As(err, &misfit):
		return "misfit"
	case errors.As(err, &closed):
		return "closed"
	case errors.As(err, &told):
		return "answered"
	case errors.As(err, &taken):
		return "taken"
	case errors.As(err, &verdict):
		return "verdict"
	default:
		return err.Error()
	}
}

// printed is the matrix as the protocol's page shows it.
func printed() string {
	var b strings.Builder
	b.WriteString("| command |")
	for _, c := range columns {
		b.WriteString(" " + c.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, row := range matrix {
		b.WriteString("| " + row.name + " | " + strings.Join(row.want[:], " | ") + " |\n")
	}
	return b.String()
}

func TestTheProtocolPageShowsTheMatrix(t *testing.T) {
	const from, to = "<!-- matrix -->\n", "<!-- /matrix -->"
	page, err := os.ReadFile(protocol)
	ok(t, err)
	head, rest, found := strings.Cut(string(page), from)
	shown, tail, ended := strings.Cut(rest, to)
	if !found || !ended {
		t.Fatalf("%s lacks the marks %q and %q", protocol, from, to)
	}
	if *update {
		ok(t, os.WriteFile(protocol, []byte(head+from+printed()+to+tail), 0o644))
		return
	}
	if diff := cmp.Diff(printed(), shown); diff != "" {
		t.Errorf("%s (-test's +page's; go test ./loops/ledger -run Protocol -update writes it):\n%s", protocol, diff)
	}
}
