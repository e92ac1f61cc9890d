package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"flagstop/routing"
)

// personKept is how long is believed what Slack said of a person.
const personKept = 10 * time.Minute

// maxPeople bounds the people that are kept in memory.
const maxPeople = 10_000

// people keep what Slack said last of each person.
type people struct {
	mu sync.Mutex
	of map[string]acquaintance
}

type acquaintance struct {
	member routing.Member
	zone   *time.Location
	until  time.Time
}

// member is what Slack knows of a person.
func (b *Bot) member(ctx context.Context, user string) routing.Member {
	return b.meet(ctx, user).member
}

// meet asks Slack about a person, or knows it still. What cannot be read is not kept: the next press asks again.
func (b *Bot) meet(ctx context.Context, user string) acquaintance {
	p := &b.people
	p.mu.Lock()
	k, ok := p.of[user]
	p.mu.Unlock()
	if ok && time.Now().Before(k.until) {
		return k
	}
	k, err := b.introduced(ctx, user)
	if err != nil {
		b.log.WarnContext(ctx, "slack did not say who a person is", "user", user, "err", err)
		return k
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil || len(p.of) >= maxPeople {
		p.of = map[string]acquaintance{}
	}
	p.of[user] = k
	return k
}

func (b *Bot) introduced(ctx context.Context, user string) (acquaintance, error) {
	unknown := acquaintance{member: routing.Unreadable, zone: time.UTC}
	me, err := b.slack.Identify(ctx)
	if err != nil {
		return unknown, err
	}
	info, err := b.slack.UserInfo(ctx, user)
	switch {
	case hasCode(err, "user_not_found"), hasCode(err, "user_not_visible"):
		return acquaintance{member: routing.Foreign, zone: time.UTC, until: time.Now().Add(personKept)}, nil
	case err != nil:
		return unknown, err
	case info.ID != user:
		return unknown, errors.New("the answer is about somebody else")
	}
	zone, err := time.LoadLocation(info.Zone)
	if err != nil || info.Zone == "" || info.Zone == "Local" {
		zone = time.UTC
	}
	return acquaintance{member: info.member(me), zone: zone, until: time.Now().Add(personKept)}, nil
}

// UserInfo is what is read of a person. That a person uses this app (is_app_user) says nothing of who they are.
// https://docs.slack.dev/reference/objects/user-object
type UserInfo struct {
	ID         string `json:"id"`
	Team       string `json:"team_id"`
	Deleted    bool   `json:"deleted"`
	Bot        bool   `json:"is_bot"`
	Restricted bool   `json:"is_restricted"`
	Ultra      bool   `json:"is_ultra_restricted"`
	Stranger   bool   `json:"is_stranger"`
	Zone       string `json:"tz"`
	Enterprise struct {
		ID string `json:"enterprise_id"`
	} `json:"enterprise_user"`
}

// member is the kind of a person, for a bot that is me. Slackbot is a bot that does not say so.
func (u UserInfo) member(me Identity) routing.Member {
	switch {
	case u.Deleted:
		return routing.Deactivated
	case u.Bot || u.ID == "USLACKBOT":
		return routing.AppMember
	case u.Stranger || !u.ours(me):
		return routing.Foreign
	case u.Restricted || u.Ultra:
		return routing.Guest
	}
	return routing.FullMember
}

// ours reports whether a person is of the bot's workspace, or of another one of the same organisation. Somebody of another
// organisation who shares a channel with the bot is no stranger to Slack, so is_stranger alone does not tell.
func (u UserInfo) ours(me Identity) bool {
	return u.Team != "" && u.Team == me.Team || me.Enterprise != "" && u.Enterprise.ID == me.Enterprise
}
