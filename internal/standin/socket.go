package standin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
)

const (
	maxFrame   = 20_480 // bytes that the app may send in one message
	maxSockets = 10
	ticketLife = 30 * time.Second
	// farewell is how long a socket stays after a warning.
	farewell = 10 * time.Second
)

// sockets are the Socket Mode connections and what is under way on them.
type sockets struct {
	tickets map[string]time.Time // single-use, with when they were made
	open    []*socket
	waiting map[string]waiting // by envelope id
}

type waiting struct {
	on     *socket
	ack    chan json.RawMessage // holds one
	answer bool                 // whether a payload in the acknowledgement counts
}

// socket is one connection.
type socket struct {
	conn *websocket.Conn
	gone chan struct{} // closed when it has ended
}

func (ss *sockets) init() {
	ss.tickets, ss.waiting = map[string]time.Time{}, map[string]waiting{}
}

// connectionsOpen answers apps.connections.open with a URL that opens one socket, once.
func (s *Server) connectionsOpen(args) (object, error) {
	ticket := rand.Text()
	s.sockets.tickets[ticket] = time.Now()
	base := strings.Replace(s.o.BaseURL, "http", "ws", 1)
	return object{"url": base + "/socket?ticket=" + ticket + "&app_id=" + appID}, nil
}

func (s *Server) takeTicket(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	made, ok := s.sockets.tickets[id]
	delete(s.sockets.tickets, id)
	return ok && !s.closed && time.Since(made) <= ticketLife
}

// serveSocket is one connection, from its ticket to its end.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !s.takeTicket(r.URL.Query().Get("ticket")) {
		http.Error(w, "the ticket is used, old, or none", http.StatusForbidden)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	conn.SetReadLimit(maxFrame)
	k := &socket{conn: conn, gone: make(chan struct{})}
	n, ok := s.join(k)
	if !ok {
		_ = writeFrame(s.ctx, conn, disconnectFrame("too_many_websockets")) //nolint:contextcheck // a WebSocket outlives its request
		_ = conn.Close(websocket.StatusNormalClosure, "too_many_websockets")
		return
	}
	defer s.leave(k)
	if writeFrame(s.ctx, conn, helloFrame(n)) != nil { //nolint:contextcheck // a WebSocket outlives its request
		_ = conn.CloseNow()
		return
	}
	s.listen(k) //nolint:contextcheck // a WebSocket outlives its request
}

// join counts a socket in, with a pinger that ends with it.
func (s *Server) join(k *socket) (n int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.sockets.open) >= maxSockets {
		return 0, false
	}
	s.work.Add(1)
	s.sockets.open = append(s.sockets.open, k)
	s.spawn(func(ctx context.Context) { s.ping(ctx, k) })
	s.touch()
	return len(s.sockets.open), true
}

func (s *Server) leave(k *socket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sockets.open = slices.DeleteFunc(s.sockets.open, func(o *socket) bool { return o == k })
	close(k.gone)
	s.touch()
	s.work.Done()
}

// listen reads acknowledgements until the connection ends, or the server does.
func (s *Server) listen(k *socket) {
	for {
		// A read that is cancelled cuts the connection; the pinger closes it properly when the server ends.
		_, data, err := k.conn.Read(context.WithoutCancel(s.ctx))
		if err != nil {
			_ = k.conn.CloseNow()
			return
		}
		s.acknowledge(k, data)
	}
}

func (s *Server) ping(ctx context.Context, k *socket) {
	every := time.NewTicker(s.o.PingEvery)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			_ = k.conn.Close(websocket.StatusGoingAway, "the stand-in ends")
			return
		case <-k.gone:
			return
		case <-every.C:
		}
		pong, cancel := context.WithTimeout(ctx, s.o.PingEvery)
		err := k.conn.Ping(pong)
		cancel()
		if err != nil {
			_ = k.conn.CloseNow()
			return
		}
	}
}

// acknowledge takes {"envelope_id":…,"payload":…}. What fits no open envelope is ignored, as Slack does.
func (s *Server) acknowledge(k *socket, data []byte) {
	var m struct {
		Envelope string          `json:"envelope_id"`
		Payload  json.RawMessage `json:"payload"`
	}
	if json.Unmarshal(data, &m) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.sockets.waiting[m.Envelope]
	if !ok || w.on != k && !s.o.AckAnywhere {
		return
	}
	delete(s.sockets.waiting, m.Envelope)
	if !w.answer {
		m.Payload = nil
	}
	w.ack <- m.Payload
}

// deliverSocket sends an envelope on one of the sockets, any, and waits for its acknowledgement.
func (s *Server) deliverSocket(ctx context.Context, d delivery) ([]byte, error) {
	id := rand.Text()
	k, ack, err := s.pickSocket(id, d.answers)
	if err != nil {
		return nil, &failure{reason: "connection_failed", err: err}
	}
	defer s.forget(id)
	frame := object{
		"type": string(d.kind), "envelope_id": id, "accepts_response_payload": d.answers, "payload": d.payload,
	}
	if d.kind == event {
		frame["retry_attempt"], frame["retry_reason"] = d.retry, d.reason
	}
	sent := s.write(k, frame)
	for {
		select {
		case err := <-sent:
			if err != nil {
				return nil, &failure{reason: "connection_failed", err: err}
			}
			sent = nil
		case payload := <-ack:
			return payload, nil
		case <-ctx.Done():
			return nil, &failure{reason: "http_timeout", err: context.Cause(ctx)}
		}
	}
}

// write writes a frame beside its caller, who waits 3 seconds only; a write that is cancelled would cut the socket.
func (s *Server) write(k *socket, frame object) chan error {
	sent := make(chan error, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spawn(func(ctx context.Context) { sent <- writeFrame(ctx, k.conn, frame) })
	return sent
}

func (s *Server) pickSocket(id string, answers bool) (*socket, chan json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.sockets.open)
	if n == 0 {
		return nil, nil, errors.New("no socket is open")
	}
	i, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		return nil, nil, fmt.Errorf("pick a socket: %w", err)
	}
	w := waiting{on: s.sockets.open[i.Int64()], ack: make(chan json.RawMessage, 1), answer: answers}
	s.sockets.waiting[id] = w
	return w.on, w.ack, nil
}

func (s *Server) forget(envelope string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sockets.waiting, envelope)
}

// writeFrame writes one message. A socket that takes none for long is dead.
func writeFrame(ctx context.Context, conn *websocket.Conn, frame object) error {
	ctx, cancel := context.WithTimeout(ctx, farewell)
	defer cancel()
	return conn.Write(ctx, websocket.MessageText, mustJSON(frame))
}

func helloFrame(n int) object {
	return object{
		"type": "hello", "num_connections": n, "connection_info": object{"app_id": appID},
		"debug_info": debugInfo(),
	}
}

func disconnectFrame(reason string) object {
	return object{"type": "disconnect", "reason": reason, "debug_info": debugInfo()}
}

func debugInfo() object {
	return object{"host": "stand-in", "build_number": 1, "approximate_connection_time": 18060}
}

// Disconnect sends every socket a disconnect message with that reason (warning, refresh_requested, link_disabled,
// too_many_websockets) and closes it when Slack would: 10 seconds after a warning, in which it still gets deliveries,
// and at once else; "" cuts the connection without a word.
func (s *Server) Disconnect(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.sockets.open {
		s.spawn(func(ctx context.Context) { bye(ctx, k, reason) })
	}
}

func bye(ctx context.Context, k *socket, reason string) {
	if reason == "" {
		_ = k.conn.CloseNow()
		return
	}
	_ = writeFrame(ctx, k.conn, disconnectFrame(reason))
	if reason == "warning" {
		wait := time.NewTimer(farewell)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-k.gone:
		case <-ctx.Done():
		}
	}
	_ = k.conn.Close(websocket.StatusNormalClosure, reason)
}

// Sockets reports how many Socket Mode connections are open.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets.open)
}
