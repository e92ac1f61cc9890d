package stories

import (
	"bytes"
	"context"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/loops"
)

// lossy is a connection that never brings what was published.
type lossy struct{ net.Conn }

// Read implements net.Conn.
func (c lossy) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if !bytes.Contains(p[:n], []byte("\r\nmessage\r\n")) || err != nil {
			return n, err
		}
	}
}

// loopsOver is a process of loops whose connections to Redis are as over says.
func loopsOver(t testing.TB, w *World, look time.Duration, over func(net.Conn) net.Conn) *loops.Client {
	t.Helper()
	o := *w.Redis.Options()
	dial := o.Dialer
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return over(c), nil
	}
	r := redis.NewClient(&o)
	loop, err := loops.NewClient(t.Context(), loops.Options{Redis: r, Keys: w.Keys, Look: look})
	w.must(err)
	t.Cleanup(func() {
		w.must(loop.Close())
		_ = r.Close()
	})
	return loop
}

func TestALoopWhoseEventWasLostFindsItsOutcomeByLooking(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		loop := loopsOver(t, w, 0, func(c net.Conn) net.Conn { return lossy{c} })
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		heard := make(chan time.Duration, 1)
		start := time.Now()
		go func() {
			_, err := loop.WaitRef(t.Context(), ref)
			w.must(err)
			heard <- time.Since(start)
		}()
		w.Pass(10 * time.Second)
		w.Click(Ana, card, "Choose", 0)
		if took := <-heard; took < 20*time.Second || took > 50*time.Second {
			t.Errorf("the loop found it after %v, want at its next look, about 30 s after the first", took)
		}
		w.SeeText(Product, "answered")
	})
}
