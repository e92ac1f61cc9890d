package bot

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/slack-go/slack"

	"flagstop/templates"
)

// Class is what to do about an error of a Slack method.
type Class string

// The classes of errors.
const (
	ClassRetry       Class = "retry"       // definitely not done: wait, then the same again
	ClassAmbiguous   Class = "ambiguous"   // find out whether it happened
	ClassContent     Class = "content"     // give up on this content and send the plain form
	ClassDestination Class = "destination" // wrong destination: fall back
	ClassAuth        Class = "auth"        // wrong credentials: stop calling, tell the operator
	ClassTrigger     Class = "trigger"     // the trigger of a view is used up: the person has to press again
)

// SlackError is a failed call of a Slack method.
type SlackError struct {
	Method string
	Code   string // Slack's error name, "" where there was none
	Class  Class
	After  time.Duration // Retry-After
	Err    error         // holds no secret
}

func (e *SlackError) Error() string { panic("skeleton") }
func (e *SlackError) Unwrap() error { return e.Err }

// SlackOptions say how to reach Slack.
type SlackOptions struct {
	BotToken   string
	APIURL     string // "" is Slack's own; must end in /api/
	HTTPClient *http.Client
	Log        *slog.Logger
	Observe    func(method string, class Class) // for metrics; class "" is success; may be nil
}

// Slack is the edge to the Web API: classified errors, a budget for each method, about one message a second and channel,
// 429 honoured, updates and answers to people before new posts, 15 s a request, never a blind retry.
type Slack struct{}

// NewSlack returns an edge. It calls nothing.
func NewSlack(o SlackOptions) *Slack { panic("skeleton") }

// Identity is who the bot is.
type Identity struct{ Team, BotUser, BotID, AppID string }

// Identify asks auth.test.
func (s *Slack) Identify(ctx context.Context) (Identity, error) { panic("skeleton") }

// Posted is where a message stands.
type Posted struct{ Channel, TS, ThreadTS string }

// Stamp is the metadata of a card's message (event_type flagstop_card): by it a message is found again.
type Stamp struct {
	Prefix, Stop, Place, Attempt string
	Part                         int // 0 is the card, 1… are the parts of its thread
	Rev                          int64
}

// Post posts a new message, with its stamp; in a thread where thread is not "". Slowest priority.
func (s *Slack) Post(ctx context.Context, channel, thread string, m templates.Message, st Stamp) (Posted, error) {
	panic("skeleton")
}

// Update replaces a message and its stamp.
func (s *Slack) Update(ctx context.Context, channel, ts string, m templates.Message, st Stamp) error {
	panic("skeleton")
}

// Delete deletes an own message; one that is gone already is no error.
func (s *Slack) Delete(ctx context.Context, channel, ts string) error { panic("skeleton") }

// Find looks in a channel's history (a thread's replies where thread is not "") since a moment for own messages with this
// stamp's Prefix, Stop, Place and Part, oldest first.
func (s *Slack) Find(ctx context.Context, channel, thread string, since time.Time, st Stamp) ([]Found, error) {
	panic("skeleton")
}

// Found is an own message that was found by its stamp.
type Found struct {
	Posted
	Stamp Stamp
}

// Exists reports whether a message still stands.
func (s *Slack) Exists(ctx context.Context, channel, ts string) (bool, error) { panic("skeleton") }

// Whisper tells one person something in a channel (ephemeral). An ambiguous failure counts as told.
func (s *Slack) Whisper(ctx context.Context, channel, thread, user string, m templates.Message) error {
	panic("skeleton")
}

// Respond answers over a response URL, ephemerally. Never logged.
func (s *Slack) Respond(ctx context.Context, responseURL string, m templates.Message) error {
	panic("skeleton")
}

// OpenView opens a modal and returns its view id; UpdateView replaces one.
func (s *Slack) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) (id string, err error) {
	panic("skeleton")
}

// UpdateView replaces the modal with that id.
func (s *Slack) UpdateView(ctx context.Context, id string, v slack.ModalViewRequest) error {
	panic("skeleton")
}

// GroupUsers returns the members of a user group.
func (s *Slack) GroupUsers(ctx context.Context, group string) ([]string, error) { panic("skeleton") }

// Permalink returns the link to a message.
func (s *Slack) Permalink(ctx context.Context, channel, ts string) (string, error) { panic("skeleton") }

// InChannel reports whether a user is a member of a channel.
func (s *Slack) InChannel(ctx context.Context, channel, user string) (bool, error) { panic("skeleton") }
