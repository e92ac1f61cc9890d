package standin

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Pipe is a network of one address, in memory: what dials it reaches whoever accepts, whatever host was dialled. With it
// a server and its clients, HTTP and WebSocket, run inside a testing/synctest bubble.
type Pipe struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	server *http.Server
	served sync.WaitGroup
}

// NewPipe returns a pipe that nobody serves yet. It is a net.Listener.
func NewPipe() *Pipe { return &Pipe{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Serve returns a pipe with h behind it, until Stop.
func Serve(h http.Handler) *Pipe {
	p := NewPipe()
	p.server = &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	p.served.Go(func() { _ = p.server.Serve(p) }) // it ends with Stop
	return p
}

// Accept implements net.Listener.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener: nothing is accepted any more.
func (p *Pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Stop ends what [Serve] began: it cuts the connections that have not become WebSockets, and waits for the accept loop.
func (p *Pipe) Stop() {
	_ = p.server.Close() // it closes the pipe, which cannot fail
	p.served.Wait()
}

// Addr implements net.Listener.
func (p *Pipe) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

// Network implements net.Addr.
func (pipeAddr) Network() string { return "pipe" }

// String implements net.Addr.
func (pipeAddr) String() string { return "127.0.0.1:80" }

// DialContext connects to whoever accepts; it is what an http.Transport takes.
func (p *Pipe) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Client returns an HTTP client of the pipe. Its idle connections have to be closed before a bubble ends:
// CloseIdleConnections.
func (p *Pipe) Client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: p.DialContext}}
}
