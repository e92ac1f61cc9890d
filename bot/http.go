package bot

import (
	"log/slog"
	"net/http"
)

// HTTPOptions say how to take signed deliveries.
type HTTPOptions struct {
	SigningSecret string
	Log           *slog.Logger
}

// HTTP returns the handler of /slack/events, /slack/interactions and /slack/commands. It verifies the signature over the raw
// body within five minutes before anything is parsed.
func HTTP(o HTTPOptions, receive Receive) http.Handler { panic("skeleton") }
