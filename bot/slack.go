package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"flagstop/templates"

	"github.com/slack-go/slack"
)

// SlackOptions say how to reach Slack.
type SlackOptions struct {
	BotToken   string
	APIURL     string // "" is Slack's own; must end in /api/
	HTTPClient *http.Client
	Log        *slog.Logger
	Observe    func(method string, class Class) // for metrics; class "" is success; may be nil
}

// Slack is the edge to the Web API: classified errors, a budget for each method, about one message a second and channel,
// 429 honoured, updates and answers to people before new posts, 15 s a request, never a blind retry. Every error
// of its methods is a *SlackError. A method waits at most 20 s for its turn; where that is not enough it fails at once with
// ClassRetry and After. It is safe for concurrent use.
type Slack struct {
	url       string // of the API, with its last slash
	client    *http.Client
	authorize func(http.Header) // a closure, so that no dump of the struct shows the token
	log       *slog.Logger
	observe   func(string, Class)
	pace      *pace
	clock     clock

	mu sync.Mutex
	me Identity
}

// NewSlack returns an edge. It calls nothing.
func NewSlack(o SlackOptions) *Slack {
	if o.APIURL == "" {
		o.APIURL = slack.APIURL
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Observe == nil {
		o.Observe = func(string, Class) {}
	}
	token := o.BotToken
	return &Slack{
		url:       withSlash(o.APIURL),
		client:    plainClient(o.HTTPClient),
		authorize: func(h http.Header) { h.Set("Authorization", "Bearer "+token) },
		log:       o.Log,
		observe:   o.Observe,
		pace:      newPace(),
	}
}

func withSlash(u string) string {
	if u[len(u)-1] != '/' {
		return u + "/"
	}
	return u
}

// plainClient is c without redirects, which would carry the token to another place, and without its own timeout:
// each request has one.
func plainClient(c *http.Client) *http.Client {
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c != nil {
		plain.Transport = c.Transport
	}
	return plain
}

// Identity is who the bot is. Enterprise is the organisation whose workspace it is in, "" where it is in none.
type Identity struct{ Team, BotUser, BotID, AppID, Enterprise string }

// Identify asks auth.test, once: what it said is kept.
func (s *Slack) Identify(ctx context.Context) (Identity, error) {
	s.mu.Lock()
	me := s.me
	s.mu.Unlock()
	if me.BotID != "" {
		return me, nil
	}
	return s.Reach(ctx)
}

// Reach asks auth.test, and so sees whether Slack answers and takes the token.
func (s *Slack) Reach(ctx context.Context) (Identity, error) {
	var a struct {
		Team    string `json:"team_id"`
		BotUser string `json:"user_id"`
		BotID   string `json:"bot_id"`
		AppID   string `json:"app_id"`

		Enterprise string `json:"enterprise_id"`
	}
	if err := s.call(ctx, "auth.test", struct{}{}, &a); err != nil {
		return Identity{}, err
	}
	if a.BotID == "" {
		return Identity{}, &SlackError{Method: "auth.test", Class: ClassAuth, Err: errors.New("the token is not a bot's: use the one that begins with xoxb-")}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.me = Identity(a)
	return s.me, nil
}

// Posted is where a message stands. ThreadTS is what Slack says: empty where the parent is gone and the reply
// stands in the channel.
type Posted struct{ Channel, TS, ThreadTS string }

// outgoing are the arguments of the methods that send a message.
type outgoing struct {
	Channel     string             `json:"channel,omitempty"`
	TS          string             `json:"ts,omitempty"`
	ThreadTS    string             `json:"thread_ts,omitempty"`
	User        string             `json:"user,omitempty"`
	Text        string             `json:"text"`
	Blocks      []slack.Block      `json:"blocks,omitzero"`
	Attachments []slack.Attachment `json:"attachments,omitzero"`
	Metadata    *metadata          `json:"metadata,omitempty"`
	Parse       string             `json:"parse"` // none: nothing in text becomes a mention or a link by itself
	UnfurlLinks *bool              `json:"unfurl_links,omitempty"`
	UnfurlMedia *bool              `json:"unfurl_media,omitempty"`
}

func outgoingOf(channel string, m templates.Message) outgoing {
	return outgoing{Channel: channel, Text: m.Text, Blocks: m.Blocks, Attachments: m.Attachments, Parse: "none"}
}

// Post posts a new message, with its stamp; in a thread where thread is not "". Slowest priority: one a channel at a
// time and about one a second, in the order of the calls.
func (s *Slack) Post(ctx context.Context, channel, thread string, m templates.Message, st Stamp) (Posted, error) {
	const method = "chat.postMessage"
	leave, err := s.lane(ctx, method, channel)
	if err != nil {
		return Posted{}, err
	}
	defer leave()
	args := outgoingOf(channel, m)
	args.ThreadTS, args.Metadata = thread, st.metadata()
	args.UnfurlLinks, args.UnfurlMedia = new(bool), new(bool)
	var a struct {
		Channel string
		TS      string
		Message struct {
			ThreadTS string `json:"thread_ts"`
		}
	}
	if err := s.call(ctx, method, args, &a); err != nil {
		return Posted{}, err
	}
	if a.TS == "" || a.Channel == "" {
		return Posted{}, &SlackError{Method: method, Class: ClassAmbiguous, Err: errors.New("ok, but without the place of the message")}
	}
	return Posted{Channel: a.Channel, TS: a.TS, ThreadTS: a.Message.ThreadTS}, nil
}

// lane waits for the channel's turn. It is left after the answer, so posts of a channel cannot overtake each other.
func (s *Slack) lane(ctx context.Context, method, channel string) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	leave, after, err := s.pace.channel(channel).enter(ctx)
	if err != nil {
		s.observe(method, ClassRetry)
		return nil, &SlackError{Method: method, Class: ClassRetry, After: after, Err: fmt.Errorf("wait for the channel's turn: %w", err)}
	}
	return leave, nil
}

// Update replaces a message and its stamp. It always sends text, blocks and attachments, because what is left out Slack
// drops or keeps by rules of its own.
func (s *Slack) Update(ctx context.Context, channel, ts string, m templates.Message, st Stamp) error {
	args := outgoingOf(channel, m)
	args.TS, args.Metadata = ts, st.metadata()
	if args.Blocks == nil {
		args.Blocks = []slack.Block{}
	}
	if args.Attachments == nil {
		args.Attachments = []slack.Attachment{}
	}
	return s.call(ctx, "chat.update", args, nil)
}

// Delete deletes an own message; one that is gone already is no error.
func (s *Slack) Delete(ctx context.Context, channel, ts string) error {
	err := s.call(ctx, "chat.delete", map[string]string{"channel": channel, "ts": ts}, nil)
	if hasCode(err, "message_not_found") {
		return nil
	}
	return err
}

// OpenView opens a modal and returns its view id; UpdateView replaces one.
func (s *Slack) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (id string, err error) {
	const method = "views.open"
	var a struct{ View struct{ ID string } }
	if err := s.call(ctx, method, map[string]any{"trigger_id": trigger, "view": v}, &a); err != nil {
		return "", err
	}
	if a.View.ID == "" {
		return "", &SlackError{Method: method, Class: ClassAmbiguous, Err: errors.New("ok, but without the view's id")}
	}
	return a.View.ID, nil
}

// UpdateView replaces the modal with that id.
func (s *Slack) UpdateView(ctx context.Context, id string, v slack.ModalViewRequest) error {
	return s.call(ctx, "views.update", map[string]any{"view_id": id, "view": v}, nil)
}

// GroupUsers returns the members of a user group.
func (s *Slack) GroupUsers(ctx context.Context, group string) ([]string, error) {
	var a struct{ Users []string }
	err := s.call(ctx, "usergroups.users.list", url.Values{"usergroup": {group}}, &a)
	return a.Users, err
}

// UserInfo returns what Slack knows of a person.
func (s *Slack) UserInfo(ctx context.Context, user string) (UserInfo, error) {
	var a struct{ User UserInfo }
	err := s.call(ctx, "users.info", url.Values{"user": {user}}, &a)
	return a.User, err
}

// SetGroup has a user group have these members, all of them and nobody else.
func (s *Slack) SetGroup(ctx context.Context, group string, users []string) error {
	return s.call(ctx, "usergroups.users.update", url.Values{"usergroup": {group}, "users": {strings.Join(users, ",")}}, nil)
}

// Permalink returns the link to a message.
func (s *Slack) Permalink(ctx context.Context, channel, ts string) (string, error) {
	var a struct{ Permalink string }
	err := s.call(ctx, "chat.getPermalink", url.Values{"channel": {channel}, "message_ts": {ts}}, &a)
	return a.Permalink, err
}

// hasCode reports whether err is Slack's error of that name.
func hasCode(err error, code string) bool {
	failed, ok := errors.AsType[*SlackError](err)
	return ok && failed.Code == code
}

// hasClass reports whether err is an error of that class.
func hasClass(err error, class Class) bool {
	failed, ok := errors.AsType[*SlackError](err)
	return ok && failed.Class == class
}

// metadata is a message's metadata as Slack wants it: flat.
// https://docs.slack.dev/messaging/message-metadata
type metadata struct {
	Type    string          `json:"event_type"`
	Payload json.RawMessage `json:"event_payload"`
}

// clock knows how far Slack's clock is behind ours.
type clock struct {
	mu     sync.Mutex
	behind time.Duration
}

// saw takes note of an answer's Date header.
func (c *clock) saw(date string, now time.Time) {
	at, err := http.ParseTime(date)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behind = now.Sub(at)
}

func (c *clock) lag() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.behind, 0)
}
