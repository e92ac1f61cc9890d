package ledger

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"flagstop/internal/redistest"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
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
				if _, _, err := k.Do(ctx, id, Raise{Record: record}); err != nil {
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

// Claim and context are keys that any loop writes: one that writes them wrong must not freeze the stop.
func TestAClaimOrContextOfAnotherTypeDoesNotFreezeItsStop(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for _, name := range []string{"claim", "context"} {
			ok(t, r.SAdd(t.Context(), k.keys.Of("s", name), "foreign").Err())
		}
		k.raised("s")
		stop := k.do("s", answers(ana, accept(), "a", "b"))
		if stop = k.do("s", Resume{By: "dev/1/ab", Outcome: stop.Outcome}); stop.State.Resumed == nil {
			t.Fatal("the loop did not go on")
		}
		if is, err := r.Get(t.Context(), k.keys.Of("s", "claim")).Result(); err != nil || !strings.HasPrefix(is, "dev/1/ab ") {
			t.Errorf("the claim is %q, %v, want that of the loop that went on", is, err)
		}
	})
}
