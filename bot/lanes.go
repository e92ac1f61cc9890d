package bot

import (
	"sync"
	"time"
)

// perPost is how long one new post takes a channel: Slack lets about one a second through.
const perPost = 1100 * time.Millisecond

// laneHold is how long a channel waits for a stop whose post is in doubt: longer than between two looks for it.
const laneHold = 30 * time.Second

// lanes keep the new posts of each channel in the order of asking, among those that this bot knows of, one at a time.
type lanes struct {
	mu sync.Mutex
	of map[string]map[string]waiting // by channel and stop
}

// waiting is a stop that has to be posted. One that does not come back by until has gone elsewhere.
type waiting struct {
	asked, until time.Time
	posting      bool
}

// enrol makes a stop known to its lane before any of a batch is posted.
func (l *lanes) enrol(channel, stop string, asked, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]map[string]waiting{}
	}
	if l.of[channel] == nil {
		l.of[channel] = map[string]waiting{}
	}
	w := l.of[channel][stop]
	if until := now.Add(perPost); w.until.Before(until) && !w.posting {
		l.of[channel][stop] = waiting{asked: asked, until: until}
	}
}

// enter lets the stop post if it is the next of its channel, and otherwise says how long it has to wait.
func (l *lanes) enter(channel, stop string, asked, now time.Time) (wait time.Duration) {
	l.enrol(channel, stop, asked, now)
	l.mu.Lock()
	defer l.mu.Unlock()
	var before int
	for id, w := range l.of[channel] {
		switch {
		case id == stop:
		case !w.posting && w.until.Before(now):
			delete(l.of[channel], id)
		case w.posting, w.asked.Before(asked), w.asked.Equal(asked) && id < stop:
			before++
		}
	}
	wait = time.Duration(before) * perPost
	l.of[channel][stop] = waiting{asked: asked, until: now.Add(wait + 5*time.Second), posting: before == 0}
	return wait
}

// hold keeps the stop's place for a while after a try that did not end with a post.
func (l *lanes) hold(channel, stop string, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w, ok := l.of[channel][stop]; ok {
		l.of[channel][stop] = waiting{asked: w.asked, until: until}
	}
}

// leave gives the stop's place up, if it has one, and reports whether that left its lane empty.
func (l *lanes) leave(channel, stop string) (emptied bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.of[channel][stop]; !ok {
		return false
	}
	delete(l.of[channel], stop)
	if len(l.of[channel]) > 0 {
		return false
	}
	delete(l.of, channel)
	return true
}
