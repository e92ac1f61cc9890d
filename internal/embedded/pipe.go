package embedded

import (
	"net"
	"sync"
)

// buffered is a net.Pipe whose writer never waits for its reader, as a socket does not for what fits its buffers: a
// pipeline is written whole before its first reply is read, and miniredis replies to each command before it reads the next.
type buffered struct {
	net.Conn

	mu     sync.Mutex
	more   *sync.Cond
	queued []byte
	closed bool
	err    error // of the last write
}

func newBuffered(c net.Conn) *buffered {
	b := &buffered{Conn: c}
	b.more = sync.NewCond(&b.mu)
	go b.copy()
	return b
}

// Write queues p.
func (b *buffered) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.err != nil:
		return 0, b.err
	case b.closed:
		return 0, net.ErrClosed
	}
	b.queued = append(b.queued, p...)
	b.more.Signal()
	return len(p), nil
}

// Close drops what is queued.
func (b *buffered) Close() error {
	b.mu.Lock()
	b.closed = true
	b.more.Signal()
	b.mu.Unlock()
	return b.Conn.Close()
}

func (b *buffered) copy() {
	for {
		p, ok := b.next()
		if !ok {
			return
		}
		if _, err := b.Conn.Write(p); err != nil {
			b.mu.Lock()
			b.err = err
			b.mu.Unlock()
		}
	}
}

func (b *buffered) next() (p []byte, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.queued) == 0 && !b.closed {
		b.more.Wait()
	}
	p, b.queued = b.queued, nil
	return p, !b.closed
}
