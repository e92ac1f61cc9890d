//go:build interop

package interop

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// endpoint takes deliveries, acknowledges them, and keeps the triggers.
type endpoint struct {
	url      string
	payloads chan string
}

func listen(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{payloads: make(chan string, 16)}
	front := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		e.payloads <- r.FormValue("payload")
	}))
	t.Cleanup(front.Close)
	e.url = front.URL
	return e
}

// trigger lets a person do something and returns the trigger id that the app got of it.
func (e *endpoint) trigger(t *testing.T, do func() error) string {
	t.Helper()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	return decode[struct {
		Trigger string `json:"trigger_id"`
	}](t, <-e.payloads).Trigger
}
