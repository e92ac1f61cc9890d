package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// sockets is the Socket Mode of a Slack: it opens connections and says what a test wants.
type sockets struct {
	t      *testing.T
	mu     sync.Mutex
	opened []time.Time
	refuse string // the answer of apps.connections.open instead of a URL
	mute   bool   // says no hello
	count  int    // num_connections of the next hello; 0 is the right one
	conns  []*wire
}

// wire is one connection as Slack has it.
type wire struct {
	ws     *websocket.Conn
	acks   chan string
	closed chan error
	mute   chan struct{} // closed to stop reading: then no pong comes
}

func (s *sockets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/apps.connections.open" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.opened = append(s.opened, time.Now())
		if s.refuse != "" {
			_, _ = io.WriteString(w, s.refuse)
			return
		}
		_, _ = io.WriteString(w, `{"ok":true,"url":"ws://slack.test/socket?ticket=1"}`)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	c := &wire{ws: ws, acks: make(chan string, 5_000), closed: make(chan error, 1), mute: make(chan struct{})}
	s.mu.Lock()
	s.conns = append(s.conns, c)
	n, mute := s.count, s.mute
	if n == 0 {
		n = len(s.conns)
	}
	s.mu.Unlock()
	if !mute {
		c.say(fmt.Sprintf(`{"type":"hello","num_connections":%d,"connection_info":{"app_id":"A1"}}`, n))
	}
	for {
		_, data, err := ws.Read(r.Context())
		if err != nil {
			c.closed <- err
			_ = ws.CloseNow()
			return
		}
		c.acks <- string(data)
		if closed(c.mute) {
			time.Sleep(time.Hour)
		}
	}
}

func (c *wire) say(message string) {
	_ = c.ws.Write(context.Background(), websocket.MessageText, []byte(message))
}

func (s *sockets) all() []*wire {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*wire(nil), s.conns...)
}

func (s *sockets) openings() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.opened...)
}

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// running is a Socket in a bubble.
type running struct {
	*Socket
	slack *sockets
	log   *logged
	stop  func() error // ends Run and returns what it returned
}

// withSocket runs f with a socket whose connections are open.
func withSocket(t *testing.T, receive Receive, f func(t *testing.T, r running)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := start(t, &sockets{t: t}, receive)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := len(r.slack.all()); n != 2 {
			t.Fatalf("%d connections, want 2", n)
		}
		f(t, r)
		if err := r.stop(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

func start(t *testing.T, slack *sockets, receive Receive) running {
	t.Helper()
	var log logged
	s := NewSocket(SocketOptions{
		AppToken: "xapp-test", APIURL: "http://slack.test/api/", HTTPClient: pipes(t, slack),
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, receive) }()
	return running{Socket: s, slack: slack, log: &log, stop: sync.OnceValue(func() error { cancel(); return <-ended })}
}

func nothing(context.Context, Delivery) json.RawMessage { return nil }

const click = `{"envelope_id":%q,"type":"interactive","accepts_response_payload":true,"payload":{"n":%d}}`

func nextAck(t *testing.T, c *wire) string {
	t.Helper()
	select {
	case a := <-c.acks:
		return a
	case <-time.After(30 * time.Second):
		t.Fatal("no ack came")
		return ""
	}
}

func TestADeliveryIsAckedOnTheConnectionThatBroughtIt(t *testing.T) {
	withSocket(t, func(_ context.Context, d Delivery) json.RawMessage { return d.Payload }, func(t *testing.T, r running) {
		for i, c := range r.slack.all() {
			c.say(fmt.Sprintf(click, fmt.Sprint("e", i), i))
			want := fmt.Sprintf(`{"envelope_id":"e%d","payload":{"n":%d}}`, i, i)
			if got := nextAck(t, c); got != want {
				t.Errorf("connection %d got %s, want %s", i, got, want)
			}
		}
		for i, c := range r.slack.all() {
			if len(c.acks) != 0 {
				t.Errorf("connection %d got a second ack", i)
			}
		}
	})
}

func TestWhatNobodyKnowsIsAckedAndWhatCannotBeReadHurtsNobody(t *testing.T) {
	received := 0
	withSocket(t, func(context.Context, Delivery) json.RawMessage { received++; return nil }, func(t *testing.T, r running) {
		c := r.slack.all()[0]
		for _, odd := range []string{`{`, `[]`, ``, `{"type":"future"}`, `{"type":"hello","num_connections":1}`} {
			c.say(odd)
		}
		c.say(`{"envelope_id":"e1","type":"type_of_tomorrow","payload":{}}`)
		if got := nextAck(t, c); got != `{"envelope_id":"e1"}` {
			t.Errorf("ack = %s", got)
		}
		c.say(`{"envelope_id":"e2","type":"events_api","payload":"unexpected","retry_attempt":"x"}`)
		if got := nextAck(t, c); got != `{"envelope_id":"e2"}` || received != 1 {
			t.Errorf("ack = %s, %d received", got, received)
		}
	})
}

func TestSlowWorkDoesNotKeepTheConnectionFromBeingRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := start(t, &sockets{t: t}, func(_ context.Context, d Delivery) json.RawMessage {
			if d.Kind == Interactive {
				<-release
			}
			return nil
		})
		time.Sleep(2 * time.Second)
		c := r.slack.all()[0]
		for i := range 40 {
			c.say(fmt.Sprintf(click, fmt.Sprint("e", i), i))
		}
		c.say(`{"envelope_id":"quick","type":"events_api","payload":{}}`)
		if got := nextAck(t, c); got != `{"envelope_id":"quick"}` {
			t.Errorf("first ack = %s", got)
		}
		if err := c.ws.Ping(t.Context()); err != nil {
			t.Errorf("ping: %v", err)
		}
		close(release)
		for range 40 {
			nextAck(t, c)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatIsTooMuchIsNotAcked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := start(t, &sockets{t: t}, func(context.Context, Delivery) json.RawMessage { <-release; return nil })
		time.Sleep(2 * time.Second)
		c := r.slack.all()[0]
		for i := range atOnce + waitAtMost + 5 {
			c.say(fmt.Sprintf(click, fmt.Sprint("e", i), i))
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if n := len(c.acks); n != atOnce+waitAtMost {
			t.Errorf("%d acks, want %d", n, atOnce+waitAtMost)
		}
		c.say(`{"envelope_id":"after","type":"interactive","payload":{}}`)
		synctest.Wait()
		if n := len(c.acks); n != atOnce+waitAtMost+1 {
			t.Errorf("after the rush %d acks", n)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestAnEnvelopeThatComesAgainIsAckedAgainAndReceivedOnce(t *testing.T) {
	var mu sync.Mutex
	received := 0
	withSocket(t, func(context.Context, Delivery) json.RawMessage {
		mu.Lock()
		received++
		mu.Unlock()
		time.Sleep(time.Second)
		return json.RawMessage(`{"a":1}`)
	}, func(t *testing.T, r running) {
		both := r.slack.all()
		both[0].say(fmt.Sprintf(click, "e1", 1))
		both[1].say(fmt.Sprintf(click, "e1", 1)) // while the first is in hand
		for i, c := range both {
			if got := nextAck(t, c); got != `{"envelope_id":"e1","payload":{"a":1}}` {
				t.Errorf("connection %d got %s", i, got)
			}
		}
		both[1].say(fmt.Sprintf(click, "e1", 1)) // when it is done
		nextAck(t, both[1])
		if received != 1 {
			t.Errorf("received %d times", received)
		}
	})
}

func TestAPanicIsNotAckedAndTheNextTryIsReceived(t *testing.T) {
	tries := 0
	withSocket(t, func(context.Context, Delivery) json.RawMessage {
		if tries++; tries == 1 {
			panic("SECRET")
		}
		return nil
	}, func(t *testing.T, r running) {
		c := r.slack.all()[0]
		c.say(fmt.Sprintf(click, "e1", 1))
		synctest.Wait()
		if len(c.acks) != 0 {
			t.Errorf("a panic was acked: %s", <-c.acks)
		}
		c.say(fmt.Sprintf(click, "e1", 1))
		nextAck(t, c)
		if tries != 2 || strings.Contains(r.log.String(), "SECRET") {
			t.Errorf("%d tries, log %s", tries, r.log)
		}
	})
}

func TestARenewalOpensTheNextConnectionFirstAndLosesNothing(t *testing.T) {
	for _, reason := range []string{"warning", "refresh_requested"} {
		t.Run(reason, func(t *testing.T) {
			withSocket(t, nothing, func(t *testing.T, r running) {
				old := r.slack.all()[0]
				old.say(`{"type":"disconnect","reason":"` + reason + `","debug_info":{}}`)
				synctest.Wait()
				if n := len(r.slack.all()); n != 3 {
					t.Fatalf("%d connections were opened, want a third beside the old one", n)
				}
				old.say(fmt.Sprintf(click, "late", 1))
				if got := nextAck(t, old); got != `{"envelope_id":"late"}` {
					t.Errorf("ack = %s", got)
				}
				time.Sleep(drainWithin + time.Second)
				select {
				case err := <-old.closed:
					if websocket.CloseStatus(err) != websocket.StatusNormalClosure {
						t.Errorf("the old connection ended with %v", err)
					}
				default:
					t.Error("the old connection was kept for ever")
				}
				if ok, why := r.Ready(); !ok {
					t.Errorf("not ready: %s", why)
				}
				if n := len(r.slack.all()); n != 3 {
					t.Errorf("%d connections were opened, want 3", n)
				}
			})
		})
	}
}

func TestWhyThereIsNoConnectionIsSaidInWordsAndLoggedOnce(t *testing.T) {
	for reason, c := range map[string]struct {
		words string
		wait  time.Duration // at least, before the next try
	}{
		"link_disabled":       {"switch it on in the app's settings", offBreak},
		"too_many_websockets": {"look for other programs", crowdedBreak},
		"reason_of_tomorrow":  {"reason_of_tomorrow", 0},
	} {
		t.Run(reason, func(t *testing.T) {
			withSocket(t, nothing, func(t *testing.T, r running) {
				r.slack.mu.Lock()
				r.slack.refuse = `{"ok":false,"error":"internal_error"}`
				r.slack.mu.Unlock()
				began := time.Now()
				for _, c := range r.slack.all() {
					c.say(`{"type":"disconnect","reason":"` + reason + `"}`)
					_ = c.ws.Close(websocket.StatusNormalClosure, "")
				}
				synctest.Wait()
				if c.wait > 0 {
					ok, why := r.Ready()
					if ok || !strings.Contains(why, c.words) {
						t.Errorf("Ready = %v, %q, want words of %q", ok, why, c.words)
					}
				}
				if n := strings.Count(r.log.String(), c.words); n != 1 {
					t.Errorf("the log says why %d times:\n%s", n, r.log)
				}
				time.Sleep(20 * time.Minute)
				for _, at := range r.slack.openings()[2:] {
					if at.Sub(began) < c.wait {
						t.Errorf("a new try after %v", at.Sub(began))
					}
				}
				if tries := len(r.slack.openings()) - 2; tries < 2 || tries > 120 {
					t.Errorf("%d tries in 20 minutes", tries)
				}
				r.slack.mu.Lock()
				r.slack.refuse = ""
				r.slack.mu.Unlock()
				time.Sleep(8 * time.Minute)
				if ok, why := r.Ready(); !ok {
					t.Errorf("it did not come back: %s", why)
				}
			})
		})
	}
}

func TestACutConnectionIsOpenedAgainAtOnce(t *testing.T) {
	withSocket(t, nothing, func(t *testing.T, r running) {
		time.Sleep(2 * steady)
		began := time.Now()
		_ = r.slack.all()[0].ws.CloseNow()
		synctest.Wait()
		time.Sleep(100 * time.Millisecond)
		if n := len(r.slack.all()); n != 3 {
			t.Errorf("%v after the cut %d connections had been opened, want 3", time.Since(began), n)
		}
		if ok, why := r.Ready(); !ok {
			t.Errorf("not ready although one was open all the time: %s", why)
		}
	})
}

func TestAHalfOpenConnectionIsNoticed(t *testing.T) {
	withSocket(t, nothing, func(t *testing.T, r running) {
		dead := r.slack.all()[0]
		close(dead.mute)
		dead.say(fmt.Sprintf(click, "last", 1)) // its ack is the last that is read
		time.Sleep(2*pingEvery + pongWithin)
		synctest.Wait()
		if n := len(r.slack.all()); n != 3 {
			t.Errorf("%d connections were opened, want 3", n)
		}
		if !strings.Contains(r.log.String(), "no pong") {
			t.Errorf("the log does not say why:\n%s", r.log)
		}
		time.Sleep(2 * time.Hour) // the mute side wakes up and ends
	})
}

func TestAConnectionWithoutAHelloIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, &sockets{t: t, mute: true}, nothing)
		time.Sleep(helloWithin / 2)
		if ok, _ := r.Ready(); ok {
			t.Error("ready without a hello")
		}
		time.Sleep(helloWithin)
		if _, why := r.Ready(); !strings.Contains(why, "no hello") {
			t.Errorf("why = %q", why)
		}
		r.slack.mu.Lock()
		r.slack.mute = false
		r.slack.mu.Unlock()
		time.Sleep(5 * time.Minute)
		if ok, why := r.Ready(); !ok {
			t.Errorf("it did not come back: %s", why)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestGhostsAreNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, &sockets{t: t, count: 10}, nothing)
		time.Sleep(5 * time.Second)
		if n := strings.Count(r.log.String(), "ghosts"); n != 1 || !strings.Contains(r.log.String(), "slack_counts=10") {
			t.Errorf("the log tells of ghosts %d times:\n%s", n, r.log)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	withSocket(t, nothing, func(t *testing.T, r running) {
		if strings.Contains(r.log.String(), "ghosts") {
			t.Errorf("the right number of connections is taken for ghosts:\n%s", r.log)
		}
	})
}

func TestWrongCredentialsEndRunAndSayWhatToDo(t *testing.T) {
	for code, words := range map[string]string{
		"invalid_auth": "xapp-", "not_allowed_token_type": "xapp-", "missing_scope": "connections:write",
		"token_revoked": "xapp-", "account_inactive": "xapp-", "token_expired": "xapp-", "not_authed": "xapp-",
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, &sockets{t: t, refuse: `{"ok":false,"error":"` + code + `"}`}, nothing)
			time.Sleep(time.Minute)
			err := r.stop()
			if !hasCode(err, code) || !strings.Contains(err.Error(), words) {
				t.Errorf("Run = %v, want %s and %q", err, code, words)
			}
			if n := len(r.slack.openings()); n != 1 {
				t.Errorf("%s was tried %d times", code, n)
			}
		})
	}
}

func TestALimitOfOpeningsIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, &sockets{t: t, refuse: `{"ok":false,"error":"ratelimited","retry_after":45}`}, nothing)
		time.Sleep(44 * time.Second)
		if n := len(r.slack.openings()); n != 1 {
			t.Errorf("%d tries within the limit, want 1", n)
		}
		if _, why := r.Ready(); !strings.Contains(why, "ratelimited") && !strings.Contains(why, "turn") {
			t.Errorf("why = %q", why)
		}
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestTheEndWaitsForTheAcksAndSaysGoodbye(t *testing.T) {
	withSocket(t, func(context.Context, Delivery) json.RawMessage { time.Sleep(2 * time.Second); return nil }, func(t *testing.T, r running) {
		both := r.slack.all()
		both[0].say(fmt.Sprintf(click, "e1", 1))
		synctest.Wait()
		began := time.Now()
		if err := r.stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != 2*time.Second {
			t.Errorf("the end took %v, want the 2 s of what was in hand", took)
		}
		if got := nextAck(t, both[0]); got != `{"envelope_id":"e1"}` {
			t.Errorf("ack = %s", got)
		}
		for i, c := range both {
			if err := <-c.closed; websocket.CloseStatus(err) != websocket.StatusNormalClosure {
				t.Errorf("connection %d ended with %v, want a close frame", i, err)
			}
		}
		if ok, _ := r.Ready(); ok {
			t.Error("ready after the end")
		}
	})
}

func TestTheEndDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := start(t, &sockets{t: t}, func(context.Context, Delivery) json.RawMessage { <-release; return nil })
		time.Sleep(2 * time.Second)
		r.slack.all()[0].say(fmt.Sprintf(click, "e1", 1))
		synctest.Wait()
		began := time.Now()
		if err := r.stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < ackedWithin || took > 3*ackedWithin {
			t.Errorf("the end took %v", took)
		}
		close(release)
	})
}

func TestASocketWhoseSlackIsAwayKeepsTrying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := &http.Client{Transport: refusing{}}
		s := NewSocket(SocketOptions{AppToken: "xapp-test", APIURL: "http://slack.test/api/", HTTPClient: away})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		if err := s.Run(ctx, nothing); err != nil {
			t.Errorf("Run = %v", err)
		}
		_, why := s.Ready()
		if !strings.Contains(why, "dial") {
			t.Errorf("why = %q", why)
		}
	})
}

func TestPausesGrowAndAreJittered(t *testing.T) {
	cut := &disconnected{err: errors.New("cut")}
	for tries, want := range []time.Duration{0, 1, 2, 4, 8, 16, 30, 30} {
		want *= time.Second
		for range 50 {
			if got := pauseAfter(cut, tries); got < want || got > want*3/2 {
				t.Fatalf("pause %d = %v, want %v to half more", tries, got, want)
			}
		}
	}
	if got := pauseAfter(cut, 1_000); got > longestBreak*3/2 {
		t.Errorf("pause 1000 = %v", got)
	}
	if got := pauseAfter(&SlackError{Class: ClassRetry, After: 2 * time.Minute}, 0); got < 2*time.Minute {
		t.Errorf("pause = %v, want Slack's 2 minutes", got)
	}
}
