package stories

import (
	"bytes"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// tardy is a connection on which a subscription takes five seconds to get to Redis.
type tardy struct {
	net.Conn
	mu     sync.Mutex
	late   bool
	queued []byte
}

// Write implements net.Conn.
func (c *tardy) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.late && !bytes.Contains(p, []byte("\r\nsubscribe\r\n")) {
		return c.Conn.Write(p)
	}
	c.queued = append(c.queued, p...)
	if !c.late {
		c.late = true
		time.AfterFunc(5*time.Second, c.arrive)
	}
	return len(p), nil
}

// SetWriteDeadline implements net.Conn: what was written is on its way, and no deadline calls it back.
func (c *tardy) SetWriteDeadline(time.Time) error { return nil }

// SetDeadline implements net.Conn.
func (c *tardy) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

func (c *tardy) arrive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.Conn.Write(slices.Clone(c.queued)) // where the connection has gone, so have they
	c.late, c.queued = false, nil
}

// Whoever looks only before subscribing misses what is published in between, and waits for ever.
func TestAnOutcomeBetweenTheFirstLookAndTheSubscriptionIsFound(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		loop := loopsOver(t, w, 24*time.Hour, func(c net.Conn) net.Conn { return &tardy{Conn: c} })
		heard := make(chan time.Duration, 1)
		start := time.Now()
		go func() {
			_, err := loop.WaitRef(t.Context(), ref)
			w.must(err)
			heard <- time.Since(start)
		}()
		w.Pass(3 * time.Second) // it has looked, and saw nothing
		w.Click(Ana, card, "Choose", 0)
		if took := <-heard; took > 6*time.Second {
			t.Errorf("the loop found it after %v, want once it was subscribed, after 5 s", took)
		}
		w.SeeText(Product, "answered")
	})
}
