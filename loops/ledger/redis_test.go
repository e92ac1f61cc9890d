package ledger

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"flagstop/internal/redistest"
)

func TestARedisThatEvictsIsRefused(t *testing.T) {
	t.Parallel()
	r := redistest.Start(t, redistest.Options{Args: []string{"--maxmemory-policy", "allkeys-lru"}}).Client(t)
	k := newRoom(t, redistest.Start(t, redistest.Options{}).Client(t), nil)
	_, err := Start(t.Context(), Options{Redis: r, Signer: k.opt.Signer})
	if err == nil || !strings.Contains(err.Error(), "noeviction") {
		t.Errorf("err = %v, want that it says what to set", err)
	}
}

func TestOnlyVersionsBeforeSevenAreOld(t *testing.T) {
	for version, want := range map[string]bool{"6.2.14": true, "7.0.0": false, "7.0.15": false, "8.4.0": false, "10.1": false, "": false, "?": false} {
		if old(version) != want {
			t.Errorf("old(%q) = %t", version, !want)
		}
	}
}

// Redis is killed in the middle of raises and answers, twice. What it acknowledged is there afterwards, and what was in an
// inbox becomes a stop.
func TestNothingThatWasAcknowledgedIsLostWhenRedisIsKilled(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Options{AOF: true})
	r := server.Client(t)
	k := newRoom(t, r, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer k.consume("c1")()

	var mu sync.Mutex
	said, acked := 0, map[string]bool{} // whether it was answered
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acked)
	}
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := fmt.Sprintf("s%d-%d", w, i)
				record := recordOf(t, withCalls(id, "a"))
				if i%2 == 0 { // by the inbox
					if r.XAdd(ctx, &redis.XAddArgs{Stream: "{fs:0}:inbox", Values: []any{"op", "raise", "body", record.Bytes()}}).Err() != nil {
						continue
					}
					mu.Lock()
					said++
					acked[id] = false
					mu.Unlock()
					continue
				}
				if _, _, err := k.Do(ctx, id, Raise{record}); err != nil {
					continue
				}
				_, _, err := k.Do(ctx, id, answers(ana, accept(), "a"))
				mu.Lock()
				acked[id] = err == nil
				mu.Unlock()
			}
		})
	}
	for range 2 {
		n := count()
		until(t, "some more are acknowledged", func() bool { return count() > n+40 })
		server.Kill()
		server.Restart()
	}
	n := count()
	until(t, "it goes on", func() bool { return count() > n+20 })
	cancel()
	writers.Wait()

	until(t, "the inbox is empty", func() bool { return k.empty(0) })
	for id, answered := range acked {
		stop := k.read(id)
		if answered != (stop.State.Phase == Answered) && answered {
			t.Errorf("%s is %s; its answer was acknowledged", id, stop.State.Phase)
		}
		ok(t, k.Verify(t.Context(), id))
		if len(stop.Log) > 3 {
			t.Errorf("%s: %s", id, kinds(stop.Log))
		}
	}
	if said == 0 {
		t.Error("nothing was said to the inbox")
	}
}

func TestAScriptThatRedisDeniesMemoryChangesNothing(t *testing.T) {
	t.Parallel()
	r := redistest.Start(t, redistest.Options{}).Client(t)
	k := newRoom(t, r, nil)
	k.raised("s")
	before := k.snapshot()
	ok(t, r.ConfigSet(t.Context(), "maxmemory", "1").Err())
	if _, _, err := k.Do(t.Context(), "s", answers(ana, accept(), "a", "b")); err == nil {
		t.Fatal("it was recorded without memory")
	}
	ok(t, r.ConfigSet(t.Context(), "maxmemory", "0").Err())
	if diff := cmp.Diff(before, k.snapshot()); diff != "" {
		t.Errorf("what it left (-before +after):\n%s", diff)
	}
	k.do("s", answers(ana, accept(), "a", "b"))
}

// snapshot is all that Redis holds, but for the inbox.
func (k *room) snapshot() map[string]any {
	k.t.Helper()
	ctx := k.t.Context()
	keys, err := k.r.Keys(ctx, "*").Result()
	ok(k.t, err)
	all := map[string]any{}
	for _, key := range keys {
		kind, err := k.r.Type(ctx, key).Result()
		ok(k.t, err)
		switch kind {
		case "string":
			all[key], err = k.r.Get(ctx, key).Result()
		case "hash":
			all[key], err = k.r.HGetAll(ctx, key).Result()
		case "list":
			all[key], err = k.r.LRange(ctx, key, 0, -1).Result()
		case "set":
			all[key], err = k.r.SMembersMap(ctx, key).Result()
		case "zset":
			all[key], err = k.r.ZRangeWithScores(ctx, key, 0, -1).Result()
		}
		ok(k.t, err)
	}
	return all
}

func TestAKeyOfAnotherTypeChangesNothing(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for i, name := range []string{"due", "work", "behind", "closed", "untaken", "holders"} {
			id := fmt.Sprint("s", i)
			k.raised(id)
			key := k.keys.In(0, name)
			ok(t, r.Del(t.Context(), key).Err())
			ok(t, r.Set(t.Context(), key, "foreign", 0).Err())
			before := k.snapshot()
			_, _, err := k.Do(t.Context(), id, answers(ana, accept(), "a", "b"))
			if err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
				t.Errorf("%s: %v, want WRONGTYPE", name, err)
			}
			if diff := cmp.Diff(before, k.snapshot()); diff != "" {
				t.Errorf("%s (-before +after):\n%s", name, diff)
			}
			ok(t, r.Del(t.Context(), key).Err())
		}
	})
}

func TestARetryThatRedisHadDoneAlreadyIsNotDoneTwice(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("s")
		stop := k.read("s")
		change, err := Decide(stop, Note{By: ana, Text: "once"}, stop.Now)
		ok(t, err)
		sent, err := k.seal(stop, change)
		ok(t, err)
		for i, want := range []bool{true, false} { // as when the client sends again what got no reply
			done, err := k.append(t.Context(), stop, sent, "")
			if err != nil || done != want {
				t.Errorf("append %d = %t, %v", i+1, done, err)
			}
		}
		if now := k.read("s"); !sent.standsIn(now) || len(now.Log) != 2 {
			t.Errorf("log = %s", kinds(now.Log))
		}
	})
}

func BenchmarkMemoryOfAStop(b *testing.B) {
	server := redistest.Start(b, redistest.Options{})
	r := server.Client(b)
	ctx := b.Context()
	k := benchLedger(b, r)
	const n = 2000
	quote := strings.Repeat("x", 1500-len(bytesOf(b, longRecord("s000000", ""))))
	show := func() {
		for range n {
			leases, err := k.Lease(ctx, 1, time.Minute)
			ok(b, err)
			ok(b, k.SaveCard(ctx, leases[0], Card{
				Place: "asked", Channel: "C0FACILITATE", TS: "1764500000.000100", Rev: 1, Attempt: rand.Text(), AttemptAt: time.Now(),
			}))
			_, err = k.Shown(ctx, leases[0], k.rev(b, leases[0].ID))
			ok(b, err)
		}
	}
	all := func(do func(id string) Command) {
		for i := range n {
			id := fmt.Sprintf("s%06d", i)
			_, _, err := k.Do(ctx, id, do(id))
			ok(b, err)
		}
	}
	raise := func(id string) Command { return Raise{recordOf(b, longRecord(id, quote))} }
	all(raise) // so that what Redis keeps for itself is there before
	for b.Loop() {
		ok(b, r.FlushAll(ctx).Err())
		base := used(b, r)
		all(raise)
		work := used(b, r)
		show()
		open := used(b, r)
		all(func(string) Command { return answers(ana, accept(), "a") })
		show()
		closed := used(b, r)
		b.ReportMetric(float64(work-base)/n, "B/behind")
		b.ReportMetric(float64(open-base)/n, "B/open")
		b.ReportMetric(float64(closed-base)/n, "B/closed")
	}
}

func (l *Ledger) rev(b *testing.B, id string) int64 {
	b.Helper()
	stop, err := l.Read(b.Context(), id)
	ok(b, err)
	return stop.State.Rev
}

// longRecord has the size of the records that the targets are about.
func longRecord(id, quote string) object {
	o := withCalls(id, "a")
	o["questions"].([]object)[0]["quote"] = quote
	return o
}

func benchLedger(b *testing.B, r *redis.Client) *Ledger {
	b.Helper()
	k, err := Start(b.Context(), Options{Redis: r, Signer: newSigner(b)})
	ok(b, err)
	return k
}

func used(b *testing.B, r *redis.Client) int64 {
	b.Helper()
	info, err := r.Info(b.Context(), "memory").Result()
	ok(b, err)
	var n int64
	_, err = fmt.Sscan(field(info, "used_memory"), &n)
	ok(b, err)
	return n
}

func BenchmarkSweepWithNoneDueAmongAMillion(b *testing.B) {
	r := redistest.Start(b, redistest.Options{}).Client(b)
	ctx := b.Context()
	k := benchLedger(b, r)
	far := float64(time.Now().Add(24 * time.Hour).UnixMilli())
	for i := range 1000 {
		var members []redis.Z
		for j := range 1000 {
			members = append(members, redis.Z{Score: far + float64(i), Member: fmt.Sprintf("stop-%d-%d", i, j)})
		}
		ok(b, r.ZAdd(ctx, "{fs:0}:due", members...).Err())
	}
	ok(b, r.ConfigResetStat(ctx).Err())
	for b.Loop() {
		_, err := k.due(ctx, "{fs:0}:due", 0, 0, dueBatch)
		ok(b, err)
	}
	b.ReportMetric(perCall(b, r, "evalsha"), "µs-in-redis/op")
}

// perCall is how long a command took in Redis itself.
func perCall(b *testing.B, r *redis.Client, command string) float64 {
	b.Helper()
	info, err := r.Info(b.Context(), "commandstats").Result()
	ok(b, err)
	for part := range strings.SplitSeq(field(info, "cmdstat_"+command), ",") {
		if value, is := strings.CutPrefix(part, "usec_per_call="); is {
			var us float64
			_, err := fmt.Sscan(value, &us)
			ok(b, err)
			return us
		}
	}
	b.Fatalf("redis has no statistics of %s", command)
	return 0
}

func BenchmarkAnswer(b *testing.B) {
	r := redistest.Start(b, redistest.Options{}).Client(b)
	ctx := b.Context()
	k := benchLedger(b, r)
	i := 0
	for b.Loop() {
		b.StopTimer()
		id := fmt.Sprint("s", i)
		i++
		_, _, err := k.Do(ctx, id, Raise{recordOf(b, withCalls(id, "a"))})
		ok(b, err)
		if i == 1 {
			ok(b, r.ConfigResetStat(ctx).Err())
		}
		b.StartTimer()
		_, _, err = k.Do(ctx, id, answers(ana, accept(), "a"))
		ok(b, err)
	}
	b.ReportMetric(perCall(b, r, "evalsha"), "µs-in-redis/script")
}
