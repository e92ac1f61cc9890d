package standin

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAPersonIsSaidToBeWhatSlackSays holds the kinds of members as the library reads them: a partner in a shared channel is no
// stranger.
func TestAPersonIsSaidToBeWhatSlackSays(t *testing.T) {
	t.Parallel()
	w := people()
	w.Enterprise = "E0LOCAL"
	w.Users = append(w.Users,
		User{ID: "U0GUEST", Name: "guest", Guest: true},
		User{ID: "U0ONE", Name: "one", OneChannel: true},
		User{ID: "U0PARTNER", Name: "partner", Team: "T0PARTNER", Enterprise: "E0PARTNER", Zone: "Asia/Kathmandu"},
		User{ID: "U0STRANGER", Name: "stranger", Team: "T0STRANGER"},
		User{ID: "U0SIBLING", Name: "sibling", Team: "T0SIBLING", Enterprise: "E0LOCAL"},
	)
	w.Channels[0].Members = append(w.Channels[0].Members, "U0PARTNER")
	o := open(t, w)
	type kind struct {
		Team, Enterprise, Zone                 string
		Restricted, Ultra, Stranger, Bot, Gone bool
	}
	for id, want := range map[string]kind{
		"U0ANA":      {Team: "T0LOCAL", Enterprise: "E0LOCAL", Zone: "Etc/UTC"},
		"U0GUEST":    {Team: "T0LOCAL", Enterprise: "E0LOCAL", Zone: "Etc/UTC", Restricted: true},
		"U0ONE":      {Team: "T0LOCAL", Enterprise: "E0LOCAL", Zone: "Etc/UTC", Restricted: true, Ultra: true},
		"U0PARTNER":  {Team: "T0PARTNER", Enterprise: "E0PARTNER", Zone: "Asia/Kathmandu"},
		"U0STRANGER": {Team: "T0STRANGER", Zone: "Etc/UTC", Stranger: true},
		"U0SIBLING":  {Team: "T0SIBLING", Enterprise: "E0LOCAL", Zone: "Etc/UTC", Stranger: true},
		"U0GONE":     {Team: "T0LOCAL", Enterprise: "E0LOCAL", Zone: "Etc/UTC", Gone: true},
	} {
		u, err := o.api.GetUserInfoContext(t.Context(), id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		got := kind{u.TeamID, u.Enterprise.EnterpriseID, u.TZ, u.IsRestricted, u.IsUltraRestricted, u.IsStranger, u.IsBot, u.Deleted}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	me, err := o.api.AuthTestContext(t.Context())
	if err != nil || me.EnterpriseID != "E0LOCAL" {
		t.Errorf("auth.test = %+v, %v", me, err)
	}
}
