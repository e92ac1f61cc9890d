package loops

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// Signer signs outcomes and refusals with an Ed25519 key. It is safe for concurrent use, and prints as "[redacted]"
// whatever it is printed with.
type Signer struct {
	kid      string
	public   []byte
	outcomes jose.Signer
	refusals jose.Signer
}

// NewSigner reads a private JWK (kty OKP, crv Ed25519), as GenerateKey returns it.
func NewSigner(jwk []byte) (*Signer, error) {
	private, err := privateKey(jwk)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w; flagstop keygen prints a new one", err)
	}
	kid, public, err := describe(private)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	s := &Signer{kid: kid, public: public}
	key := jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{Key: private, KeyID: kid}}
	if s.outcomes, err = jose.NewSigner(key, new(jose.SignerOptions).WithType(outcomeType)); err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	if s.refusals, err = jose.NewSigner(key, new(jose.SignerOptions).WithType(refusalType)); err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	return s, nil
}

// privateKey keeps the decoder's own errors to itself: they may quote what they could not read.
func privateKey(b []byte) (ed25519.PrivateKey, error) {
	var members map[string]json.RawMessage
	if err := decodeStrict(b, &members); err != nil {
		return nil, errors.New("it is not one JSON object")
	}
	if _, ok := members["keys"]; ok {
		return nil, errors.New("it is a JWK Set; the signing key is one private JWK")
	}
	if _, ok := members["d"]; !ok {
		return nil, errors.New(`it has no member "d", so it is not a private JWK`)
	}
	var k jose.JSONWebKey
	if err := k.UnmarshalJSON(b); err != nil {
		return nil, errors.New("it is a damaged JWK, or of a type that is not known here; it must have kty OKP and crv Ed25519")
	}
	private, ok := k.Key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("it is not an Ed25519 key; it must have kty OKP and crv Ed25519")
	}
	return private, nil
}

// GenerateKey returns a new private JWK and its public JWK Set.
func GenerateKey() (private, public []byte, err error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, fmt.Errorf("generate a signing key: %w", err)
	}
	kid, public, err := describe(key)
	if err != nil {
		return nil, nil, fmt.Errorf("generate a signing key: %w", err)
	}
	private, err = json.Marshal(jose.JSONWebKey{Key: key, KeyID: kid, Algorithm: string(jose.EdDSA), Use: "sig"})
	if err != nil {
		return nil, nil, errors.New("generate a signing key: it cannot be written as a JWK")
	}
	return private, public, nil
}

// describe returns the key's thumbprint and its public JWK Set.
func describe(key ed25519.PrivateKey) (kid string, public []byte, err error) {
	k := jose.JSONWebKey{Key: key.Public(), Algorithm: string(jose.EdDSA), Use: "sig"}
	if k.KeyID, err = thumbprint(k); err != nil {
		return "", nil, err
	}
	public, err = json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{k}})
	return k.KeyID, public, err
}

// thumbprint is the key's id: RFC 7638 with SHA-256.
func thumbprint(k jose.JSONWebKey) (string, error) {
	sum, err := k.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(sum), nil
}

// KeyID is the key's RFC 7638 thumbprint.
func (s *Signer) KeyID() string { return s.kid }

// Public returns the public JWK Set of the key.
func (s *Signer) Public() []byte { return bytes.Clone(s.public) }

// SignOutcome returns the JWS of an outcome. V may be 0, times may have any offset. What no verifier would take is
// refused.
func (s *Signer) SignOutcome(o Outcome) (string, error) {
	o.V, o.At = 1, o.At.UTC()
	o.Verdicts = maps.Clone(o.Verdicts)
	for key, v := range o.Verdicts {
		v.At = v.At.UTC()
		o.Verdicts[key] = v
	}
	if problem := o.problem(); problem != "" {
		return "", fmt.Errorf("sign the outcome of stop %s: %s", o.Stop, problem)
	}
	jws, err := sign(s.outcomes, o)
	if err != nil {
		return "", fmt.Errorf("sign the outcome of stop %s: %w", o.Stop, err)
	}
	return jws, nil
}

// SignRefusal returns the JWS of a refusal, under the same rules.
func (s *Signer) SignRefusal(r Refusal) (string, error) {
	r.V, r.At = 1, r.At.UTC()
	if problem := r.problem(); problem != "" {
		return "", fmt.Errorf("sign the refusal of %s: %s", r.Digest, problem)
	}
	jws, err := sign(s.refusals, r)
	if err != nil {
		return "", fmt.Errorf("sign the refusal of %s: %w", r.Digest, err)
	}
	return jws, nil
}

func sign(s jose.Signer, payload any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(payload); err != nil {
		return "", errors.New("its payload is no JSON: a verdict's content, arguments or output is damaged")
	}
	signed, err := s.Sign([]byte(strings.TrimSuffix(b.String(), "\n")))
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

const redacted = "[redacted]"

// String is "[redacted]".
func (s Signer) String() string { return redacted }

// GoString is "[redacted]".
func (s Signer) GoString() string { return redacted }

// Format prints "[redacted]" for every verb, also those that would print the fields.
func (s Signer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue is "[redacted]".
func (s Signer) LogValue() slog.Value { return slog.StringValue(redacted) }
