package loops_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"flagstop/internal/redistest"
	"flagstop/loops"
)

// subscribed says whether the server listens for the outcome of a stop.
func (k *keeper) subscribed(id string) bool {
	channel := k.keys.Of(id, "outcome")
	return k.rdb.PubSubNumSub(k.t.Context(), channel).Val()[channel] == 1
}

func TestWaitOutlivesARedisThatIsKilledAndRestarted(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{AOF: true})
	k := newKeeper(t, s.Client(t), 1)
	c := k.clientOn(s.Client(t), time.Hour) // no look by itself: only the reconnect makes it look
	rec := record("stop-1")
	ref := raise(t, c, rec)
	k.take()
	end := wait(t.Context(), c, rec)
	eventually(t, "the wait listens", func() bool { return k.subscribed("stop-1") })
	for range 3 {
		s.Kill()
		s.Restart()
		eventually(t, "the wait listens again", func() bool { return k.subscribed("stop-1") })
		wantWaiting(t, end)
	}
	want(t, end, k.answer(ref))
}

func TestOutcomeThatWasStoredWhileTheWaitWasCutOffIsFound(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{AOF: true})
	k := newKeeper(t, s.Client(t), 1)
	c := k.clientOn(s.Client(t), time.Hour)
	rec := record("stop-1")
	ref := raise(t, c, rec)
	k.take()
	end := wait(t.Context(), c, rec)
	eventually(t, "the wait listens", func() bool { return k.subscribed("stop-1") })
	jws := k.answerSilently(ref)
	k.must(k.rdb.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err())
	want(t, end, jws)
}

func TestRedisThatForgetsEverythingGetsTheStopAgain(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	k := newKeeper(t, s.Client(t), 1)
	c := k.clientOn(s.Client(t), 100*time.Millisecond)
	rec := record("stop-1")
	ref := raise(t, c, rec)
	k.take()
	k.must(k.rdb.ConfigResetStat(t.Context()).Err())
	end := wait(t.Context(), c, rec)
	// A second look says that the first has seen the stop.
	eventually(t, "the wait has looked", func() bool {
		stats := k.rdb.InfoMap(t.Context(), "commandstats").Val()["Commandstats"]["cmdstat_hget"]
		return stats != "" && !strings.HasPrefix(stats, "calls=1,")
	})
	s.Restart()
	k.start()
	var again []entry
	eventually(t, "the stop is raised again", func() bool {
		again = append(again, k.take()...)
		return len(again) > 0
	})
	if len(again) != 1 || again[0].op != "raise" || again[0].body != string(rec) {
		t.Errorf("the inbox had %v, want the same bytes once", again)
	}
	want(t, end, k.answer(ref))
}

func TestPublishedToNobodyIsFoundByAWaitThatComesLater(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	k := newKeeper(t, s.Client(t), 4)
	rec := record("stop-1")
	k.raise(rec)
	jws := k.answer(refOf(t, rec))
	want(t, wait(t.Context(), k.client(time.Hour), rec), jws)
}

// ids of n stops that are open.
func (k *keeper) open(n int) [][]byte {
	k.t.Helper()
	records := make([][]byte, n)
	pipe := k.rdb.Pipeline()
	for i := range records {
		records[i] = record(fmt.Sprintf("stop-%06d", i))
		pipe.HSet(k.t.Context(), k.keys.Of(fmt.Sprintf("stop-%06d", i), "stop"), "digest", digestOf(records[i]))
		if pipe.Len() >= 1000 || i == n-1 {
			_, err := pipe.Exec(k.t.Context())
			k.must(err)
		}
	}
	return records
}

// allSubscribed says whether the server listens for both channels of n stops.
func (k *keeper) allSubscribed(n int) bool {
	return strings.Contains(k.rdb.Info(k.t.Context(), "stats").Val(), fmt.Sprintf("pubsub_channels:%d\r\n", 2*n))
}

func TestTenThousandWaitsShareOneConnectionAndEightGoroutines(t *testing.T) {
	const n = 10_000
	s := redistest.Start(t, redistest.Options{})
	k := newKeeper(t, s.Client(t), 4)
	records := k.open(n)
	before := runtime.NumGoroutine()
	rdb := s.Client(t)
	c := k.clientOn(rdb, 0)
	ends := make([]<-chan waited, n)
	for i, rec := range records {
		ends[i] = wait(t.Context(), c, rec)
	}
	eventually(t, "all waits listen", func() bool { return k.allSubscribed(n) })
	if got := runtime.NumGoroutine() - before - n; got > 8 {
		t.Errorf("there are %d goroutines beside the waiting ones, want at most 8", got)
	}
	list := k.rdb.ClientList(t.Context()).Val()
	if got := strings.Count(list, " sub=") - strings.Count(list, " sub=0 "); got != 1 {
		t.Errorf("%d connections are subscribed, want 1", got)
	}
	if got := int(rdb.PoolStats().TotalConns); got > 4 {
		t.Errorf("the client has %d more connections, want at most 4", got)
	}
	for i, rec := range records {
		if i%7 == 0 {
			k.answerSilently(refOf(t, rec))
		} else {
			k.answer(refOf(t, rec))
		}
	}
	// Each seventh message was lost: those look after the connection was cut.
	k.must(k.rdb.ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err())
	for i, rec := range records {
		got := <-ends[i]
		if got.err != nil || got.outcome.Stop != refOf(t, rec).ID {
			t.Fatalf("wait %d = %v, %v", i, got.outcome, got.err)
		}
	}
	eventually(t, "no channel is subscribed any more", func() bool { return k.allSubscribed(0) })
}

// BenchmarkMemoryPerWait waits for many stops at once and reports what one of them costs, its goroutine included.
func BenchmarkMemoryPerWait(b *testing.B) {
	const n = 100_000
	s := redistest.Start(b, redistest.Options{})
	k := newKeeper(b, s.Client(b), 1)
	for b.Loop() {
		records := k.open(n)
		heap, stacks := resident()
		c, err := loops.NewClient(b.Context(), loops.Options{Redis: s.Client(b), Keys: keysOf(b, k.signer), Look: time.Hour})
		k.must(err)
		ctx, cancel := context.WithCancel(b.Context())
		for _, rec := range records {
			go func() { _, _ = c.Wait(ctx, rec) }()
		}
		eventually(b, "all waits listen", func() bool { return k.allSubscribed(n) })
		heapNow, stacksNow := resident()
		b.ReportMetric(float64(heapNow-heap)/n, "heap-B/wait")
		b.ReportMetric(float64(stacksNow-stacks)/n, "stack-B/wait")
		cancel()
		k.must(c.Close())
		runtime.KeepAlive(records)
	}
}

// resident is what the heap and the stacks take, after the collector has shrunk what nobody needs.
func resident() (heap, stacks uint64) {
	for range 4 { // a stack is halved at most once per collection
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse, m.StackInuse
}
