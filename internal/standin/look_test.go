package standin

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPersonSeesPublicChannelsAndTheirOwn(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	o.call("conversations.open", url.Values{"users": {"U0BOB"}})
	for user, want := range map[string][]string{
		"U0ANA": {"C0PRODUCT", "C0SECRET", "C0HIDDEN", "C0OTHER", "C0OLD"},
		"U0BOB": {"C0PRODUCT", "C0OTHER", "C0OLD", "D0BOB"},
	} {
		var got []string
		for _, c := range o.s.Channels(user) {
			got = append(got, c.ID)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", user, d)
		}
	}
	if users, groups := o.s.Users(), o.s.Groups(); len(users) != 4 || users[3].ID != "U0FLAGSTOP" || len(groups) != 1 {
		t.Errorf("users %+v, groups %+v", users, groups)
	}
}

func TestWhatIsLookedAtIsACopy(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	o.post(url.Values{"blocks": {twoButtons}})
	m := o.s.Messages("C0PRODUCT")[0]
	m.Blocks[0] = 'x'
	o.s.Channels("U0ANA")[0].Members[0] = "x"
	o.s.Groups()[0].Users[0] = "x"
	if o.s.Messages("C0PRODUCT")[0].Blocks[0] == 'x' || o.s.Channels("U0ANA")[0].Members[0] == "x" || o.s.Groups()[0].Users[0] == "x" {
		t.Error("a change of the copy changed the workspace")
	}
}

func TestAReplyThatTheChannelShowsTooIsInBoth(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	m := o.post(url.Values{"text": {"p"}})
	o.post(url.Values{"text": {"quiet"}, "thread_ts": {m.TS}})
	o.post(url.Values{"text": {"loud"}, "thread_ts": {m.TS}, "reply_broadcast": {"true"}})
	texts := func(ms []Message) string {
		var out []string
		for _, m := range ms {
			out = append(out, m.Text)
		}
		return strings.Join(out, " ")
	}
	if got := texts(o.s.Messages("C0PRODUCT")); got != "p loud" {
		t.Errorf("the channel: %s", got)
	}
	if got := texts(o.s.Thread("C0PRODUCT", m.TS)); got != "quiet loud" {
		t.Errorf("the thread: %s", got)
	}
}

func TestTokensAreGeneratedWhereNoneAreGiven(t *testing.T) {
	t.Parallel()
	a, b := New(Options{}), New(Options{})
	defer a.Close()
	defer b.Close()
	bot, app, secret := a.Tokens()
	if !strings.HasPrefix(bot, "xoxb-") || !strings.HasPrefix(app, "xapp-") || len(secret) < 20 {
		t.Errorf("tokens of the wrong form")
	}
	if other, _, _ := b.Tokens(); other == bot {
		t.Error("two workspaces have one token")
	}
}

const chooser = `[{"type":"actions","block_id":"b","elements":[
 {"type":"static_select","action_id":"pick","options":[{"text":{"type":"plain_text","text":"A"},"value":"a"},{"text":{"type":"plain_text","text":"B"},"value":"b"}]},
 {"type":"checkboxes","action_id":"many","options":[{"text":{"type":"mrkdwn","text":"*A*"},"value":"a"}]}]}]`

func TestWhatIsPickedInAMessageIsInTheStateOfThatPerson(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	m := o.post(url.Values{"blocks": {chooser}})
	picked := func() any {
		values := a.last(t).payload["state"].(map[string]any)["values"].(map[string]any)["b"].(map[string]any)
		o, _ := values["pick"].(map[string]any)["selected_option"].(map[string]any)
		return o["value"]
	}
	for _, row := range []struct {
		user, action string
		value, want  any
	}{
		{"U0ANA", "pick", "b", "b"}, {"U0BOB", "many", []any{"a"}, nil}, {"U0ANA", "many", true, "b"}, {"U0ANA", "many", false, "b"},
	} {
		if err := o.s.As(row.user).Act(t.Context(), m, Action{BlockID: "b", ActionID: row.action, Value: row.value}); err != nil {
			t.Fatal(err)
		}
		if got := picked(); got != row.want {
			t.Errorf("%+v: picked %v", row, got)
		}
	}
}

func TestAnElementOfTheHomeAndOfAModalIsAClick(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	home := `{"type":"home","blocks":` + chooser + `}`
	if got := o.call("views.publish", url.Values{"user_id": {"U0ANA"}, "view": {home}}); got["ok"] != true {
		t.Fatal(got)
	}
	ana := o.s.As("U0ANA")
	id := ana.Home().ID
	if err := ana.ActInView(t.Context(), id, Action{BlockID: "b", ActionID: "pick", Value: "a"}); err != nil {
		t.Fatal(err)
	}
	p := a.last(t).payload
	if p["container"].(map[string]any)["view_id"] != id || p["view"].(map[string]any)["id"] != id || p["message"] != nil || p["response_url"] != nil {
		t.Errorf("payload %v", p)
	}
	if got := o.call("views.open", url.Values{"trigger_id": {p["trigger_id"].(string)}, "view": {`{"type":"modal","title":{"type":"plain_text","text":"M"},"blocks":` + chooser + `}`}}); got["ok"] != true {
		t.Fatal(got)
	}
	if err := ana.ActInView(t.Context(), ana.View().ID, Action{BlockID: "b", ActionID: "pick", Value: "b"}); err != nil {
		t.Fatal(err)
	}
	trigger := a.last(t).payload["trigger_id"].(string)
	if got := o.call("views.push", url.Values{"trigger_id": {trigger}, "view": {form}}); got["ok"] != true || got["view"].(map[string]any)["previous_view_id"] == nil {
		t.Errorf("views.push: %v", got)
	}
	if err := o.s.As("U0BOB").ActInView(t.Context(), id, Action{BlockID: "b", ActionID: "pick", Value: "a"}); err == nil {
		t.Error("Bob clicked in Ana's home")
	}
	if got := o.call("views.push", url.Values{"trigger_id": {o.trigger("U0BOB")}, "view": {form}}); got["error"] != "not_found" {
		t.Errorf("pushed on nothing: %v", got)
	}
}

func TestDirectMessagesAreOpenedByUserID(t *testing.T) {
	t.Parallel()
	a := &app{}
	o := byHTTP(t, a)
	m := o.post(url.Values{"channel": {"U0BOB"}, "blocks": {twoButtons}})
	if m.Channel != "D0BOB" {
		t.Errorf("posted to %s, want D0BOB", m.Channel)
	}
	if err := o.s.As("U0BOB").Click(t.Context(), m, "Open", 0); err != nil {
		t.Fatal(err)
	}
	if c := a.last(t).payload["channel"].(map[string]any); c["name"] != "directmessage" {
		t.Errorf("channel = %v", c)
	}
	if err := o.s.As("U0ANA").Click(t.Context(), m, "Open", 0); err == nil {
		t.Error("Ana clicked in Bob's direct messages")
	}
}
