package bot

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhateverHasAnIDCanBeAcked(t *testing.T) {
	for _, message := range []string{
		`{"envelope_id":"e1","type":"interactive","payload":{"a":1},"accepts_response_payload":true}`,
		`{"envelope_id":"e1","type":"interactive","payload":"not an object"}`,
		`{"envelope_id":"e1","type":"a_type_of_tomorrow","payload":{}}`,
		`{"envelope_id":"e1","type":7,"retry_attempt":"many","accepts_response_payload":"yes","num_connections":{}}`,
		`{"envelope_id":"e1"}`,
	} {
		e, ok := parseEnvelope([]byte(message))
		if !ok || e.id != "e1" {
			t.Errorf("parseEnvelope(%s) = %+v, %v", message, e, ok)
		}
	}
	for _, message := range []string{``, `null`, `[]`, `7`, `{"envelope_id":"e1"`, `ping`} {
		if e, ok := parseEnvelope([]byte(message)); ok {
			t.Errorf("parseEnvelope(%q) = %+v", message, e)
		}
	}
}

func TestAnEnvelopeKeepsItsPayloadRaw(t *testing.T) {
	e, _ := parseEnvelope([]byte(`{"envelope_id":"e1","type":"events_api","retry_attempt":2,"retry_reason":"timeout","payload":{"id": 12345678901234567890, "z":1, "a":[{"type":"unknown_element"}]}}`))
	d, ok := e.delivery()
	want := Delivery{Kind: EventsAPI, Retry: 2, Payload: json.RawMessage(`{"id": 12345678901234567890, "z":1, "a":[{"type":"unknown_element"}]}`)}
	if diff := cmp.Diff(want, d); !ok || diff != "" {
		t.Errorf("delivery (-want +got):\n%s", diff)
	}
}

func TestAnAckHasABodyOnlyWhereSlackTakesIt(t *testing.T) {
	small, large := json.RawMessage(`{"text":"hi"}`), json.RawMessage(`"`+strings.Repeat("x", maxAck)+`"`)
	for _, c := range []struct {
		name    string
		takes   bool
		payload json.RawMessage
		want    string
		whole   bool
	}{
		{"taken", true, small, `{"envelope_id":"e1","payload":{"text":"hi"}}`, true},
		{"not taken", false, small, `{"envelope_id":"e1"}`, false},
		{"nothing to say", true, nil, `{"envelope_id":"e1"}`, true},
		{"too large", true, large, `{"envelope_id":"e1"}`, false},
		{"broken", true, json.RawMessage(`{`), `{"envelope_id":"e1"}`, false},
	} {
		got, whole := envelope{id: "e1", takesAck: c.takes}.ack(c.payload)
		if string(got) != c.want || whole != c.whole {
			t.Errorf("%s: ack = %s, %v, want %s, %v", c.name, got, whole, c.want, c.whole)
		}
	}
	fits := json.RawMessage(`"` + strings.Repeat("x", maxAck-len(`{"envelope_id":"e1","payload":""}`)-1) + `"`)
	if got, whole := (envelope{id: "e1", takesAck: true}).ack(fits); !whole || len(got) != maxAck-1 {
		t.Errorf("an ack of %d bytes, whole %v, want the largest that Slack takes", len(got), whole)
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"type":"hello","num_connections":2,"connection_info":{"app_id":"A1"}}`))
	f.Add([]byte(`{"type":"disconnect","reason":"warning"}`))
	f.Add([]byte(`{"envelope_id":"e1","type":"interactive","payload":{"a":1},"accepts_response_payload":true,"retry_attempt":-3}`))
	f.Add([]byte(`{"envelope_id":{},"type":[],"payload":null}`))
	f.Add([]byte("{\"envelope_id\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, ok := parseEnvelope(data)
		if ok && !json.Valid(data) {
			t.Fatalf("%q is no JSON", data)
		}
		if e.retry < 0 {
			t.Fatalf("retry = %d", e.retry)
		}
		if d, known := e.delivery(); known && d.Payload != nil && !json.Valid(d.Payload) {
			t.Fatalf("payload %q", d.Payload)
		}
		frame, _ := e.ack(e.payload)
		var back struct {
			ID string `json:"envelope_id"`
		}
		if err := json.Unmarshal(frame, &back); err != nil || back.ID != e.id {
			t.Fatalf("ack %q of %q: %v", frame, e.id, err)
		}
		if len(e.id) < 1000 && len(frame) >= maxAck {
			t.Fatalf("an ack of %d bytes", len(frame))
		}
	})
}
