package loops

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-jose/go-jose/v4"
)

// KeySet holds the public keys that outcomes are verified with. It is safe for concurrent use.
type KeySet struct {
	reread func() ([]byte, error)

	asking sync.Mutex // held while reread runs, so that many unknown keys ask one after the other
	mu     sync.RWMutex
	keys   map[string]ed25519.PublicKey // by thumbprint, whatever a JWK calls itself
}

// NewKeySet reads a public JWK or JWK Set; reread, which may be nil, is asked again when an unknown kid comes. Keys of a
// set that are not Ed25519 are left out; a private key is refused.
func NewKeySet(jwks []byte, reread func() ([]byte, error)) (*KeySet, error) {
	keys, err := publicKeys(jwks)
	if err != nil {
		return nil, fmt.Errorf("read the verify key: %w", err)
	}
	return &KeySet{reread: reread, keys: keys}, nil
}

// KeyIDs are the thumbprints of the keys, sorted.
func (k *KeySet) KeyIDs() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return slices.Sorted(maps.Keys(k.keys))
}

func publicKeys(b []byte) (map[string]ed25519.PublicKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := decodeStrict(b, &set); err != nil {
		return nil, errors.New("it is neither a public JWK nor a JWK Set")
	}
	one := set.Keys == nil
	if one {
		set.Keys = []json.RawMessage{b}
	}
	keys := make(map[string]ed25519.PublicKey, len(set.Keys))
	for _, raw := range set.Keys {
		kid, key, err := publicKey(raw)
		var other *otherKeyError
		if !one && errors.As(err, &other) { // RFC 7517 §5: leave out what is not understood
			continue
		}
		if err != nil {
			return nil, err
		}
		keys[kid] = key
	}
	if len(keys) == 0 {
		return nil, errors.New("it has no Ed25519 key (kty OKP, crv Ed25519) for signatures; the bot's is printed by flagstop keygen")
	}
	return keys, nil
}

// otherKeyError is a key that is no Ed25519 signature key.
type otherKeyError struct{ kty string }

func (e *otherKeyError) Error() string {
	return fmt.Sprintf("a key of type %.20q cannot verify outcomes: they are signed with Ed25519 (kty OKP, crv Ed25519)", e.kty)
}

func publicKey(raw []byte) (kid string, key ed25519.PublicKey, err error) {
	var members struct {
		Kty string          `json:"kty"`
		D   json.RawMessage `json:"d"`
		K   json.RawMessage `json:"k"`
	}
	if err := decodeStrict(raw, &members); err != nil {
		return "", nil, errors.New("it is neither a public JWK nor a JWK Set")
	}
	if members.D != nil || members.K != nil {
		return "", nil, errors.New("it is a private or secret key, which only the bot may have: " +
			"give the public JWK Set that flagstop keygen printed with it, and take the private key off this machine")
	}
	var k jose.JSONWebKey
	if err := k.UnmarshalJSON(raw); err != nil {
		if members.Kty == "OKP" && !errors.Is(err, jose.ErrUnsupportedKeyType) {
			return "", nil, errors.New("its Ed25519 key is damaged")
		}
		return "", nil, &otherKeyError{members.Kty}
	}
	key, ok := k.Key.(ed25519.PublicKey)
	if !ok || k.Use != "" && k.Use != "sig" || k.Algorithm != "" && k.Algorithm != "EdDSA" && k.Algorithm != "Ed25519" {
		return "", nil, &otherKeyError{members.Kty}
	}
	kid, err = thumbprint(k)
	return kid, key, err
}

// VerifyOutcome verifies an outcome and that it is the one of ref under prefix. Errors are *UnknownKeyError where the key
// is not ours, else *VerifyError.
func (k *KeySet) VerifyOutcome(jws, prefix string, ref Ref) (*Outcome, error) {
	payload, err := k.verify(jws, outcomeType)
	if err != nil {
		return nil, notTaken("outcome", err)
	}
	return readOutcome(payload, prefix, ref)
}

// VerifyRefusal verifies a refusal of bytes with this digest, with the same errors.
func (k *KeySet) VerifyRefusal(jws, prefix, digest string) (*Refusal, error) {
	payload, err := k.verify(jws, refusalType)
	if err != nil {
		return nil, notTaken("refusal", err)
	}
	return readRefusal(payload, prefix, digest)
}

func (k *KeySet) verify(jws, typ string) ([]byte, error) {
	kid, err := readHeader(jws, typ)
	if err != nil {
		return nil, err
	}
	key, err := k.key(kid)
	if err != nil {
		return nil, err
	}
	parsed, err := jose.ParseSignedCompact(jws, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		return nil, errors.New("it is no compact JWS")
	}
	payload, err := parsed.Verify(key)
	if err != nil {
		return nil, fmt.Errorf("its signature is not that of key %q", kid)
	}
	return payload, nil
}

// key finds the key, asking reread once where it is unknown.
func (k *KeySet) key(kid string) (ed25519.PublicKey, error) {
	if key, ok := k.known(kid); ok {
		return key, nil
	}
	if k.reread != nil {
		if err := k.ask(kid); err != nil {
			return nil, err
		}
	}
	if key, ok := k.known(kid); ok {
		return key, nil
	}
	return nil, &UnknownKeyError{KeyID: cut(kid, 100), Known: k.KeyIDs()}
}

func (k *KeySet) known(kid string) (ed25519.PublicKey, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	key, ok := k.keys[kid]
	return key, ok
}

func (k *KeySet) ask(kid string) error {
	k.asking.Lock()
	defer k.asking.Unlock()
	if _, ok := k.known(kid); ok { // found by who asked before
		return nil
	}
	b, err := k.reread()
	if err != nil {
		return fmt.Errorf("it is signed with the unknown key %.100q, and reading the verify key again: %w", kid, err)
	}
	keys, err := publicKeys(b)
	if err != nil {
		return fmt.Errorf("it is signed with the unknown key %.100q, and reading the verify key again: %w", kid, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys = keys
	return nil
}

func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n])
}
