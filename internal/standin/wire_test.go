package standin

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

// The vector that Slack prints in its page on verifying requests.
func TestTheSignatureIsThatOfSlacksDocument(t *testing.T) {
	t.Parallel()
	body := "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V" +
		"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
		"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
		"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	got := signature("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", []byte(body))
	if want := "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"; got != want {
		t.Errorf("signature = %s, want %s", got, want)
	}
}

func TestABotWorksByHTTPInABubble(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		a := &app{}
		o := byHTTP(t, a)
		m := o.post(url.Values{"text": {"hi"}, "blocks": {twoButtons}})
		if err := o.s.As("U0ANA").Click(t.Context(), m, "Yes & no", 0); err != nil {
			t.Fatal(err)
		}
		h := a.last(t)
		v, err := slack.NewSecretsVerifier(h.header, "secret")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Write(h.raw); err != nil {
			t.Fatal(err)
		}
		if err := v.Ensure(); err != nil {
			t.Errorf("the signature does not verify: %v", err)
		}
		checkClick(t, h.payload, m)
	})
}

func TestABotWorksBySocketModeInABubble(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		a := &app{}
		o := open(t, people())
		l := o.dial(a)
		if n := l.hello["num_connections"]; n != 1.0 {
			t.Errorf("num_connections = %v, want 1", n)
		}
		m := o.post(url.Values{"text": {"hi"}, "blocks": {twoButtons}})
		if err := o.s.As("U0ANA").Click(t.Context(), m, "Yes & no", 0); err != nil {
			t.Fatal(err)
		}
		h := a.last(t)
		if h.frame["type"] != "interactive" || h.frame["accepts_response_payload"] != false {
			t.Errorf("envelope = %v", h.frame)
		}
		checkClick(t, h.payload, m)
		time.Sleep(time.Hour) // pings go on, and nothing ends
		if n := o.s.Sockets(); n != 1 {
			t.Errorf("after an hour there are %d sockets, want 1", n)
		}
	})
}

func checkClick(t *testing.T, payload map[string]any, m Message) {
	t.Helper()
	did := payload["actions"].([]any)[0].(map[string]any)
	delete(did, "action_ts")
	want := map[string]any{
		"type": "button", "action_id": "yes", "block_id": "b", "value": "1",
		"text": map[string]any{"type": "plain_text", "text": "Yes &amp; no"},
	}
	if d := cmp.Diff(want, did); d != "" {
		t.Errorf("action (-want +got):\n%s", d)
	}
	if got := payload["message"].(map[string]any)["ts"]; got != m.TS {
		t.Errorf("message.ts = %v, want %s", got, m.TS)
	}
	wantContainer := map[string]any{"type": "message", "message_ts": m.TS, "channel_id": "C0PRODUCT", "is_ephemeral": false}
	if d := cmp.Diff(wantContainer, payload["container"]); d != "" {
		t.Errorf("container (-want +got):\n%s", d)
	}
	for _, name := range []string{"trigger_id", "response_url", "user", "team", "channel", "state", "api_app_id"} {
		if payload[name] == nil {
			t.Errorf("the payload has no %s", name)
		}
	}
}

func TestTheEventsURLIsVerifiedByItsChallenge(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		a := &app{}
		o := byHTTP(t, a)
		if err := o.s.Verify(t.Context()); err == nil {
			t.Error("Verify accepts an app that does not send the challenge back")
		}
		a.answer = func(h told) (any, int) { return map[string]any{"challenge": h.payload["challenge"]}, 0 }
		if err := o.s.Verify(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAClickThatIsNotAcknowledgedIsAnErrorAfterThreeSecondsAndNotRepeated(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"http", "socket"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				a := &app{answer: func(told) (any, int) { return nil, -1 }}
				o := inMode(t, mode, a)
				m := o.post(url.Values{"blocks": {twoButtons}})
				began := time.Now()
				err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0)
				if !errors.Is(err, ErrUnanswered) || time.Since(began) != 3*time.Second {
					t.Errorf("Click = %v after %v, want ErrUnanswered after 3s", err, time.Since(began))
				}
				time.Sleep(time.Hour)
				if n := len(a.all()); n != 1 {
					t.Errorf("the click was delivered %d times, want once", n)
				}
			})
		})
	}
}

func inMode(t *testing.T, mode string, a *app) *office {
	t.Helper()
	if mode == "http" {
		return byHTTP(t, a)
	}
	o := open(t, people())
	o.dial(a)
	return o
}

func TestAnEventIsRepeatedAtOnceAfterAMinuteAndAfterFive(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"http", "socket"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				began := time.Now()
				var at []time.Duration
				a := &app{}
				a.answer = func(told) (any, int) {
					at = append(at, time.Since(began))
					return nil, -1
				}
				o := inMode(t, mode, a)
				if err := o.s.As("U0ANA").Post(t.Context(), "C0PRODUCT", "", "hello"); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				want := []time.Duration{0, 3 * time.Second, 66 * time.Second, 369 * time.Second}
				if d := cmp.Diff(want, at); d != "" {
					t.Errorf("attempts (-want +got):\n%s", d)
				}
				checkRetries(t, mode, a.all())
			})
		})
	}
}

func checkRetries(t *testing.T, mode string, all []told) {
	t.Helper()
	for i, h := range all {
		num, reason := any(h.header.Get("X-Slack-Retry-Num")), any(h.header.Get("X-Slack-Retry-Reason"))
		want, wantReason := any([]string{"", "1", "2", "3"}[i]), any("http_timeout")
		if mode == "socket" {
			num, reason, want, wantReason = h.frame["retry_attempt"], h.frame["retry_reason"], float64(i), "timeout"
		}
		if i == 0 {
			wantReason = ""
		}
		if num != want || reason != wantReason {
			t.Errorf("attempt %d: retry %v for %v, want %v for %v", i, num, reason, want, wantReason)
		}
		if h.payload["event_id"] != all[0].payload["event_id"] {
			t.Errorf("attempt %d has another event_id", i)
		}
	}
}

func TestAnAppMaySayThatItWantsNoRepetition(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		n := 0
		pipe := Serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n++
			w.Header().Set("X-Slack-No-Retry", "1")
			w.WriteHeader(http.StatusInternalServerError)
		}))
		client := pipe.Client()
		defer func() { client.CloseIdleConnections(); pipe.Stop() }()
		opts := people()
		opts.HTTPClient, opts.EventsURL = client, "http://app/events"
		o := open(t, opts)
		if err := o.s.As("U0ANA").Post(t.Context(), "C0PRODUCT", "", "hello"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if n != 1 {
			t.Errorf("delivered %d times, want once", n)
		}
	})
}

func TestATicketOpensOneSocketOnce(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
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
	bubble(t, func(t *testing.T) {
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
	bubble(t, func(t *testing.T) {
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
		bubble(t, func(t *testing.T) {
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
			bubble(t, func(t *testing.T) {
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
	bubble(t, func(t *testing.T) {
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
