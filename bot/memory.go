package bot

import (
	"sync"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// tries count the failed tries of each stop, for the time until the next.
type tries struct {
	mu sync.Mutex
	of map[string]int
}

// next is how long to wait after one more failure: 1 s, doubled each time, a minute at most.
func (t *tries) next(stop string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[string]int{}
	}
	n := t.of[stop]
	t.of[stop] = n + 1
	return min(time.Second<<min(n, 6), time.Minute)
}

func (t *tries) forget(stop string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, stop)
}

// maxRecords bounds the records that are kept in memory, 64 KiB each at most.
const maxRecords = 256

// records keep what hardly changes of the stops that were read of late, so that a modal can be read, and its person told,
// while Redis is away.
type records struct {
	mu sync.Mutex
	of map[string]recorded
}

type recorded struct {
	record  *loops.Record
	channel string // of its card
}

func (r *records) keep(stop ledger.Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]recorded{}
	}
	if _, known := r.of[stop.ID]; !known && len(r.of) >= maxRecords {
		for id := range r.of { // any one
			delete(r.of, id)
			break
		}
	}
	r.of[stop.ID] = recorded{stop.Record, channelOf(stop)}
}

// get is nil for a record that is not kept.
func (r *records) get(id string) *loops.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[id].record
}

// channel is "" where it is not known.
func (r *records) channel(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[id].channel
}

// maxLinks bounds the links that are kept in memory.
const maxLinks = 1024

// links keep the permalinks of cards, of which Slack gives out few a minute. They never change.
type links struct {
	mu sync.Mutex
	of map[string]string
}

// get returns the link of a message, which read reads where it is not kept.
func (l *links) get(message string, read func() (string, error)) (string, error) {
	l.mu.Lock()
	link, ok := l.of[message]
	l.mu.Unlock()
	if ok {
		return link, nil
	}
	link, err := read()
	if err != nil {
		return "", err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil || len(l.of) >= maxLinks {
		l.of = map[string]string{}
	}
	l.of[message] = link
	return link, nil
}
