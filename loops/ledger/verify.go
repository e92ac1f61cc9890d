package ledger

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Verify walks the hash chain of a stop's log and reports the first entry that does not fit, as a *ChainError, or nil. It
// also holds the record against its digest, and the log against the outcome, which names the entry that ended the stop.
// The outcome's signature, and the digest in it, are verified by who has the keys.
func (l *Ledger) Verify(ctx context.Context, id string) error {
	reply, err := l.fetch(ctx, id)
	if err != nil {
		return fmt.Errorf("verify stop %s: %w", id, err)
	}
	log, fields := texts(reply[3]), pairs(texts(reply[2]))
	if len(log) == 0 && len(fields) == 0 {
		return fmt.Errorf("verify stop %s: %w", id, ErrUnknown)
	}
	record, _ := reply[4].(string)
	outcome, _ := reply[5].(string)
	if fields["digest"] != digestOf(record) {
		return &ChainError{ID: id, Seq: 1, What: "the record has other bytes than the one that was raised"}
	}
	return verify(id, log, fields["seq"], outcome)
}

func verify(id string, log []string, seq, outcome string) error {
	wrong := func(i int, what string) error { return &ChainError{ID: id, Seq: int64(i) + 1, What: what} }
	ends, prev := "", ""
	for i, raw := range log {
		e, err := decodeEntry(raw)
		switch {
		case err != nil:
			return wrong(i, "it cannot be read")
		case e.Seq != int64(i)+1:
			return wrong(i, fmt.Sprintf("its seq is %d", e.Seq))
		case e.Prev != prev:
			return wrong(i, "it was not written after the entry before it")
		}
		prev = digestOf(raw)
		switch e.Kind { //nolint:exhaustive // only ends matter here
		case AnsweredEntry, WithdrawnEntry, ExpiredEntry:
			ends = prev
		}
	}
	if seq != strconv.Itoa(len(log)) {
		return wrong(len(log), fmt.Sprintf("the stop counts %s entries", seq))
	}
	if named(outcome) != ends {
		return wrong(len(log)-1, "the outcome names another end than the log's")
	}
	return nil
}

// named is the entry that an outcome names as the last one, "" where there is no outcome.
func named(outcome string) string {
	parts := strings.Split(outcome, ".")
	if len(parts) != 3 {
		return ""
	}
	var payload struct{ Log string }
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(b, &payload) != nil {
		return ""
	}
	return payload.Log
}
