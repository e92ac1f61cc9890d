package standin

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"
)

// emit tells the app of an event, and again at once, after a minute and after five more, until it is acknowledged. The
// caller holds s.mu.
func (s *Server) emit(ev object) {
	payload := object{
		"type": "event_callback", "token": "stand-in", "team_id": s.world.team, "api_app_id": appID, "event": ev,
		"event_id": "Ev" + rand.Text()[:10], "event_time": time.Now().Unix(), "is_ext_shared_channel": false,
		"authorizations": []object{{
			"enterprise_id": nil, "team_id": s.world.team, "user_id": s.world.bot, "is_bot": true, "is_enterprise_install": false,
		}},
	}
	s.spawn(func(ctx context.Context) { s.insist(ctx, payload) })
}

// insist delivers an event on Slack's schedule.
func (s *Server) insist(ctx context.Context, payload object) {
	d := delivery{kind: event, payload: payload}
	for _, wait := range [...]time.Duration{0, time.Minute, 5 * time.Minute, -1} {
		_, err := s.deliver(ctx, d)
		var f *failure
		if !errors.As(err, &f) || f.final || wait < 0 {
			return
		}
		d.retry, d.reason = d.retry+1, f.reason
		if d.reason == "http_timeout" && s.o.EventsURL == "" {
			d.reason = "timeout"
		}
		again := time.NewTimer(wait)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
	}
}

// channelType is how events call the kind of a channel.
func (c *Channel) channelType() string {
	switch {
	case c.DM != "":
		return "im"
	case c.Private:
		return "group"
	}
	return "channel"
}

// hears reports whether the app gets the messages of a channel.
func (s *Server) hears(c *Channel) bool { return c != nil && slices.Contains(c.Members, s.world.bot) }

// tellMessage tells the app of a message that a person typed.
func (s *Server) tellMessage(c *Channel, m *message) {
	if !s.hears(c) {
		return
	}
	ev := s.messageJSON(m, true)
	ev["channel"], ev["channel_type"], ev["event_ts"] = c.ID, c.channelType(), m.TS
	s.emit(ev)
}

// remove deletes a message and tells the app.
func (s *Server) remove(m *message) {
	was := s.messageJSON(m, true)
	m.Deleted = true
	s.touch()
	c := s.world.channels[m.Channel]
	if !s.hears(c) || m.EphemeralFor != "" {
		return
	}
	ts, _ := s.world.nextTS()
	s.emit(object{
		"type": "message", "subtype": "message_deleted", "hidden": true, "channel": c.ID, "channel_type": c.channelType(),
		"ts": ts, "event_ts": ts, "deleted_ts": m.TS, "previous_message": was,
	})
}

// Delete deletes a message, as an admin does, and tells the app.
func (s *Server) Delete(channel, ts string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.world.find(channel, ts); m != nil {
		s.remove(m)
	}
}

// Archive archives a channel and tells the app.
func (s *Server) Archive(channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.world.channels[channel]
	if c == nil || c.Archived {
		return
	}
	c.Archived = true
	s.touch()
	ts, _ := s.world.nextTS()
	if s.hears(c) {
		s.emit(object{"type": "channel_archive", "channel": c.ID, "user": s.anyone(), "is_moved": 0, "event_ts": ts})
	}
}

// Kick takes the bot out of a channel and tells it.
func (s *Server) Kick(channel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.world.channels[channel]
	if !s.hears(c) {
		return
	}
	c.Members = slices.DeleteFunc(slices.Clone(c.Members), func(id string) bool { return id == s.world.bot })
	s.touch()
	ts, _ := s.world.nextTS()
	s.emit(object{
		"type": "member_left_channel", "user": s.world.bot, "channel": c.ID, "channel_type": c.channelType()[:1],
		"team": s.world.team, "event_ts": ts,
	})
}

// anyone is who did what an admin does: the first person of the workspace.
func (s *Server) anyone() string {
	for _, id := range s.world.order.users {
		if !s.world.users[id].Bot {
			return id
		}
	}
	return s.world.bot
}
