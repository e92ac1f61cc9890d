package bot

import (
	"encoding/json"
	"sync"
)

const (
	atOnce     = 64    // deliveries that are worked on at the same time
	waitAtMost = 1_000 // beside them
	remembered = 4_096 // envelopes, to recognise what Slack sends again
)

// inbound bounds the deliveries of all connections and recognises those that come again.
type inbound struct {
	room chan struct{} // one for each delivery that is worked on

	mu    sync.Mutex
	taken int // worked on or waiting
	byID  map[string]*remembrance
	order []string // of byID, a ring
	next  int
}

// remembrance is what became of an envelope.
type remembrance struct {
	over chan struct{} // closed when ack and ok stand
	ack  json.RawMessage
	ok   bool
}

func newInbound() *inbound {
	return &inbound{room: make(chan struct{}, atOnce), byID: map[string]*remembrance{}, order: make([]string, remembered)}
}

// admit reports whether one more delivery may wait; leave takes it out.
func (in *inbound) admit() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.taken >= atOnce+waitAtMost {
		return false
	}
	in.taken++
	return true
}

func (in *inbound) leave() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.taken--
}

// once handles the envelope with that id, or returns what handling it gave before, waiting for it where it is in hand. What
// was not ok is forgotten, so that it can be sent again.
func (in *inbound) once(id string, handle func() (json.RawMessage, bool)) (ack json.RawMessage, ok bool) {
	r, first := in.remember(id)
	if !first {
		<-r.over
		return r.ack, r.ok
	}
	in.room <- struct{}{}
	r.ack, r.ok = handle()
	<-in.room
	if !r.ok {
		in.forget(id)
	}
	close(r.over)
	return r.ack, r.ok
}

// remember returns what became of an envelope; first is true where it is new.
func (in *inbound) remember(id string) (r *remembrance, first bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if r, there := in.byID[id]; there {
		return r, false
	}
	delete(in.byID, in.order[in.next])
	in.order[in.next] = id
	in.next = (in.next + 1) % len(in.order)
	r = &remembrance{over: make(chan struct{})}
	in.byID[id] = r
	return r, true
}

func (in *inbound) forget(id string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.byID, id)
}
