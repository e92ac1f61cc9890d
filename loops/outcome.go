package loops

import "time"

// End is how a stop ended: contract §2.
type End string

// The ends of a stop.
const (
	Answered  End = "answered"
	Withdrawn End = "withdrawn"
	Expired   End = "expired"
)

// Origin names who ended a stop; it is never what is left over by elimination.
type Origin string

// The origins of an end. Infrastructure is none of them: it is an error of the call that failed.
const (
	OriginPerson  Origin = "person"
	OriginMachine Origin = "machine"
	OriginAsker   Origin = "asker"
	OriginPolicy  Origin = "policy"
)

// Outcome is the payload of the signed outcome, one per stop: contract §2.
type Outcome struct {
	V        int                `json:"v"`
	Prefix   string             `json:"prefix"`
	Stop     string             `json:"stop"`
	Digest   string             `json:"digest"`
	End      End                `json:"end"`
	Origin   Origin             `json:"origin"`
	By       *By                `json:"by,omitempty"`
	At       time.Time          `json:"at"`
	Reason   string             `json:"reason,omitempty"`
	Log      string             `json:"log"` // the hash of the log's last entry
	Verdicts map[string]Verdict `json:"verdicts,omitempty"`
}

// Refusal is the payload of a signed refusal: bytes that did not become a stop.
type Refusal struct {
	V        int       `json:"v"`
	Prefix   string    `json:"prefix"`
	Digest   string    `json:"digest"`
	ID       string    `json:"id,omitempty"`
	Problems []Fault   `json:"problems"`
	At       time.Time `json:"at"`
}

// Signer signs outcomes and refusals with an Ed25519 key.
type Signer struct{}

// NewSigner reads a private JWK (kty OKP, crv Ed25519).
func NewSigner(jwk []byte) (*Signer, error) { panic("skeleton") }

// GenerateKey returns a new private JWK and its public JWK Set.
func GenerateKey() (private, public []byte, err error) { panic("skeleton") }

// KeyID is the key's RFC 7638 thumbprint. Public returns its public JWK Set.
func (s *Signer) KeyID() string { panic("skeleton") }

// Public returns the public JWK Set of the key.
func (s *Signer) Public() []byte { panic("skeleton") }

// SignOutcome returns the JWS of an outcome; SignRefusal that of a refusal.
func (s *Signer) SignOutcome(o Outcome) (string, error) { panic("skeleton") }

// SignRefusal returns the JWS of a refusal.
func (s *Signer) SignRefusal(r Refusal) (string, error) { panic("skeleton") }

// KeySet holds the public keys that outcomes are verified with.
type KeySet struct{}

// NewKeySet reads a public JWK or JWK Set; reread, which may be nil, is asked again when an unknown kid comes.
func NewKeySet(jwks []byte, reread func() ([]byte, error)) (*KeySet, error) { panic("skeleton") }

// VerifyOutcome verifies an outcome and that it is the one of ref under prefix.
func (k *KeySet) VerifyOutcome(jws, prefix string, ref Ref) (*Outcome, error) { panic("skeleton") }

// VerifyRefusal verifies a refusal of bytes with this digest.
func (k *KeySet) VerifyRefusal(jws, prefix, digest string) (*Refusal, error) { panic("skeleton") }
