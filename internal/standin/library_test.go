package standin

import (
	"encoding/json"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/slack-go/slack"
)

// The library that the bot uses reads every answer of chat.*.
func TestTheLibraryPostsUpdatesAndDeletes(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	md := slack.SlackMetadata{EventType: "shown", EventPayload: map[string]any{"stop": "s1", "rev": "1"}}
	var blocks slack.Blocks
	if err := json.Unmarshal([]byte(twoButtons), &blocks); err != nil {
		t.Fatal(err)
	}
	channel, ts, err := o.api.PostMessageContext(ctx, "C0PRODUCT",
		slack.MsgOptionText("a <b>", false), slack.MsgOptionBlocks(blocks.BlockSet...), slack.MsgOptionMetadata(md))
	if err != nil || channel != "C0PRODUCT" || ts == "" {
		t.Fatalf("PostMessage = %q %q %v", channel, ts, err)
	}
	if _, _, _, err = o.api.UpdateMessageContext(ctx, channel, ts, slack.MsgOptionText("b", false)); err != nil {
		t.Fatal(err)
	}
	m := o.s.Messages("C0PRODUCT")[0]
	if m.Text != "b" || m.Blocks != nil || m.Metadata == nil || !m.Edited {
		t.Errorf("after an update with text alone: %+v", m)
	}
	if _, err := o.api.PostEphemeralContext(ctx, channel, "U0ANA", slack.MsgOptionText("psst", false)); err != nil {
		t.Error(err)
	}
	if got := o.s.Ephemerals("U0ANA"); len(got) != 1 || got[0].Text != "psst" || len(o.s.Ephemerals("U0BOB")) != 0 {
		t.Errorf("Ephemerals = %+v", got)
	}
	link, err := o.api.GetPermalinkContext(ctx, &slack.PermalinkParameters{Channel: channel, Ts: ts})
	if err != nil || link == "" {
		t.Errorf("GetPermalink = %q, %v", link, err)
	}
	if err := o.api.AddReactionContext(ctx, "eyes", slack.NewRefToMessage(channel, ts)); err != nil {
		t.Error(err)
	}
	if err := o.api.AddReactionContext(ctx, "eyes", slack.NewRefToMessage(channel, ts)); err == nil || err.Error() != "already_reacted" {
		t.Errorf("the same reaction again: %v", err)
	}
	if _, _, err := o.api.DeleteMessageContext(ctx, channel, ts); err != nil {
		t.Error(err)
	}
	if got := o.s.Messages("C0PRODUCT"); len(got) != 0 {
		t.Errorf("after the deletion: %+v", got)
	}
	if _, _, err := o.api.DeleteMessageContext(ctx, channel, ts); err == nil || err.Error() != "message_not_found" {
		t.Errorf("deleted again: %v", err)
	}
}

func TestTheLibraryReadsHistoryAndThreadsPageByPage(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	var tops []string
	for range 5 {
		tops = append(tops, o.post(url.Values{"text": {"x"}, "metadata": {`{"event_type":"shown","event_payload":{"a":"b"}}`}}).TS)
	}
	var replies []string
	for range 3 {
		replies = append(replies, o.post(url.Values{"text": {"r"}, "thread_ts": {tops[1]}}).TS)
	}
	var seen []string
	p := &slack.GetConversationHistoryParameters{ChannelID: "C0PRODUCT", Limit: 2, IncludeAllMetadata: true}
	for {
		got, err := o.api.GetConversationHistoryContext(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range got.Messages {
			seen = append(seen, m.Timestamp)
			if m.Metadata.EventPayload["a"] != "b" || m.BotID != botID {
				t.Errorf("message %+v", m)
			}
		}
		// What is posted between two pages neither repeats nor hides a message.
		o.post(url.Values{"text": {"between"}})
		if p.Cursor = got.ResponseMetaData.NextCursor; p.Cursor == "" {
			break
		}
	}
	slices.Reverse(seen)
	if d := cmp.Diff(tops, seen); d != "" {
		t.Errorf("history (-want +got):\n%s", d)
	}
	msgs, more, next, err := o.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{ChannelID: "C0PRODUCT", Timestamp: tops[1], Limit: 3})
	if err != nil || !more || len(msgs) != 3 || msgs[0].Timestamp != tops[1] || msgs[0].ReplyCount != 3 || msgs[1].Timestamp != replies[0] {
		t.Fatalf("replies = %+v, more %v, %v", msgs, more, err)
	}
	msgs, more, _, err = o.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{ChannelID: "C0PRODUCT", Timestamp: tops[1], Cursor: next})
	if err != nil || more || len(msgs) != 1 || msgs[0].Timestamp != replies[2] || msgs[0].ThreadTimestamp != tops[1] {
		t.Errorf("the last page = %+v, more %v, %v", msgs, more, err)
	}
}

func TestHistoryKeepsToItsBoundsAndHidesMetadata(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	var ts []string
	for range 4 {
		ts = append(ts, o.post(url.Values{"text": {"x"}, "metadata": {`{"event_type":"shown","event_payload":{"a":"b"}}`}}).TS)
	}
	for _, row := range []struct {
		inclusive bool
		want      []string
	}{{false, []string{ts[2], ts[1]}}, {true, []string{ts[3], ts[2], ts[1], ts[0]}}} {
		got, err := o.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
			ChannelID: "C0PRODUCT", Oldest: ts[0], Latest: ts[3], Inclusive: row.inclusive,
		})
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, m := range got.Messages {
			seen = append(seen, m.Timestamp)
			if m.Metadata.EventType != "shown" || m.Metadata.EventPayload != nil {
				t.Errorf("metadata = %+v, want the name only", m.Metadata)
			}
		}
		if d := cmp.Diff(row.want, seen); d != "" {
			t.Errorf("inclusive %v (-want +got):\n%s", row.inclusive, d)
		}
	}
}

func TestTheLibraryReadsConversations(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	c, err := o.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: "C0PRODUCT"})
	if err != nil || c.Name != "product" || !c.IsMember {
		t.Errorf("info = %+v, %v", c, err)
	}
	members, _, err := o.api.GetUsersInConversationContext(ctx, &slack.GetUsersInConversationParameters{ChannelID: "C0PRODUCT"})
	if d := cmp.Diff([]string{"U0ANA", "U0BOB", "U0FLAGSTOP"}, members); err != nil || d != "" {
		t.Errorf("members: %v %s", err, d)
	}
	list, _, err := o.api.GetConversationsContext(ctx, &slack.GetConversationsParameters{Types: []string{"public_channel", "private_channel"}, ExcludeArchived: true})
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	if d := cmp.Diff([]string{"product", "secret", "other"}, names); err != nil || d != "" {
		t.Errorf("list: %v %s", err, d)
	}
	dm, _, _, err := o.api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{"U0BOB"}, ReturnIM: true})
	if err != nil || dm.ID != "D0BOB" || !dm.IsIM {
		t.Errorf("open = %+v, %v", dm, err)
	}
	joined, _, _, err := o.api.JoinConversationContext(ctx, "C0OTHER")
	if err != nil || !joined.IsMember {
		t.Errorf("join = %+v, %v", joined, err)
	}
}

func TestTheLibraryReadsPeople(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	me, err := o.api.AuthTestContext(ctx)
	if err != nil || me.UserID != "U0FLAGSTOP" || me.BotID != botID || me.TeamID != "T0LOCAL" {
		t.Errorf("auth.test = %+v, %v", me, err)
	}
	bot, err := o.api.GetBotInfoContext(ctx, slack.GetBotInfoParameters{Bot: me.BotID})
	if err != nil || bot.AppID != appID || bot.UserID != me.UserID {
		t.Errorf("bots.info = %+v, %v", bot, err)
	}
	u, err := o.api.GetUserInfoContext(ctx, "U0ANA")
	if err != nil || u.Name != "ana" || u.RealName != "Ana Prado" || u.Profile.Title != "Product thinker" {
		t.Errorf("users.info = %+v, %v", u, err)
	}
	all, err := o.api.GetUsersContext(ctx, slack.GetUsersOptionLimit(2))
	if err != nil || len(all) != 4 || !all[2].Deleted || !all[3].IsBot {
		t.Errorf("users.list = %+v, %v", all, err)
	}
	groups, err := o.api.GetUserGroupsContext(ctx, slack.GetUserGroupsOptionIncludeUsers(true))
	if err != nil || len(groups) != 1 || groups[0].Handle != "team" || !slices.Equal(groups[0].Users, []string{"U0ANA"}) {
		t.Errorf("usergroups.list = %+v, %v", groups, err)
	}
	if _, err := o.api.UpdateUserGroupMembersContext(ctx, "S0TEAM", "U0BOB"); err != nil {
		t.Error(err)
	}
	in, err := o.api.GetUserGroupMembersContext(ctx, "S0TEAM")
	if err != nil || !slices.Equal(in, []string{"U0BOB"}) {
		t.Errorf("usergroups.users.list = %v, %v", in, err)
	}
}

func modalRequest(title string) slack.ModalViewRequest {
	text := slack.NewTextBlockObject("plain_text", title, false, false)
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: text, Submit: text, NotifyOnClose: true, PrivateMetadata: "m",
		Blocks: slack.Blocks{BlockSet: []slack.Block{
			slack.NewInputBlock("name", text, nil, slack.NewPlainTextInputBlockElement(nil, "v")),
		}},
	}
}

func TestTheLibraryOpensPushesUpdatesAndPublishesViews(t *testing.T) {
	t.Parallel()
	o, ctx := open(t, people()), t.Context()
	v, err := o.api.OpenViewContext(ctx, o.trigger("U0ANA"), modalRequest("One"))
	if err != nil || v.ID == "" || v.RootViewID != v.ID || v.PrivateMetadata != "m" || v.Hash == "" {
		t.Fatalf("views.open = %+v, %v", v, err)
	}
	if _, err := o.api.UpdateViewContext(ctx, modalRequest("Two"), "", "stale", v.ID); err == nil || err.Error() != "hash_conflict" {
		t.Errorf("views.update with an old hash: %v", err)
	}
	if _, err := o.api.UpdateViewContext(ctx, modalRequest("Two"), "", v.Hash, v.ID); err != nil {
		t.Error(err)
	}
	for i, want := range []string{"", "", "push_limit_reached"} {
		got, err := o.api.PushViewContext(ctx, o.triggerIn("U0ANA", v.ID), modalRequest("More"))
		if err == nil != (want == "") || err != nil && err.Error() != want {
			t.Errorf("push %d: %v, want %q", i, err, want)
		}
		if err == nil && got.RootViewID != v.ID {
			t.Errorf("push %d: %+v", i, got.View)
		}
	}
	home := slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewDividerBlock()}}}
	h, err := o.api.PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: "U0ANA", View: home})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.api.PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: "U0ANA", View: home, Hash: &h.Hash}); err != nil {
		t.Error(err)
	}
	if _, err := o.api.PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: "U0ANA", View: home, Hash: &h.Hash}); err == nil || err.Error() != "hash_conflict" {
		t.Errorf("views.publish with an old hash: %v", err)
	}
	if o.s.As("U0ANA").Home() == nil || o.s.As("U0BOB").Home() != nil {
		t.Error("the home is not Ana's alone")
	}
}

func (o *office) triggerIn(user, view string) string {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.newTrigger(user, view)
}
