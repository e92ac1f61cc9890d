package ledger

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

func FuzzInboxBody(f *testing.F) {
	for _, seed := range []string{`{"id":"s","reason":"x"}`, `{"id":"s","by":"l/x","outcome":"a.b.c"}`, `{}`, `[`, `{"id":"s"}x`, "{\"id\":\"\xff\"}", `{"id":1}`, ``, `{"id":"a","id":"b"}`} {
		f.Add("withdraw", seed)
		f.Add("raise", seed)
	}
	f.Fuzz(func(t *testing.T, op, body string) {
		msg, err := decodeMessage(redis.XMessage{ID: "1-1", Values: map[string]any{"op": op, "body": body}})
		if err != nil {
			return
		}
		if id := peekID(body); id != "" && !ids.MatchString(id) {
			t.Errorf("peekID(%q) = %q", body, id)
		}
		s, err := decodeSaid(msg.body)
		if err == nil && s.ID == "" {
			t.Errorf("decodeSaid(%q) has no id", body)
		}
		if c, err := command(op, s); err == nil && c == nil {
			t.Errorf("command(%q) is neither a command nor an error", op)
		}
	})
}

func FuzzDecodeEntry(f *testing.F) {
	for _, seed := range []string{
		`{"seq":1,"entry":"raised","rev":1,"at":"2026-11-30T12:00:00Z","holder":"facilitator","prev":""}`,
		`{"seq":2,"entry":"verdict","rev":2,"at":"2026-11-30T12:00:00Z","key":"a","verdict":{"action":"accept","content":{"n":12345678901234567890}},"prev":"sha256:00"}`,
		`{"seq":3,"entry":"of a later version","rev":2,"at":"2026-11-30T12:00:00Z","prev":"x"}`, `{}`, `[]`, `{"seq":-1}`, `null`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := decodeEntry(raw)
		if err != nil {
			return
		}
		again, err := encode(e)
		ok(t, err)
		back, err := decodeEntry(again)
		ok(t, err)
		s, want := Apply(State{}, back), Apply(State{}, e)
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s does not survive:\n%s", raw, diff)
		}
		if s.End != nil && s.Phase == Open {
			t.Errorf("%s ends an open stop", raw)
		}
		_ = verify("s", []string{raw}, "1", "")
	})
}
