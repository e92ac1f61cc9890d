package ledger

import (
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// timing decides commands an hour apart, from noon on, on a stop that was raised at noon with a policy.
func timing(t *testing.T, commands ...Command) (Stop, Timing) {
	t.Helper()
	stop := Stop{ID: "s"}
	for i, c := range append([]Command{Raise{Record: recordOf(t, withCalls("s", "a")), Policy: "p1"}}, commands...) {
		if s, is := c.(Step); is {
			s.Seq = stop.State.Seq
			c = s
		}
		change, err := Decide(stop, c, noon.Add(time.Duration(i)*time.Hour))
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		stop = with(stop, change)
	}
	return stop, stop.State.Timing
}

func TestWhatAPolicyCountsWith(t *testing.T) {
	hour := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }
	base := Timing{Policy: "p1", PolicyAt: noon, Visible: hour(1), Base: hour(1)}
	with := func(change func(*Timing)) Timing {
		x := base
		change(&x)
		return x
	}
	for name, tc := range map[string]struct {
		commands []Command
		want     Timing
	}{
		"nothing before it can be seen": {nil, Timing{Policy: "p1", PolicyAt: noon}},
		"from when it can be seen":      {[]Command{Visible{}}, base},
		"seen again, it is no later":    {[]Command{Visible{}, Visible{}}, base},
		"somebody was on it for an hour": {
			[]Command{Visible{}, Take{By: ana}, Release{By: ana}}, with(func(x *Timing) { x.Suspended = time.Hour }),
		},
		"twice, the second time by two people": {
			[]Command{Visible{}, Take{By: ana}, Release{By: ana}, Take{By: ana}, Take{By: bob}, Release{By: bob}},
			with(func(x *Timing) { x.Suspended = 3 * time.Hour }),
		},
		"on it before it could be seen": {
			[]Command{Take{By: ana}, Visible{}, Release{By: ana}},
			Timing{Policy: "p1", PolicyAt: noon, Visible: hour(2), Base: hour(2), Suspended: time.Hour},
		},
		"a step begins the next one's time": {
			[]Command{Visible{}, Take{By: ana}, Release{By: ana}, Step{Level: 1, To: "security", Users: []string{"U0EVE"}, Due: hour(3)}},
			with(func(x *Timing) {
				x.Level, x.Base = 1, hour(4)
				x.Escalation = &Escalation{At: hour(4), Due: hour(3), From: loops.Facilitator, Users: []string{"U0EVE"}}
			}),
		},
		"one that is passed over too": {
			[]Command{Visible{}, Step{Level: 1, Skips: []string{"held"}}}, with(func(x *Timing) { x.Level, x.Base = 1, hour(2) }),
		},
		"by hand it begins anew": {
			[]Command{Visible{}, Step{Level: 1, To: "security"}, Reassign{By: ana, To: loops.Facilitator}},
			with(func(x *Timing) { x.Base = hour(3) }),
		},
		"by hand before it can be seen it does not begin": {
			[]Command{Reassign{By: ana, To: "security"}}, Timing{Policy: "p1", PolicyAt: noon},
		},
		"another policy": {[]Command{Visible{}, SetPolicy{Policy: "p2"}}, with(func(x *Timing) { x.Policy, x.PolicyAt = "p2", hour(2) })},
		"none any more":  {[]Command{Visible{}, SetPolicy{}}, with(func(x *Timing) { x.Policy, x.PolicyAt = "", hour(2) })},
		"reminded": {
			[]Command{Visible{}, Remind{Seq: 2, Users: []string{"U0BOB"}}},
			with(func(x *Timing) { x.Reminded, x.RemindedAt, x.Reminder = 1, hour(2), []string{"U0BOB"} }),
		},
		"warned": {[]Command{Visible{}, Warn{Seq: 2, Until: hour(9)}}, with(func(x *Timing) { x.Warned = hour(9) })},
	} {
		_, got := timing(t, tc.commands...)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestTheDueMomentIsStoredWithEachChange(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		next := noon
		k := newRoom(t, r, func(o *Options) {
			o.Policy = func(*loops.Record) string { return "p1" }
			o.Due = func(Stop) time.Time { return next }
		})
		due := func(want string) {
			t.Helper()
			score, err := r.ZScore(t.Context(), k.keys.In(k.keys.Partition("s"), "due"), "s").Result()
			got := ""
			if err == nil {
				got = time.UnixMilli(int64(score)).UTC().Format(time.RFC3339Nano)
			}
			if got != want {
				t.Errorf("due at %q, want %q", got, want)
			}
		}
		k.do("s", Raise{Record: recordOf(t, withCalls("s", "a"))})
		due("2026-11-30T12:00:00Z")
		next = noon.Add(time.Microsecond)
		k.do("s", Take{By: ana})
		due("2026-11-30T12:00:00.001Z")
		next = time.Time{}
		k.do("s", Release{By: ana})
		due("")
		next = noon.Add(time.Hour)
		_, changed, err := k.Do(t.Context(), "s", SetPolicy{})
		ok(t, err)
		if changed {
			t.Error("the same policy again changed the stop")
		}
		due("2026-11-30T13:00:00Z")
		k.do("s", Withdraw{})
		due("")
	})
}
