package ledger

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagstop/internal/redistest"

	"github.com/redis/go-redis/v9"
)

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
	raise := func(id string) Command { return Raise{Record: recordOf(b, longRecord(id, quote))} }
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
		_, _, err := k.Do(ctx, id, Raise{Record: recordOf(b, withCalls(id, "a"))})
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
