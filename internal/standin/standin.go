package standin

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Options say what workspace to be. The zero value of a field takes the default named beside it.
type Options struct {
	Team          string // default T0LOCAL
	Enterprise    string // the organisation that the workspace is one of; "" none
	Users         []User
	Channels      []Channel
	Groups        []Group
	BotUser       string // default U0FLAGSTOP, with bot id B0FLAGSTOP and app id A0FLAGSTOP
	BotToken      string // default: generated, see [Server.Tokens]
	AppToken      string
	SigningSecret string
	// HTTP mode: where deliveries go ("" is Socket Mode), and with which client.
	EventsURL, InteractionsURL, CommandsURL string
	HTTPClient                              *http.Client
	// BaseURL is what apps.connections.open and response URLs are built from, such as http://127.0.0.1:8485.
	BaseURL string
	// RateLimits turns Slack's budgets on: one message a second and channel, and a budget a method.
	RateLimits bool
	// AckAnywhere takes the acknowledgement of an envelope on any socket. Slack does not say whether it does, so the
	// default is the strict reading: only on the socket that delivered it.
	AckAnywhere bool
	// Commands are the app's slash commands, such as "/stops"; none: the app is told of every one.
	Commands []string
	// PingEvery is how often each socket is pinged; default 10 s. A story of days sets more.
	PingEvery time.Duration
}

// User is a member of the workspace.
type User struct {
	ID, Name, RealName, Title string
	Bot, Deleted, Guest       bool
	OneChannel                bool   // a guest of a single channel
	Team                      string // of another workspace, where it differs
	Enterprise                string // the organisation of that workspace
	Zone                      string // default Etc/UTC
}

// Channel is a channel of the workspace.
type Channel struct {
	ID, Name string
	Members  []string // user ids; the bot is a member unless NoBot
	Private  bool
	Archived bool
	NoBot    bool
	DM       string // the person whose direct messages with the bot these are; "" for a channel proper
}

// Group is a user group.
type Group struct {
	ID, Handle string
	Users      []string
}

// Message is a message as it stands. Text, and every text object in Blocks and Attachments, is as Slack stores it:
// with &amp; &lt; &gt; for the three characters, in plain_text too.
type Message struct {
	Channel, TS, ThreadTS, User, BotID, Text string
	Blocks, Attachments, Metadata            json.RawMessage
	Edited, Deleted                          bool
	EphemeralFor                             string              // the only user who sees it
	Reactions                                map[string][]string // name → user ids
}

// Server is the stand-in. It is an http.Handler: /api/, /socket, /response/, and the page at /.
type Server struct {
	o      Options
	ctx    context.Context // ends with Close; of the deliveries, which no caller waits for
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex // guards all below
	closed  bool
	changed chan struct{}
	world   world
	calls   map[string][]map[string]any
	faults  []*Fault
	budgets budgets
	sockets sockets
	links   map[string]*link    // response URLs by their id
	clicks  map[string]*trigger // trigger ids
	loops   []LoopState         // what the page shows beside the messages
	front   http.Handler
}

// New starts a workspace. Close ends its connections and deliveries.
func New(o Options) *Server {
	o = o.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		o: o, ctx: ctx, cancel: cancel,
		changed: make(chan struct{}),
		world:   newWorld(o),
		calls:   map[string][]map[string]any{},
		links:   map[string]*link{},
		clicks:  map[string]*trigger{},
	}
	s.budgets.init()
	s.sockets.init()
	s.front = s.page()
	return s
}

// Close ends what the server has running and waits for it.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.work.Wait()
}

// spawn runs f until it ends; f ends soon after ctx does. After Close it runs nothing. The caller holds s.mu.
func (s *Server) spawn(f func(ctx context.Context)) {
	if s.closed {
		return
	}
	s.work.Go(func() { f(s.ctx) })
}
