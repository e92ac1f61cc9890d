// Package rosters keeps in Redis what happens to rotations beside their file: overrides and swaps, each with who made it,
// and the versions of a rotation as it was loaded. Nothing is ever taken out of their logs but the oldest of very many.
package rosters

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/routing"
)

// kept is how many entries of a rotation's log, and versions of it, are kept.
const kept = 1000

// ErrUnknown says that a rotation has no change of that id which still counts.
var ErrUnknown = errors.New("there is no such change, or it was cleared already")

// Change is an override or a swap of a rotation, or that one of them does not count any more.
type Change struct {
	ID     string    `json:"id"`
	By     string    `json:"by"` // whose identity, as in an outcome
	Made   time.Time `json:"made"`
	Out    string    `json:"out,omitempty"`
	In     string    `json:"in,omitempty"`
	From   time.Time `json:"from,omitzero"`
	Until  time.Time `json:"until,omitzero"`
	A      string    `json:"a,omitempty"` // of a swap: the days on which the shifts begin
	B      string    `json:"b,omitempty"`
	Clears string    `json:"clears,omitempty"` // the id of the change that does not count any more
}

// Store is the rosters of one prefix.
type Store struct {
	redis  redis.UniversalClient
	prefix string
}

// New returns the rosters of a prefix.
func New(r redis.UniversalClient, prefix string) *Store { return &Store{r, prefix} }

func (s *Store) changes(rotation string) string { return "{" + s.prefix + "}:override:" + rotation }

func (s *Store) versions(rotation string) string { return "{" + s.prefix + "}:rotation:" + rotation }

// appendScript appends to a list, with Redis's time, what is not its last entry already. KEYS[1] the list; ARGV[1] the text,
// ARGV[2] how many are kept, ARGV[3] '1' where the last may be the same. Returns the milliseconds, ” where nothing was done.
var appendScript = redis.NewScript(`
local last = redis.call('LINDEX', KEYS[1], -1)
if ARGV[3] ~= '1' and last and string.sub(last, string.find(last, ' ', 1, true) + 1) == ARGV[1] then return '' end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('RPUSH', KEYS[1], now .. ' ' .. ARGV[1])
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[2]), -1)
return now`)

func (s *Store) append(ctx context.Context, key string, v any, again string) (time.Time, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return time.Time{}, err
	}
	at, err := appendScript.Run(ctx, s.redis, []string{key}, text, kept, again).Text()
	if err != nil || at == "" {
		return time.Time{}, err
	}
	return millis(at)
}

func millis(s string) (time.Time, error) {
	ms, err := strconv.ParseInt(s, 10, 64)
	return time.UnixMilli(ms).UTC(), err
}

// Load notes the rotations of a configuration that is in force: a version of each that is not the newest already.
func (s *Store) Load(ctx context.Context, rotations map[string]routing.Roster) error {
	for name, r := range rotations {
		if len(r.Versions) == 0 {
			continue
		}
		if _, err := s.append(ctx, s.versions(name), stored(r.Versions[len(r.Versions)-1].Rotation), ""); err != nil {
			return fmt.Errorf("note a version of the rotation %s: %w", name, err)
		}
	}
	return nil
}

// Add notes a change, with an id and Redis's time. The caller has seen to it that it may be made, and makes sense.
func (s *Store) Add(ctx context.Context, rotation string, c Change) (Change, error) {
	c.ID, c.Made = strings.ToLower(rand.Text()[:6]), time.Time{}
	at, err := s.append(ctx, s.changes(rotation), c, "1")
	if err != nil {
		return c, fmt.Errorf("note a change of the rotation %s: %w", rotation, err)
	}
	c.Made = at
	return c, nil
}

// Clear notes that a change does not count any more; ErrUnknown where there is none that does.
func (s *Store) Clear(ctx context.Context, rotation, id, by string) (Change, error) {
	all, err := s.Changes(ctx, rotation)
	if err != nil {
		return Change{}, err
	}
	for _, c := range Counting(all) {
		if c.ID == id {
			return s.Add(ctx, rotation, Change{By: by, Clears: id})
		}
	}
	return Change{}, fmt.Errorf("clear %s of the rotation %s: %w", id, rotation, ErrUnknown)
}

// Changes are all changes of a rotation that are kept, oldest first.
func (s *Store) Changes(ctx context.Context, rotation string) ([]Change, error) {
	lines, err := s.redis.LRange(ctx, s.changes(rotation), 0, -1).Result()
	if err != nil {
		return nil, fmt.Errorf("read the changes of the rotation %s: %w", rotation, err)
	}
	return decodeChanges(lines)
}

// Counting are the overrides and swaps that were not cleared.
func Counting(all []Change) []Change {
	cleared := map[string]bool{}
	for _, c := range all {
		cleared[c.Clears] = true
	}
	var left []Change
	for _, c := range all {
		if c.Clears == "" && !cleared[c.ID] {
			left = append(left, c)
		}
	}
	return left
}

// With is a configuration's rotations with their versions, overrides and swaps. A rotation of which nothing was noted is as in
// the configuration.
func (s *Store) With(ctx context.Context, rotations map[string]routing.Roster) (map[string]routing.Roster, error) {
	if len(rotations) == 0 {
		return rotations, nil
	}
	p := s.redis.Pipeline()
	versions, changes := map[string]*redis.StringSliceCmd{}, map[string]*redis.StringSliceCmd{}
	for name := range rotations {
		versions[name] = p.LRange(ctx, s.versions(name), 0, -1)
		changes[name] = p.LRange(ctx, s.changes(name), 0, -1)
	}
	if _, err := p.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the rosters: %w", err)
	}
	out := map[string]routing.Roster{}
	for name, file := range rotations {
		r, err := roster(name, file, versions[name].Val(), changes[name].Val())
		if err != nil {
			return nil, fmt.Errorf("read the roster of %s: %w", name, err)
		}
		out[name] = r
	}
	return out, nil
}

func roster(name string, file routing.Roster, versions, changes []string) (routing.Roster, error) {
	r := routing.Roster{Versions: file.Versions}
	if len(versions) > 0 {
		r.Versions = nil
	}
	for _, line := range versions {
		v, err := decodeVersion(name, line)
		if err != nil {
			return r, err
		}
		r.Versions = append(r.Versions, v)
	}
	all, err := decodeChanges(changes)
	if err != nil {
		return r, err
	}
	for _, c := range Counting(all) {
		if c.A != "" {
			a, errA := routing.ParseDate(c.A)
			b, errB := routing.ParseDate(c.B)
			if err := errors.Join(errA, errB); err != nil {
				return r, err
			}
			r.Swaps = append(r.Swaps, routing.Swap{A: a, B: b, Made: c.Made})
			continue
		}
		r.Overrides = append(r.Overrides, routing.Override{Out: c.Out, In: c.In, From: c.From, Until: c.Until, Made: c.Made})
	}
	return r, nil
}

func decodeChanges(lines []string) ([]Change, error) {
	all := make([]Change, 0, len(lines))
	for _, line := range lines {
		var c Change
		at, err := decode(line, &c)
		if err != nil {
			return nil, fmt.Errorf("read a change: %w", err)
		}
		c.Made = at
		all = append(all, c)
	}
	return all, nil
}

// decode reads a line: milliseconds, a space, and JSON without fields that are not known.
func decode(line string, v any) (time.Time, error) {
	ms, text, _ := strings.Cut(line, " ")
	at, err := millis(ms)
	if err != nil {
		return at, err
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	return at, d.Decode(v)
}
