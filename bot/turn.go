package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"flagstop/loops/ledger"

	"github.com/redis/go-redis/v9"
)

// turnScript hands a turn on if it is still whose it was. KEYS[1] the turn, KEYS[2] where there is one; ARGV[1] whose
// it was, ARGV[2] whose it is from now on, each ” nobody's, ARGV[3] where. Returns 1 if it did.
var turnScript = redis.NewScript(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2])
  redis.call('SADD', KEYS[2], ARGV[3])
end
return 1`)

const (
	// recountEvery is how often a card is written anew at most only because more or fewer wait for it.
	recountEvery = 5 * time.Second
	// maxWaiting is how many are counted that wait, and maxCounted at how many stops is looked for them.
	maxWaiting = 99
	maxCounted = 1000
)

// turnsKey is a set of those turnstiles at which some stop has the turn, so that what the configuration has no more is found.
const turnsKey = "turns"

func (t turnstile) key() string { return "turn:" + t.role + ":" + t.channel }

func (t turnstile) String() string { return t.role + " " + t.channel }

// queued takes out of what is wanted what is shown anew only when the stop has its turn, and sees to it that the turn at each
// of its turnstiles is with a stop that may have it: whatever ends a turn brings the stop here.
func (p *pass) queued(ctx context.Context) error {
	c := p.config()
	own, waits := turnstileOf(p.stop, c)
	for _, t := range turnstilesOf(p.stop, c) {
		turn, n, err := p.lookAtTurn(ctx, t, p.stop.ID)
		if err != nil {
			return err
		}
		if turn == p.stop.ID {
			p.behind, p.turnIn = n, t
			continue
		}
		if _, shown := t.card(p.stop, c); waits && own == t && !shown {
			places := t.places(briefOf(p.stop), c)
			p.wants = slices.DeleteFunc(p.wants, func(w want) bool { return slices.Contains(places, w.place) })
		}
	}
	return nil
}

// lookAtTurn says whose turn it is, "" nobody's, and how many wait. It has the stop shown whose turn it is, where it is not,
// and its card say how many wait, but for the stop that is being brought in line: its try must not begin another.
func (b *Bot) lookAtTurn(ctx context.Context, t turnstile, inHand string) (id string, n int, err error) {
	turn, err := b.inTurn(ctx, t)
	if err != nil || turn.ID == "" {
		return "", 0, err
	}
	if n, err = b.waiting(ctx, t, turn.ID); err != nil {
		return "", 0, err
	}
	card, _ := t.card(turn, b.config())
	if turn.ID == inHand || card.TS != "" && card.Waiting == n {
		return turn.ID, n, nil
	}
	return turn.ID, n, b.showTurn(ctx, turn.ID)
}

func (b *Bot) showTurn(ctx context.Context, id string) error {
	if err := b.ledger.Touch(ctx, id, "", ""); err != nil {
		return fmt.Errorf("show whose turn it is: %w", err)
	}
	b.nudge()
	return nil
}

// inTurn is the stop whose turn it is, with no id where nobody's is. A turn is a stop's and no bot's: whoever looks
// hands it on from one that may not have it, to the first that may.
func (b *Bot) inTurn(ctx context.Context, t turnstile) (ledger.Stop, error) {
	c := b.config()
	for range 10 {
		id, err := b.redis.Get(ctx, b.key(t.key())).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return ledger.Stop{}, fmt.Errorf("read whose turn it is for %s: %w", t, err)
		}
		has, err := b.readQueued(ctx, id)
		if err != nil || t.mayHave(has, c, has.Now) {
			return has, err
		}
		next, err := b.firstOf(ctx, t)
		if err != nil || id == "" && next.ID == "" {
			return next, err
		}
		if handed, err := b.handTurn(ctx, t, id, next.ID); err != nil || handed {
			return next, err
		}
	}
	return ledger.Stop{}, fmt.Errorf("read whose turn it is for %s: it moves too fast; it is looked at again", t)
}

// handTurn hands the turn on, if it is still whose it was, and has its stop shown at once.
func (b *Bot) handTurn(ctx context.Context, t turnstile, from, to string) (bool, error) {
	handed, err := turnScript.Run(ctx, b.redis, []string{b.key(t.key()), b.key(turnsKey)}, from, to, t.String()).Bool()
	if err != nil || !handed {
		return false, wrapped("hand the turn on for "+t.String(), err)
	}
	if to == "" {
		return true, nil
	}
	return true, b.showTurn(ctx, to)
}

func wrapped(doing string, err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	return err
}

// readQueued reads a stop; one that is not there, or not whole, is the zero stop: it keeps nobody waiting.
func (b *Bot) readQueued(ctx context.Context, id string) (ledger.Stop, error) {
	if id == "" {
		return ledger.Stop{}, nil
	}
	s, err := b.ledger.Read(ctx, id)
	if errors.Is(err, ledger.ErrUnknown) || errors.Is(err, ledger.ErrBroken) {
		return ledger.Stop{}, nil
	}
	return s, err
}

// firstOf is the first that may have the turn.
func (b *Bot) firstOf(ctx context.Context, t turnstile) (ledger.Stop, error) {
	c := b.config()
	for h, err := range b.ledger.Held(ctx, t.role) {
		if err != nil {
			return ledger.Stop{}, err
		}
		briefs, err := b.ledger.Briefs(ctx, []string{h.ID})
		if err != nil {
			return ledger.Stop{}, err
		}
		if turnstileFor(t.role, briefs[h.ID].Repository, c) != t {
			continue
		}
		s, err := b.readQueued(ctx, h.ID)
		if err != nil || t.mayHave(s, c, s.Now) {
			return s, err
		}
	}
	return ledger.Stop{}, nil
}

// waiting counts the stops that queue and were not shown yet, but for the one whose turn it is.
func (b *Bot) waiting(ctx context.Context, t turnstile, turn string) (int, error) {
	var ids []string
	for h, err := range b.ledger.Held(ctx, t.role) {
		if err != nil {
			return 0, err
		}
		if len(ids) == maxCounted {
			break
		}
		ids = append(ids, h.ID)
	}
	briefs, err := b.ledger.Briefs(ctx, ids)
	if err != nil {
		return 0, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		k, ok := briefs[id]
		return !ok || id == turn || turnstileFor(t.role, k.Repository, b.config()) != t
	})
	cards, err := b.ledger.Cards(ctx, ids)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range ids {
		if _, shown := t.cardOf(cards[id], briefs[id], b.config()); !shown {
			n++
		}
	}
	return min(n, maxWaiting), nil
}

// sweepTurns looks at every turn, in case that the bot died which should have: at the start and every minute.
func (b *Bot) sweepTurns(ctx context.Context) error {
	known := turnstilesIn(b.config())
	for _, t := range known {
		if _, _, err := b.lookAtTurn(ctx, t, ""); err != nil {
			return err
		}
	}
	named, err := b.redis.SMembers(ctx, b.key(turnsKey)).Result()
	if err != nil {
		return fmt.Errorf("look for turns: %w", err)
	}
	for _, name := range named {
		role, channel, _ := strings.Cut(name, " ")
		if t := (turnstile{role, channel}); !slices.Contains(known, t) {
			if err := b.dissolve(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// dissolve has what waited shown where the configuration lets all through.
func (b *Bot) dissolve(ctx context.Context, t turnstile) error {
	for h, err := range b.ledger.Held(ctx, t.role) {
		if err == nil {
			err = b.ledger.Touch(ctx, h.ID, "", "")
		}
		if err != nil {
			return fmt.Errorf("show what waited for %s: %w", t, err)
		}
	}
	b.nudge()
	err := b.redis.Del(ctx, b.key(t.key())).Err()
	if err == nil {
		err = b.redis.SRem(ctx, b.key(turnsKey), t.String()).Err()
	}
	return wrapped("end the turns of "+t.String(), err)
}

// recounts say when the card was written last of the stop that has the turn,  only because of who waits.
type recounts struct {
	mu sync.Mutex
	of map[turnstile]time.Time
}

// wait is how much longer it has to; 0 when it may be written, which it counts as then.
func (r *recounts) wait(t turnstile, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if wait := r.of[t].Add(recountEvery).Sub(now); wait > 0 {
		return wait
	}
	if r.of == nil {
		r.of = map[turnstile]time.Time{}
	}
	r.of[t] = now
	return 0
}
