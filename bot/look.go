package bot

import (
	"context"
	"hash/crc32"
	"strconv"
	"time"

	"flagstop/loops/ledger"
)

// lookEvery is how often one of the bots looks whether cards still stand, at a part of them each time.
const lookEvery = time.Hour

// look sees once a day that the card of each open stop still stands, a part of them every hour. Events usually tell before.
func (b *Bot) look(ctx context.Context) {
	for sleep(ctx, time.Until(time.Now().Truncate(lookEvery).Add(lookEvery))) == nil {
		if err := b.lookNow(ctx, time.Now()); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "the cards were not all looked at; they are tomorrow", "err", err)
		}
	}
}

// lookNow looks at the part of an hour, in one of the bots.
func (b *Bot) lookNow(ctx context.Context, now time.Time) error {
	hour := now.Unix() / int64(lookEvery.Seconds())
	mine, err := b.redis.SetNX(ctx, b.key("looked:"+strconv.FormatInt(hour, 10)), b.name, 2*lookEvery).Result()
	if err != nil || !mine {
		return err
	}
	for stop, err := range b.ledger.List(ctx, ledger.Query{Phase: ledger.Open}) {
		if err != nil {
			return err
		}
		if int64(crc32.ChecksumIEEE([]byte(stop.ID))%24) != hour%24 {
			continue
		}
		if err := b.lookAt(ctx, stop); err != nil {
			return err
		}
	}
	return nil
}

// lookAt has the cards of a stop posted again that are gone.
func (b *Bot) lookAt(ctx context.Context, stop ledger.Stop) error {
	for _, c := range stop.State.Cards {
		if c.TS == "" {
			continue
		}
		stands, err := b.slack.Exists(ctx, c.Channel, c.TS)
		if err != nil && !hasClass(err, ClassDestination) {
			return err
		}
		if stands {
			continue
		}
		if err := b.ledger.Touch(ctx, stop.ID, c.Channel, c.TS); err != nil {
			return err
		}
	}
	return nil
}
