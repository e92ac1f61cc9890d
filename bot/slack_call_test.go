package bot

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// abort cuts the connection without an answer.
func abort(http.ResponseWriter, gotCall) { panic(http.ErrAbortHandler) }

func TestALostAnswerIsAmbiguousAndSentOnce(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter, gotCall){
		"cut before the answer": abort,
		"cut within the answer": func(w http.ResponseWriter, _ gotCall) {
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, `{"ok":true,`)
			panic(http.ErrAbortHandler)
		},
		"server error":       func(w http.ResponseWriter, _ gotCall) { w.WriteHeader(http.StatusBadGateway) },
		"ok without a place": says(`{"ok":true}`),
		"ok, another shape":  says(`{"ok":true,"channel":{"id":"C1"},"ts":"1.2"}`),
		"nothing":            says(`{}`),
		"a page":             says(`<html>`),
	} {
		t.Run(name, func(t *testing.T) {
			a := &api{answer: answer}
			_, err := overTCP(t, a).Post(t.Context(), "C1", "", hello(), Stamp{})
			if failed := asFailed(t, err); failed.Class != ClassAmbiguous {
				t.Errorf("class = %s, want ambiguous", failed.Class)
			}
			if n := len(a.all()); n != 1 {
				t.Errorf("the post was sent %d times", n)
			}
		})
	}
}

func TestALostAnswerOnAReusedConnectionIsSentOnceToo(t *testing.T) {
	a := &api{answer: says(okPosted)}
	s := overTCP(t, a)
	if _, err := s.Identify(t.Context()); err == nil {
		t.Fatal("okPosted is no identity")
	}
	a.mu.Lock()
	a.answer = abort
	a.mu.Unlock()
	_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
	if failed := asFailed(t, err); failed.Class != ClassAmbiguous {
		t.Errorf("class = %s, want ambiguous", failed.Class)
	}
	if n := len(a.all()); n != 2 {
		t.Errorf("%d calls arrived, want the first and one post", n)
	}
}

func TestACallThatFindsNobodyWasNotDone(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	for name, client := range map[string]*http.Client{
		"with a transport that tells how far it got": nil,
		"with one that does not":                     {Transport: refusing{}},
	} {
		s := NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: "http://" + l.Addr().String() + "/api/", HTTPClient: client})
		_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
		if failed := asFailed(t, err); failed.Class != ClassRetry {
			t.Errorf("%s: class = %s, want retry", name, failed.Class)
		}
	}
}

type refusing struct{}

func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: io.ErrClosedPipe}
}

func TestAFailedHandshakeWasNotDone(t *testing.T) {
	server := httptest.NewTLSServer(&api{answer: says(okPosted)})
	defer server.Close()
	s := NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: server.URL + "/api/"}) // does not trust the certificate
	_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
	if failed := asFailed(t, err); failed.Class != ClassRetry {
		t.Errorf("error = %v, want class retry", failed)
	}
}

func TestARequestEndsAfter15Seconds(t *testing.T) {
	a := &api{}
	a.answer = func(w http.ResponseWriter, _ gotCall) {
		time.Sleep(16 * time.Second)
		_, _ = io.WriteString(w, okPosted)
	}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		began := time.Now()
		_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
		if failed := asFailed(t, err); failed.Class != ClassAmbiguous {
			t.Errorf("error = %v, want class ambiguous", failed)
		}
		if took := time.Since(began); took != requestTimeout {
			t.Errorf("took %v, want 15 s", took)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}

func TestAnAnswerThatTricklesEndsAfter15SecondsToo(t *testing.T) {
	a := &api{}
	a.answer = func(w http.ResponseWriter, _ gotCall) {
		for range 30 {
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Second)
		}
	}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		began := time.Now()
		_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
		if failed := asFailed(t, err); failed.Class != ClassAmbiguous || time.Since(began) != requestTimeout {
			t.Errorf("after %v: %v, want ambiguous after 15 s", time.Since(began), failed)
		}
		time.Sleep(time.Minute)
	})
}

func TestAContextThatHasEndedSendsNothing(t *testing.T) {
	a := &api{answer: says(okPosted)}
	s := overTCP(t, a)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 { // either of two ready cases may be chosen
		failed := asFailed(t, s.Update(ctx, "C1", "1.2", hello(), Stamp{}))
		if failed.Class != ClassRetry {
			t.Fatalf("class = %s, want retry", failed.Class)
		}
	}
	if n := len(a.all()); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	elsewhere := &api{answer: says(okPosted)}
	other := httptest.NewServer(elsewhere)
	defer other.Close()
	a := &api{answer: func(w http.ResponseWriter, _ gotCall) {
		w.Header().Set("Location", other.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}}
	_, err := overTCP(t, a).Post(t.Context(), "C1", "", hello(), Stamp{})
	if failed := asFailed(t, err); failed.Class != ClassAmbiguous || len(elsewhere.all()) != 0 {
		t.Errorf("error = %v, %d calls elsewhere", failed, len(elsewhere.all()))
	}
}

func TestEveryCallIsObservedOnce(t *testing.T) {
	a := &api{answer: func(w http.ResponseWriter, c gotCall) {
		if c.method == "chat.update" {
			_, _ = io.WriteString(w, `{"ok":false,"error":"is_archived"}`)
			return
		}
		_, _ = io.WriteString(w, okPosted)
	}}
	server := httptest.NewServer(a)
	defer server.Close()
	var got []string
	s := NewSlack(SlackOptions{BotToken: "xoxb-test", APIURL: server.URL + "/api", Observe: func(method string, class Class) {
		got = append(got, method+" "+string(class))
	}})
	if _, err := s.Post(t.Context(), "C1", "", hello(), Stamp{}); err != nil {
		t.Fatal(err) // the URL had no last slash
	}
	if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err == nil {
		t.Fatal("an update in an archived channel succeeded")
	}
	if len(got) != 2 || got[0] != "chat.postMessage " || got[1] != "chat.update destination" {
		t.Errorf("observed %q", got)
	}
}
