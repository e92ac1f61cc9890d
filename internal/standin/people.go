package standin

import (
	"cmp"
	"slices"
	"strings"
)

func (s *Server) authTest(args) (object, error) {
	out := object{
		"url": s.o.BaseURL + "/", "team": "Local", "team_id": s.world.team, "user": s.world.users[s.world.bot].Name,
		"user_id": s.world.bot, "bot_id": botID, "is_enterprise_install": false,
	}
	if s.o.Enterprise != "" {
		out["enterprise_id"] = s.o.Enterprise
	}
	return out, nil
}

func (s *Server) botsInfo(a args) (object, error) {
	if id := a.text("bot"); id != "" && id != botID {
		return nil, fail("bot_not_found")
	}
	return object{"bot": object{
		"id": botID, "deleted": false, "name": s.world.users[s.world.bot].Name, "updated": 1, "app_id": appID,
		"user_id": s.world.bot, "icons": object{},
	}}, nil
}

func (s *Server) userJSON(u *User) object {
	real := cmp.Or(u.RealName, u.Name)
	out := object{
		"id": u.ID, "team_id": cmp.Or(u.Team, s.world.team), "name": u.Name, "deleted": u.Deleted, "real_name": real,
		"tz": cmp.Or(u.Zone, "Etc/UTC"), "tz_label": "UTC", "tz_offset": 0, "updated": 1,
		"is_admin": false, "is_owner": false, "is_bot": u.Bot, "is_app_user": false,
		"is_restricted": u.Guest || u.OneChannel, "is_ultra_restricted": u.OneChannel, "is_stranger": s.isStranger(u),
		"profile": object{
			"real_name": real, "real_name_normalized": real, "display_name": u.Name, "display_name_normalized": u.Name,
			"title": u.Title, "team": cmp.Or(u.Team, s.world.team),
		},
	}
	if enterprise := s.enterpriseOf(u); enterprise != "" {
		out["enterprise_user"] = object{
			"id": u.ID, "enterprise_id": enterprise, "enterprise_name": "Local", "is_admin": false, "is_owner": false,
			"teams": []string{cmp.Or(u.Team, s.world.team)},
		}
	}
	return out
}

// isStranger is what Slack calls one: somebody of another workspace who shares no channel with the app.
func (s *Server) isStranger(u *User) bool {
	if u.Team == "" || u.Team == s.world.team {
		return false
	}
	for _, c := range s.world.channels {
		if slices.Contains(c.Members, u.ID) && slices.Contains(c.Members, s.world.bot) {
			return false
		}
	}
	return true
}

func (s *Server) enterpriseOf(u *User) string {
	if u.Team == "" || u.Team == s.world.team {
		return s.o.Enterprise
	}
	return u.Enterprise
}

func (s *Server) userInfo(a args) (object, error) {
	u := s.world.users[a.text("user")]
	if u == nil {
		return nil, fail("user_not_found")
	}
	return object{"user": s.userJSON(u)}, nil
}

func (s *Server) userList(a args) (object, error) {
	part, next, err := paged(a, s.world.order.users, 200, 1000)
	if err != nil {
		return nil, err
	}
	out := []object{}
	for _, id := range part {
		out = append(out, s.userJSON(s.world.users[id]))
	}
	return withCursor(object{"members": out, "cache_ts": 1}, next), nil
}

func (s *Server) groupJSON(g *Group, users bool) object {
	out := object{
		"id": g.ID, "team_id": s.world.team, "is_usergroup": true, "name": g.Handle, "handle": g.Handle, "description": "",
		"is_external": false, "date_create": 1, "date_update": 1, "date_delete": 0, "auto_type": nil,
		"created_by": s.world.bot, "updated_by": s.world.bot, "deleted_by": nil, "user_count": len(g.Users),
		"prefs": object{"channels": []string{}, "groups": []string{}},
	}
	if users {
		out["users"] = append([]string{}, g.Users...)
	}
	return out
}

func (s *Server) groupList(a args) (object, error) {
	out := []object{}
	for _, id := range s.world.order.groups {
		out = append(out, s.groupJSON(s.world.groups[id], a.flag("include_users")))
	}
	return object{"usergroups": out}, nil
}

func (s *Server) groupUsers(a args) (object, error) {
	g := s.world.groups[a.text("usergroup")]
	if g == nil {
		return nil, fail("no_such_subteam")
	}
	return object{"users": append([]string{}, g.Users...)}, nil
}

// groupUpdate replaces the members of a group, all of them.
func (s *Server) groupUpdate(a args) (object, error) {
	g := s.world.groups[a.text("usergroup")]
	if g == nil {
		return nil, fail("no_such_subteam")
	}
	users := strings.Split(a.text("users"), ",")
	if a.text("users") == "" {
		return nil, fail("no_users_provided")
	}
	if slices.ContainsFunc(users, func(id string) bool { return s.world.users[id] == nil }) {
		return nil, fail("invalid_users")
	}
	g.Users = users
	s.touch()
	return object{"usergroup": s.groupJSON(g, true)}, nil
}

// Group returns the members of a user group, in the order in which they were set.
func (s *Server) Group(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.world.groups[id]; g != nil {
		return slices.Clone(g.Users)
	}
	return nil
}
