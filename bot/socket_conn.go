package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

const (
	helloWithin = 15 * time.Second
	pingEvery   = 10 * time.Second
	pongWithin  = 10 * time.Second // then the connection is half open
	writeWithin = 5 * time.Second
	drainWithin = 30 * time.Second // Slack closes about 10 s after it said so
	ackedWithin = 10 * time.Second // of the end: what is in hand
	maxMessage  = 8 << 20          // bytes of an envelope: a view alone may have 250 KB
)

// disconnected is why Slack closes a connection, or why it was cut.
type disconnected struct {
	reason string // Slack's; "" where it said none
	err    error  // of a cut
}

// Error says why, and what to do where somebody can.
func (d *disconnected) Error() string {
	switch d.reason {
	case "link_disabled":
		return "slack switched Socket Mode off (link_disabled): switch it on in the app's settings"
	case "too_many_websockets":
		return "slack counts too many connections of this app (too_many_websockets): look for other programs with its token"
	case "warning", "refresh_requested":
		return "slack renews the connection (" + d.reason + ")"
	case "":
		return fmt.Sprintf("the connection was cut: %v", d.err)
	default:
		return "slack closes the connection (" + d.reason + ")"
	}
}

// Unwrap returns what cut the connection.
func (d *disconnected) Unwrap() error { return d.err }

// renewed reports whether Slack only renews the connection.
func renewed(err error) bool {
	d, ok := err.(*disconnected) //nolint:errorlint // never wrapped
	return ok && (d.reason == "warning" || d.reason == "refresh_requested")
}

// connection is one WebSocket. It is read all the time: work never keeps it from answering pings.
type connection struct {
	s       *Socket
	ws      *websocket.Conn
	receive Receive
	hand    atomic.Int64  // deliveries that are not acked yet
	done    chan struct{} // has room for one sign that a delivery is
	pinged  atomic.Bool   // a ping has no pong yet
	hello   chan struct{} // closed when Slack has said hello

	leave   sync.Once
	leaving chan struct{} // closed once it is clear that the connection ends; why is set then
	why     error
	ended   chan struct{} // closed when it has ended
}

func newConnection(s *Socket, ws *websocket.Conn, receive Receive) *connection {
	ws.SetReadLimit(maxMessage)
	return &connection{
		s: s, ws: ws, receive: receive,
		done: make(chan struct{}, 1), hello: make(chan struct{}), leaving: make(chan struct{}), ended: make(chan struct{}),
	}
}

// untilLeaving waits until the connection is about to end, and says why.
func (c *connection) untilLeaving(ctx context.Context) error {
	select {
	case <-c.leaving:
		return c.why
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *connection) leaves(why error) {
	c.leave.Do(func() {
		c.why = why
		close(c.leaving)
	})
}

// serve reads until the connection ends. Once ctx has ended it closes the connection when what is in hand is acked, and
// one that Slack wants to close after drainWithin at the latest.
func (c *connection) serve(ctx context.Context) {
	var beside sync.WaitGroup
	working := context.WithoutCancel(ctx)
	beside.Go(func() { c.closeInTime(ctx) })
	beside.Go(func() { c.ping(working) })
	c.leaves(&disconnected{err: c.read(working)})
	close(c.ended)
	beside.Wait()
	c.settle()
	_ = c.ws.CloseNow()
	c.s.count(0, -1)
}

// read takes every message until the connection ends, and returns what ended it.
func (c *connection) read(ctx context.Context) error {
	for {
		_, data, err := c.ws.Read(ctx)
		if err == nil {
			c.take(ctx, data)
			continue
		}
		if closed(c.hello) {
			c.s.count(-1, 0)
		}
		if c.pinged.Load() {
			return fmt.Errorf("no pong: %w", err)
		}
		return err
	}
}

// closeInTime closes the connection when it has to: without a hello, after ctx, or when Slack said that it would and did not.
func (c *connection) closeInTime(ctx context.Context) {
	limit := time.NewTimer(helloWithin)
	defer limit.Stop()
	select {
	case <-c.hello:
	case <-c.leaving:
	case <-ctx.Done():
	case <-limit.C:
		c.leaves(&disconnected{err: fmt.Errorf("no hello within %v", helloWithin)})
		_ = c.ws.CloseNow()
		return
	}
	select {
	case <-c.leaving:
		limit.Reset(drainWithin)
		select {
		case <-c.ended:
		case <-limit.C:
		case <-ctx.Done():
		}
	case <-ctx.Done():
	}
	if closed(c.ended) {
		return
	}
	c.settle()
	_ = c.ws.Close(websocket.StatusNormalClosure, "")
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// take handles one message. It never waits.
func (c *connection) take(ctx context.Context, data []byte) {
	e, ok := parseEnvelope(data)
	switch {
	case !ok:
		c.s.log.Warn("slack sent a message that cannot be read", "bytes", len(data))
	case e.kind == "hello":
		c.greet(e.connections)
	case e.kind == "disconnect":
		c.leaves(&disconnected{reason: cmp.Or(e.reason, "unknown")})
	case e.id == "":
		c.s.log.Warn("slack sent a message without an envelope", "type", codeOf(e.kind))
	default:
		c.deliver(ctx, e)
	}
}

func (c *connection) greet(slackCounts int) {
	if closed(c.hello) {
		return
	}
	close(c.hello)
	c.s.count(+1, 0)
	c.s.greeted(slackCounts)
}

// deliver hands an envelope on, beside the reading, and acks it afterwards on this connection.
func (c *connection) deliver(ctx context.Context, e envelope) {
	if !c.s.inbound.admit() {
		c.s.log.Error("too many deliveries wait: one is not acked", "kind", codeOf(e.kind))
		return
	}
	c.hand.Add(1)
	go func() {
		defer c.finished()
		ack, ok := c.s.inbound.once(e.id, func() (json.RawMessage, bool) { return c.handle(ctx, e) })
		if ok {
			c.ack(ctx, e, ack)
		}
	}()
}

func (c *connection) handle(ctx context.Context, e envelope) (ack json.RawMessage, ok bool) {
	d, known := e.delivery()
	if !known {
		c.s.log.Warn("slack delivered a type that is not known", "type", codeOf(e.kind))
		return nil, true
	}
	return c.receive.take(ctx, d, c.s.log)
}

// finished takes a delivery out of hand.
func (c *connection) finished() {
	c.s.inbound.leave()
	c.hand.Add(-1)
	select {
	case c.done <- struct{}{}:
	default:
	}
}

// ack acks an envelope. A connection that ended cannot, and Slack documents no other that could.
func (c *connection) ack(ctx context.Context, e envelope, payload json.RawMessage) {
	frame, whole := e.ack(payload)
	if !whole {
		c.s.log.Error("an ack was sent without its body: slack takes none here, or it was too large", "kind", codeOf(e.kind), "bytes", len(payload))
	}
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, frame); err != nil {
		c.s.log.Warn("an ack could not be sent", "kind", codeOf(e.kind), "err", err)
	}
}

// settle waits until what is in hand is acked.
func (c *connection) settle() {
	limit := time.NewTimer(ackedWithin)
	defer limit.Stop()
	for c.hand.Load() > 0 {
		select {
		case <-c.done:
		case <-limit.C:
			c.s.log.Error("a connection ended with deliveries that were not acked", "deliveries", c.hand.Load())
			return
		}
	}
}

// ping finds out that the connection is half open, which reading alone never does.
func (c *connection) ping(ctx context.Context) {
	every := c.s.pingEvery
	tick := time.NewTimer(every)
	defer tick.Stop()
	for {
		// Jittered: where nothing is buffered (net.Pipe), two sides that ping at the same moment both wait for the other's pong.
		tick.Reset(every*9/10 + rand.N(every/5+1)) //nolint:gosec // jitter needs no secret
		select {
		case <-c.ended:
			return
		case <-tick.C:
		}
		waiting, cancel := context.WithTimeout(ctx, pongWithin)
		c.pinged.Store(true)
		err := c.ws.Ping(waiting)
		cancel()
		if err != nil {
			_ = c.ws.CloseNow()
			return
		}
		c.pinged.Store(false)
	}
}
