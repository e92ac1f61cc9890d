package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"
)

const (
	grace      = time.Minute        // what a loop waits before it raises again what was lost
	remembered = 1000               // entries that wait in memory for the raise of their stop
	deadKept   = 1000               // entries in the dead stream of a partition
	deadBody   = 64 << 10           // bytes kept of a dead entry's body
	refusedFor = 7 * 24 * time.Hour // the life of a refusal: contract §2
	reasonMost = 2000               // characters of a withdrawal's reason
	byMost     = 512                // bytes of the name of an instance that went on
)

// message is an entry of the inbox: contract §3.
type message struct {
	op, body string
}

// said is the body of all ops but raise.
type said struct {
	ID, Reason, By, Outcome string
}

func decodeMessage(m redis.XMessage) (message, error) {
	op, _ := m.Values["op"].(string)
	body, _ := m.Values["body"].(string)
	switch {
	case op == "":
		return message{body: body}, errors.New("it has no op")
	case body == "":
		return message{op: op}, errors.New("it has no body")
	}
	return message{op, body}, nil
}

// decodeSaid reads an object whose members that it knows are strings; none may stand twice.
func decodeSaid(body string) (said, error) {
	if !utf8.ValidString(body) {
		return said{}, errors.New("its body is not UTF-8")
	}
	d := json.NewDecoder(strings.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return said{}, errors.New("its body is not a JSON object")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		key, ok := name.(string)
		if err != nil || !ok {
			return said{}, errors.New("its body is not a JSON object")
		}
		if _, twice := members[key]; twice {
			return said{}, fmt.Errorf("its body has a member twice: %.40q", key)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return said{}, errors.New("its body is not a JSON object")
		}
		members[key] = value
	}
	if _, err := d.Token(); err != nil || d.More() {
		return said{}, errors.New("its body is not one JSON object")
	}
	var s said
	for name, to := range map[string]*string{"id": &s.ID, "reason": &s.Reason, "by": &s.By, "outcome": &s.Outcome} {
		if value, ok := members[name]; ok && json.Unmarshal(value, to) != nil {
			return said{}, fmt.Errorf("the member %q of its body is not a string", name)
		}
	}
	if s.ID == "" {
		return said{}, errors.New("its body has no id")
	}
	return s, nil
}

// handle does what an entry asks for. It returns an error where the entry has to be tried again.
func (r *reader) handle(ctx context.Context, m redis.XMessage, delivered int64) error {
	msg, err := decodeMessage(m)
	if err != nil {
		return r.bury(ctx, m, err.Error())
	}
	if msg.op == "raise" {
		return r.raise(ctx, m, msg.body)
	}
	s, err := decodeSaid(msg.body)
	if err != nil {
		return r.bury(ctx, m, err.Error())
	}
	if r.keys.Partition(s.ID) != r.p {
		return r.bury(ctx, m, fmt.Sprintf("its stop is not in partition %d", r.p))
	}
	c, err := command(msg.op, s)
	if err != nil {
		return r.bury(ctx, m, err.Error())
	}
	_, _, err = r.do(ctx, s.ID, c, m.ID)
	return r.settle(ctx, m, s.ID, delivered, err)
}

// command is what an op other than raise asks of its stop.
func command(op string, s said) (Command, error) {
	switch op {
	case "withdraw":
		return Withdraw{Reason: cut(s.Reason)}, nil
	case "completed":
		return Complete{}, nil
	case "resumed":
		if len(s.By) > byMost {
			return nil, fmt.Errorf("its by is longer than %d bytes", byMost)
		}
		return Resume{By: s.By, Outcome: s.Outcome}, nil
	default:
		return nil, errors.New("no such op")
	}
}

// cut shortens a reason, visibly, on a character.
func cut(s string) string {
	if runes := []rune(s); len(runes) > reasonMost {
		return string(runes[:reasonMost-1]) + "…"
	}
	return s
}

// settle says what becomes of an entry after the ledger has decided.
func (r *reader) settle(ctx context.Context, m redis.XMessage, id string, delivered int64, err error) error {
	var closed *ClosedError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrUnknown):
		return r.wait(ctx, m, id, delivered)
	case errors.As(err, &closed):
		return r.leave(ctx, m, leaving{}) // the outcome says which was first
	case errors.Is(err, ErrNotEnded), errors.Is(err, ErrOtherOutcome), errors.Is(err, ErrNoPage), errors.Is(err, ErrIncomplete):
		return r.bury(ctx, m, err.Error())
	}
	return err
}

// wait leaves an entry whose stop is unknown where it is. Its raise may be in another bot's hands, so it goes to the dead
// only when nothing older waits, and when its loop has had the time to raise again.
func (r *reader) wait(ctx context.Context, m redis.XMessage, id string, delivered int64) error {
	pending, err := r.redis.XPending(ctx, r.inbox, group).Result()
	if err != nil {
		return fmt.Errorf("look for the oldest in inbox %d: %w", r.p, err)
	}
	now, err := r.redis.Time(ctx).Result()
	if err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}
	age := now.Sub(entryTime(m.ID))
	if pending.Lower == m.ID && delivered > 1 && (age < 0 || age >= grace) {
		return r.bury(ctx, m, "nobody knows of its stop")
	}
	if delivered <= 1 {
		r.waiting.keep(id, m, time.Now())
		return nil
	}
	// It did not fail, so this delivery does not count against it.
	err = r.redis.Do(ctx, "XCLAIM", r.inbox, group, r.name, 0, m.ID, "RETRYCOUNT", 1, "JUSTID").Err()
	if err != nil {
		return fmt.Errorf("keep an entry waiting: %w", err)
	}
	return nil
}

// came handles what waited for the raise of a stop.
func (r *reader) came(ctx context.Context, id string) error {
	var errs []error
	for _, m := range r.waiting.take(id) {
		errs = append(errs, r.take(ctx, m, 1))
	}
	return errors.Join(errs...)
}

// entryTime is the time in an entry's id.
func entryTime(id string) time.Time {
	ms, _, _ := strings.Cut(id, "-")
	const far = 1 << 48 // an id's 64 bits do not fit into a time
	n, err := strconv.ParseUint(ms, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(min(n, far)))
}

// leaving is how an entry leaves the inbox without moving a stop. The zero value just lets it go.
type leaving struct {
	dead    string // why it goes to the dead
	refusal string // the signed refusal of its bytes
	digest  string // of the refused bytes
}

func (r *reader) bury(ctx context.Context, m redis.XMessage, why string) error {
	r.log.WarnContext(ctx, "an inbox entry is dead", "partition", r.p, "entry", m.ID, "why", why)
	return r.leave(ctx, m, leaving{dead: why})
}

func (r *reader) leave(ctx context.Context, m redis.XMessage, how leaving) error {
	refusal := r.inbox
	if how.refusal != "" {
		refusal = r.keys.Refusal(r.p, how.digest)
	}
	op, _ := m.Values["op"].(string)
	body, _ := m.Values["body"].(string)
	keys := []string{r.inbox, r.keys.In(r.p, "dead"), refusal}
	err := r.scripts.leave.Run(ctx, r.redis, keys, group, m.ID, how.dead, clip(op), clip(body), how.refusal,
		int(refusedFor.Seconds()), deadKept).Err()
	if err != nil {
		return fmt.Errorf("let an entry leave inbox %d: %w", r.p, err)
	}
	return nil
}

func clip(s string) string { return s[:min(len(s), deadBody)] }
