package bot

import (
	"context"
	"time"
)

// seenFor is longer than Slack's retries, which take about six minutes.
const seenFor = time.Hour

// seenWithin bounds the look for it: the click itself must not wait.
const seenWithin = 500 * time.Millisecond

// seen reports whether a delivery was handled before. A delivery is remembered only when what it asked for is done, so
// one that nobody finished is never dropped; one that comes again meanwhile is handled twice, which the ledger makes
// harmless: the same verdict again changes nothing. When Redis does not say, the delivery counts as new.
func (b *Bot) seen(ctx context.Context, key string) bool {
	if key == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, seenWithin)
	defer cancel()
	n, err := b.redis.Exists(ctx, b.key("seen:"+key)).Result()
	return err == nil && n > 0
}

// remember notes that a delivery was handled.
func (b *Bot) remember(ctx context.Context, key string) {
	if key == "" {
		return
	}
	if err := b.redis.SetNX(ctx, b.key("seen:"+key), 1, seenFor).Err(); err != nil {
		b.log.WarnContext(ctx, "a delivery was not remembered", "err", err)
	}
}
