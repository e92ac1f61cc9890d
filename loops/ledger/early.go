package ledger

import (
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// early are entries that came before the raise of their stop, in the order in which they came. They stand in Redis too and
// are tried again from there; this only has them handled at once when the raise comes. So few are kept, none that is
// large, and none for long: anybody who writes to the inbox can name stops that never come.
type early []waits

type waits struct {
	id    string // of the stop
	entry redis.XMessage
	since time.Time
}

func (e *early) keep(id string, m redis.XMessage, now time.Time) {
	if body, _ := m.Values["body"].(string); len(*e) < remembered && len(body) <= deadBody {
		*e = append(*e, waits{id, m, now})
	}
}

// take returns the entries of a stop and keeps them no longer.
func (e *early) take(id string) (entries []redis.XMessage) {
	*e = slices.DeleteFunc(*e, func(w waits) bool {
		if w.id == id {
			entries = append(entries, w.entry)
		}
		return w.id == id
	})
	return entries
}

// drop keeps no longer what came before a moment.
func (e *early) drop(before time.Time) {
	*e = slices.DeleteFunc(*e, func(w waits) bool { return w.since.Before(before) })
}
