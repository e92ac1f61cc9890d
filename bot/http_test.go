package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const testSecret = "8f742231b10e8888abcd99yyyzzz85a5"

// The example of Slack's documentation.
func TestTheSignatureIsTheOneThatSlackDocuments(t *testing.T) {
	body := "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
		"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
		"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
		"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
	want := "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
	if got := sign([]byte(testSecret), "1531420618", []byte(body)); got != want {
		t.Errorf("sign = %s, want %s", got, want)
	}
}

// posted is a request to the endpoints that Slack signed just now.
func posted(path, contentType, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("X-Slack-Request-Timestamp", stamp)
	r.Header.Set("X-Slack-Signature", sign([]byte(testSecret), stamp, []byte(body)))
	return r
}

// taken answers a request and returns the answer and what was delivered, if anything.
func taken(r *http.Request, ack json.RawMessage) (*httptest.ResponseRecorder, []Delivery) {
	var got []Delivery
	h := HTTP(HTTPOptions{SigningSecret: testSecret}, func(_ context.Context, d Delivery) json.RawMessage {
		got = append(got, d)
		return ack
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w, got
}

func TestEachEndpointDeliversItsKind(t *testing.T) {
	for _, c := range []struct {
		path, contentType, body string
		want                    Delivery
	}{
		{
			"/slack/events", "application/json", `{"type":"event_callback","event_id":"Ev1"}`,
			Delivery{Kind: EventsAPI, Payload: json.RawMessage(`{"type":"event_callback","event_id":"Ev1"}`)},
		},
		{
			"/slack/interactions", formType, "payload=" + url.QueryEscape(`{"type":"block_actions","x":"a+b % ** é"}`),
			Delivery{Kind: Interactive, Payload: json.RawMessage(`{"type":"block_actions","x":"a+b % ** é"}`)},
		},
		{
			"/slack/commands", formType + "; charset=utf-8", "command=%2Fstops&text=show+a%2Bb+%25+**+%C3%A9&user_id=U1",
			Delivery{Kind: SlashCommand, Payload: json.RawMessage(`{"command":"/stops","text":"show a+b % ** é","user_id":"U1"}`)},
		},
	} {
		w, got := taken(posted(c.path, c.contentType, c.body), nil)
		if w.Code != http.StatusOK || w.Body.Len() != 0 {
			t.Errorf("%s: answer %d %q, want an empty 200", c.path, w.Code, w.Body)
		}
		if diff := cmp.Diff([]Delivery{c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
	}
}

func TestTheAckIsTheAnswer(t *testing.T) {
	w, _ := taken(posted("/slack/interactions", formType, "payload=%7B%7D"), json.RawMessage(`{"response_action":"clear"}`))
	if w.Code != http.StatusOK || w.Body.String() != `{"response_action":"clear"}` || w.Header().Get("Content-Type") != jsonType {
		t.Errorf("answer %d %q of type %q", w.Code, w.Body, w.Header().Get("Content-Type"))
	}
}

func TestBytesThatAreNotUTF8AreVerifiedAsTheyCameAndDelivered(t *testing.T) {
	w, got := taken(posted("/slack/commands", formType, "text=%ff%fe\xff&command=%2Fstops"), nil)
	if w.Code != http.StatusOK || len(got) != 1 {
		t.Fatalf("answer %d, %d deliveries", w.Code, len(got))
	}
	var fields map[string]string
	if err := json.Unmarshal(got[0].Payload, &fields); err != nil || fields["command"] != "/stops" || !utf8.Valid(got[0].Payload) {
		t.Errorf("fields = %v, %v", fields, err)
	}
}

func TestARequestThatSlackDidNotSignIsRefused(t *testing.T) {
	now := time.Now()
	at := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	body := "payload=%7B%7D"
	signedAt := func(r *http.Request, stamp string) {
		r.Header.Set("X-Slack-Request-Timestamp", stamp)
		r.Header.Set("X-Slack-Signature", sign([]byte(testSecret), stamp, []byte(body)))
	}
	for name, change := range map[string]func(*http.Request){
		"without a signature":      func(r *http.Request) { r.Header.Del("X-Slack-Signature") },
		"without a time":           func(r *http.Request) { r.Header.Del("X-Slack-Request-Timestamp") },
		"with an empty signature":  func(r *http.Request) { r.Header.Set("X-Slack-Signature", "") },
		"with two signatures":      func(r *http.Request) { r.Header.Add("X-Slack-Signature", r.Header.Get("X-Slack-Signature")) },
		"with two times":           func(r *http.Request) { r.Header.Add("X-Slack-Request-Timestamp", at(0)) },
		"of six minutes ago":       func(r *http.Request) { signedAt(r, at(-6*time.Minute)) },
		"of the future":            func(r *http.Request) { signedAt(r, at(6*time.Minute)) },
		"of a time with a sign":    func(r *http.Request) { signedAt(r, "+"+at(0)) },
		"of a time in hexadecimal": func(r *http.Request) { signedAt(r, "0x6") },
		"of a huge time":           func(r *http.Request) { signedAt(r, "99999999999999999999") },
		"of a time that is words":  func(r *http.Request) { signedAt(r, "now") },
		"of another version": func(r *http.Request) {
			r.Header.Set("X-Slack-Signature", "v1="+strings.TrimPrefix(r.Header.Get("X-Slack-Signature"), "v0="))
		},
		"of another time": func(r *http.Request) { r.Header.Set("X-Slack-Request-Timestamp", at(-time.Second)) },
		"with another secret": func(r *http.Request) {
			r.Header.Set("X-Slack-Signature", sign([]byte("other"), r.Header.Get("X-Slack-Request-Timestamp"), []byte(body)))
		},
		"with another body":     func(r *http.Request) { r.Body = http.NoBody },
		"with half a signature": func(r *http.Request) { r.Header.Set("X-Slack-Signature", r.Header.Get("X-Slack-Signature")[:30]) },
	} {
		r := posted("/slack/interactions", formType, body)
		change(r)
		if w, got := taken(r, nil); w.Code != http.StatusUnauthorized || len(got) != 0 {
			t.Errorf("%s: answer %d, %d deliveries, want 401 and none", name, w.Code, len(got))
		}
	}
	r := posted("/slack/interactions", formType, body)
	signedAt(r, at(-290*time.Second))
	if w, got := taken(r, nil); w.Code != http.StatusOK || len(got) != 1 {
		t.Errorf("of less than five minutes ago: answer %d, %d deliveries", w.Code, len(got))
	}
}

func TestWhatIsNotForTheEndpointsIsRefused(t *testing.T) {
	get := posted("/slack/events", jsonType, `{}`)
	get.Method = http.MethodGet
	put := posted("/slack/commands", formType, "")
	put.Method = http.MethodPut
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
	}{
		{"GET", get, 405},
		{"PUT", put, 405},
		{"an unknown path", posted("/slack/other", jsonType, `{}`), 404},
		{"a path below", posted("/slack/events/", jsonType, `{}`), 404},
		{"a form as an event", posted("/slack/events", formType, `payload={}`), 415},
		{"JSON as a command", posted("/slack/commands", jsonType, `{}`), 415},
		{"no type", posted("/slack/interactions", "", `payload={}`), 415},
		{"an event that is no JSON", posted("/slack/events", jsonType, `{`), 400},
		{"an event that is a list", posted("/slack/events", jsonType, `[]`), 400},
		{"no payload", posted("/slack/interactions", formType, "other=1"), 400},
		{"two payloads", posted("/slack/interactions", formType, "payload=%7B%7D&payload=%7B%7D"), 400},
		{"a payload that is a text", posted("/slack/interactions", formType, "payload=x"), 400},
		{"a broken escape", posted("/slack/interactions", formType, "payload=%zz"), 400},
		{"too much", posted("/slack/events", jsonType, `{"a":"`+strings.Repeat("x", maxBody)+`"}`), 413},
	} {
		if w, got := taken(c.r, nil); w.Code != c.status || len(got) != 0 {
			t.Errorf("%s: answer %d, %d deliveries, want %d and none", c.name, w.Code, len(got), c.status)
		}
	}
	w, got := taken(posted("/slack/events", jsonType, `{"a":"`+strings.Repeat("x", maxBody-20)+`"}`), nil)
	if w.Code != http.StatusOK || len(got) != 1 {
		t.Errorf("just under the limit: answer %d, %d deliveries", w.Code, len(got))
	}
}

func TestSlackMayCheckTheURL(t *testing.T) {
	w, got := taken(posted("/slack/events", jsonType, `{"type":"url_verification","token":"x","challenge":"3eZ<b>"}`), nil)
	if w.Code != http.StatusOK || w.Body.String() != "3eZ<b>" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") || len(got) != 0 {
		t.Errorf("answer %d %q of type %q, %d deliveries", w.Code, w.Body, w.Header().Get("Content-Type"), len(got))
	}
	unsigned := httptest.NewRequest(http.MethodPost, "/slack/commands", strings.NewReader("ssl_check=1&token=x"))
	unsigned.Header.Set("Content-Type", formType)
	if w, got := taken(unsigned, nil); w.Code != http.StatusOK || len(got) != 0 {
		t.Errorf("ssl_check: answer %d, %d deliveries, want 200 and none", w.Code, len(got))
	}
	unsigned = httptest.NewRequest(http.MethodPost, "/slack/events", strings.NewReader(`{"type":"url_verification","challenge":"x"}`))
	unsigned.Header.Set("Content-Type", jsonType)
	if w, _ := taken(unsigned, nil); w.Code != http.StatusUnauthorized {
		t.Errorf("an unsigned url_verification: answer %d, want 401", w.Code)
	}
}

func TestARetryIsDeliveredWithItsNumber(t *testing.T) {
	for header, want := range map[string]int{"1": 1, "3": 3, "": 0, "-1": 0, "x": 0} {
		r := posted("/slack/events", jsonType, `{}`)
		r.Header.Set("X-Slack-Retry-Num", header)
		r.Header.Set("X-Slack-Retry-Reason", "http_timeout")
		if w, got := taken(r, nil); w.Code != http.StatusOK || len(got) != 1 || got[0].Retry != want {
			t.Errorf("X-Slack-Retry-Num %q: answer %d, deliveries %+v, want retry %d", header, w.Code, got, want)
		}
	}
}

func TestAReplayWithinTheWindowReachesReceive(t *testing.T) {
	n := 0
	h := HTTP(HTTPOptions{SigningSecret: testSecret}, func(context.Context, Delivery) json.RawMessage { n++; return nil })
	first := posted("/slack/events", jsonType, `{"event_id":"Ev1"}`)
	again := first.Clone(t.Context())
	again.Body = posted("/slack/events", jsonType, `{"event_id":"Ev1"}`).Body
	h.ServeHTTP(httptest.NewRecorder(), first)
	h.ServeHTTP(httptest.NewRecorder(), again)
	if n != 2 {
		t.Errorf("Receive saw %d of 2", n)
	}
}

func TestAPanicIsAnswered500WithoutADetail(t *testing.T) {
	var logged bytes.Buffer
	h := HTTP(HTTPOptions{SigningSecret: testSecret, Log: slog.New(slog.NewTextHandler(&logged, nil))}, func(_ context.Context, d Delivery) json.RawMessage {
		panic("no idea what to do with " + string(d.Payload))
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, posted("/slack/events", jsonType, `{"text":"SECRET"}`))
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String()+logged.String(), "SECRET") {
		t.Errorf("answer %d %q, log %s", w.Code, w.Body, &logged)
	}
	if !strings.Contains(logged.String(), "TestAPanicIsAnswered500WithoutADetail") {
		t.Errorf("the log does not say where: %s", &logged)
	}
}

func TestReceiveHasTimeToAnswerWithinThreeSecondsAndOutlivesTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cause error
		h := HTTP(HTTPOptions{SigningSecret: testSecret}, func(ctx context.Context, _ Delivery) json.RawMessage {
			<-ctx.Done()
			cause = ctx.Err()
			return nil
		})
		gone, cancel := context.WithCancel(t.Context())
		cancel() // Slack hung up
		began := time.Now()
		h.ServeHTTP(httptest.NewRecorder(), posted("/slack/events", jsonType, `{}`).WithContext(gone))
		if took := time.Since(began); took != ackWithin || took >= 3*time.Second || !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("Receive had %v and ended with %v", took, cause)
		}
	})
}

func TestWithoutASecretThereIsNoEndpoint(t *testing.T) {
	for _, secret := range []string{"", "  \n"} {
		if (HTTPOptions{SigningSecret: secret}).Check() == nil {
			t.Errorf("Check of %q = nil", secret)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("HTTP with the secret %q did not panic", secret)
				}
			}()
			HTTP(HTTPOptions{SigningSecret: secret}, nil)
		}()
	}
}

func FuzzHTTP(f *testing.F) {
	f.Add(0, formType, []byte("payload=%7B%22a%22%3A1%7D"))
	f.Add(1, jsonType, []byte(`{"type":"url_verification","challenge":"x"}`))
	f.Add(2, formType+"; charset=utf-8", []byte("text=%ff+%25**&command=/stops;a=b&&=&ssl_check=1"))
	f.Add(0, formType, []byte("payload=%7B%7D&payload=1"))
	f.Add(1, "application/json;;", []byte("\xff{}"))
	paths := []string{"/slack/interactions", "/slack/events", "/slack/commands"}
	f.Fuzz(func(t *testing.T, path int, contentType string, body []byte) {
		if len(body) > maxBody {
			return
		}
		w, got := taken(posted(paths[max(path, -path, 0)%3], contentType, string(body)), nil)
		switch w.Code {
		case 200, 400, 415:
		default:
			t.Fatalf("answer %d", w.Code)
		}
		for _, d := range got {
			var fields map[string]json.RawMessage
			if w.Code != 200 || json.Unmarshal(d.Payload, &fields) != nil {
				t.Fatalf("answer %d, delivered %q", w.Code, d.Payload)
			}
		}
	})
}

func FuzzSignature(f *testing.F) {
	now := strconv.FormatInt(time.Now().Unix(), 10)
	f.Add(now, "v0=", []byte("payload=%7B%7D"))
	f.Add(now, sign([]byte("other"), now, []byte("a")), []byte("a"))
	f.Add("", "", []byte(""))
	f.Add("99999999999", "v0=\x00", []byte("\xff"))
	f.Fuzz(func(t *testing.T, stamp, signature string, body []byte) {
		if signature == sign([]byte(testSecret), stamp, body) || sslCheck(body) || len(body) > maxBody {
			return
		}
		r := posted("/slack/commands", formType, string(body))
		r.Header.Set("X-Slack-Request-Timestamp", stamp)
		r.Header.Set("X-Slack-Signature", signature)
		if w, got := taken(r, nil); w.Code != http.StatusUnauthorized || len(got) != 0 {
			t.Fatalf("answer %d, %d deliveries", w.Code, len(got))
		}
	})
}
