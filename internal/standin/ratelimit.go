package standin

import (
	"time"

	"golang.org/x/time/rate"
)

// channelBurst is how many messages a channel takes at once before it is one a second. Slack publishes no number.
const channelBurst = 3

// budgets are how much may still be done: by method, and by channel for posting.
type budgets struct{ by map[string]*rate.Limiter }

func (b *budgets) init() { b.by = map[string]*rate.Limiter{} }

// spend takes one call out of the budget, or says when there is one again.
func (b *budgets) spend(name string, m method, channel string) error {
	key, every, burst := name, time.Minute/time.Duration(max(m.perMinute, 1)), m.perMinute
	if m.perMinute == 0 {
		key, every, burst = name+" "+channel, time.Second, channelBurst
	}
	l := b.by[key]
	if l == nil {
		l = rate.NewLimiter(rate.Every(every), burst)
		b.by[key] = l
	}
	now := time.Now()
	r := l.ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return &limitedError{after: wait}
	}
	return nil
}
