package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// ids is what an id of a stop looks like: contract §1.
var ids = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// raise makes a stop of a record's bytes, or refuses them. Bytes that are a stop already are not checked again: its
// expires may have passed, and the roles may have changed.
func (r *reader) raise(ctx context.Context, m redis.XMessage, body string) error {
	id := peekID(body)
	if id != "" && r.keys.Partition(id) != r.p {
		return r.refuse(ctx, m, body, id, loops.Fault{
			Code: "wrong-partition", Pointer: "/id",
			Message: fmt.Sprintf("Partition %d is not where this id belongs; raise it in partition %d of %d.",
				r.p, r.keys.Partition(id), r.keys.Partitions),
		})
	}
	record, faults, err := r.record(ctx, id, body)
	if err != nil {
		return fmt.Errorf("raise stop %s: %w", id, err)
	}
	if len(faults) > 0 {
		return r.refuse(ctx, m, body, id, faults...)
	}
	_, _, err = r.do(ctx, record.ID, Raise{Record: record, Policy: r.policy(record)}, m.ID)
	var taken *TakenError
	switch {
	case errors.As(err, &taken):
		return r.refuse(ctx, m, body, id, loops.Fault{
			Code: "id-taken", Pointer: "/id", Message: "This id belongs to another record; choose a new one.",
		})
	case err != nil:
		return err
	}
	return r.came(ctx, record.ID)
}

// record checks bytes that are not a stop yet, against Redis's time.
func (r *reader) record(ctx context.Context, id, body string) (*loops.Record, []loops.Fault, error) {
	stop, err := r.look(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	if stop.State.Digest == digestOf(body) {
		return stop.Record, nil, nil
	}
	record, faults := loops.Check([]byte(body), loops.CheckOptions{Now: stop.Now, Roles: r.opt.Roles()})
	return record, faults, nil
}

// peekID returns the id in bytes that may not be a record at all, or "".
func peekID(body string) string {
	var r struct {
		ID string `json:"id"`
	}
	if json.Unmarshal([]byte(body), &r) != nil || !ids.MatchString(r.ID) {
		return ""
	}
	return r.ID
}

// refuse answers bytes that do not become a stop, under their digest. Their id stays free.
func (r *reader) refuse(ctx context.Context, m redis.XMessage, body, id string, faults ...loops.Fault) error {
	now, err := r.redis.Time(ctx).Result()
	if err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}
	digest := digestOf(body)
	jws, err := r.opt.Signer.SignRefusal(loops.Refusal{
		V: 1, Prefix: r.keys.Prefix, Digest: digest, ID: id, Problems: faults, At: now.UTC(),
	})
	if err != nil {
		return fmt.Errorf("sign a refusal: %w", err)
	}
	codes := make([]string, 0, len(faults))
	for _, f := range faults {
		codes = append(codes, f.Code)
	}
	r.log.InfoContext(ctx, "a raise is refused", "stop", id, "digest", digest, "faults", codes)
	return r.leave(ctx, m, leaving{refusal: jws, digest: digest})
}

// policy names the policy that counts for a record.
func (l *Ledger) policy(r *loops.Record) string {
	if l.opt.Policy == nil {
		return ""
	}
	return l.opt.Policy(r)
}
