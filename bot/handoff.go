package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"

	"github.com/redis/go-redis/v9"
)

const (
	// handOffEvery is how often it is looked at most seldom whether somebody else is on call: an override may be made at any time.
	handOffEvery = 30 * time.Second
	// handOffLease is how long who announces a hand-off has, before somebody else looks whether it was announced.
	handOffLease = time.Minute
	// inherited bounds the stops that an announcement shows.
	inherited = 5
)

// shiftScript takes the announcement of a change of who is on call. KEYS[1] what was announced last; ARGV[1] who is on call,
// ARGV[2] how long it is leased in ms. Returns {'take', from whom, since} to whoever announces it, now or
// because the one before did not end it, and {'wait'} or {'done'} otherwise. The first of all is noted and not announced.
var shiftScript = redis.NewScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local users = redis.call('HGET', KEYS[1], 'users')
if not users then
  redis.call('HSET', KEYS[1], 'users', ARGV[1], 'from', '', 'since', string.format('%.0f', now), 'done', '1')
  return {'done'}
end
if users == ARGV[1] and redis.call('HGET', KEYS[1], 'done') == '1' then return {'done'} end
if users ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'users', ARGV[1], 'from', users, 'since', string.format('%.0f', now), 'done', '0', 'until', '0')
end
if tonumber(redis.call('HGET', KEYS[1], 'until')) > now then return {'wait'} end
local again = redis.call('HGET', KEYS[1], 'until') == '0' and '' or '1'
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + tonumber(ARGV[2])))
return {'take', redis.call('HGET', KEYS[1], 'from'), redis.call('HGET', KEYS[1], 'since'), again}`)

// shiftDoneScript notes that a hand-off was announced. KEYS[1] as above; ARGV[1] since when.
var shiftDoneScript = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'since') == ARGV[1] then redis.call('HSET', KEYS[1], 'done', '1') end
return 1`)

// handOffs announces who comes on call, once for each change, and keeps the user groups of roles equal to who is.
func (b *Bot) handOffs(ctx context.Context) {
	for ctx.Err() == nil {
		wait := handOffEvery
		for _, role := range rolesWithRotation(b.config()) {
			next, err := b.handOff(ctx, role)
			if err != nil && ctx.Err() == nil {
				b.log.WarnContext(ctx, "a hand-off was not announced yet", "role", role, "err", err)
			}
			wait = min(wait, next)
		}
		b.keepGroups(ctx)
		_ = sleep(ctx, max(wait, time.Second))
	}
}

// shift is a change of who is on call for a role that this bot announces.
type shift struct {
	role     string
	duty     routing.Duty
	outgoing []string
	since    string // when it was noticed, in ms: with the role it names the change
	again    bool   // somebody else may have announced it before
}

// handOff announces a change for one role, if there is one, and returns in how long to look again.
func (b *Bot) handOff(ctx context.Context, role string) (time.Duration, error) {
	c := b.config()
	now, err := b.redis.Time(ctx).Result()
	if err != nil {
		return handOffEvery, err
	}
	d := routing.OnCall(c.Team(role), now)
	next := handOffEvery
	if !d.Until.IsZero() {
		next = min(next, d.Until.Sub(now))
	}
	if len(d.Users) == 0 { // a gap is no hand-off: whoever comes after it is compared with who was before
		return next, nil
	}
	key := b.key("shift:" + role)
	reply, err := shiftScript.Run(ctx, b.redis, []string{key}, strings.Join(d.Users, " "), handOffLease.Milliseconds()).StringSlice()
	if err != nil || len(reply) != 4 {
		return next, err
	}
	s := shift{role: role, duty: d, outgoing: strings.Fields(reply[1]), since: reply[2], again: reply[3] != ""}
	if err := b.announceShift(ctx, c, s); err != nil {
		return next, err
	}
	return next, shiftDoneScript.Run(ctx, b.redis, []string{key}, s.since).Err()
}

// announceShift posts the announcement, unless it stands already, and has each stop that is held say it to whoever comes.
func (b *Bot) announceShift(ctx context.Context, c routing.Config, s shift) error {
	var open []ledger.Stop
	for stop, err := range b.ledger.List(ctx, ledger.Query{Phase: ledger.Open, Holder: s.role}) {
		if err != nil {
			return fmt.Errorf("look for what %s holds: %w", s.role, err)
		}
		open = append(open, stop)
	}
	if err := b.postShift(ctx, c, s, open); err != nil {
		return err
	}
	for _, stop := range open {
		if stop.State.Taken != nil { // it stays theirs who said so
			continue
		}
		note := ledger.HandOff{Shift: s.role + " " + s.since, Role: s.role, Users: s.duty.Users, Until: s.duty.Until}
		if _, _, err := b.ledger.Do(ctx, stop.ID, note); err != nil && !isA[*ledger.ClosedError](err) {
			return err
		}
	}
	b.nudge()
	return nil
}

func (b *Bot) postShift(ctx context.Context, c routing.Config, s shift, open []ledger.Stop) error {
	channel := cmp.Or(c.Roles[s.role].Channel, c.FallbackChannel)
	if channel == "" {
		return nil
	}
	stamp := Stamp{Prefix: b.prefix, Place: "shift:" + s.role + ":" + s.since}
	if s.again {
		ms, err := strconv.ParseInt(s.since, 10, 64)
		if err != nil {
			return fmt.Errorf("read since when: %w", err)
		}
		found, err := b.slack.Find(ctx, channel, "", time.UnixMilli(ms), stamp)
		if err != nil || len(found) > 0 {
			return err
		}
	}
	m := templates.HandOff{
		Role: s.role, Outgoing: s.outgoing, Incoming: s.duty.Users, Until: s.duty.Until, Next: s.duty.Next, Open: len(open),
	}
	links, cancel := context.WithTimeout(ctx, linksWithin)
	defer cancel()
	for _, stop := range open[:min(len(open), inherited)] {
		m.Rows = append(m.Rows, templates.Row{View: viewOf(stop), Asked: stop.State.Asked, Link: b.linkOf(links, stop)})
	}
	_, err := b.slack.Post(ctx, channel, "", b.words.HandedOff(m), stamp)
	if hasClass(err, ClassDestination) || hasClass(err, ClassContent) { // nothing to wait for
		b.log.ErrorContext(ctx, "a hand-off cannot be announced", "role", s.role, "channel", channel, "err", err)
		return nil
	}
	return err
}

// keepGroups keeps the user groups of roles equal to who is on call: those of all roles with the same group together.
func (b *Bot) keepGroups(ctx context.Context) {
	c := b.config()
	want := map[string][]string{}
	for _, role := range rolesWithRotation(c) {
		if group := c.Roles[role].UserGroup; group != "" {
			want[group] = append(want[group], routing.OnCall(c.Team(role), time.Now()).Users...)
		}
	}
	for group, users := range want {
		slices.Sort(users)
		if err := b.keepGroup(ctx, group, slices.Compact(users)); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "a user group is not who is on call yet", "group", group, "err", err)
		}
	}
}

// groupLooked is how long it is believed that a group is as it was written.
const groupLooked = time.Hour

// keepGroup writes a group where it differs. It is never emptied, and one with somebody whom Slack does not know is left alone.
func (b *Bot) keepGroup(ctx context.Context, group string, users []string) error {
	key := b.key("group:" + group)
	last, err := b.redis.Get(ctx, key).Result()
	if len(users) == 0 || err == nil && last == strings.Join(users, " ") {
		return nil
	}
	is, err := b.slack.GroupUsers(ctx, group)
	if err != nil {
		return err
	}
	slices.Sort(is)
	if !slices.Equal(is, users) {
		for _, user := range users {
			if m := b.member(ctx, user); m == routing.Foreign || m == routing.Deactivated || m == routing.Unreadable {
				return fmt.Errorf("%s is nobody who can be in it (%s): it is left as it was", user, m)
			}
		}
		if err := b.slack.SetGroup(ctx, group, users); err != nil {
			return err
		}
	}
	return b.redis.Set(ctx, key, strings.Join(users, " "), groupLooked).Err()
}
