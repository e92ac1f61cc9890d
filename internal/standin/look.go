package standin

import "slices"

// Users returns the members of the workspace as configured, the bot among them.
func (s *Server) Users() []User {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []User
	for _, id := range s.world.order.users {
		out = append(out, *s.world.users[id])
	}
	return out
}

// Channels returns the channels that user sees, as configured, then direct messages: the public ones, and where the
// user is a member.
func (s *Server) Channels(user string) []Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Channel
	for _, id := range s.world.order.channels {
		c := *s.world.channels[id]
		if !c.Private || slices.Contains(c.Members, user) {
			c.Members = slices.Clone(c.Members)
			out = append(out, c)
		}
	}
	return out
}

// Groups returns the user groups.
func (s *Server) Groups() []Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Group
	for _, id := range s.world.order.groups {
		g := *s.world.groups[id]
		g.Users = slices.Clone(g.Users)
		out = append(out, g)
	}
	return out
}

// Unread returns how many messages of a channel, replies and what only user sees among them, came since
// [Server.MarkRead]; the user's own do not count.
func (s *Server) Unread(user, channel string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, m := range s.world.messages[channel] {
		mine := m.EphemeralFor == "" || m.EphemeralFor == user
		if mine && !m.Deleted && m.User != user && m.at > s.world.read[user][channel] {
			n++
		}
	}
	return n
}

// MarkRead says that user has seen all that stands in a channel.
func (s *Server) MarkRead(user, channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.world.read[user] == nil {
		s.world.read[user] = map[string]int64{}
	}
	if s.world.read[user][channel] != s.world.lastTS {
		s.world.read[user][channel] = s.world.lastTS
		s.touch()
	}
}
