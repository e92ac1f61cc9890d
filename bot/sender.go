package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// senderLease is how long a bot stays the only one that posts anew in a channel. It covers one request.
const senderLease = 20 * time.Second

// takeScript takes or renews a lease. KEYS[1] the lease; ARGV[1] whose, ARGV[2] its milliseconds. Returns 1 if it is held.
var takeScript = redis.NewScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)

// dropScript gives a lease back. KEYS[1] the lease; ARGV[1] whose. Returns 1 if it was held.
var dropScript = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`)

// becomeSender takes or renews the lease of a channel's sender and reports whether this bot has it.
func (b *Bot) becomeSender(ctx context.Context, channel string) (bool, error) {
	ok, err := takeScript.Run(ctx, b.redis, []string{b.key("sender:" + channel)}, b.name, senderLease.Milliseconds()).Bool()
	if err != nil {
		return false, fmt.Errorf("take the lease of the sender of %s: %w", channel, err)
	}
	return ok, nil
}

// ceaseSender lets another bot post in the channel. Where that fails the lease lapses.
func (b *Bot) ceaseSender(ctx context.Context, channel string) {
	if err := dropScript.Run(ctx, b.redis, []string{b.key("sender:" + channel)}, b.name).Err(); err != nil {
		b.log.WarnContext(ctx, "the lease of a channel's sender was not given back", "channel", channel, "err", err)
	}
}
