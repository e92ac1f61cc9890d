package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops"
)

// cardField is what the fields of a stop's hash begin with that hold its cards; the place follows.
const cardField = "card:"

// Read returns the stop, or ErrUnknown.
func (l *Ledger) Read(ctx context.Context, id string) (Stop, error) {
	stop, err := l.look(ctx, id)
	if err != nil {
		return Stop{}, fmt.Errorf("read stop %s: %w", id, err)
	}
	if stop.State.Phase == "" {
		return Stop{}, fmt.Errorf("read stop %s: %w", id, ErrUnknown)
	}
	return stop, nil
}

// look reads what there is: a stop that does not exist has the zero State, and Now.
func (l *Ledger) look(ctx context.Context, id string) (Stop, error) {
	reply, err := l.fetch(ctx, id)
	if err != nil {
		return Stop{}, broken(err)
	}
	stop, err := decodeStop(id, reply)
	if err != nil {
		return Stop{}, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return stop, nil
}

// fetch returns what read.lua does.
func (l *Ledger) fetch(ctx context.Context, id string) ([]any, error) {
	keys := []string{l.keys.Of(id, "stop"), l.keys.Of(id, "log"), l.keys.Of(id, "record"), l.keys.Of(id, "outcome")}
	run := l.scripts.read.Run
	if l.looks {
		run = l.scripts.read.RunRO
	}
	reply, err := run(ctx, l.redis, keys).Slice()
	if err == nil && len(reply) != 6 {
		err = fmt.Errorf("redis returned %d parts of a stop, not 6", len(reply))
	}
	return reply, err
}

// decodeStop makes a stop of what read.lua returns.
func decodeStop(id string, reply []any) (Stop, error) {
	now, err := timeOf(reply[0], reply[1])
	if err != nil {
		return Stop{}, err
	}
	stop := Stop{ID: id, Now: now}
	fields := pairs(texts(reply[2]))
	if len(fields) == 0 {
		return stop, nil
	}
	stop.raw = texts(reply[3])
	if stop.Log, err = decodeLog(stop.raw); err != nil {
		return Stop{}, err
	}
	for _, e := range stop.Log {
		stop.State = Apply(stop.State, e)
	}
	if fields["seq"] != strconv.FormatInt(stop.State.Seq, 10) || len(stop.Log) != int(stop.State.Seq) {
		return Stop{}, fmt.Errorf("its log has %d entries and its seq is %q; verify the log", len(stop.Log), fields["seq"])
	}
	record, _ := reply[4].(string)
	if stop.Record, err = loops.Load([]byte(record)); err != nil {
		return Stop{}, fmt.Errorf("load its record: %w", err)
	}
	stop.Outcome, _ = reply[5].(string)
	stop.State.Digest = fields["digest"]
	stop.State.Cards, err = decodeCards(fields)
	return stop, err
}

func decodeLog(raw []string) ([]Entry, error) {
	log := make([]Entry, 0, len(raw))
	for i, r := range raw {
		e, err := decodeEntry(r)
		if err != nil {
			return nil, fmt.Errorf("entry %d of its log: %w", i+1, err)
		}
		log = append(log, e)
	}
	return log, nil
}

func decodeEntry(raw string) (Entry, error) {
	var e Entry
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		return Entry{}, fmt.Errorf("decode: %w", err)
	}
	if e.Seq < 1 || e.Kind == "" {
		return Entry{}, errors.New("decode: seq or kind is missing")
	}
	return e, nil
}

// storedCard is a Card with short names and without its place, which is the field's: an open stop takes little memory.
type storedCard struct {
	Place       string    `json:"-"`
	Channel     string    `json:"c"`
	TS          string    `json:"t,omitempty"`
	Rev         int64     `json:"r,omitempty"`
	Attempt     string    `json:"a,omitempty"`
	AttemptAt   time.Time `json:"m,omitzero"`
	Thread      []string  `json:"h,omitempty"`
	Plain       bool      `json:"p,omitempty"`
	Undelivered string    `json:"u,omitempty"`
	Waiting     int       `json:"w,omitempty"`
}

func encodeCard(c Card) (string, error) {
	c.AttemptAt = c.AttemptAt.UTC().Truncate(time.Millisecond)
	return encode(storedCard(c))
}

func decodeCards(fields map[string]string) ([]Card, error) {
	var cards []Card
	for name, value := range fields {
		if !strings.HasPrefix(name, cardField) {
			continue
		}
		var c storedCard
		if err := json.Unmarshal([]byte(value), &c); err != nil {
			return nil, fmt.Errorf("decode %s: %w", name, err)
		}
		c.Place = strings.TrimPrefix(name, cardField)
		cards = append(cards, Card(c))
	}
	slices.SortFunc(cards, func(a, b Card) int { return strings.Compare(a.Place, b.Place) })
	return cards, nil
}

// timeOf reads what TIME returns.
func timeOf(seconds, micros any) (time.Time, error) {
	s, _ := seconds.(string)
	us, _ := micros.(string)
	sec, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read redis's time: %w", err)
	}
	usec, err := strconv.ParseInt(us, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read redis's time: %w", err)
	}
	return time.Unix(sec, usec*int64(time.Microsecond)).UTC(), nil
}

func texts(reply any) []string {
	list, _ := reply.([]any)
	out := make([]string, 0, len(list))
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

func pairs(flat []string) map[string]string {
	m := make(map[string]string, len(flat)/2)
	for pair := range slices.Chunk(flat, 2) {
		if len(pair) == 2 {
			m[pair[0]] = pair[1]
		}
	}
	return m
}

// digestOf is "sha256:<hex>" of bytes: of a record, and of an entry as stored.
func digestOf(b string) string {
	sum := sha256.Sum256([]byte(b))
	return "sha256:" + hex.EncodeToString(sum[:])
}
