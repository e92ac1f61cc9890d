package loops

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// looker looks at the keys of stops.
type looker struct {
	redis  redis.UniversalClient
	keys   Keys
	verify *KeySet // nil: unverified
}

// sight is what one look at a stop's keys saw; "" where there is nothing.
type sight struct{ outcome, refusal, digest string }

// look reads the keys of many stops in one round trip. The error of a stop is that of a command that Redis refused; the last
// result is that of the whole look.
func (r *looker) look(ctx context.Context, refs []Ref) ([]sight, []error, error) {
	pipe := r.redis.Pipeline()
	cmds := make([][3]*redis.StringCmd, len(refs))
	for i, ref := range refs {
		cmds[i] = [3]*redis.StringCmd{
			pipe.Get(ctx, r.keys.Of(ref.ID, "outcome")),
			pipe.Get(ctx, r.keys.refusalOf(ref)),
			pipe.HGet(ctx, r.keys.Of(ref.ID, "stop"), "digest"),
		}
	}
	_, _ = pipe.Exec(ctx) // each command has its error
	sights, errs := make([]sight, len(refs)), make([]error, len(refs))
	for i, c := range cmds {
		for _, cmd := range c {
			err := cmd.Err()
			if err == nil || errors.Is(err, redis.Nil) {
				continue
			}
			if !forGood(err) {
				return nil, nil, err
			}
			errs[i] = err
		}
		sights[i] = sight{c[0].Val(), c[1].Val(), c[2].Val()}
	}
	return sights, errs, nil
}

// forGood reports whether Redis's answer will be the same however often it is asked. Everything else passes: a server
// that is away, that loads its data, that becomes a replica.
func forGood(err error) bool {
	return redis.HasErrorPrefix(err, "NOPERM") || redis.HasErrorPrefix(err, "WRONGTYPE")
}

// judge says what a look amounts to. Where the stop of these bytes is open, an older refusal of them does not count.
func (r *looker) judge(ref Ref, s sight) (*SignedOutcome, error) {
	switch {
	case s.digest != "" && s.digest != ref.Digest:
		if refused, err := r.readRefusal(s.refusal, ref); err == nil {
			return nil, &RefusedError{*refused}
		}
		return nil, &TakenError{ID: ref.ID, Digest: s.digest}
	case s.outcome != "":
		return r.readOutcome(s.outcome, ref)
	case s.digest != "":
		return nil, ErrOpen
	case s.refusal != "":
		refused, err := r.readRefusal(s.refusal, ref)
		if err != nil {
			return nil, err
		}
		return nil, &RefusedError{*refused}
	}
	return nil, ErrUnknown
}

func (r *looker) readOutcome(jws string, ref Ref) (*SignedOutcome, error) {
	read := UnverifiedOutcome
	if r.verify != nil {
		read = r.verify.VerifyOutcome
	}
	o, err := read(jws, r.keys.Prefix, ref)
	if err != nil {
		return nil, err
	}
	return &SignedOutcome{Outcome: *o, JWS: jws}, nil
}

func (r *looker) readRefusal(jws string, ref Ref) (*Refusal, error) {
	if r.verify == nil {
		return UnverifiedRefusal(jws, r.keys.Prefix, ref.Digest)
	}
	return r.verify.VerifyRefusal(jws, r.keys.Prefix, ref.Digest)
}
