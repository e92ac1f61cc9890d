package embedded_test

import (
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/embedded"

	"github.com/redis/go-redis/v9"
)

func TestKeysExpireByTheBubblesClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := embedded.InBubble(t)
		before := c.Time(t.Context()).Val()
		if err := c.Set(t.Context(), "k", "v", 7*time.Hour).Err(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(7*time.Hour - time.Second)
		if n := c.Exists(t.Context(), "k").Val(); n != 1 {
			t.Errorf("Exists a second before = %d, want 1", n)
		}
		time.Sleep(2 * time.Second)
		if n := c.Exists(t.Context(), "k").Val(); n != 0 {
			t.Errorf("Exists a second after = %d, want 0", n)
		}
		if got, want := c.Time(t.Context()).Val().Sub(before), 7*time.Hour+time.Second; got != want {
			t.Errorf("TIME moved by %v, want %v", got, want)
		}
	})
}

func TestSecondClientOfABubbleSeesTheSameServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := embedded.InBubble(t)
		b := redis.NewClient(a.Options())
		t.Cleanup(func() { _ = b.Close() })
		if err := a.Set(t.Context(), "k", "v", 0).Err(); err != nil {
			t.Fatal(err)
		}
		if got := b.Get(t.Context(), "k").Val(); got != "v" {
			t.Errorf("Get by the second client = %q, want %q", got, "v")
		}
	})
}

func TestLongPipelinePassesThePipe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := embedded.InBubble(t)
		pipe := c.Pipeline()
		for range 10_000 {
			pipe.Incr(t.Context(), "k")
		}
		if _, err := pipe.Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := c.Get(t.Context(), "k").Val(); got != "10000" {
			t.Errorf("after 10,000 increments k = %s", got)
		}
	})
}

func TestStartServesOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	r, err := embedded.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	o, err := redis.ParseURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	c := redis.NewClient(o)
	defer c.Close()
	if err := c.Ping(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "localhost", "example.org:1"} {
		if r, err := embedded.Start(addr); err == nil {
			r.Close()
			t.Errorf("Start(%q) = nil, want an error", addr)
		}
	}
}
