package loops

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/go-jose/go-jose/v4"
)

// contextKeySize is that of a key for A256GCM, in bytes.
const contextKeySize = 32

// ContextKey seals what a loop keeps in Redis: FLAGSTOP_CONTEXT_KEY. Only loops have it; the bot has not. It is safe for
// concurrent use, and prints as "[redacted]" whatever it is printed with.
type ContextKey struct{ keys [][]byte }

// NewContextKey reads a symmetric JWK (kty oct, 256 bits), as GenerateContextKey returns it, or a JWK Set of such keys: the
// first seals, all of them open, so that a key can be changed while loops wait.
func NewContextKey(jwk []byte) (*ContextKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := decodeStrict(jwk, &set); err != nil {
		return nil, errors.New("read the context key: it is neither a JWK nor a JWK Set; flagstop keygen prints a new one")
	}
	if set.Keys == nil {
		set.Keys = []json.RawMessage{jwk}
	}
	key := &ContextKey{}
	for _, raw := range set.Keys {
		k, err := symmetricKey(raw)
		if err != nil {
			return nil, fmt.Errorf("read the context key: %w; flagstop keygen prints a new one", err)
		}
		key.keys = append(key.keys, k)
	}
	if len(key.keys) == 0 {
		return nil, errors.New("read the context key: the JWK Set is empty; flagstop keygen prints a key")
	}
	return key, nil
}

// symmetricKey keeps the decoder's own errors to itself: they may quote what they could not read.
func symmetricKey(raw []byte) ([]byte, error) {
	var k jose.JSONWebKey
	if err := k.UnmarshalJSON(raw); err != nil {
		return nil, errors.New("it is a damaged JWK, or of a type that is not known here; it must have kty oct")
	}
	b, ok := k.Key.([]byte)
	if !ok {
		return nil, errors.New("it is not a symmetric key; it must have kty oct")
	}
	if len(b) != contextKeySize {
		return nil, fmt.Errorf("it has %d bits; it must have 256", 8*len(b))
	}
	if k.Algorithm != "" && k.Algorithm != string(jose.A256GCM) && k.Algorithm != string(jose.DIRECT) {
		return nil, errors.New("it is for another algorithm than A256GCM")
	}
	return b, nil
}

// GenerateContextKey returns a new key as a JWK (RFC 7517, RFC 7518 §6.4).
func GenerateContextKey() ([]byte, error) {
	k := make([]byte, contextKeySize)
	_, _ = rand.Read(k) // it never fails
	jwk, err := json.Marshal(jose.JSONWebKey{Key: k, Algorithm: string(jose.A256GCM), Use: "enc"})
	if err != nil {
		return nil, errors.New("generate a context key: it cannot be written as a JWK")
	}
	return jwk, nil
}

// String is "[redacted]".
func (k ContextKey) String() string { return redacted }

// GoString is "[redacted]".
func (k ContextKey) GoString() string { return redacted }

// Format prints "[redacted]" for every verb, also those that would print the fields.
func (k ContextKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue is "[redacted]".
func (k ContextKey) LogValue() slog.Value { return slog.StringValue(redacted) }
