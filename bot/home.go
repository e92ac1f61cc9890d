package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"flagstop/templates"

	"github.com/redis/go-redis/v9"
	"github.com/slack-go/slack"
)

const (
	// homeKept is for how long after somebody opened their home it is kept current.
	homeKept = time.Hour
	// homeEvery is how often homes are drawn anew at most, over all bots, because something changed.
	homeEvery = 3 * time.Second
	// homeWithin bounds how long one home may take.
	homeWithin = 30 * time.Second
	// homeTries is how often it is tried to show a home to who opened it, every homeRetry.
	homeTries = 6
	homeRetry = 10 * time.Second
)

// homesKey is a sorted set of who opened their home lately, by when, so that any bot keeps it current.
const homesKey = "homes"

// standingHome is what is known of the home that somebody sees.
type standingHome struct {
	hash    string // Slack's, of the view that stands; "" not known
	digest  string // of what was published; "" not known
	earlier int    // rows before the page that they look at
}

func homeKey(user string) string { return "home:" + user }

func (b *Bot) readHome(ctx context.Context, user string) (standingHome, error) {
	fields, err := b.redis.HGetAll(ctx, b.key(homeKey(user))).Result()
	if err != nil {
		return standingHome{}, fmt.Errorf("read which home %s sees: %w", user, err)
	}
	earlier, _ := strconv.Atoi(fields["earlier"]) // none: the first page
	return standingHome{hash: fields["hash"], digest: fields["digest"], earlier: earlier}, nil
}

func (b *Bot) saveHome(ctx context.Context, user string, h standingHome) error {
	_, err := b.redis.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.HSet(ctx, b.key(homeKey(user)), "hash", h.hash, "digest", h.digest, "earlier", h.earlier)
		pipe.Expire(ctx, b.key(homeKey(user)), 2*homeKept)
		return nil
	})
	return wrapped("note which home "+user+" sees", err)
}

// openHome shows their home to somebody who opened it, from the first page on. hash is Slack's of the view that they see, ""
// where they see none. While it cannot be read they are told so, and it is tried again for a while.
func (h *hand) openHome(ctx context.Context, hash string) {
	for range homeTries {
		err := h.showHome(ctx, hash)
		if err == nil || ctx.Err() != nil {
			return
		}
		h.log.WarnContext(ctx, "a home was not shown", "user", h.who.user, "err", err)
		h.answer(nil)
		if hasClass(err, ClassDestination) { // the app has no Home tab
			return
		}
		if !isA[*SlackError](err) {
			away := h.words.Home(templates.Home{User: h.who.user, Away: true})
			if next, err := h.slack.PublishHome(ctx, h.who.user, "", away); err == nil {
				hash = next
			}
		}
		if sleep(ctx, homeRetry) != nil {
			return
		}
	}
}

func (h *hand) showHome(ctx context.Context, hash string) error {
	opened := redis.Z{Score: float64(time.Now().UnixMilli()), Member: h.who.user}
	if err := h.redis.ZAdd(ctx, h.key(homesKey), opened).Err(); err != nil {
		return fmt.Errorf("note who opened their home: %w", err)
	}
	return h.publishHome(ctx, h.who.user, func(s *standingHome) {
		if s.earlier = 0; s.hash != hash {
			s.hash, s.digest = hash, ""
		}
	})
}

// leaf shows another page.
func (h *hand) leaf(ctx context.Context, earlier int) {
	h.metrics.Click(ClickOpened)
	h.answer(nil)
	if err := h.publishHome(ctx, h.who.user, func(s *standingHome) { s.earlier = earlier }); err != nil {
		h.log.WarnContext(ctx, "a page of a home was not shown", "user", h.who.user, "err", err)
		h.say(ctx, templates.SayStoreAway, templates.Say{})
	}
}

// refreshHome shows at once what came of what the person did there.
func (h *hand) refreshHome(ctx context.Context) {
	if !h.atHome {
		return
	}
	h.answer(nil)
	if err := h.publishHome(ctx, h.who.user, func(*standingHome) {}); err != nil && ctx.Err() == nil {
		h.log.WarnContext(ctx, "a home does not show yet what was done in it", "user", h.who.user, "err", err)
	}
}

// tellAtHome tells the person in a window, which opens while the trigger of their click lives, and in the same one from then
// on, while it is open.
func (h *hand) tellAtHome(ctx context.Context, m templates.Message) error {
	view := h.words.Notice(m)
	if h.notice != "" {
		return h.slack.UpdateView(ctx, h.notice, view)
	}
	ctx, cancel := context.WithTimeout(ctx, triggerLife)
	defer cancel()
	id, err := h.slack.OpenView(ctx, h.trigger, view)
	h.notice = id
	return told(err)
}

// publishHome publishes somebody's home if it shows anything else than what they see. What they see is read before what is
// published, and Slack takes it in the place of that only, so that an older home never takes the place of a newer one.
func (b *Bot) publishHome(ctx context.Context, user string, change func(*standingHome)) error {
	ctx, cancel := context.WithTimeout(ctx, homeWithin)
	defer cancel()
	for range 3 {
		s, err := b.readHome(ctx, user)
		if err != nil {
			return err
		}
		change(&s)
		view, digest, err := b.drawHome(ctx, user, s.earlier)
		if err != nil || digest == s.digest {
			return err
		}
		hash, err := b.slack.PublishHome(ctx, user, s.hash, view)
		if hasCode(err, "hash_conflict") {
			if err := b.forgetHome(ctx, user, s.hash); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		return b.saveHome(ctx, user, standingHome{hash: hash, digest: digest, earlier: s.earlier})
	}
	return fmt.Errorf("show the home of %s: it is written by others all the time; it is drawn again", user)
}

// forgetHome lets go of a hash that Slack does not know any more, unless somebody wrote a newer one down meanwhile.
func (b *Bot) forgetHome(ctx context.Context, user, hash string) error {
	s, err := b.readHome(ctx, user)
	if err != nil || s.hash != hash {
		return err
	}
	s.hash, s.digest = "", ""
	return b.saveHome(ctx, user, s)
}

func (b *Bot) drawHome(ctx context.Context, user string, earlier int) (view slack.HomeTabViewRequest, digest string, err error) {
	h, err := b.homeOf(ctx, user, earlier)
	if err != nil {
		return view, "", err
	}
	view = b.words.Home(h)
	raw, err := json.Marshal(view)
	if err != nil {
		return view, "", fmt.Errorf("encode the home of %s: %w", user, err)
	}
	sum := sha256.Sum256(raw)
	return view, hex.EncodeToString(sum[:16]), nil
}

// changed has the homes drawn anew that somebody opened lately.
func (b *Bot) changed() {
	select {
	case b.stirred <- struct{}{}:
	default:
	}
}

// keepHomes keeps homes current until ctx ends: whichever bot saw a change does so, all homes at once, and so seldom that
// Slack's budget is left to others.
func (b *Bot) keepHomes(ctx context.Context) {
	for {
		select {
		case <-b.stirred:
		case <-ctx.Done():
			return
		}
		start, pause := time.Now(), homeEvery
		if err := b.publishHomes(ctx); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "homes were not all kept current", "err", err)
			pause = homeRetry
			b.changed()
		}
		if sleep(ctx, pause+4*time.Since(start)) != nil {
			return
		}
	}
}

// publishHomes publishes the homes that were opened lately, or leaves it to a later time where some bot just did.
func (b *Bot) publishHomes(ctx context.Context) error {
	now := time.Now()
	users, err := b.redis.ZRangeArgs(ctx, redis.ZRangeArgs{
		Key: b.key(homesKey), ByScore: true, Start: now.Add(-homeKept).UnixMilli(), Stop: "+inf",
	}).Result()
	if err != nil || len(users) == 0 {
		return wrapped("look for homes", err)
	}
	first, err := b.redis.SetNX(ctx, b.key("homes:drawn"), b.name, homeEvery).Result()
	if err != nil || !first {
		b.changed()
		return wrapped("look whether homes were drawn", err)
	}
	if err := b.redis.ZRemRangeByScore(ctx, b.key(homesKey), "-inf", "("+strconv.FormatInt(now.Add(-homeKept).UnixMilli(), 10)).Err(); err != nil {
		return fmt.Errorf("forget old homes: %w", err)
	}
	for _, user := range users {
		err := b.publishHome(ctx, user, func(*standingHome) {})
		switch {
		case err == nil:
		case hasClass(err, ClassDestination):
			b.log.WarnContext(ctx, "a person has no home any more", "user", user, "err", err)
			b.redis.ZRem(ctx, b.key(homesKey), user)
		default:
			return fmt.Errorf("keep the home of %s current: %w", user, err)
		}
	}
	return nil
}
