package loops

import (
	"container/heap"
	"slices"
)

// lookFinally asks for one more look, whose result comes through the channel, unless the watch ends with it.
func (w *waits) lookFinally(one *watch) chan error {
	looked := make(chan error, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.final == nil {
		one.final = &[]chan error{}
	}
	*one.final = append(*one.final, looked)
	w.lookNow(one)
	return looked
}

// leave takes out a call whose last look did not come.
func (w *waits) leave(one *watch, looked chan error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.final == nil || !slices.Contains(*one.final, looked) { // it came at this moment
		return
	}
	*one.final = slices.DeleteFunc(*one.final, func(c chan error) bool { return c == looked })
	w.left(one, 1)
}

// looked tells the calls that give up what the last look saw.
func (w *waits) looked(one *watch, saw error) {
	if one.final == nil {
		return
	}
	final := *one.final
	one.final = nil
	for _, call := range final {
		call <- saw
	}
	w.left(one, len(final))
}

// left forgets a watch for which nobody waits any more.
func (w *waits) left(one *watch, calls int) {
	one.calls -= int32(calls)
	if one.calls == 0 && one.at >= 0 {
		w.drop(one)
	}
}

// drop takes a watch out. Its channels are left when nobody else listens.
func (w *waits) drop(one *watch) {
	heap.Remove(&w.due, int(one.at))
	w.byChannel.remove(one)
	for _, channel := range []string{one.outcome, one.refusal} {
		if w.byChannel[channel] == nil {
			w.unsettled = append(w.unsettled, channel)
		}
	}
	w.nudge()
}
