package bot

import (
	"context"
	"sync"
	"time"

	"flagstop/routing"
)

// memberKept is how long is believed what Slack said of a person.
const memberKept = 10 * time.Minute

// maxMembers bounds the people that are kept in memory.
const maxMembers = 10_000

// people keep what Slack said last of each person.
type people struct {
	mu sync.Mutex
	of map[string]known
}

type known struct {
	member routing.Member
	until  time.Time
}

// member is what Slack knows of a person. What cannot be read is not kept: the next press asks again.
func (b *Bot) member(ctx context.Context, user string) routing.Member {
	p := &b.people
	p.mu.Lock()
	k, ok := p.of[user]
	p.mu.Unlock()
	if ok && time.Now().Before(k.until) {
		return k.member
	}
	info, err := b.slack.UserInfo(ctx, user)
	if hasCode(err, "user_not_found") || hasCode(err, "user_not_visible") {
		return routing.Foreign
	}
	if err != nil {
		b.log.WarnContext(ctx, "slack did not say who a person is", "user", user, "err", err)
		return routing.Unreadable
	}
	k = known{info.member(), time.Now().Add(memberKept)}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil || len(p.of) >= maxMembers {
		p.of = map[string]known{}
	}
	p.of[user] = k
	return k.member
}

// UserInfo is what is read of a person.
type UserInfo struct {
	ID         string `json:"id"`
	Deleted    bool   `json:"deleted"`
	Bot        bool   `json:"is_bot"`
	Restricted bool   `json:"is_restricted"`
	Ultra      bool   `json:"is_ultra_restricted"`
	Stranger   bool   `json:"is_stranger"`
}

// member is the kind of a person. Slackbot is a bot that does not say so.
func (u UserInfo) member() routing.Member {
	switch {
	case u.Deleted:
		return routing.Deactivated
	case u.Bot || u.ID == "USLACKBOT":
		return routing.AppMember
	case u.Stranger:
		return routing.Foreign
	case u.Restricted || u.Ultra:
		return routing.Guest
	}
	return routing.FullMember
}
