package bot

import (
	"context"
	"slices"
	"sync"
	"time"

	"flagstop/routing"
)

const (
	groupKept   = 10 * time.Minute
	groupMissed = 15 * time.Second // until a group that could not be read is asked for again
)

// groups keep who is in which user group of Slack.
type groups struct {
	mu sync.Mutex
	of map[string]members
}

type members struct {
	users []string
	until time.Time
	err   error
}

// memberships say in which of the groups a user is. A group that cannot be read fails closed: known is false.
func (b *Bot) memberships(ctx context.Context, user string, of []string) (in []string, known bool) {
	known = true
	for _, group := range of {
		m := b.members(ctx, group)
		if m.err != nil {
			known = false
		}
		if slices.Contains(m.users, user) {
			in = append(in, group)
		}
	}
	return in, known
}

func (b *Bot) members(ctx context.Context, group string) members {
	g := &b.groups
	g.mu.Lock()
	m, ok := g.of[group]
	g.mu.Unlock()
	if ok && time.Now().Before(m.until) {
		return m
	}
	users, err := b.slack.GroupUsers(ctx, group)
	m = members{users: users, until: time.Now().Add(groupKept)}
	if err != nil {
		b.log.ErrorContext(ctx, "the members of a user group were not read", "group", group, "err", err)
		m = members{until: time.Now().Add(groupMissed), err: err}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = map[string]members{}
	}
	g.of[group] = m
	return m
}

// answerer is somebody with the user groups that decide who answers.
func (b *Bot) answerer(ctx context.Context, who person, a routing.Asked) routing.Answerer {
	return b.known(ctx, who, routing.Groups(b.config(), a), func(x routing.Answerer) bool { return routing.May(b.config(), a, x).OK })
}

// handler is somebody with the user groups that decide who answers, and who relays for those.
func (b *Bot) handler(ctx context.Context, who person, a routing.Asked) routing.Answerer {
	return b.known(ctx, who, routing.RelayGroups(b.config(), a), func(x routing.Answerer) bool { return routing.MayHandle(b.config(), a, x).OK })
}

// known is somebody with those of the groups that they are in, and what Slack knows of them. Slack is asked only where it
// makes a difference.
func (b *Bot) known(ctx context.Context, who person, of []string, may func(routing.Answerer) bool) routing.Answerer {
	answerer := b.grouped(ctx, who, of, may)
	member := answerer
	member.Member = routing.FullMember
	if !may(answerer) && may(member) {
		answerer.Member = b.member(ctx, who.user)
	}
	return answerer
}

func (b *Bot) grouped(ctx context.Context, who person, of []string, may func(routing.Answerer) bool) routing.Answerer {
	answerer := routing.Answerer{ID: who.id()}
	if len(of) > 0 && !may(answerer) {
		in, known := b.memberships(ctx, who.user, of)
		answerer.Groups, answerer.GroupsUnknown = in, !known
	}
	return answerer
}
