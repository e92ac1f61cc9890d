package bot

import (
	"context"
	"log/slog"
	"net/http"
)

// SocketOptions say how to open Socket Mode connections.
type SocketOptions struct {
	AppToken    string
	APIURL      string
	HTTPClient  *http.Client
	Connections int // default 2
	Log         *slog.Logger
}

// Socket keeps at least two Socket Mode connections and hands what they deliver to a Receive.
type Socket struct{}

// NewSocket returns a socket. It connects in Run.
func NewSocket(o SocketOptions) *Socket { panic("skeleton") }

// Run connects and delivers until ctx ends, then closes cleanly once what is in hand is acked. Wrong credentials and a
// switched-off Socket Mode are errors.
func (s *Socket) Run(ctx context.Context, receive Receive) error { panic("skeleton") }

// Ready reports whether a connection is open, and if not why in words.
func (s *Socket) Ready() (bool, string) { panic("skeleton") }
