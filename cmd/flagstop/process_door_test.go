package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// door stands before Slack's Web API and can hold one request: before Slack sees it, or after Slack did what it asks and
// before the bot hears of it.
type door struct {
	next http.Handler

	mu     sync.Mutex
	method string
	after  bool
	held   chan struct{}
	down   int // this status in the place of every answer; 0: none
}

// hold holds the next call of a method until its caller is gone. The channel is closed when it is held.
func (d *door) hold(method string, after bool) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.method, d.after, d.held = method, after, make(chan struct{})
	return d.held
}

// away has Slack answer everything with a status, or with 0 as it does.
func (d *door) away(status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = status
}

// take reports whether this request is the one to hold.
func (d *door) take(path string) (held chan struct{}, after bool, down int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held == nil || path != "/api/"+d.method {
		return nil, false, d.down
	}
	held, d.held = d.held, nil
	return held, d.after, d.down
}

func (d *door) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	held, after, down := d.take(r.URL.Path)
	switch {
	case down != 0:
		http.Error(rw, "down", down)
		return
	case held == nil:
		d.next.ServeHTTP(rw, r)
		return
	}
	body, err := io.ReadAll(r.Body) // the server notices that the caller is gone only behind the body
	if err == nil && after {
		done := r.Clone(context.WithoutCancel(r.Context()))
		done.Body = io.NopCloser(bytes.NewReader(body))
		d.next.ServeHTTP(httptest.NewRecorder(), done)
	}
	close(held)
	<-r.Context().Done()
}

// reached waits for a door to hold a call.
func (w *world) reached(held <-chan struct{}, what string) {
	w.Helper()
	select {
	case <-held:
	case <-time.After(patience):
		w.Fatalf("there was never %s", what)
	}
}
