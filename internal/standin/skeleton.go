package standin

import (
	"context"
	"net/http"
	"time"
)

type (
	link    struct{}
	trigger struct{}
	budgets struct{}
	sockets struct{}
)

func (*budgets) init() {}
func (*sockets) init() {}

// Calls returns the calls of a Web API method so far, oldest first, as their decoded arguments.
func (s *Server) Calls(method string) []map[string]any { panic("skeleton") }

// Click presses the button, or picks the overflow item, with that visible label in a message as it stands; nth counts
// from 0 where several have that label. It returns when the app has answered, or with the error that Slack shows.
func (p *Person) Click(ctx context.Context, m Message, label string, nth int) error {
	panic("skeleton")
}

// ClickValue presses a button of a message as it once stood, by action id and value: a stale or a forged click.
func (p *Person) ClickValue(ctx context.Context, m Message, actionID, value string) error {
	panic("skeleton")
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

// Disconnect sends every socket a disconnect message with that reason.
func (s *Server) Disconnect(reason string) { panic("skeleton") }

// Sockets reports how many Socket Mode connections are open.
func (s *Server) Sockets() int { panic("skeleton") }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { panic("skeleton") }
