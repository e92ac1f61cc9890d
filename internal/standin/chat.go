package standin

import (
	"slices"
	"strings"
)

// blocksOnly is the text of a message that was posted without any: what Slack writes there.
const blocksOnly = "This content can't be displayed."

// channelOf returns the channel that a call is about: by id, by #name for posting, or a person's direct messages.
func (s *Server) channelOf(a args) (*Channel, error) {
	id := a.text("channel")
	if c := s.world.channels[id]; c != nil && (!c.Private || slices.Contains(c.Members, s.world.bot)) {
		return c, nil
	}
	return nil, fail("channel_not_found")
}

// writable returns the channel that a call posts to, if the bot may post there.
func (s *Server) writable(a args) (*Channel, error) {
	id := a.text("channel")
	if u := s.world.users[id]; u != nil && !u.Bot {
		a = args{"channel": s.world.dm(id).ID}
	}
	if name, ok := strings.CutPrefix(id, "#"); ok {
		for _, c := range s.world.channels {
			if c.Name == name {
				a = args{"channel": c.ID}
			}
		}
	}
	c, err := s.channelOf(a)
	switch {
	case err != nil:
		return nil, err
	case c.Archived:
		return nil, fail("is_archived")
	case !slices.Contains(c.Members, s.world.bot):
		return nil, fail("not_in_channel")
	}
	return c, nil
}

func (s *Server) postMessage(a args) (object, error) {
	c, err := s.writable(a)
	if err != nil {
		return nil, err
	}
	body, err := readContent(a)
	if err != nil {
		return nil, err
	}
	m, err := s.post(c, body, a.text("thread_ts"), a.flag("reply_broadcast"))
	if err != nil {
		return nil, err
	}
	out := object{"channel": c.ID, "ts": m.TS, "message": s.messageJSON(m, false)}
	if body.truncated {
		out["warning"] = "message_truncated"
		out["response_metadata"] = object{"warnings": []string{"message_truncated"}}
	}
	return out, nil
}

// post makes a message of the bot. A thread whose parent is gone is no thread: the message lands in the channel.
func (s *Server) post(c *Channel, body content, thread string, broadcast bool) (*message, error) {
	if body.text == "" && body.blocks == nil && body.attachments == nil {
		return nil, fail("no_text")
	}
	m := &message{Message: Message{
		Channel: c.ID, User: s.world.bot, BotID: botID, Text: body.text,
		Blocks: body.blocks, Attachments: body.attachments, Metadata: body.metadata,
	}}
	if m.Text == "" && m.Blocks != nil {
		m.Text = blocksOnly
	}
	if err := s.placeInThread(m, thread); err != nil {
		return nil, err
	}
	m.broadcast = broadcast && m.ThreadTS != ""
	s.add(m)
	return m, nil
}

func (s *Server) placeInThread(m *message, thread string) error {
	if thread == "" {
		return nil
	}
	if _, ok := parseTS(thread); !ok {
		return fail("invalid_thread_ts")
	}
	parent := s.world.find(m.Channel, thread)
	switch {
	case parent == nil || parent.EphemeralFor != "":
	case parent.ThreadTS != "":
		m.ThreadTS = parent.ThreadTS
	default:
		m.ThreadTS = parent.TS
	}
	return nil
}

// add puts a message at the end of its channel.
func (s *Server) add(m *message) {
	m.TS, m.at = s.world.nextTS()
	s.world.messages[m.Channel] = append(s.world.messages[m.Channel], m)
	s.touch()
}

func (s *Server) postEphemeral(a args) (object, error) {
	c, err := s.writable(a)
	if err != nil {
		return nil, err
	}
	user := a.text("user")
	if user == "" || !slices.Contains(c.Members, user) {
		return nil, fail("user_not_in_channel")
	}
	body, err := readContent(a)
	if err != nil {
		return nil, err
	}
	m, err := s.whisper(c, user, a.text("thread_ts"), body)
	if err != nil {
		return nil, err
	}
	return object{"message_ts": m.TS}, nil
}

// whisper makes a message of the bot that one person sees.
func (s *Server) whisper(c *Channel, user, thread string, body content) (*message, error) {
	if body.text == "" && body.blocks == nil && body.attachments == nil {
		return nil, fail("no_text")
	}
	m := &message{Message: Message{
		Channel: c.ID, User: s.world.bot, BotID: botID, Text: body.text, EphemeralFor: user,
		Blocks: body.blocks, Attachments: body.attachments,
	}}
	if err := s.placeInThread(m, thread); err != nil {
		return nil, err
	}
	s.add(m)
	return m, nil
}

// own returns the message that a call wants to change, if it is the bot's.
func (s *Server) own(c *Channel, ts, otherwise string) (*message, error) {
	m := s.world.find(c.ID, ts)
	switch {
	case m == nil || m.EphemeralFor != "":
		return nil, fail("message_not_found")
	case m.User != s.world.bot:
		return nil, fail(otherwise)
	}
	return m, nil
}

func (s *Server) updateMessage(a args) (object, error) {
	c, err := s.writable(a)
	if err != nil {
		return nil, err
	}
	m, err := s.own(c, a.text("ts"), "cant_update_message")
	if err != nil {
		return nil, err
	}
	body, err := readContent(a)
	switch {
	case err != nil:
		return nil, err
	case characters(storeText(a.text("text"))) > maxUpdateText:
		return nil, fail("msg_too_long")
	case !body.has.text && !body.has.blocks && !body.has.attachments && !body.has.metadata:
		return nil, fail("no_text")
	}
	if err := m.become(body); err != nil {
		return nil, err
	}
	m.editedTS, _ = s.world.nextTS()
	s.touch()
	return object{"channel": c.ID, "ts": m.TS, "text": m.Text, "message": s.messageJSON(m, false)}, nil
}

// become changes a message as chat.update does: text without blocks takes the blocks away; attachments and metadata that
// are not sent stay.
func (m *message) become(body content) error {
	next := m.Message
	if body.has.text {
		next.Text = body.text
	}
	if body.has.blocks || body.has.text {
		next.Blocks = body.blocks
	}
	if body.has.attachments {
		next.Attachments = body.attachments
	}
	if body.has.metadata {
		next.Metadata = body.metadata
	}
	if !body.has.text && next.Text == blocksOnly && next.Blocks == nil {
		next.Text = ""
	}
	if next.Text == "" && next.Blocks == nil && next.Attachments == nil {
		return fail("no_text")
	}
	next.Edited = next.Edited || next.Blocks == nil
	m.Message = next
	m.state = nil
	return nil
}

func (s *Server) deleteMessage(a args) (object, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	m, err := s.own(c, a.text("ts"), "cant_delete_message")
	if err != nil {
		return nil, err
	}
	s.remove(m)
	return object{"channel": c.ID, "ts": m.TS}, nil
}

func (s *Server) getPermalink(a args) (object, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	m := s.world.find(c.ID, a.text("message_ts"))
	if m == nil || m.EphemeralFor != "" {
		return nil, fail("message_not_found")
	}
	at := s.o.BaseURL + "/archives/" + c.ID + "/p" + strings.Replace(m.TS, ".", "", 1)
	if m.ThreadTS != "" && m.ThreadTS != m.TS {
		at += "?thread_ts=" + m.ThreadTS + "&cid=" + c.ID
	}
	return object{"channel": c.ID, "permalink": at}, nil
}

func (s *Server) reactionsAdd(a args) (object, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	m := s.world.find(c.ID, a.text("timestamp"))
	name := a.text("name")
	switch {
	case name == "":
		return nil, fail("no_reaction")
	case a.text("timestamp") == "":
		return nil, fail("no_item_specified")
	case m == nil || m.EphemeralFor != "":
		return nil, fail("message_not_found")
	case slices.Contains(m.Reactions[name], s.world.bot):
		return nil, fail("already_reacted")
	}
	if m.Reactions == nil {
		m.Reactions = map[string][]string{}
	}
	m.Reactions[name] = append(m.Reactions[name], s.world.bot)
	s.touch()
	return object{}, nil
}
