package bot

import "encoding/json"

// envelope is one message of a Socket Mode connection.
// https://docs.slack.dev/apis/events-api/using-socket-mode
type envelope struct {
	kind        string // the type
	id          string // to ack it by; "" where there is nothing to ack
	payload     json.RawMessage
	takesAck    bool   // it accepts a payload in its ack
	retry       int    // how often Slack sent this event before
	reason      string // of a disconnect; "" where it does not look like one of Slack's
	connections int    // of a hello: how many the app has
}

// parseEnvelope reads a message. Each member is read by itself, so whatever is odd about the others, what has an id can be
// acked. ok is false where it is not even a JSON object.
func parseEnvelope(data []byte) (e envelope, ok bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) != nil || m == nil {
		return envelope{}, false
	}
	var reason string
	for name, into := range map[string]any{
		"type": &e.kind, "envelope_id": &e.id, "accepts_response_payload": &e.takesAck, "retry_attempt": &e.retry,
		"reason": &reason, "num_connections": &e.connections,
	} {
		_ = json.Unmarshal(m[name], into) // what is absent or odd stays zero
	}
	e.payload, e.reason, e.retry = m["payload"], codeOf(reason), max(e.retry, 0)
	return e, true
}

// delivery is what the envelope delivers; ok is false where it is of a type that nobody knows.
func (e envelope) delivery() (d Delivery, ok bool) {
	d = Delivery{Kind: DeliveryKind(e.kind), Payload: e.payload, Retry: e.retry}
	switch d.Kind {
	case Interactive, SlashCommand, EventsAPI:
		return d, true
	default:
		return Delivery{}, false
	}
}

// maxAck is the size from which Slack closes the connection over an ack.
const maxAck = 20_480

// ack is the message that acks the envelope. whole is false where the payload had to be left out.
func (e envelope) ack(payload json.RawMessage) (frame []byte, whole bool) {
	type bare struct {
		ID      string          `json:"envelope_id"`
		Payload json.RawMessage `json:"payload,omitempty"`
	}
	if len(payload) > 0 && e.takesAck {
		frame, err := json.Marshal(bare{ID: e.id, Payload: payload})
		if err == nil && len(frame) < maxAck {
			return frame, true
		}
	}
	frame, err := json.Marshal(bare{ID: e.id})
	if err != nil {
		panic("marshal an ack: " + err.Error()) // a string always marshals
	}
	return frame, len(payload) == 0
}
