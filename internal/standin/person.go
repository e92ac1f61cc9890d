package standin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Person acts as one user. What Slack would show it on failure comes back as an error: [ErrUnanswered] where the app did
// not acknowledge.
type Person struct {
	s    *Server
	user string
}

// As returns the person with that user id, who clicks and types.
func (s *Server) As(user string) *Person { return &Person{s: s, user: user} }

// errMissing is what a person finds who acts on a message or a view that is no longer there.
var errMissing = errors.New("this is no longer there")

// member returns the channel if the person may write in it. The caller holds s.mu.
func (p *Person) member(channel string) (*Channel, error) {
	c := p.s.world.channels[channel]
	switch {
	case p.s.world.users[p.user] == nil:
		return nil, fmt.Errorf("%s is nobody of this workspace", p.user)
	case c == nil, c.Private && !slices.Contains(c.Members, p.user):
		return nil, fmt.Errorf("channel %s: not found", channel)
	case c.Archived:
		return nil, fmt.Errorf("channel %s: is archived", channel)
	case !slices.Contains(c.Members, p.user):
		return nil, fmt.Errorf("channel %s: join it first", channel)
	}
	return c, nil
}

// Post types a message in a channel, or in a thread of it. The app hears of it if it is in the channel; Post does not
// wait for that.
func (p *Person) Post(_ context.Context, channel, threadTS, text string) error {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	c, err := p.member(channel)
	if err != nil {
		return err
	}
	m := &message{Message: Message{Channel: c.ID, User: p.user, Text: p.s.typed(text)}}
	if m.Text == "" {
		return errors.New("an empty message")
	}
	if err := p.s.placeInThread(m, threadTS); err != nil {
		return err
	}
	p.s.add(m)
	p.s.tellMessage(c, m)
	return nil
}

// typed is what Slack makes of what a person types: escaped, with @name and #channel as mentions.
func (s *Server) typed(text string) string {
	text = escape(text)
	for _, id := range s.world.order.users {
		text = mention(text, "@"+s.world.users[id].Name, "<@"+id+">")
	}
	for _, id := range s.world.order.channels {
		if c := s.world.channels[id]; c.DM == "" {
			name := c.Name
			if c.Private {
				name = ""
			}
			text = mention(text, "#"+c.Name, "<#"+id+"|"+name+">")
		}
	}
	return text
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(strings.ToValidUTF8(text, "\uFFFD"))
}

// mention replaces a name where it stands as a word of its own.
func mention(text, name, as string) string {
	if len(name) < 2 {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, name)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		whole := !strings.HasSuffix(before, "|") && !startsWithName(after)
		if whole {
			b.WriteString(as)
		} else {
			b.WriteString(name)
		}
		text = after
	}
}

func startsWithName(s string) bool {
	return s != "" && (s[0] == '-' || s[0] == '_' || s[0] >= '0' && s[0] <= '9' || s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z')
}

// View returns the topmost open modal, or nil.
func (p *Person) View() *View {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if v := p.top(); v != nil {
		return v.snapshot(p.s)
	}
	return nil
}

func (p *Person) top() *view {
	stack := p.s.world.stacks[p.user]
	if len(stack) == 0 {
		return nil
	}
	return stack[len(stack)-1]
}

// Home returns what the app has published for this person, or nil.
func (p *Person) Home() *View {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if v := p.s.world.homes[p.user]; v != nil {
		return v.snapshot(p.s)
	}
	return nil
}

// OpenHome opens the app's home; the app hears app_home_opened and may publish a view, see [Person.Home]. OpenHome does not
// wait for that.
func (p *Person) OpenHome(context.Context) error {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.world.users[p.user] == nil {
		return fmt.Errorf("%s is nobody of this workspace", p.user)
	}
	ts, _ := s.world.nextTS()
	ev := object{"type": "app_home_opened", "user": p.user, "channel": s.world.dm(p.user).ID, "tab": "home", "event_ts": ts}
	if v := s.world.homes[p.user]; v != nil {
		ev["view"] = s.viewJSON(v)
	}
	s.emit(ev)
	return nil
}

// Dismiss hides an ephemeral message ("Only visible to you · Dismiss message").
func (p *Person) Dismiss(m Message) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if found := p.s.world.find(m.Channel, m.TS); found != nil && found.EphemeralFor == p.user {
		p.s.remove(found)
	}
}

// interaction is what every payload of an interaction begins with. The caller holds s.mu.
func (p *Person) interaction(kind string) object {
	w := &p.s.world
	name := p.user
	if u := w.users[p.user]; u != nil {
		name = u.Name
	}
	return object{
		"type": kind, "token": "stand-in", "api_app_id": appID, "enterprise": nil, "is_enterprise_install": false,
		"team": object{"id": w.team, "domain": "local"},
		"user": object{"id": p.user, "username": name, "name": name, "team_id": p.team()},
	}
}

func (p *Person) team() string {
	if u := p.s.world.users[p.user]; u != nil && u.Team != "" {
		return u.Team
	}
	return p.s.world.team
}

// tell delivers an interaction. Slack does not repeat it: a person whose click is not acknowledged sees an error.
func (p *Person) tell(ctx context.Context, d delivery) ([]byte, error) {
	ack, err := p.s.deliver(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrUnanswered, err)
	}
	return ack, nil
}

func actionTS() string { return formatTS(time.Now().UnixMicro()) }
