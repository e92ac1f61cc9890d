package standin

import (
	"encoding/json"
	"slices"
)

// LoopState is what the page shows of a loop beside the messages.
type LoopState struct {
	ID        string   `json:"id"` // unique; the loop keeps its place by it
	Title     string   `json:"title"`
	Agent     string   `json:"agent,omitempty"`
	State     string   `json:"state"` // in words, such as "suspended in iteration 3 of 8"
	Iteration int      `json:"iteration,omitempty"`
	Cap       int      `json:"cap,omitempty"`       // 0: no strip of iterations is drawn
	WaitsFor  string   `json:"waits_for,omitempty"` // such as "◆ Product thinker"; "" waits for nobody
	Log       []string `json:"log,omitempty"`       // what it did, oldest first
}

// SetLoops replaces the loops that the page shows.
func (s *Server) SetLoops(loops []LoopState) {
	kept := slices.Clone(loops)
	for i := range kept {
		kept[i].Log = slices.Clone(kept[i].Log)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loops = kept
	s.touch()
}

// pageState is all that the page shows to one person.
type pageState struct {
	Me       string                   `json:"me"`
	Bot      string                   `json:"bot"`
	Users    []pageUser               `json:"users"`
	Channels []pageChannel            `json:"channels"`
	Groups   map[string]string        `json:"groups"` // id → handle
	Messages map[string][]pageMessage `json:"messages"`
	View     *pageView                `json:"view"` // the topmost modal
	Home     *pageView                `json:"home"`
	Loops    []LoopState              `json:"loops"`
}

type pageUser struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	Bot   bool   `json:"bot,omitempty"`
	Away  bool   `json:"away,omitempty"` // deleted: nobody can be this person
}

type pageChannel struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Direct   bool   `json:"direct,omitempty"`
	Archived bool   `json:"archived,omitempty"`
	Member   bool   `json:"member,omitempty"`
	Unread   int    `json:"unread,omitempty"`
}

type pageMessage struct {
	TS          string              `json:"ts"`
	Thread      string              `json:"thread,omitempty"`
	User        string              `json:"user"`
	Text        string              `json:"text,omitempty"`
	Blocks      json.RawMessage     `json:"blocks,omitempty"`
	Attachments json.RawMessage     `json:"attachments,omitempty"`
	Edited      bool                `json:"edited,omitempty"`
	Only        bool                `json:"only,omitempty"`    // ephemeral: only this person sees it
	Channel     bool                `json:"channel,omitempty"` // the channel shows it, not only the thread
	Reactions   map[string][]string `json:"reactions,omitempty"`
}

type pageView struct {
	ID     string            `json:"id"`
	View   json.RawMessage   `json:"view"`
	Errors map[string]string `json:"errors,omitempty"`
}

// somebody returns user where that is a person of the workspace who is still there, else the first who is.
func (s *Server) somebody(user string) string {
	first := ""
	for _, u := range s.Users() {
		if u.Bot || u.Deleted {
			continue
		}
		if u.ID == user {
			return user
		}
		if first == "" {
			first = u.ID
		}
	}
	return first
}

// pageState returns what user sees now.
func (s *Server) pageState(user string) pageState {
	me := s.somebody(user)
	p := s.As(me)
	st := pageState{
		Me: me, Bot: s.o.BotUser,
		Users:    []pageUser{},
		Channels: []pageChannel{},
		Groups:   map[string]string{},
		Messages: map[string][]pageMessage{},
		View:     seen(p.View()), Home: seen(p.Home()),
		Loops: s.pageLoops(),
	}
	for _, u := range s.Users() {
		st.Users = append(st.Users, pageUser{ID: u.ID, Name: u.shown(), Title: u.Title, Bot: u.Bot, Away: u.Deleted})
	}
	for _, g := range s.Groups() {
		st.Groups[g.ID] = g.Handle
	}
	for _, c := range s.Channels(me) {
		st.Channels = append(st.Channels, pageChannel{
			ID: c.ID, Name: c.Name, Direct: c.DM != "", Archived: c.Archived,
			Member: slices.Contains(c.Members, me), Unread: s.Unread(me, c.ID),
		})
		st.Messages[c.ID] = s.pageMessages(c.ID, me)
	}
	return st
}

func (u User) shown() string {
	if u.RealName != "" {
		return u.RealName
	}
	return u.Name
}

func (s *Server) pageLoops() []LoopState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]LoopState{}, s.loops...)
}

// pageMessages returns all that user sees in a channel, oldest first: messages, replies, and what only user is shown.
func (s *Server) pageMessages(channel, user string) []pageMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []pageMessage{}
	for _, m := range s.world.messages[channel] {
		if m.Deleted || (m.EphemeralFor != "" && m.EphemeralFor != user) {
			continue
		}
		c := m.snapshot()
		out = append(out, pageMessage{
			TS: c.TS, Thread: c.ThreadTS, User: c.User, Text: c.Text,
			Blocks: c.Blocks, Attachments: c.Attachments, Reactions: c.Reactions,
			Edited: c.Edited, Only: c.EphemeralFor != "", Channel: m.inChannel() || (c.EphemeralFor != "" && c.ThreadTS == ""),
		})
	}
	return out
}

func seen(v *View) *pageView {
	if v == nil {
		return nil
	}
	return &pageView{ID: v.ID, View: v.JSON, Errors: v.Errors}
}

// visible finds a message that user sees.
func (s *Server) visible(user, channel, ts string) (Message, bool) {
	if !slices.ContainsFunc(s.Channels(user), func(c Channel) bool { return c.ID == channel }) {
		return Message{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.world.find(channel, ts)
	if m == nil || (m.EphemeralFor != "" && m.EphemeralFor != user) {
		return Message{}, false
	}
	return m.snapshot(), true
}
