package loops

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	josejson "github.com/go-jose/go-jose/v4/json"
)

// The media types in the header of what the bot signs: contract §2.
const (
	outcomeType = "flagstop-outcome"
	refusalType = "flagstop-refusal"
)

// maxHeader is how long the encoded header may be; the bot's has about 130 characters.
const maxHeader = 4096

// VerifyError is an outcome or a refusal that must not be believed. Nothing has changed: the stop stands as it stood.
type VerifyError struct {
	What   string // "outcome" or "refusal"
	Reason string // without anything of the payload but names of its fields and what they were compared with
}

func (e *VerifyError) Error() string {
	return fmt.Sprintf("the %s does not verify and is not taken: %s", e.What, e.Reason)
}

// UnknownKeyError is an outcome or a refusal whose key is not among the verifier's own.
type UnknownKeyError struct {
	KeyID string   // as the header says, at most 100 characters
	Known []string // the ids of the verifier's keys
}

func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("signed with key %q, which is none of ours (%s): if the bot's key was changed, add its public key "+
		"(flagstop keygen prints it) to FLAGSTOP_VERIFY_KEY and try again; otherwise somebody else signed it", e.KeyID, strings.Join(e.Known, ", "))
}

// readHeader takes a compact JWS whose header is exactly what the bot writes and returns the kid.
func readHeader(jws, typ string) (kid string, err error) {
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		return "", errors.New("it is no compact JWS: it has not three parts")
	}
	for _, part := range parts { // canonical, so that one outcome has one spelling
		if err := canonicalBase64(part); err != nil {
			return "", err
		}
	}
	if len(parts[0]) > maxHeader {
		return "", fmt.Errorf("its header has more than %d characters", maxHeader)
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		return "", err
	}
	return headerKeyID(b, typ)
}

func canonicalBase64(s string) error {
	if strings.ContainsAny(s, "\r\n") { // which encoding/base64 skips
		return errors.New("it is no compact JWS: it has line breaks")
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(s); err != nil {
		return errors.New("it is no compact JWS: a part is no base64url")
	}
	return nil
}

func headerKeyID(b []byte, typ string) (string, error) {
	var h map[string]any
	if err := decodeStrict(b, &h); err != nil {
		return "", fmt.Errorf("its header: %w", err)
	}
	// Each of these would let the sender choose the key, or change what the signature covers.
	for _, name := range []string{"crit", "jwk", "jku", "x5c", "x5u", "b64"} {
		if _, ok := h[name]; ok {
			return "", fmt.Errorf("its header has %q, which is never taken", name)
		}
	}
	if h["alg"] != "EdDSA" {
		return "", fmt.Errorf("its header's alg is %s, not EdDSA", brief(h["alg"]))
	}
	if h["typ"] != typ {
		return "", fmt.Errorf("its header's typ is %s, not %s", brief(h["typ"]), typ)
	}
	kid, ok := h["kid"].(string)
	if !ok || kid == "" {
		return "", errors.New("its header has no kid")
	}
	return kid, nil
}

// brief is a foreign value in an error: quoted and short.
func brief(v any) string {
	s, ok := v.(string)
	if !ok {
		return "missing"
	}
	return fmt.Sprintf("%.100q", s)
}

// decodeStrict decodes JSON that may come from anywhere: valid UTF-8, no key twice in an object however deep, names
// compared exactly, numbers left as they are in json.RawMessage and json.Number.
func decodeStrict(b []byte, into any) error {
	if !utf8.Valid(b) {
		return errors.New("it is not valid UTF-8")
	}
	if err := refuseRepeatedKeys(b); err != nil {
		return err
	}
	return josejson.Unmarshal(b, into)
}

// refuseRepeatedKeys walks the tokens; decoding would keep the last of two equal keys without a word, also inside of
// what is kept raw.
func refuseRepeatedKeys(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var open []map[string]bool // the keys of each object that is open, nil for an array
	var atKey []bool           // whether the next token at that depth is a key
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.New("it is not JSON")
		}
		top := len(open) - 1
		switch token {
		case json.Delim('{'):
			open, atKey = append(open, map[string]bool{}), append(atKey, true)
			continue
		case json.Delim('['):
			open, atKey = append(open, nil), append(atKey, false)
			continue
		case json.Delim('}'), json.Delim(']'):
			open, atKey = open[:top], atKey[:top]
			top--
		default:
			if top >= 0 && atKey[top] {
				key, _ := token.(string)
				if open[top][key] {
					return fmt.Errorf("the key %.100q stands twice in an object", key)
				}
				open[top][key], atKey[top] = true, false
				continue
			}
		}
		if top >= 0 {
			atKey[top] = open[top] != nil
		}
	}
}
