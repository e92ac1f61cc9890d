package bot

import (
	"context"
	"encoding/json"
)

// DeliveryKind is what Slack sends: the `type` of a Socket Mode envelope, or the endpoint in HTTP mode.
type DeliveryKind string

// The kinds of deliveries.
const (
	Interactive  DeliveryKind = "interactive"
	SlashCommand DeliveryKind = "slash_commands"
	EventsAPI    DeliveryKind = "events_api"
)

// Delivery is one thing that Slack sent, whichever way: for an interaction and an event the payload's JSON, for a command its
// form fields as a JSON object of strings. Retry is how often Slack sent it before.
type Delivery struct {
	Kind    DeliveryKind
	Payload json.RawMessage
	Retry   int
}

// Receive handles a delivery and returns the body of its ack within Slack's 3 s (nil: empty). What must go on after
// the ack it starts itself. Both transports call it; it is safe for concurrent use.
type Receive func(ctx context.Context, d Delivery) (ack json.RawMessage)
