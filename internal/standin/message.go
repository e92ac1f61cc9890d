package standin

import (
	"encoding/json"
	"slices"
)

// messageJSON is a message as Slack sends it. Of metadata there is only the name, unless all of it was asked for.
func (s *Server) messageJSON(m *message, allMetadata bool) object {
	out := object{"type": "message", "user": m.User, "ts": m.TS, "team": s.world.team, "text": m.Text}
	if m.BotID != "" {
		out["bot_id"], out["app_id"] = m.BotID, appID
		out["bot_profile"] = object{"id": botID, "app_id": appID, "name": s.world.users[s.world.bot].Name, "team_id": s.world.team}
	}
	if m.ThreadTS != "" {
		out["thread_ts"] = m.ThreadTS
		if p := s.world.find(m.Channel, m.ThreadTS); p != nil {
			out["parent_user_id"] = p.User
		}
	}
	if m.broadcast {
		out["subtype"] = "thread_broadcast"
	}
	if m.Blocks != nil {
		out["blocks"] = m.Blocks
	}
	if m.Attachments != nil {
		out["attachments"] = m.Attachments
	}
	if m.Edited {
		out["edited"] = object{"user": m.User, "ts": m.editedTS}
	}
	if len(m.Reactions) > 0 {
		out["reactions"] = reactionsJSON(m.Reactions)
	}
	if md := metadataJSON(m.Metadata, allMetadata); md != nil {
		out["metadata"] = md
	}
	s.addThread(out, m)
	return out
}

func reactionsJSON(by map[string][]string) []object {
	var out []object
	for _, name := range sortedKeys(by) {
		out = append(out, object{"name": name, "users": by[name], "count": len(by[name])})
	}
	return out
}

func metadataJSON(md json.RawMessage, all bool) any {
	if md == nil || all {
		if md == nil {
			return nil
		}
		return md
	}
	var m struct {
		Type string `json:"event_type"`
	}
	if json.Unmarshal(md, &m) != nil {
		return nil
	}
	return object{"event_type": m.Type}
}

// addThread adds what a parent tells of its replies.
func (s *Server) addThread(out object, m *message) {
	replies := s.world.replies(m.Channel, m.TS)
	if len(replies) == 0 {
		return
	}
	var users []string
	for _, r := range replies {
		if !slices.Contains(users, r.User) {
			users = append(users, r.User)
		}
	}
	out["thread_ts"] = m.TS
	delete(out, "parent_user_id")
	out["reply_count"], out["reply_users"], out["reply_users_count"] = len(replies), users, len(users)
	out["latest_reply"] = replies[len(replies)-1].TS
}
