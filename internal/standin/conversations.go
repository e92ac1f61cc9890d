package standin

import (
	"slices"
	"strings"
)

func (s *Server) channelJSON(c *Channel) object {
	out := object{
		"id": c.ID, "created": 1, "is_archived": c.Archived, "is_org_shared": false, "context_team_id": s.world.team,
		"is_im": c.DM != "",
	}
	if c.DM != "" {
		out["user"] = c.DM
		return out
	}
	out["is_member"], out["is_private"] = slices.Contains(c.Members, s.world.bot), c.Private
	out["is_channel"], out["is_group"], out["is_mpim"] = true, false, false
	out["name"], out["name_normalized"], out["is_general"] = c.Name, c.Name, false
	out["topic"], out["purpose"] = object{"value": ""}, object{"value": ""}
	return out
}

// counted is a channel with the number of its members, which Slack tells in a list, and in conversations.info on request.
func (s *Server) counted(c *Channel) object {
	out := s.channelJSON(c)
	if c.DM == "" {
		out["num_members"] = len(c.Members)
	}
	return out
}

func (s *Server) conversationInfo(a args) (object, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	if a.flag("include_num_members") {
		return object{"channel": s.counted(c)}, nil
	}
	return object{"channel": s.channelJSON(c)}, nil
}

func (s *Server) conversationMembers(a args) (object, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	part, next, err := paged(a, c.Members, 100, 1000)
	if err != nil {
		return nil, err
	}
	return withCursor(object{"members": append([]string{}, part...)}, next), nil
}

// conversationOpen opens the direct messages with one person. Groups of people are not what the bot uses.
func (s *Server) conversationOpen(a args) (object, error) {
	user := a.text("users")
	if id := a.text("channel"); id != "" {
		c := s.world.channels[id]
		if c == nil || c.DM == "" {
			return nil, fail("channel_not_found")
		}
		user = c.DM
	}
	u := s.world.users[user]
	switch {
	case user == "":
		return nil, fail("users_list_not_supplied")
	case strings.Contains(user, ","):
		return nil, fail("method_not_supported_for_channel_type")
	case u == nil:
		return nil, fail("user_not_found")
	case u.Deleted:
		return nil, fail("user_disabled")
	case u.Bot:
		return nil, fail("cannot_dm_bot")
	}
	c := s.world.dm(user)
	s.touch()
	if a.flag("return_im") {
		return object{"channel": s.channelJSON(c)}, nil
	}
	return object{"channel": object{"id": c.ID}}, nil
}

func (s *Server) conversationList(a args) (object, error) {
	types := a.text("types")
	if types == "" {
		types = "public_channel"
	}
	var found []object
	for _, id := range s.world.order.channels {
		c := s.world.channels[id]
		kind := "public_channel"
		switch {
		case c.DM != "":
			kind = "im"
		case c.Private:
			kind = "private_channel"
		}
		asked := slices.Contains(strings.Split(types, ","), kind)
		seen := !c.Private || slices.Contains(c.Members, s.world.bot)
		if asked && seen && (!c.Archived || !a.flag("exclude_archived")) {
			found = append(found, s.counted(c))
		}
	}
	part, next, err := paged(a, found, 100, 1000)
	if err != nil {
		return nil, err
	}
	return withCursor(object{"channels": append([]object{}, part...)}, next), nil
}

func (s *Server) conversationJoin(a args) (object, error) {
	c, err := s.channelOf(a)
	switch {
	case err != nil:
		return nil, err
	case c.Private:
		return nil, fail("method_not_supported_for_channel_type")
	case c.Archived:
		return nil, fail("is_archived")
	}
	if slices.Contains(c.Members, s.world.bot) {
		return object{"channel": s.channelJSON(c), "warning": "already_in_channel"}, nil
	}
	c.Members = append(c.Members, s.world.bot)
	s.touch()
	return object{"channel": s.channelJSON(c)}, nil
}
