package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"
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
// the ack it starts itself. Both transports call it; it is safe for concurrent use. ctx ends 2.8 s after the delivery was
// taken, and when Receive returns; it does not end with the connection.
type Receive func(ctx context.Context, d Delivery) (ack json.RawMessage)

// ackWithin is how long a Receive has. Slack tells the person after 3 s that the app did not answer.
const ackWithin = 2800 * time.Millisecond

// take calls receive. ok is false where it panicked: then nothing may be acked, so that Slack tells the person (or sends the
// event again).
func (receive Receive) take(ctx context.Context, d Delivery, log *slog.Logger) (ack json.RawMessage, ok bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ackWithin)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			log.Error("a delivery made the bot panic", "kind", d.Kind, "panic", panicText(v), "stack", string(debug.Stack()))
			ack, ok = nil, false
		}
	}()
	return receive(ctx, d), true
}

// panicText says what a panic was. Only the runtime's own words are kept: others can quote a payload.
func panicText(v any) string {
	if err, ok := v.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", v)
}
