package stories

import (
	"net"
	"net/http"
	"sync"
	"time"

	"flagstop/internal/standin"
)

// network is how one HTTP server is reached: through a pipe in memory, or over loopback TCP.
type network struct {
	listener net.Listener
	pipe     *standin.Pipe // nil over TCP
	server   *http.Server
	served   sync.WaitGroup
}

func (w *World) listen() *network {
	w.TB.Helper()
	if !w.real {
		p := standin.NewPipe()
		return &network{listener: p, pipe: p}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	return &network{listener: l}
}

// URL is where it is, without a slash at its end.
func (n *network) URL() string {
	if n.pipe != nil {
		return "http://pipe.local"
	}
	return "http://" + n.listener.Addr().String()
}

// Serve serves h until Stop.
func (n *network) Serve(h http.Handler) {
	n.server = &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	n.served.Go(func() { _ = n.server.Serve(n.listener) }) // it ends with Stop
}

// Stop cuts all connections that have not become WebSockets.
func (n *network) Stop() {
	_ = n.server.Close() // it closes the listener, which has nothing to lose
	n.served.Wait()
}

// Transport returns a new transport to it.
func (n *network) Transport() *http.Transport {
	if n.pipe != nil {
		return &http.Transport{DialContext: n.pipe.DialContext}
	}
	return &http.Transport{}
}
