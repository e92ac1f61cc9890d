package ledger

import (
	"context"
	"fmt"
	"time"
)

// ahead is how far an inbox's last id may lie before Redis's time: clocks differ, and step back when another server
// takes over.
const ahead = time.Hour

// renew makes an inbox anew whose last id lies far ahead: somebody wrote an id of their own, to leave no room for others'.
// It waits until the inbox is empty, which it soon is when nobody can write to it.
func (r *reader) renew(ctx context.Context) error {
	info, err := r.redis.XInfoStream(ctx, r.inbox).Result()
	if err != nil {
		return fmt.Errorf("look at inbox %d: %w", r.p, err)
	}
	now, err := r.redis.Time(ctx).Result()
	if err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}
	if info.LastGeneratedID == "" || entryTime(info.LastGeneratedID).Sub(now) < ahead {
		return nil
	}
	done, err := r.scripts.renew.Run(ctx, r.redis, []string{r.inbox}, group).Int()
	if err != nil {
		return fmt.Errorf("make inbox %d anew: %w", r.p, err)
	}
	r.log.ErrorContext(ctx, "the inbox had an id far ahead of time; who wrote it may trim it too",
		"partition", r.p, "last_id", info.LastGeneratedID, "anew", done == 1)
	return nil
}
