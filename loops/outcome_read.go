package loops

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// UnverifiedOutcome reads an outcome without a key, for a loop that takes the risk (FLAGSTOP_UNVERIFIED): whoever can
// write the key in Redis decides. Everything but the signature is compared as VerifyOutcome does. Errors are
// *VerifyError.
func UnverifiedOutcome(jws, prefix string, ref Ref) (*Outcome, error) {
	payload, err := unverified(jws, outcomeType)
	if err != nil {
		return nil, notTaken("outcome", err)
	}
	return readOutcome(payload, prefix, ref)
}

// UnverifiedRefusal reads a refusal without a key, as UnverifiedOutcome does.
func UnverifiedRefusal(jws, prefix, digest string) (*Refusal, error) {
	payload, err := unverified(jws, refusalType)
	if err != nil {
		return nil, notTaken("refusal", err)
	}
	return readRefusal(payload, prefix, digest)
}

func unverified(jws, typ string) ([]byte, error) {
	if _, err := readHeader(jws, typ); err != nil {
		return nil, err
	}
	return base64.RawURLEncoding.DecodeString(strings.Split(jws, ".")[1])
}

func readOutcome(payload []byte, prefix string, ref Ref) (*Outcome, error) {
	var o Outcome
	if err := decodeVersioned(payload, &o); err != nil {
		return nil, notTaken("outcome", err)
	}
	switch {
	case o.problem() != "":
		return nil, notTaken("outcome", errors.New(o.problem()))
	case o.Prefix != prefix:
		return nil, notTaken("outcome", notOurs("prefix", o.Prefix, prefix))
	case o.Stop != ref.ID:
		return nil, notTaken("outcome", notOurs("stop", o.Stop, ref.ID))
	case o.Digest != ref.Digest:
		return nil, notTaken("outcome", notOurs("digest", o.Digest, ref.Digest))
	}
	return &o, nil
}

func readRefusal(payload []byte, prefix, digest string) (*Refusal, error) {
	var r Refusal
	if err := decodeVersioned(payload, &r); err != nil {
		return nil, notTaken("refusal", err)
	}
	switch {
	case r.problem() != "":
		return nil, notTaken("refusal", errors.New(r.problem()))
	case r.Prefix != prefix:
		return nil, notTaken("refusal", notOurs("prefix", r.Prefix, prefix))
	case r.Digest != digest:
		return nil, notTaken("refusal", notOurs("digest", r.Digest, digest))
	}
	return &r, nil
}

// decodeVersioned reads the version first: another one may have other types in its fields.
func decodeVersioned(payload []byte, into any) error {
	var version struct {
		V *int `json:"v"`
	}
	if err := decodeStrict(payload, &version); err != nil {
		return fmt.Errorf("its payload: %w", err)
	}
	if version.V == nil {
		return errors.New("its payload has no schema version v")
	}
	if *version.V != 1 {
		return errors.New(unknownVersion(*version.V))
	}
	if err := decodeStrict(payload, into); err != nil {
		return errors.New("its payload is not of the types that version 1 has")
	}
	return nil
}

func notOurs(field, got, want string) error {
	return fmt.Errorf("its %s is %.100q, not %.100q: it belongs to something else", field, got, want)
}

// notTaken makes a *VerifyError of a reason; an unknown key keeps its own type.
func notTaken(what string, err error) error {
	if unknown, ok := errors.AsType[*UnknownKeyError](err); ok {
		return fmt.Errorf("the %s is not taken: %w", what, unknown)
	}
	return &VerifyError{What: what, Reason: err.Error()}
}
