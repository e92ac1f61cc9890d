package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestARaiseBecomesAStopAndLeavesTheInbox(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		ok(t, r.Set(t.Context(), k.keys.Of("s", "context"), "sealed", 24*time.Hour).Err())
		body := bytesOf(t, withCalls("s", "a"))
		k.say(0, "op", "raise", "body", body)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		stop := k.read("s")
		if string(stop.Record.Bytes()) != string(body) || stop.State.Rev != 1 || stop.State.Holder != "facilitator" {
			t.Errorf("stop = %+v", stop.State)
		}
		k.permanent("s", "context")
		if !k.has(k.keys.In(0, "work"), "s") || !k.has(k.keys.In(0, "holder:facilitator"), "s") {
			t.Error("it is not in work and with its holder")
		}
		if p, err := r.XPending(t.Context(), k.keys.In(0, "inbox"), group).Result(); err != nil || p.Count != 0 {
			t.Errorf("pending: %+v, %v", p, err)
		}
	})
}

func (k *room) permanent(id, name string) {
	k.t.Helper()
	ttl, err := k.r.TTL(k.t.Context(), k.keys.Of(id, name)).Result()
	ok(k.t, err)
	if ttl != -1 {
		k.t.Errorf("the %s of %s has the TTL %v, want none", name, id, ttl)
	}
}

func TestTheSameBytesAgainAreTheSameStopAlsoWhenTheirCapIsOver(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		o := withCalls("s", "a")
		o["expires"] = time.Now().Add(time.Minute).Format(time.RFC3339Nano)
		k.say(0, "op", "raise", "body", bytesOf(t, o))
		defer k.consume("c1")()
		until(t, "it is raised", func() bool { return k.empty(0) })
		pause(t.Context(), time.Hour)
		ok(t, r.Set(t.Context(), k.keys.Of("s", "context"), "sealed anew", 24*time.Hour).Err())
		k.say(0, "op", "raise", "body", bytesOf(t, o))
		until(t, "it is raised again", func() bool { return k.empty(0) })
		k.permanent("s", "context")
		if stop := k.read("s"); len(stop.Log) != 1 {
			t.Errorf("log = %s", kinds(stop.Log))
		}
		if refused := k.refusals(); len(refused) > 0 {
			t.Errorf("refused: %v", refused)
		}
	})
}

func (k *room) refusals() []string {
	k.t.Helper()
	keys, err := k.r.Keys(k.t.Context(), "{fs:*}:refusal:*").Result()
	ok(k.t, err)
	return keys
}

func TestBytesThatFailTheirCheckGetASignedRefusalUnderTheirDigest(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		nobody := withCalls("s", "a")
		nobody["addressee"] = "nobody"
		k.do("taken", Raise{Record: recordOf(t, withCalls("taken", "a"))})
		bodies := map[string]string{
			"an unknown role": string(bytesOf(t, nobody)),
			"another's id":    string(bytesOf(t, withCalls("taken", "other"))),
			"not JSON":        "garbage",
			"not UTF-8":       "{\"v\":1,\"id\":\"\xff\"}",
			"not an object":   "[]",
			"nothing in it":   "{}",
			"much too long":   `{"v":1,"id":"` + strings.Repeat("x", 70<<10) + `"}`,
		}
		heard := r.Subscribe(t.Context(), k.keys.Refusal(0, digestOf(bodies["not JSON"])))
		defer func() { ok(t, heard.Close()) }()
		_, err := heard.Receive(t.Context())
		ok(t, err)
		for _, body := range bodies {
			k.say(0, "op", "raise", "body", body)
		}
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		for name, body := range bodies {
			digest := digestOf(body)
			jws, err := r.Get(t.Context(), k.keys.Refusal(0, digest)).Result()
			ok(t, err)
			refusal, err := k.set.VerifyRefusal(jws, "fs", digest)
			if err != nil || len(refusal.Problems) == 0 {
				t.Errorf("%s: %+v, %v", name, refusal, err)
			}
			ttl, err := r.TTL(t.Context(), k.keys.Refusal(0, digest)).Result()
			if err != nil || ttl < 6*24*time.Hour || ttl > 7*24*time.Hour {
				t.Errorf("%s: it is kept for %v, %v", name, ttl, err)
			}
		}
		m, err := heard.ReceiveMessage(t.Context())
		ok(t, err)
		if _, err := k.set.VerifyRefusal(m.Payload, "fs", digestOf(bodies["not JSON"])); err != nil {
			t.Errorf("what was published: %v", err)
		}
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		until(t, "the refused id is free", func() bool { return k.empty(0) })
		k.read("s")
	})
}

func TestPoisonGoesToTheDead(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{Record: recordOf(t, withCalls("s", "a"))})
		poison := [][]any{
			{"hello", "world"},
			{"op", "raise"},
			{"op", "raise", "body", ""},
			{"op", "explode", "body", `{"id":"s"}`},
			{"op", "withdraw", "body", "garbage"},
			{"op", "withdraw", "body", `[]`},
			{"op", "withdraw", "body", `{"id":7}`},
			{"op", "withdraw", "body", `{"reason":"no id"}`},
			{"op", "withdraw", "body", `{"id":"s","id":"t"}`},
			{"op", "withdraw", "body", `{"id":"s"} {"id":"t"}`},
			{"op", "withdraw", "body", "{\"id\":\"s\",\"reason\":\"\xff\"}"},
			{"op", "resumed", "body", `{"id":"s","by":"x","outcome":"of an open stop"}`},
			{"op", "completed", "body", `{"id":"s"}`},
		}
		for _, values := range poison {
			k.say(0, values...)
		}
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if dead := k.dead(0); len(dead) != len(poison) || slices.Contains(dead, "") {
			t.Errorf("dead:\n%s", strings.Join(dead, "\n"))
		}
		if stop := k.read("s"); len(stop.Log) != 1 {
			t.Errorf("log = %s", kinds(stop.Log))
		}
	})
}

func TestTheDeadAreBounded(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for i := range deadKept + 50 {
			k.say(0, "n", i)
		}
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if n := len(k.dead(0)); n != deadKept {
			t.Errorf("%d dead are kept, want %d", n, deadKept)
		}
	})
}

func TestAnEntryInTheWrongPartitionIsRefusedInThatPartition(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		wrong := (k.keys.Partition("s") + 1) % 4
		body := bytesOf(t, withCalls("s", "a"))
		k.say(wrong, "op", "raise", "body", body)
		k.say(wrong, "op", "withdraw", "body", `{"id":"s"}`)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(wrong) })
		digest := digestOf(string(body))
		jws, err := r.Get(t.Context(), k.keys.Refusal(wrong, digest)).Result()
		ok(t, err)
		refusal, err := k.set.VerifyRefusal(jws, "fs", digest)
		ok(t, err)
		if refusal.Problems[0].Pointer != "/id" {
			t.Errorf("problems = %+v", refusal.Problems)
		}
		if dead := k.dead(wrong); len(dead) != 1 {
			t.Errorf("dead = %v", dead)
		}
		if stop, err := k.Read(t.Context(), "s"); err == nil {
			t.Errorf("there is a stop: %+v", stop.State)
		}
	})
}

func TestWhatComesBeforeItsRaiseWaitsForIt(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.say(0, "op", "withdraw", "body", `{"id":"s","reason":"too late"}`)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("other", "a")))
		defer k.consume("c1")()
		until(t, "the other is raised", func() bool { return k.has(k.keys.In(0, "work"), "other") })
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		stop := k.read("s")
		if stop.State.Phase != Withdrawn || stop.State.End.Reason != "too late" {
			t.Errorf("it is %s, dead: %v", stop.State.Phase, k.dead(0))
		}
	})
}

func TestAnUnknownStopsEntryWaitsWhileOlderOnesDoThenDies(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		var broken atomic.Bool
		broken.Store(true)
		k.opt.Roles = func() []string {
			if broken.Load() {
				panic("a role that kills its reader")
			}
			return roles()
		}
		older := k.say(0, "op", "raise", "body", bytesOf(t, withCalls("older", "a")))
		k.say(0, "op", "withdraw", "body", `{"id":"nobody's"}`)
		defer k.consume("c1")()
		pause(t.Context(), 70*time.Second)
		if dead := k.dead(0); len(dead) > 0 {
			t.Fatalf("dead while %s is older: %v", older, dead)
		}
		broken.Store(false)
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if dead := k.dead(0); len(dead) != 1 || !strings.Contains(dead[0], "nobody knows") {
			t.Errorf("dead = %v", dead)
		}
		k.read("older")
	})
}

// reads counts the entries of streams that a client receives.
type reads struct{ bodies atomic.Int32 }

func (*reads) DialHook(next redis.DialHook) redis.DialHook { return next }
func (*reads) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (c *reads) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		switch cmd := cmd.(type) {
		case *redis.XMessageSliceCmd:
			c.bodies.Add(int32(len(cmd.Val())))
		case *redis.XStreamSliceCmd:
			for _, s := range cmd.Val() {
				c.bodies.Add(int32(len(s.Messages)))
			}
		}
		return err
	}
}

// A body that is larger than a bot's memory kills whoever reads it, also whoever reads it to bury it.
func TestWhatKillsItsReaderIsNotReadASixthTime(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) {
			o.Roles = func() []string { panic("a role that kills its reader") }
		})
		var seen reads
		r.AddHook(&seen)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if n := seen.bodies.Load(); n != most {
			t.Errorf("it was read %d times, want %d", n, most)
		}
		if dead := k.dead(0); len(dead) != 1 || !strings.Contains(dead[0], "five times") {
			t.Errorf("dead = %v", dead)
		}
	})
}

func TestWhatKillsItsReaderIsTriedFiveTimesAndThenDead(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		var tries atomic.Int32
		k := newRoom(t, r, func(o *Options) {
			o.Roles = func() []string { tries.Add(1); panic("a role that kills its reader") }
		})
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if dead := k.dead(0); tries.Load() != most || len(dead) != 1 || !strings.Contains(dead[0], "five times") {
			t.Errorf("%d tries, dead = %v", tries.Load(), dead)
		}
		k.opt.Roles = roles
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		until(t, "the next one is handled", func() bool { return k.empty(0) })
		k.read("s")
	})
}

// Anybody who writes to the inbox can name stops that never come.
func TestWhatNamesStopsThatNeverComeTakesLittleMemoryAndNotForLong(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		one := &reader{Ledger: k.Ledger, inbox: k.keys.In(0, "inbox"), name: "c1"}
		for i := range 4 {
			k.say(0, "op", "withdraw", "body", fmt.Sprintf(`{"id":"s%d"}`, i%2))
		}
		k.say(0, "op", "withdraw", "body", fmt.Sprintf(`{"id":"s0","reason":%q}`, strings.Repeat("x", deadBody)))
		for k.unread(0) > 0 {
			ok(t, one.round(t.Context(), false))
		}
		if n := len(one.waiting.take("s0")); n != 2 || len(one.waiting) != 2 {
			t.Errorf("%d entries waited in memory for s0 and %d for the other, want 2 each: the large one is not kept", n, len(one.waiting))
		}
		for range 2 * remembered {
			one.waiting.keep("s2", redis.XMessage{}, time.Now())
		}
		if n := len(one.waiting); n != remembered {
			t.Errorf("%d entries wait in memory, want %d", n, remembered)
		}
		<-time.After(deadAfter + time.Second)
		ok(t, one.lookAfter(t.Context()))
		if n := len(one.waiting); n != 0 {
			t.Errorf("%d entries wait in memory when Redis has them tried again, want none", n)
		}
	})
}

// unread is how many entries no consumer has been given.
func (k *room) unread(p int) int64 {
	all, err := k.r.XLen(k.t.Context(), k.keys.In(p, "inbox")).Result()
	ok(k.t, err)
	given, err := k.r.XPending(k.t.Context(), k.keys.In(p, "inbox"), group).Result()
	ok(k.t, err)
	return all - given.Count
}
