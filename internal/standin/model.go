package standin

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// world is the state of the workspace. All of it is guarded by Server.mu.
type world struct {
	team, bot string
	users     map[string]*User
	channels  map[string]*Channel
	groups    map[string]*Group
	order     struct{ users, channels, groups []string } // as configured
	messages  map[string][]*message                      // by channel, oldest first, replies and ephemerals among them
	lastTS    int64                                      // microseconds
	views     map[string]*view                           // open modals and homes, by id
	stacks    map[string][]*view                         // by user, topmost last
	homes     map[string]*view                           // by user
	read      map[string]map[string]int64                // user, channel → time of the newest message seen
}

// message is a message with what only the server knows of it.
type message struct {
	Message
	at        int64  // its ts in microseconds
	editedTS  string // when it was edited last
	broadcast bool   // a reply that the channel shows too
	state     map[string]values
}

// values are what a person has put into the elements of a message or view: block id, action id → Slack's state object.
type values map[string]map[string]map[string]any

const (
	botID = "B0FLAGSTOP"
	appID = "A0FLAGSTOP"
)

func (o Options) withDefaults() Options {
	o.Team = cmp.Or(o.Team, "T0LOCAL")
	o.BotUser = cmp.Or(o.BotUser, "U0FLAGSTOP")
	o.BotToken = cmp.Or(o.BotToken, "xoxb-"+rand.Text())
	o.AppToken = cmp.Or(o.AppToken, "xapp-"+rand.Text())
	o.SigningSecret = cmp.Or(o.SigningSecret, rand.Text())
	o.BaseURL = strings.TrimSuffix(cmp.Or(o.BaseURL, "http://127.0.0.1"), "/")
	o.PingEvery = cmp.Or(o.PingEvery, 10*time.Second)
	return o
}

func newWorld(o Options) world {
	w := world{
		team: o.Team, bot: o.BotUser,
		users: map[string]*User{}, channels: map[string]*Channel{}, groups: map[string]*Group{},
		messages: map[string][]*message{}, views: map[string]*view{}, stacks: map[string][]*view{}, homes: map[string]*view{},
		read: map[string]map[string]int64{},
	}
	for _, u := range o.Users {
		w.addUser(u)
	}
	if w.users[o.BotUser] == nil {
		w.addUser(User{ID: o.BotUser, Name: "flagstop", RealName: "Flagstop", Bot: true})
	}
	for _, c := range o.Channels {
		c.Members = slices.Clone(c.Members)
		if !c.NoBot && !slices.Contains(c.Members, o.BotUser) {
			c.Members = append(c.Members, o.BotUser)
		}
		w.addChannel(c)
	}
	for _, g := range o.Groups {
		g.Users = slices.Clone(g.Users)
		w.groups[g.ID] = &g
		w.order.groups = append(w.order.groups, g.ID)
	}
	return w
}

func (w *world) addUser(u User) {
	w.users[u.ID] = &u
	w.order.users = append(w.order.users, u.ID)
}

func (w *world) addChannel(c Channel) *Channel {
	w.channels[c.ID] = &c
	w.order.channels = append(w.order.channels, c.ID)
	return &c
}

// dm returns the direct messages of a person with the bot, opened if need be.
func (w *world) dm(user string) *Channel {
	id := "D" + strings.TrimPrefix(user, "U")
	if c := w.channels[id]; c != nil {
		return c
	}
	return w.addChannel(Channel{ID: id, Members: []string{user, w.bot}, Private: true, DM: user})
}

// nextTS returns the present as a ts that no message has, later than any before.
func (w *world) nextTS() (ts string, at int64) {
	w.lastTS = max(w.lastTS+1, time.Now().UnixMicro())
	return formatTS(w.lastTS), w.lastTS
}

func formatTS(at int64) string { return fmt.Sprintf("%d.%06d", at/1e6, at%1e6) }

// parseTS reads a ts, or a time in seconds with any number of decimals; ok is false for anything else.
func parseTS(ts string) (at int64, ok bool) {
	sec, frac, _ := strings.Cut(ts, ".")
	whole, err := strconv.ParseUint(sec, 10, 40)
	if err != nil || len(frac) > 6 {
		return 0, false
	}
	micro, err := strconv.ParseUint((frac + "000000")[:6], 10, 32)
	return int64(whole)*1e6 + int64(micro), err == nil
}

// find returns the message with that ts, ephemerals included, or nil.
func (w *world) find(channel, ts string) *message {
	for _, m := range w.messages[channel] {
		if m.TS == ts && !m.Deleted {
			return m
		}
	}
	return nil
}

// replies returns the replies of a message, oldest first.
func (w *world) replies(channel, ts string) []*message {
	var out []*message
	for _, m := range w.messages[channel] {
		if m.ThreadTS == ts && m.TS != ts && !m.Deleted && m.EphemeralFor == "" {
			out = append(out, m)
		}
	}
	return out
}

// touch tells everyone who waits that something that people see has changed. The caller holds s.mu.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Changed returns a channel that is closed at the next change of anything that people see. Ask for it before looking.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Until waits until ok reports true, looking after each change, or ctx ends.
func (s *Server) Until(ctx context.Context, ok func() bool) error {
	for {
		changed := s.Changed()
		if ok() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the workspace to change: %w", context.Cause(ctx))
		}
	}
}

// snapshot is the message as others may keep it.
func (m *message) snapshot() Message {
	c := m.Message
	c.Blocks = slices.Clone(m.Blocks)
	c.Attachments = slices.Clone(m.Attachments)
	c.Metadata = slices.Clone(m.Metadata)
	c.Reactions = maps.Clone(m.Reactions)
	return c
}

func snapshots(ms []*message, keep func(*message) bool) []Message {
	var out []Message
	for _, m := range ms {
		if !m.Deleted && keep(m) {
			out = append(out, m.snapshot())
		}
	}
	return out
}

// Messages returns the messages of a channel, oldest first, without thread replies (but for those that were sent to the
// channel too) and ephemerals.
func (s *Server) Messages(channel string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return snapshots(s.world.messages[channel], (*message).inChannel)
}

// inChannel reports whether the channel itself shows the message to everyone.
func (m *message) inChannel() bool {
	return m.EphemeralFor == "" && !m.Deleted && (m.ThreadTS == "" || m.ThreadTS == m.TS || m.broadcast)
}

// Thread returns the replies of a message, oldest first.
func (s *Server) Thread(channel, ts string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return snapshots(s.world.replies(channel, ts), func(*message) bool { return true })
}

// Ephemerals returns what only user has been shown, oldest first, in any channel.
func (s *Server) Ephemerals(user string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Message
	for _, ms := range s.world.messages {
		out = append(out, snapshots(ms, func(m *message) bool { return m.EphemeralFor == user })...)
	}
	slices.SortFunc(out, func(a, b Message) int {
		x, _ := parseTS(a.TS)
		y, _ := parseTS(b.TS)
		return cmp.Compare(x, y)
	})
	return out
}

// Tokens returns the bot's token, the app's token and the signing secret: as given, or as generated.
func (s *Server) Tokens() (bot, app, secret string) {
	return s.o.BotToken, s.o.AppToken, s.o.SigningSecret
}
