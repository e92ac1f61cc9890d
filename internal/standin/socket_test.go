package standin

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

func TestATicketOpensOneSocketOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		_, at, err := o.api.StartSocketModeContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l := o.dialURL(at)
		defer func() { _ = l.conn.CloseNow() }()
		if conn, resp, err := websocket.Dial(t.Context(), at, &websocket.DialOptions{HTTPClient: o.client}); err == nil {
			_ = conn.CloseNow()
			t.Error("the ticket opened a second socket")
		} else if resp == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("second use: %v, want status 403", resp)
		}
		_, late, _ := o.api.StartSocketModeContext(t.Context())
		time.Sleep(31 * time.Second)
		if conn, _, err := websocket.Dial(t.Context(), late, &websocket.DialOptions{HTTPClient: o.client}); err == nil {
			_ = conn.CloseNow()
			t.Error("an old ticket opened a socket")
		}
	})
}

func TestTheEleventhSocketIsTooMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		a := &app{}
		for i := range maxSockets {
			if n := o.dial(a).hello["num_connections"]; n != float64(i+1) {
				t.Errorf("num_connections = %v, want %d", n, i+1)
			}
		}
		if l := o.dial(a); l.hello["type"] != "disconnect" || l.hello["reason"] != "too_many_websockets" {
			t.Errorf("the eleventh got %v", l.hello)
		}
		if n := o.s.Sockets(); n != maxSockets {
			t.Errorf("%d sockets are open, want %d", n, maxSockets)
		}
	})
}

func TestAFrameThatIsTooLongClosesTheSocket(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		l := o.dial(&app{})
		if err := l.conn.Write(t.Context(), websocket.MessageText, make([]byte, maxFrame)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := o.s.Sockets(); n != 1 {
			t.Fatalf("a frame of %d bytes closed the socket", maxFrame)
		}
		_ = l.conn.Write(t.Context(), websocket.MessageText, make([]byte, maxFrame+1))
		<-l.gone
		if got := websocket.CloseStatus(l.end); got != websocket.StatusMessageTooBig {
			t.Errorf("closed with %v, want 1009 (%v)", got, l.end)
		}
	})
}

func TestAnAcknowledgementCountsOnTheSocketThatDelivered(t *testing.T) {
	t.Parallel()
	for _, anywhere := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			opts := people()
			opts.AckAnywhere = anywhere
			o := open(t, opts)
			var other *line
			a := &app{}
			o.dial(a)
			m := o.post(url.Values{"blocks": {twoButtons}})
			a.answer = func(h told) (any, int) {
				other = o.dial(&app{})
				_ = other.write(map[string]any{"envelope_id": h.frame["envelope_id"]})
				return nil, -1
			}
			if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); (err == nil) != anywhere {
				t.Errorf("AckAnywhere %v: Click = %v", anywhere, err)
			}
		})
	}
}

func TestSocketsEndAsTheReasonSays(t *testing.T) {
	t.Parallel()
	for reason, after := range map[string]time.Duration{
		"warning": 10 * time.Second, "refresh_requested": 0, "link_disabled": 0, "too_many_websockets": 0, "": 0,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o := open(t, people())
				a := &app{}
				l := o.dial(a)
				began := time.Now()
				o.s.Disconnect(reason)
				<-l.gone
				if got := time.Since(began); got != after {
					t.Errorf("closed after %v, want %v", got, after)
				}
				if reason == "" {
					if len(a.all()) != 0 || websocket.CloseStatus(l.end) != -1 {
						t.Errorf("a cut connection said %v and closed with %v", a.all(), l.end)
					}
					return
				}
				if got := a.last(t).frame; got["type"] != "disconnect" || got["reason"] != reason {
					t.Errorf("said %v", got)
				}
			})
		})
	}
}

func TestWithoutASocketAClickIsLostAndAnEventTriesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		m := o.post(url.Values{"blocks": {twoButtons}})
		if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); !errors.Is(err, ErrUnanswered) {
			t.Errorf("Click = %v, want ErrUnanswered", err)
		}
		o.s.Archive("C0PRODUCT")
		time.Sleep(30 * time.Second)
		a := &app{}
		o.dial(a)
		time.Sleep(time.Minute)
		ev := a.last(t).payload["event"].(map[string]any)
		if len(a.all()) != 1 || ev["type"] != "channel_archive" || ev["channel"] != "C0PRODUCT" {
			t.Errorf("heard %v", a.all())
		}
	})
}

func TestASocketThatReadsNothingHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		_, at, err := o.api.StartSocketModeContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l := o.dialURL(at) // and never read again
		defer func() { _ = l.conn.CloseNow() }()
		m := o.post(url.Values{"blocks": {twoButtons}})
		began := time.Now()
		if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); !errors.Is(err, ErrUnanswered) || time.Since(began) != ackTime {
			t.Errorf("Click = %v after %v", err, time.Since(began))
		}
	})
}
