package ledger

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"flagstop/internal/redistest"
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
		k.do("taken", Raise{recordOf(t, withCalls("taken", "a"))})
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
		k.do("s", Raise{recordOf(t, withCalls("s", "a"))})
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

// leftBy has a consumer take what is in the inbox and die, so long ago and after so many deliveries.
func (k *room) leftBy(name string, ago time.Duration, delivered int) {
	k.t.Helper()
	inbox := k.keys.In(0, "inbox")
	streams, err := k.r.XReadGroup(k.t.Context(), &redis.XReadGroupArgs{
		Group: group, Consumer: name, Streams: []string{inbox, ">"}, Block: -1,
	}).Result()
	ok(k.t, err)
	for _, m := range streams[0].Messages {
		ok(k.t, k.r.Do(k.t.Context(), "XCLAIM", inbox, group, name, 0, m.ID, "IDLE", ago.Milliseconds(), "RETRYCOUNT", delivered).Err())
	}
}

func TestADeadConsumersEntriesAreTakenOver(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for i := range batch + 10 {
			k.say(0, "op", "raise", "body", bytesOf(t, withCalls(fmt.Sprint("s", i), "a")))
		}
		k.leftBy("dead", time.Minute, 1)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("deadly", "a")))
		k.leftBy("dead", time.Minute, most)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		for i := range batch + 10 {
			k.read(fmt.Sprint("s", i))
		}
		if dead := k.dead(0); len(dead) != 1 {
			t.Errorf("dead = %v", dead)
		}
	})
}

func TestALiveConsumersEntriesAreLeftToIt(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		k.leftBy("alive", time.Second, 1)
		defer k.consume("c1")()
		pause(t.Context(), deadAfter/2)
		if k.empty(0) {
			t.Error("it was taken from a consumer that may be at it")
		}
	})
}

func TestConsumersOfDeadProcessesDoNotPileUp(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		consumers := func() []redis.XInfoConsumer {
			list, err := r.XInfoConsumers(t.Context(), k.keys.In(0, "inbox"), group).Result()
			ok(t, err)
			return list
		}
		for i := range 5 {
			entry := k.say(0, "op", "raise", "body", "garbage")
			k.leftBy(fmt.Sprint("restart", i), 0, 1)
			ok(t, r.XAck(t.Context(), k.keys.In(0, "inbox"), group, entry).Err())
		}
		if n := len(consumers()); n != 5 {
			t.Fatalf("there are %d consumers, want 5", n)
		}
		pause(t.Context(), 2*goneAfter)
		defer k.consume("alive")()
		until(t, "none of them is left", func() bool {
			return !slices.ContainsFunc(consumers(), func(c redis.XInfoConsumer) bool { return c.Name != "alive" })
		})
	})
}

func TestAConsumerWithEntriesIsNotRetired(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		inbox := k.keys.In(0, "inbox")
		k.say(0, "op", "raise", "body", "x")
		k.leftBy("busy", time.Hour, 1)
		ok(t, k.scripts.retire.Run(t.Context(), r, []string{inbox}, group, "busy").Err())
		if p, err := r.XPending(t.Context(), inbox, group).Result(); err != nil || p.Count != 1 {
			t.Errorf("pending: %+v, %v", p, err)
		}
	})
}

func TestTheLoopThatWentOnKeepsItsClaimForEver(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		claims := map[string]string{
			"mine": "dev/1/ab 2026-11-30T12:00:00Z", "just-mine": "dev/1/ab", "lapsed": "", "of-another": "dev/1/abc 2026-11-30T12:00:00Z",
		}
		for id, claim := range claims {
			k.do(id, Raise{recordOf(t, withCalls(id, "a"))})
			stop := k.do(id, answers(ana, accept(), "a"))
			if claim != "" {
				ok(t, r.Set(t.Context(), k.keys.Of(id, "claim"), claim, time.Minute).Err())
			}
			body := fmt.Sprintf(`{"id":%q,"by":"dev/1/ab","outcome":%q}`, id, stop.Outcome)
			k.say(0, "op", "resumed", "body", body)
			k.say(0, "op", "resumed", "body", body)
		}
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		for id, claim := range claims {
			k.permanent(id, "claim")
			is, err := r.Get(t.Context(), k.keys.Of(id, "claim")).Result()
			ok(t, err)
			if strings.HasSuffix(id, "mine") && is != claim || !strings.HasPrefix(is+" ", "dev/1/ab ") {
				t.Errorf("%s: the claim is %q, was %q", id, is, claim)
			}
			if stop := k.read(id); kinds(stop.Log) != "raised verdict answered resumed" || stop.State.Resumed.By != "dev/1/ab" {
				t.Errorf("%s: %s", id, kinds(stop.Log))
			}
		}
		if dead := k.dead(0); len(dead) > 0 {
			t.Errorf("dead = %v", dead)
		}
	})
}

func TestALateWithdrawalIsSettledByTheOutcome(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{recordOf(t, withCalls("s", "a"))})
		k.do("s", answers(ana, accept(), "a"))
		k.say(0, "op", "withdraw", "body", `{"id":"s"}`)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		if stop := k.read("s"); stop.State.Phase != Answered || len(k.dead(0)) > 0 {
			t.Errorf("it is %s, dead: %v", stop.State.Phase, k.dead(0))
		}
	})
}

func TestAPageThatIsDoneIsANoteAndNeverAVerdict(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{recordOf(t, withPage("s"))})
		k.say(0, "op", "completed", "body", `{"id":"s","extra":[1]}`)
		k.say(0, "op", "completed", "body", `{"id":"s"}`)
		defer k.consume("c1")()
		until(t, "the inbox is empty", func() bool { return k.empty(0) })
		stop := k.read("s")
		if stop.State.Phase != Open || stop.State.Completed.IsZero() || stop.State.Rev != 2 || kinds(stop.Log) != "raised completed" {
			t.Errorf("it is %s at rev %d with %s", stop.State.Phase, stop.State.Rev, kinds(stop.Log))
		}
	})
}

func TestALongReasonIsCutVisibly(t *testing.T) {
	got := cut(strings.Repeat("ß", reasonMost+1))
	if n := len([]rune(got)); n != reasonMost || !strings.HasSuffix(got, "ß…") {
		t.Errorf("%d characters, end %q", n, got[len(got)-8:])
	}
	if got := cut(strings.Repeat("ß", reasonMost)); strings.HasSuffix(got, "…") {
		t.Error("a reason that fits was cut")
	}
}

func TestAnInboxWhoseIdsRanAheadIsMadeAnew(t *testing.T) {
	for _, id := range []string{"18446744073709551615-18446744073709551615", "99999999999999-1"} {
		t.Run(id, func(t *testing.T) { // the embedded Redis does not say what the last id was
			t.Parallel()
			r := redistest.Start(t, redistest.Options{}).Client(t)
			k := newRoom(t, r, nil)
			inbox := k.keys.In(0, "inbox")
			ok(t, r.XAdd(t.Context(), &redis.XAddArgs{Stream: inbox, ID: id, Values: []any{"x", "y"}}).Err())
			defer k.consume("c1")()
			until(t, "ids are of this time again", func() bool {
				last, err := r.XAdd(t.Context(), &redis.XAddArgs{Stream: inbox, Values: []any{"op", "raise", "body", bytesOf(t, withCalls("s", "a"))}}).Result()
				return err == nil && entryTime(last).Before(k.now().Add(time.Minute))
			})
			until(t, "the inbox is empty", func() bool { return k.empty(0) })
			k.read("s")
		})
	}
}

func (k *room) now() time.Time {
	k.t.Helper()
	now, err := k.r.Time(k.t.Context()).Result()
	ok(k.t, err)
	return now
}

func TestADeletedInboxIsMadeAgain(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		defer k.consume("c1")()
		ok(t, r.Del(t.Context(), k.keys.In(0, "inbox")).Err())
		k.say(0, "op", "raise", "body", bytesOf(t, withCalls("s", "a")))
		until(t, "it is raised", func() bool { return k.empty(0) })
		k.read("s")
	})
}

func TestABodyKeepsWhatItSays(t *testing.T) {
	got, err := decodeSaid(`{"id":"s","by":"a/b","outcome":"x.y.z","reason":"\u00e9","new":{"id":"t"}}`)
	ok(t, err)
	if diff := cmp.Diff(said{ID: "s", By: "a/b", Outcome: "x.y.z", Reason: "é"}, got); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

func FuzzInboxBody(f *testing.F) {
	for _, seed := range []string{`{"id":"s","reason":"x"}`, `{"id":"s","by":"l/x","outcome":"a.b.c"}`, `{}`, `[`, `{"id":"s"}x`, "{\"id\":\"\xff\"}", `{"id":1}`, ``, `{"id":"a","id":"b"}`} {
		f.Add("withdraw", seed)
		f.Add("raise", seed)
	}
	f.Fuzz(func(t *testing.T, op, body string) {
		msg, err := decodeMessage(redis.XMessage{ID: "1-1", Values: map[string]any{"op": op, "body": body}})
		if err != nil {
			return
		}
		if id := peekID(body); id != "" && !ids.MatchString(id) {
			t.Errorf("peekID(%q) = %q", body, id)
		}
		s, err := decodeSaid(msg.body)
		if err == nil && s.ID == "" {
			t.Errorf("decodeSaid(%q) has no id", body)
		}
		if c, err := command(op, s); err == nil && c == nil {
			t.Errorf("command(%q) is neither a command nor an error", op)
		}
	})
}

func FuzzDecodeEntry(f *testing.F) {
	for _, seed := range []string{
		`{"seq":1,"entry":"raised","rev":1,"at":"2026-11-30T12:00:00Z","holder":"facilitator","prev":""}`,
		`{"seq":2,"entry":"verdict","rev":2,"at":"2026-11-30T12:00:00Z","key":"a","verdict":{"action":"accept","content":{"n":12345678901234567890}},"prev":"sha256:00"}`,
		`{"seq":3,"entry":"of a later version","rev":2,"at":"2026-11-30T12:00:00Z","prev":"x"}`, `{}`, `[]`, `{"seq":-1}`, `null`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := decodeEntry(raw)
		if err != nil {
			return
		}
		again, err := encode(e)
		ok(t, err)
		back, err := decodeEntry(again)
		ok(t, err)
		s, want := Apply(State{}, back), Apply(State{}, e)
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s does not survive:\n%s", raw, diff)
		}
		if s.End != nil && s.Phase == Open {
			t.Errorf("%s ends an open stop", raw)
		}
		_ = verify("s", []string{raw}, "1", "")
	})
}
