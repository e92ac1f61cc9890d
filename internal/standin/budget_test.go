package standin

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"
)

func TestAChannelTakesOneMessageASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts := people()
		opts.RateLimits = true
		o := open(t, opts)
		post := func(channel string) *http.Response {
			resp, err := o.client.PostForm("http://127.0.0.1/api/chat.postMessage", url.Values{"token": {"xoxb-test"}, "channel": {channel}, "text": {"x"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := readBody(t, resp); got["ok"] != true && got["error"] != "ratelimited" {
				t.Fatal(got)
			}
			return resp
		}
		for range channelBurst {
			if resp := post("C0PRODUCT"); resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d within the burst", resp.StatusCode)
			}
		}
		if resp := post("C0PRODUCT"); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "1" {
			t.Errorf("after the burst: status %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
		}
		if resp := post("C0SECRET"); resp.StatusCode != http.StatusOK {
			t.Errorf("another channel: status %d", resp.StatusCode)
		}
		for range 60 {
			time.Sleep(time.Second)
			if resp := post("C0PRODUCT"); resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d at one a second", resp.StatusCode)
			}
		}
	})
}

func TestAMethodHasItsBudgetOfAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts := people()
		opts.RateLimits = true
		o := open(t, opts)
		m := o.post(url.Values{"text": {"x"}})
		form := url.Values{"channel": {m.Channel}, "ts": {m.TS}, "text": {"y"}}
		for range 50 {
			if got := o.call("chat.update", form); got["ok"] != true {
				t.Fatal(got)
			}
		}
		if got := o.call("chat.update", form); got["error"] != "ratelimited" {
			t.Errorf("the 51st update: %v", got)
		}
		if got := o.call("chat.delete", url.Values{"channel": {m.Channel}, "ts": {"1.0"}}); got["error"] != "message_not_found" {
			t.Errorf("another method: %v", got)
		}
		time.Sleep(1200 * time.Millisecond)
		if got := o.call("chat.update", form); got["ok"] != true {
			t.Errorf("a 50th of a minute later: %v", got)
		}
	})
}

func TestFaultsBefallCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := open(t, people())
		form := url.Values{"token": {"xoxb-test"}, "channel": {"C0PRODUCT"}, "text": {"x"}}
		for name, row := range map[string]struct {
			fault  Fault
			status int // 0: the connection is cut
			error  any
			stored bool
			took   time.Duration
		}{
			"a 429":              {fault: Fault{Status: 429, RetryAfter: "7", Error: "ratelimited"}, status: 429, error: "ratelimited"},
			"a 500":              {fault: Fault{Status: 500, Body: "{}"}, status: 500},
			"an error":           {fault: Fault{Error: "fatal_error"}, status: 200, error: "fatal_error"},
			"a lost answer":      {fault: Fault{Lose: true}, stored: true},
			"done, yet a 503":    {fault: Fault{Lose: true, Status: 503, Body: "{}"}, status: 503, stored: true},
			"a slow answer":      {fault: Fault{Delay: 20 * time.Second}, status: 200, stored: true, took: 20 * time.Second},
			"slow and then lost": {fault: Fault{Delay: 20 * time.Second, Lose: true}, stored: true, took: 20 * time.Second},
		} {
			row.fault.Method, row.fault.Times = "chat.postMessage", 1
			row.fault.Match = func(a map[string]any) bool { return a["text"] == "x" }
			before, began := len(o.s.Messages("C0PRODUCT")), time.Now()
			o.s.Break(row.fault)
			o.post(url.Values{"text": {"not matched"}})
			resp, err := o.client.PostForm("http://127.0.0.1/api/chat.postMessage", form)
			status := 0
			if err == nil {
				status = resp.StatusCode
				if got := readBody(t, resp); got["error"] != row.error || resp.Header.Get("Retry-After") != row.fault.RetryAfter {
					t.Errorf("%s: %v %v", name, got, resp.Header)
				}
			}
			stored := len(o.s.Messages("C0PRODUCT")) == before+2
			if status != row.status || stored != row.stored || time.Since(began) != row.took {
				t.Errorf("%s: status %d, stored %v, took %v, want %+v", name, status, stored, time.Since(began), row)
			}
			if got := o.call("chat.postMessage", form); got["ok"] != true {
				t.Errorf("%s: the next call: %v", name, got)
			}
		}
	})
}

func TestAFaultLastsUntilHealed(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	o.s.Break(Fault{Body: "<html>"})
	for _, method := range []string{"chat.postMessage", "users.info"} {
		resp, err := o.client.PostForm("http://127.0.0.1/api/"+method, url.Values{})
		if err != nil {
			t.Fatal(err)
		}
		var body [6]byte
		if n, _ := resp.Body.Read(body[:]); string(body[:n]) != "<html>" {
			t.Errorf("%s: %q", method, body[:n])
		}
		_ = resp.Body.Close()
	}
	o.s.Heal()
	o.post(url.Values{"text": {"x"}})
}
