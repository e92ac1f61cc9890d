package escalation

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"flagstop/internal/redistest"
	"flagstop/loops"
	"flagstop/loops/ledger"

	"github.com/redis/go-redis/v9"
)

// BenchmarkSweep prints what a sweep costs with 0, 10 and 1,000 due among a thousand and a million open stops: it follows the
// due ones. The last line of each million is the ratio to the same number among a thousand, measured in the same run.
func BenchmarkSweep(b *testing.B) {
	floor := map[int]float64{}
	for _, open := range []int{1_000, 1_000_000} {
		for _, due := range []int{0, 10, 1_000} {
			b.Run(fmt.Sprintf("%d_due_among_%d", due, open), func(b *testing.B) {
				s, r := benchShop(b, open, due)
				for b.Loop() {
					b.StopTimer()
					makeDue(b, r, due)
					b.StartTimer()
					if _, err := s.Sweep(b.Context()); err != nil {
						b.Fatal(err)
					}
				}
				per := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				if open == 1_000 {
					floor[due] = per
				} else if floor[due] > 0 {
					b.ReportMetric(per/floor[due], "x-of-a-thousand")
				}
			})
		}
	}
}

// benchShop is a real Redis with so many due moments that lie ahead, and some stops.
func benchShop(b *testing.B, open, due int) (*Sweeper, *redis.Client) {
	b.Helper()
	r := redistest.Start(b, redistest.Options{}).Client(b)
	private, _, err := loops.GenerateKey()
	if err != nil {
		b.Fatal(err)
	}
	signer, err := loops.NewSigner(private)
	if err != nil {
		b.Fatal(err)
	}
	policy := Policy{Cap: 1000 * time.Hour}
	config := house(b)
	book := func() Book { return Book{Config: config, Policies: map[string]Policy{"": policy}} }
	l, err := ledger.Start(b.Context(), ledger.Options{
		Redis: r, Signer: signer, Due: func(s ledger.Stop) time.Time { return book().Next(s) },
	})
	if err != nil {
		b.Fatal(err)
	}
	far := float64(time.Now().Add(24 * time.Hour).UnixMilli())
	for i := 0; i < open; i += 1000 {
		var members []redis.Z
		for j := range 1000 {
			members = append(members, redis.Z{Score: far + float64(i), Member: fmt.Sprintf("far-%d-%d", i, j)})
		}
		if err := r.ZAdd(b.Context(), "{fs:0}:due", members...).Err(); err != nil {
			b.Fatal(err)
		}
	}
	for i := range due {
		id := fmt.Sprint("s", i)
		if _, _, err := l.Do(b.Context(), id, ledger.Raise{Record: record(b, map[string]any{"id": id}), Policy: policy.ID()}); err != nil {
			b.Fatal(err)
		}
	}
	return &Sweeper{Ledger: l, Book: book, Log: slog.New(slog.DiscardHandler)}, r
}

// makeDue has stops looked at now; a sweep puts them right again.
func makeDue(b *testing.B, r *redis.Client, due int) {
	b.Helper()
	p := r.Pipeline()
	for i := range due {
		p.ZAdd(b.Context(), "{fs:0}:due", redis.Z{Score: 1, Member: fmt.Sprint("s", i)})
	}
	if _, err := p.Exec(b.Context()); err != nil && due > 0 {
		b.Fatal(err)
	}
}
