// Package embedded is a Redis inside this process: on loopback for the demo, or in memory and in virtual time for tests.
// It keeps nothing on disk and is meant for up to about a thousand waiting stops.
package embedded

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Redis is a running embedded server.
type Redis struct{ m *miniredis.Miniredis }

// Start serves on a loopback address, such as "127.0.0.1:0" for a free port. Anything but loopback is refused: the
// server has no password.
func Start(addr string) (*Redis, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("start the embedded redis: %w", err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("start the embedded redis: %q is not a loopback address; use 127.0.0.1:0", addr)
	}
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	if err := m.StartAddr(addr); err != nil {
		return nil, fmt.Errorf("start the embedded redis: %w", err)
	}
	return &Redis{m}, nil
}

// Addr is the host:port that it serves on.
func (r *Redis) Addr() string { return r.m.Addr() }

// URL is its address as FLAGSTOP_REDIS_URL takes it.
func (r *Redis) URL() string { return "redis://" + r.Addr() }

// Close cuts all connections and forgets everything.
func (r *Redis) Close() { r.m.Close() }

// InBubble returns a client of a new server over in-memory pipes, for testing/synctest: call it inside the bubble, and
// TTLs and TIME follow the bubble's clock. Both are closed when t ends. More clients of the same server:
// redis.NewClient(c.Options()).
func InBubble(t interface{ Cleanup(f func()) }) *redis.Client {
	c, _ := WithClock(t)
	return c
}

// WithClock is InBubble with a way to set the server's clock, as somebody who steps it does: it stands still from then on.
func WithClock(t interface{ Cleanup(f func()) }) (c *redis.Client, set func(time.Time)) {
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	c = redis.NewClient(&redis.Options{
		Addr: "pipe", // a host:port would have go-redis resolve names outside of the bubble
		Dialer: func(context.Context, string, string) (net.Conn, error) {
			conn, err := m.Dial()
			if err != nil {
				return nil, err
			}
			return newBuffered(conn), nil
		},
		ContextTimeoutEnabled:    true,
		PoolSize:                 200, // a pool that runs out waits on a timer that go-redis shares between bubbles
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() {
		_ = c.Close()
		m.Close()
	})
	return c, m.SetTime
}
