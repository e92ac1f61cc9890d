package stories

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

var errCut = errors.New("the connection is cut")

// cut is between a bot and the rest of the world. It is a hook of a Redis client.
type cut struct {
	mu     sync.Mutex
	gone   bool // the bot is dead
	away   bool // Redis is away
	slow   time.Duration
	method string
	after  bool
	stored func(redis.Cmder) bool // the command after which it is dead
	died   chan struct{}
}

func newCut() *cut { return &cut{died: make(chan struct{})} }

func (c *cut) dead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

func (c *cut) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone {
		c.gone = true
		close(c.died)
	}
}

func (c *cut) dieAt(method string, after bool) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.method, c.after = method, after
	return c.died
}

func (c *cut) dieAfter(stored func(redis.Cmder) bool) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stored = stored
	return c.died
}

// heard kills the bot before it hears the answer of its last command.
func (c *cut) heard(cmd redis.Cmder, err error) error {
	c.mu.Lock()
	last := c.stored != nil && err == nil && c.stored(cmd)
	c.mu.Unlock()
	if !last {
		return err
	}
	c.kill()
	cmd.SetErr(errCut)
	return errCut
}

func (c *cut) redisAway(away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = away
}

func (c *cut) redisSlow(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slow = by
}

// redisGone reports whether Redis cannot be reached, after as long as it takes to reach it.
func (c *cut) redisGone(ctx context.Context) bool {
	c.mu.Lock()
	slow := c.slow
	c.mu.Unlock()
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-ctx.Done():
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone || c.away
}

// reached reports whether this call is the bot's last, and whether it is still sent.
func (c *cut) reached(url string) (last, sent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.method == "" || !strings.HasSuffix(url, "/"+c.method) {
		return false, false
	}
	return true, c.after
}

// DialHook implements redis.Hook.
func (c *cut) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if c.redisGone(ctx) {
			return nil, errCut
		}
		return next(ctx, network, addr)
	}
}

// ProcessHook implements redis.Hook.
func (c *cut) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if c.redisGone(ctx) {
			cmd.SetErr(errCut)
			return errCut
		}
		return c.heard(cmd, next(ctx, cmd))
	}
}

// ProcessPipelineHook implements redis.Hook.
func (c *cut) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if c.redisGone(ctx) {
			for _, cmd := range cmds {
				cmd.SetErr(errCut)
			}
			return errCut
		}
		return next(ctx, cmds)
	}
}

// cutTransport is a bot's way to Slack.
type cutTransport struct {
	cut  *cut
	next http.RoundTripper
	hear func(refusal string)
}

// RoundTrip implements http.RoundTripper.
func (t *cutTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	last, sent := t.cut.reached(r.URL.Path)
	if last && !sent {
		t.cut.kill()
	}
	if t.cut.dead() {
		return nil, errCut
	}
	resp, err := t.next.RoundTrip(r)
	if last {
		t.cut.kill()
	}
	if err == nil && t.cut.dead() {
		_ = resp.Body.Close()
		return nil, errCut
	}
	if err == nil {
		t.listen(resp)
	}
	return resp, err
}

// listen notes what Slack refused.
func (t *cutTransport) listen(resp *http.Response) {
	if ws, ok := resp.Body.(io.ReadWriteCloser); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		resp.Body = cutSocket{ws, t.cut}
		return
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), errReader{err}))
	var said struct {
		OK    *bool  `json:"ok"`
		Error string `json:"error"`
	}
	switch {
	case resp.StatusCode != http.StatusOK:
		t.hear(strconv.Itoa(resp.StatusCode))
	case json.Unmarshal(body, &said) == nil && said.OK != nil && !*said.OK:
		t.hear(said.Error)
	}
}

// cutSocket is a WebSocket of a bot: what the bot says after its death does not leave it.
type cutSocket struct {
	io.ReadWriteCloser
	cut *cut
}

// Write implements io.Writer.
func (s cutSocket) Write(p []byte) (int, error) {
	if s.cut.dead() {
		return 0, errCut
	}
	return s.ReadWriteCloser.Write(p)
}

// errReader ends as the body did that was read before it.
type errReader struct{ err error }

// Read implements io.Reader.
func (r errReader) Read([]byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}

// CloseIdleConnections lets http.Client close them.
func (t *cutTransport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
