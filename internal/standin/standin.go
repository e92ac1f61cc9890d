package standin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Options say what workspace to be.
type Options struct {
	Team          string // default T0LOCAL
	Users         []User
	Channels      []Channel
	Groups        []Group
	BotUser       string // default U0FLAGSTOP, with bot id B0FLAGSTOP and app id A0FLAGSTOP
	BotToken      string
	AppToken      string
	SigningSecret string
	// HTTP mode: where deliveries go ("" is Socket Mode), and with which client.
	EventsURL, InteractionsURL, CommandsURL string
	HTTPClient                              *http.Client
	// BaseURL is what apps.connections.open and response URLs are built from, such as http://127.0.0.1:8485.
	BaseURL string
	// RateLimits turns Slack's budgets on: one message a second and channel, and a budget a method.
	RateLimits bool
}

// User is a member of the workspace.
type User struct {
	ID, Name, RealName, Title string
	Bot, Deleted, Guest       bool
	Team                      string // of another workspace, where it differs
}

// Channel is a channel of the workspace.
type Channel struct {
	ID, Name string
	Members  []string // user ids; the bot is a member unless NoBot
	Private  bool
	Archived bool
	NoBot    bool
}

// Group is a user group.
type Group struct {
	ID, Handle string
	Users      []string
}

// Message is a message as it stands.
type Message struct {
	Channel, TS, ThreadTS, User, BotID, Text string
	Blocks, Attachments, Metadata            json.RawMessage
	Edited, Deleted                          bool
	EphemeralFor                             string // the only user who sees it
}

// Server is the stand-in. It is an http.Handler: /api/, /socket, /response/, and the page at /.
type Server struct{}

// New starts a workspace. Close ends its connections and deliveries.
func New(o Options) *Server { panic("skeleton") }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { panic("skeleton") }

// Close ends what the server has running and waits for it.
func (s *Server) Close() { panic("skeleton") }

// Messages returns the messages of a channel, oldest first, without thread replies and ephemerals.
func (s *Server) Messages(channel string) []Message { panic("skeleton") }

// Thread returns the replies of a message.
func (s *Server) Thread(channel, ts string) []Message { panic("skeleton") }

// Ephemerals returns what only user has been shown, oldest first, in any channel.
func (s *Server) Ephemerals(user string) []Message { panic("skeleton") }

// Calls returns the calls of a Web API method so far, oldest first, as their decoded arguments.
func (s *Server) Calls(method string) []map[string]any { panic("skeleton") }

// Changed returns a channel that is closed at the next change of anything that people see. Ask for it before looking.
func (s *Server) Changed() <-chan struct{} { panic("skeleton") }

// Until waits until ok reports true, looking after each change, or ctx ends.
func (s *Server) Until(ctx context.Context, ok func() bool) error { panic("skeleton") }

// As returns the person with that user id, who clicks and types.
func (s *Server) As(user string) *Person { panic("skeleton") }

// Person acts as one user. What Slack would show it on failure comes back as an error.
type Person struct{}

// Click presses the button, or picks the overflow item, with that visible label in a message as it stands; nth counts
// from 0 where several have that label. It returns when the app has answered, or with the error that Slack shows.
func (p *Person) Click(ctx context.Context, m Message, label string, nth int) error {
	panic("skeleton")
}

// ClickValue presses a button of a message as it once stood, by action id and value: a stale or a forged click.
func (p *Person) ClickValue(ctx context.Context, m Message, actionID, value string) error {
	panic("skeleton")
}

// View is an open modal as its person sees it.
type View struct {
	ID     string
	JSON   json.RawMessage
	Errors map[string]string // by block id, after a submission that was turned back
}

// View returns the topmost open modal, or nil.
func (p *Person) View() *View { panic("skeleton") }

// Submit fills the inputs by block id and submits the topmost modal. Values are strings, numbers, booleans or lists of
// option values, as the input needs.
func (p *Person) Submit(ctx context.Context, values map[string]any) error { panic("skeleton") }

// Close closes the topmost modal without sending.
func (p *Person) Close(ctx context.Context) error { panic("skeleton") }

// Command types a slash command such as "/stops show x" in a channel.
func (p *Person) Command(ctx context.Context, channel, text string) error { panic("skeleton") }

// Post types a message in a channel, or in a thread of it.
func (p *Person) Post(ctx context.Context, channel, threadTS, text string) error { panic("skeleton") }

// Delete deletes a message, as an admin does. Archive archives a channel; Kick takes the bot out of one. Events tell the app.
func (s *Server) Delete(channel, ts string) { panic("skeleton") }

// Archive archives a channel and tells the app.
func (s *Server) Archive(channel string) { panic("skeleton") }

// Kick takes the bot out of a channel and tells it.
func (s *Server) Kick(channel string) { panic("skeleton") }

// Fault is something that goes wrong with the next Times calls of a method ("" is any).
type Fault struct {
	Method     string
	Times      int                            // 0: until Heal
	Status     int                            // this HTTP status instead of an answer
	RetryAfter string                         // the header, with 429
	Error      string                         // this error with ok false
	Body       string                         // this body
	Lose       bool                           // do it, then cut the connection without an answer
	Delay      time.Duration                  // do it, then wait before answering
	Match      func(args map[string]any) bool // nil: every call
}

// Break adds a fault; Heal takes all away.
func (s *Server) Break(f Fault) { panic("skeleton") }

// Heal takes all faults away.
func (s *Server) Heal() { panic("skeleton") }

// Disconnect sends every socket a disconnect message with that reason (warning, refresh_requested, link_disabled,
// too_many_websockets) and closes it when Slack would; "" cuts the connection without a word.
func (s *Server) Disconnect(reason string) { panic("skeleton") }

// Sockets reports how many Socket Mode connections are open.
func (s *Server) Sockets() int { panic("skeleton") }
