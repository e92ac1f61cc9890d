package loops

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// MaxContext is how many bytes a loop may keep at once: 8 MiB.
const MaxContext = 8 << 20

// The media types in the header of what a loop seals.
const (
	contextType = "flagstop-context" // of a suspended stop
	savedType   = "flagstop-saved"   // of a running loop
)

// sealVersion is the version, v, in the header.
const sealVersion = 1

// ContextError is something sealed that is not what it has to be: it was changed, cut, swapped for that of another stop or
// other bytes, or sealed with another key. Nothing has been resumed.
type ContextError struct {
	Of     string // the stop's id, or the loop's
	Reason string // without anything of what is sealed
}

func (e *ContextError) Error() string {
	return fmt.Sprintf("the context of %.200q does not open and is not taken: %s", e.Of, e.Reason)
}

// sealed is the protected header of a context: contract §3. Everybody can read it, nobody can change it.
type sealed struct {
	Alg    string    `json:"alg"`
	Enc    string    `json:"enc"`
	Typ    string    `json:"typ"`
	V      int       `json:"v"`
	Stop   string    `json:"stop"`
	Digest string    `json:"digest"`
	Loop   string    `json:"loop"`
	By     string    `json:"by"`    // the instance that claimed the outcome and has this context
	Since  time.Time `json:"since"` // when it did
}

func (k *ContextKey) seal(h sealed, plaintext []byte) (string, error) {
	if k == nil {
		return "", errNoContextKey
	}
	o := new(jose.EncrypterOptions).WithType(jose.ContentType(h.Typ)).WithHeader("v", sealVersion)
	for name, value := range map[jose.HeaderKey]string{"stop": h.Stop, "digest": h.Digest, "loop": h.Loop, "by": h.By} {
		if value != "" {
			o = o.WithHeader(name, value)
		}
	}
	if !h.Since.IsZero() {
		o = o.WithHeader("since", h.Since.UTC())
	}
	enc, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.DIRECT, Key: k.keys[0]}, o)
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	jwe, err := enc.Encrypt(plaintext)
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	return jwe.CompactSerialize()
}

var errNoContextKey = errors.New("there is no key to seal what the loop keeps: give Options.ContextKey (FLAGSTOP_CONTEXT_KEY; flagstop keygen prints one)")

// open decrypts what has that type. Its errors say nothing of the content.
func (k *ContextKey) open(jwe, typ string) (h sealed, plaintext []byte, err error) {
	if k == nil {
		return h, nil, errNoContextKey
	}
	if h, err = readSealed(jwe, typ); err != nil {
		return h, nil, err
	}
	for part := range strings.SplitSeq(jwe, ".") { // canonical, so that one context has one spelling
		if canonicalBase64(part) != nil {
			return h, nil, errors.New("it is no compact JWE: a part is no base64url")
		}
	}
	parsed, err := jose.ParseEncryptedCompact(jwe, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return h, nil, errors.New("it is no compact JWE")
	}
	for _, key := range k.keys {
		if plaintext, err = parsed.Decrypt(key); err == nil {
			return h, plaintext, nil
		}
	}
	return h, nil, errors.New("it was changed or cut, or sealed with another key than FLAGSTOP_CONTEXT_KEY")
}

// readSealed reads the header alone, which the beginning of the text is enough for.
func readSealed(jwe, typ string) (h sealed, err error) {
	first, _, found := strings.Cut(jwe, ".")
	if !found || len(first) > maxHeader {
		return h, errors.New("it is no compact JWE")
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(first)
	if err != nil {
		return h, errors.New("it is no compact JWE: its header is no base64url")
	}
	var all map[string]any
	if decodeStrict(b, &all) != nil || decodeStrict(b, &h) != nil {
		return h, errors.New("its header is damaged")
	}
	for _, name := range []string{"crit", "zip", "jwk", "jku", "x5c", "x5u"} {
		if _, ok := all[name]; ok {
			return h, fmt.Errorf("its header has %q, which is never taken", name)
		}
	}
	if h.Alg != string(jose.DIRECT) || h.Enc != string(jose.A256GCM) {
		return h, errors.New("it is not sealed with dir and A256GCM")
	}
	if h.Typ != typ {
		return h, fmt.Errorf("its header's typ is %.100q, not %s", h.Typ, typ)
	}
	if h.V != sealVersion {
		return h, fmt.Errorf("its version is %d, not %d: a newer program sealed it", h.V, sealVersion)
	}
	return h, nil
}

// pack puts a record in front of the context, behind its length (four bytes, big-endian).
func pack(record, context []byte) []byte {
	b := make([]byte, 4, 4+len(record)+len(context))
	binary.BigEndian.PutUint32(b, uint32(len(record)))
	return append(append(b, record...), context...)
}

func unpack(b []byte) (record, context []byte, err error) {
	if len(b) < 4 || uint64(len(b)-4) < uint64(binary.BigEndian.Uint32(b)) {
		return nil, nil, errors.New("it is shorter than it says")
	}
	n := 4 + int(binary.BigEndian.Uint32(b))
	return b[4:n:n], b[n:], nil
}
