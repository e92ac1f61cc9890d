package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	stagger      = time.Second      // between the first openings of two connections
	longestBreak = 30 * time.Second // between two tries to open one
	crowdedBreak = time.Minute      // after too_many_websockets, which more tries would prolong
	offBreak     = 5 * time.Minute  // while Socket Mode is switched off
	steady       = time.Minute      // after which a connection counts as a good one
	mostReasons  = 32               // that are logged while no connection opens
)

// SocketOptions say how to open Socket Mode connections.
type SocketOptions struct {
	AppToken    string
	APIURL      string
	HTTPClient  *http.Client
	Connections int           // default 2
	PingEvery   time.Duration // default 10 s; a test over days sets more
	Log         *slog.Logger
}

// Socket keeps at least two Socket Mode connections and hands what they deliver to a Receive.
//
// An envelope is acked on the connection that delivered it, when Receive has returned. What comes again, on whichever
// connection, is acked as the first was. What is of an unknown type is acked and left. What is not acked, because Receive
// panicked or a thousand others wait, Slack shows to the person as a failure, or sends again if it is an event.
type Socket struct {
	api         *Slack // with the app token, for apps.connections.open
	connections int
	pingEvery   time.Duration
	log         *slog.Logger
	inbound     *inbound

	mu     sync.Mutex
	open   int             // connections that said hello and have not ended
	live   int             // connections that are being opened or are open
	told   int             // how many Slack counted when it was last more than live
	why    string          // the last reason for which a connection ended or was not opened
	logged map[string]bool // the reasons that were logged since a connection was last opened
}

// NewSocket returns a socket. It connects in Run.
func NewSocket(o SocketOptions) *Socket {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Connections < 1 {
		o.Connections = 2
	}
	if o.PingEvery <= 0 {
		o.PingEvery = pingEvery
	}
	return &Socket{
		api:         NewSlack(SlackOptions{BotToken: o.AppToken, APIURL: o.APIURL, HTTPClient: o.HTTPClient, Log: o.Log}),
		connections: o.Connections,
		pingEvery:   o.PingEvery,
		log:         o.Log,
		inbound:     newInbound(),
		why:         "no connection has been opened yet",
		logged:      map[string]bool{},
	}
}

// Run connects and delivers until ctx ends, then closes cleanly once what is in hand is acked (10 s at most). Wrong
// credentials are an error. While Socket Mode is switched off it looks again every few minutes.
func (s *Socket) Run(ctx context.Context, receive Receive) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var slots, connections sync.WaitGroup
	var fatal error
	var once sync.Once
	for i := range s.connections {
		slots.Go(func() {
			if err := s.keepOne(ctx, time.Duration(i)*stagger, receive, &connections); err != nil {
				once.Do(func() { fatal = err })
				cancel(err)
			}
		})
	}
	slots.Wait()
	connections.Wait()
	return fatal
}

// keepOne keeps one connection open until ctx ends. Where Slack is about to close one, its successor opens first and it
// goes on delivering meanwhile.
func (s *Socket) keepOne(ctx context.Context, delay time.Duration, receive Receive, running *sync.WaitGroup) error {
	tries := 0
	for sleep(ctx, delay) == nil {
		began := time.Now()
		c, err := s.connect(ctx, receive)
		if err == nil {
			running.Go(func() { c.serve(ctx) })
			err = c.untilLeaving(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // the end that was asked for
		case wrongCredentials(err):
			return fmt.Errorf("open a Socket Mode connection: %w: %s", err, tokenAdvice(err))
		case time.Since(began) > steady:
			tries = 0
		}
		s.note(err)
		delay = pauseAfter(err, tries)
		tries++
	}
	return nil
}

// connect asks Slack for a URL, which works once, and opens a connection. The URL is a secret: no error shows it.
func (s *Socket) connect(ctx context.Context, receive Receive) (*connection, error) {
	var a struct{ URL string }
	if err := s.api.call(ctx, "apps.connections.open", struct{}{}, &a); err != nil {
		return nil, err
	}
	if u, err := url.Parse(a.URL); err != nil || u.Scheme != "wss" && (u.Scheme != "ws" || !s.api.trusts(u)) {
		return nil, errors.New("slack answered apps.connections.open without a wss URL")
	}
	s.count(0, +1)
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	ws, resp, err := websocket.Dial(ctx, a.URL, &websocket.DialOptions{HTTPClient: s.api.client}) //nolint:bodyclose // Dial says that it never has to be closed
	if err != nil {
		s.count(0, -1)
		if resp != nil {
			return nil, fmt.Errorf("open a connection: HTTP status %d", resp.StatusCode)
		}
		return nil, fmt.Errorf("open a connection: %w", withoutURL(err))
	}
	return newConnection(s, ws, receive), nil
}

// count moves how many connections are open and live.
func (s *Socket) count(open, live int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += open
	s.live += live
	if open > 0 {
		clear(s.logged)
	}
}

// Ready reports whether a connection is open, and if not why in words.
func (s *Socket) Ready() (bool, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open > 0 {
		return true, ""
	}
	return false, "no Socket Mode connection is open: " + s.why
}

// note keeps why a connection ended or was not opened, and logs it once while it stays the same.
func (s *Socket) note(err error) {
	s.mu.Lock()
	s.why = err.Error()
	again := s.logged[s.why] || len(s.logged) > mostReasons
	s.logged[s.why] = true
	open := s.open
	s.mu.Unlock()
	switch {
	case again:
	case renewed(err):
		s.log.Info("slack renews a socket mode connection", "open", open, "err", err)
	default:
		s.log.Warn("a socket mode connection ended or was not opened", "open", open, "err", err)
	}
}

// greeted compares how many connections Slack counts with how many there are. Ghosts take clicks that nobody sees.
func (s *Socket) greeted(slackCounts int) {
	s.mu.Lock()
	live, again := s.live, s.told == slackCounts
	more := slackCounts > live
	s.told = 0
	if more {
		s.told = slackCounts
	}
	s.mu.Unlock()
	if more && !again {
		s.log.Warn("slack counts more connections than this process has: replicas, another program with this app token, or ghosts that swallow clicks",
			"slack_counts", slackCounts, "own", live)
	}
}

// pauseAfter is how long to wait before the next connection, jittered so that replicas do not come together.
func pauseAfter(err error, tries int) time.Duration {
	pause := time.Duration(0)
	if tries > 0 {
		pause = min(time.Second<<min(tries-1, 10), longestBreak)
	}
	if failed, ok := errors.AsType[*SlackError](err); ok {
		pause = max(pause, time.Second, failed.After)
	}
	if left, ok := errors.AsType[*disconnected](err); ok {
		switch left.reason {
		case "link_disabled":
			pause = offBreak
		case "too_many_websockets":
			pause = max(pause, crowdedBreak)
		}
	}
	return pause + rand.N(pause/2+1) //nolint:gosec // jitter needs no secret
}

// wrongCredentials reports whether Slack itself says that the token will not do. A bare HTTP status is not enough to end a
// process.
func wrongCredentials(err error) bool {
	failed, ok := errors.AsType[*SlackError](err)
	return ok && failed.Class == ClassAuth && failed.Code != ""
}

func tokenAdvice(err error) string {
	if hasCode(err, "missing_scope") {
		return "the app-level token needs the scope connections:write"
	}
	return "use an app-level token (xapp-…) with the scope connections:write, from the app's Basic Information page"
}
