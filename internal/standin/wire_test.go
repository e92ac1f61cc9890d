package standin

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

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
	synctest.Test(t, func(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
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
			synctest.Test(t, func(t *testing.T) {
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
			synctest.Test(t, func(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
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
		synctest.Wait()
		if n != 1 {
			t.Errorf("delivered %d times, want once", n)
		}
	})
}
