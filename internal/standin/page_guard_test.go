package standin_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"flagstop/internal/standin"

	"github.com/google/go-cmp/cmp"
)

// TestPageKeepsOthersOut holds the page against other sites and names: no browser is needed.
func TestPageKeepsOthersOut(t *testing.T) {
	s := standin.New(workspace("http://127.0.0.1", "http://127.0.0.1:9"))
	t.Cleanup(s.Close)
	post := `{"as":"U0ANA","do":"post","channel":"C0PRODUCT","text":"hello"}`
	for name, c := range map[string]struct {
		method, host string
		header       map[string]string
		want         int
	}{
		"the page itself":                    {"GET", "127.0.0.1:8485", nil, 200},
		"by the name localhost":              {"GET", "localhost:8485", nil, 200},
		"by IPv6":                            {"GET", "[::1]:8485", nil, 200},
		"a name that resolves to loopback":   {"GET", "evil.example:8485", nil, 403},
		"an address of the network":          {"GET", "192.0.2.7:8485", nil, 403},
		"a deed of the page":                 {"POST", "127.0.0.1:8485", map[string]string{"Origin": "http://127.0.0.1:8485", "Sec-Fetch-Site": "same-origin"}, 200},
		"a deed of another site":             {"POST", "127.0.0.1:8485", map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403},
		"a deed of another port":             {"POST", "127.0.0.1:8485", map[string]string{"Origin": "http://127.0.0.1:9999", "Sec-Fetch-Site": "same-site"}, 403},
		"a deed of an old browser elsewhere": {"POST", "127.0.0.1:8485", map[string]string{"Origin": "null"}, 403},
		"a deed in a form":                   {"POST", "127.0.0.1:8485", map[string]string{"Content-Type": "text/plain"}, 415},
		"a deed by another name":             {"POST", "evil.example", nil, 403},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "/", nil)
			if c.method == http.MethodPost {
				r = httptest.NewRequest(c.method, "/page/do", strings.NewReader(post))
				r.Header.Set("Content-Type", "application/json")
			}
			r.Host = c.host
			for k, v := range c.header {
				r.Header.Set(k, v)
			}
			before := len(s.Messages("C0PRODUCT"))
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
			if did := len(s.Messages("C0PRODUCT")) > before; did != (c.method == http.MethodPost && c.want == 200) {
				t.Errorf("done: %v", did)
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

// TestPageTellsWhatItCannotDo: each deed that cannot be done says why.
func TestPageTellsWhatItCannotDo(t *testing.T) {
	s := standin.New(workspace("http://127.0.0.1", "http://127.0.0.1:9"))
	t.Cleanup(s.Close)
	for deed, want := range map[string]string{
		`{"as":"U0NOBODY","do":"post"}`:                                   "nobody of that name",
		`{"as":"U0FLAGSTOP","do":"post"}`:                                 "nobody of that name",
		`{"as":"U0ANA","do":"act","channel":"C0PRODUCT","ts":"1.000001"}`: "this message is gone",
		`{"as":"U0EVE","do":"act","channel":"C0FACIL","ts":"1.000001"}`:   "this message is gone",
		`{"as":"U0ANA","do":"submit","view":"V1"}`:                        "closed already",
		`{"as":"U0ANA","do":"close","view":"V1"}`:                         "closed already",
		`{"as":"U0ANA","do":"dance"}`:                                     `cannot do \"dance\"`,
	} {
		r := httptest.NewRequest(http.MethodPost, "/page/do", strings.NewReader(deed))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s, want %q", deed, w.Code, w.Body, want)
		}
	}
	for _, junk := range []string{"", "{", "[]", `{"as":1}`, fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 300<<10))} {
		r := httptest.NewRequest(http.MethodPost, "/page/do", strings.NewReader(junk))
		r.Host = "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%.20q: status %d", junk, w.Code)
		}
	}
}

// TestPageSendsEachPersonOnlyWhatTheySee reads the stream of two people, and its end when the server ends.
func TestPageSendsEachPersonOnlyWhatTheySee(t *testing.T) {
	s := standin.New(workspace("http://127.0.0.1", "http://127.0.0.1:9"))
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	if err := s.As("U0BOB").Post(t.Context(), "C0FACIL", "", "among facilitators"); err != nil {
		t.Fatal(err)
	}
	a := &app{t: t}
	a.connect(s, web.URL)
	a.call("chat.postEphemeral", map[string]any{"channel": "C0PRODUCT", "user": "U0ANA", "text": "for Ana alone"})
	want := map[string][]bool{"U0BOB": {true, false}, "U0ANA": {false, true}, "U0EVE": {false, false}, "U0NOBODY": {false, true}}
	got := map[string][]bool{}
	var streams []io.Reader
	for user := range want {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+"/page/events?as="+user, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body := bufio.NewReader(resp.Body)
		streams = append(streams, body)
		line, err := body.ReadString('\n')
		data, ok := strings.CutPrefix(line, "data: ")
		if err != nil || !ok || !json.Valid([]byte(data)) {
			t.Fatalf("%s: %v %q", user, err, line)
		}
		got[user] = []bool{strings.Contains(data, "among facilitators"), strings.Contains(data, "for Ana alone")}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who is sent what: want (-) and got (+)\n%s", diff)
	}
	s.Close()
	for _, stream := range streams {
		if _, err := io.ReadAll(stream); err != nil {
			t.Errorf("the stream does not end with the server: %v", err)
		}
	}
}
