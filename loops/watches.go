package loops

import (
	"iter"
	"time"
)

// channels are those whose subscription the server has confirmed.
type channels uint8

const (
	outcomeChannel channels = 1 << iota
	refusalChannel
	bothChannels = outcomeChannel | refusalChannel
)

// watches finds those that a message on a channel is for: the first, which is linked to the others.
type watches map[string]*watch

func (one *watch) next(channel string) **watch {
	if channel == one.outcome {
		return &one.nextOutcome
	}
	return &one.nextRefusal
}

func (ws watches) on(channel string) iter.Seq[*watch] {
	return func(yield func(*watch) bool) {
		for one := ws[channel]; one != nil; one = *one.next(channel) {
			if !yield(one) {
				return
			}
		}
	}
}

func (ws watches) add(one *watch) {
	for _, channel := range []string{one.outcome, one.refusal} {
		*one.next(channel) = ws[channel]
		ws[channel] = one
	}
}

func (ws watches) remove(one *watch) {
	for _, channel := range []string{one.outcome, one.refusal} {
		rest := *one.next(channel)
		if ws[channel] != one {
			for other := range ws.on(channel) {
				if next := other.next(channel); *next == one {
					*next = rest
					break
				}
			}
			continue
		}
		if rest != nil {
			ws[channel] = rest
		} else {
			delete(ws, channel)
		}
	}
}

// dueHeap has the watch with the earliest look first.
type dueHeap []*watch

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].due < h[j].due }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = int32(i), int32(j)
}

// Push is container/heap's.
func (h *dueHeap) Push(x any) {
	one := x.(*watch) //nolint:forcetypeassert // nothing else is pushed
	one.at = int32(len(*h))
	*h = append(*h, one)
}

// Pop is container/heap's. What left the heap has the index -1.
func (h *dueHeap) Pop() any {
	old := *h
	one := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	one.at = -1
	return one
}

// soonest returns when the next look is due, and whether there is any.
func (h dueHeap) soonest() (time.Duration, bool) {
	if len(h) == 0 {
		return 0, false
	}
	return h[0].due, true
}
