package bot

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// typedInThread is an event of Slack of a message that a person typed in the thread of a card.
const typedInThread = `{"type":"event_callback","team_id":"T1","event_id":"Ev1","event":{"type":"message","user":"U1","user_team":"T2",
"text":"a &lt; b &amp;amp; c","ts":"2.000002","thread_ts":"1.000001","parent_user_id":"UBOT","channel":"C1","channel_type":"channel"}}`

func TestWhatIsTypedInAThreadIsToldFromEverythingElse(t *testing.T) {
	t.Parallel()
	me := Identity{BotUser: "UBOT"}
	for name, tc := range map[string]struct {
		from, to string // what is another in the event
		want     bool
	}{
		"as it is":                     {"", "", true},
		"sent to the channel too":      {`"type":"message"`, `"type":"message","subtype":"thread_broadcast"`, true},
		"without who began the thread": {`"parent_user_id":"UBOT",`, ``, true},
		"in somebody else's thread":    {`"UBOT"`, `"U2"`, false},
		"not in a thread":              {`"thread_ts":"1.000001",`, ``, false},
		"the head of a thread":         {`"thread_ts":"1.000001"`, `"thread_ts":"2.000002"`, false},
		"by an app":                    {`"user":"U1"`, `"user":"U1","bot_id":"B1"`, false},
		"by the bot":                   {`"user":"U1"`, `"user":"UBOT"`, false},
		"by slackbot":                  {`"user":"U1"`, `"user":"USLACKBOT"`, false},
		"by nobody":                    {`"user":"U1",`, ``, false},
		"edited":                       {`"type":"message"`, `"type":"message","subtype":"message_changed"`, false},
		"joined":                       {`"type":"message"`, `"type":"message","subtype":"channel_join"`, false},
		"blank":                        {`"a &lt; b &amp;amp; c"`, `" \n "`, false},
		"in no channel":                {`"channel":"C1"`, `"channel":7`, false},
		"no message":                   {`"type":"message"`, `"type":"reaction_added"`, false},
	} {
		var e event
		if err := json.Unmarshal([]byte(strings.Replace(typedInThread, tc.from, tc.to, 1)), &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r, ok := replyOf(e, me)
		if ok != tc.want {
			t.Errorf("%s: %t, want %t", name, ok, tc.want)
		}
		if name != "as it is" {
			continue
		}
		want := reply{channel: "C1", thread: "1.000001", ts: "2.000002", text: "a < b &amp; c", who: person{team: "T2", user: "U1", channel: "C1", thread: "1.000001"}}
		if diff := cmp.Diff(want, r, cmp.AllowUnexported(reply{}, person{})); diff != "" {
			t.Errorf("what is read (-want +got):\n%s", diff)
		}
	}
}

func FuzzReply(f *testing.F) {
	f.Add(typedInThread)
	f.Add(strings.Replace(typedInThread, `"C1"`, `{"id":"C1"}`, 1))
	f.Add(`{"event":{"type":"message","subtype":["x"]}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		var e event
		if json.Unmarshal([]byte(raw), &e) != nil {
			return
		}
		r, ok := replyOf(e, Identity{BotUser: "UBOT"})
		if ok && (r.channel == "" || r.thread == "" || r.ts == r.thread || r.who.user == "" || r.who.user == "UBOT" || strings.TrimSpace(r.text) == "") {
			t.Errorf("%q is read as %+v", raw, r)
		}
	})
}
