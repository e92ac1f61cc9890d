package bot

import (
	"testing"

	"flagstop/routing"
)

// TestWhoSlackSaysAPersonIs is the table of what users.info can say, in a workspace of its own and in one of an organisation.
func TestWhoSlackSaysAPersonIs(t *testing.T) {
	t.Parallel()
	alone, grid := Identity{Team: "T1"}, Identity{Team: "T1", Enterprise: "E1"}
	of := func(enterprise string, u UserInfo) UserInfo {
		u.Enterprise.ID = enterprise
		return u
	}
	for name, tc := range map[string]struct {
		me   Identity
		info UserInfo
		want routing.Member
	}{
		"a member":                                      {alone, UserInfo{ID: "U1", Team: "T1"}, routing.FullMember},
		"a guest":                                       {alone, UserInfo{ID: "U1", Team: "T1", Restricted: true}, routing.Guest},
		"a guest of one channel":                        {alone, UserInfo{ID: "U1", Team: "T1", Ultra: true}, routing.Guest},
		"an app":                                        {alone, UserInfo{ID: "U1", Team: "T1", Bot: true}, routing.AppMember},
		"slackbot, who does not say so":                 {alone, UserInfo{ID: "USLACKBOT", Team: "T1"}, routing.AppMember},
		"a deactivated guest":                           {alone, UserInfo{ID: "U1", Team: "T1", Deleted: true, Restricted: true}, routing.Deactivated},
		"a stranger":                                    {alone, UserInfo{ID: "U1", Team: "T2", Stranger: true}, routing.Foreign},
		"a partner in a shared channel":                 {alone, UserInfo{ID: "U1", Team: "T2"}, routing.Foreign},
		"somebody of no team":                           {alone, UserInfo{ID: "U1"}, routing.Foreign},
		"somebody of no team, the bot neither":          {Identity{}, UserInfo{ID: "U1"}, routing.Foreign},
		"another workspace of the organisation":         {grid, of("E1", UserInfo{ID: "U1", Team: "T2"}), routing.FullMember},
		"a guest of another workspace of it":            {grid, of("E1", UserInfo{ID: "U1", Team: "T2", Restricted: true}), routing.Guest},
		"another organisation":                          {grid, of("E2", UserInfo{ID: "U1", Team: "T3"}), routing.Foreign},
		"no organisation, as the bot has none":          {alone, of("", UserInfo{ID: "U1", Team: "T2"}), routing.Foreign},
		"an organisation where the bot is in none":      {alone, of("E1", UserInfo{ID: "U1", Team: "T2"}), routing.Foreign},
		"a member of the workspace, in an organisation": {grid, of("E1", UserInfo{ID: "U1", Team: "T1"}), routing.FullMember},
	} {
		if got := tc.info.member(tc.me); got != tc.want {
			t.Errorf("%s is %q, want %q", name, got, tc.want)
		}
	}
}
