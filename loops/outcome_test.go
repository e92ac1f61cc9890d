package loops_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

var (
	someDigest  = "sha256:" + strings.Repeat("0a", 32)
	otherDigest = "sha256:" + strings.Repeat("0b", 32)
	someRef     = loops.Ref{ID: "stop-1", Digest: someDigest}
)

func newSigner(t testing.TB) *loops.Signer {
	t.Helper()
	private, _, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	s, err := loops.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keysOf(t testing.TB, s *loops.Signer) *loops.KeySet {
	t.Helper()
	k, err := loops.NewKeySet(s.Public(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func answeredOutcome() loops.Outcome {
	at := time.Date(2026, 11, 30, 9, 0, 0, 123456789, time.UTC)
	by := &loops.By{ID: "slack:T1/U1", Role: loops.Facilitator, Through: "slack"}
	return loops.Outcome{
		V: 1, Prefix: "fs", Stop: someRef.ID, Digest: someRef.Digest,
		End: loops.Answered, Origin: loops.OriginPerson, By: by, At: at, Log: "sha256:" + strings.Repeat("0c", 32),
		Verdicts: map[string]loops.Verdict{"q": {
			Action: loops.Accept, Arguments: json.RawMessage(`{"id":9007199254740993,"cmd":"a<b && c"}`), By: by, At: at,
		}},
	}
}

func someRefusal() loops.Refusal {
	return loops.Refusal{
		V: 1, Prefix: "fs", Digest: someDigest, ID: "stop-1", At: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC),
		Problems: []loops.Fault{{Code: "role-unknown", Pointer: "/addressee", Message: "Name a role of the configuration."}},
	}
}

func TestOutcomeComesBackAsItWasSignedWithItsDigits(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	want := answeredOutcome()
	jws, err := s.SignOutcome(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (*loops.Outcome, error){
		"verified":   func() (*loops.Outcome, error) { return keysOf(t, s).VerifyOutcome(jws, "fs", someRef) },
		"unverified": func() (*loops.Outcome, error) { return loops.UnverifiedOutcome(jws, "fs", someRef) },
	} {
		got, err := read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s outcome (-want +got):\n%s", name, diff)
		}
	}
}

func TestRefusalComesBackAsItWasSigned(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	want := someRefusal()
	jws, err := s.SignRefusal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := keysOf(t, s).VerifyRefusal(jws, "fs", someDigest)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("refusal (-want +got):\n%s", diff)
	}
	if _, err := loops.UnverifiedRefusal(jws, "fs", otherDigest); err == nil {
		t.Error("UnverifiedRefusal of another digest = nil, want an error")
	}
}

func TestHeaderIsWhatAnyJoseLibraryNeeds(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	jws, err := s.SignOutcome(answeredOutcome())
	if err != nil {
		t.Fatal(err)
	}
	b, err := base64.RawURLEncoding.DecodeString(strings.Split(jws, ".")[0])
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"alg": "EdDSA", "kid": s.KeyID(), "typ": "flagstop-outcome"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestKeyIDIsTheThumbprintOfRFC7638(t *testing.T) {
	t.Parallel()
	// The key and the thumbprint of RFC 8037, appendix A.
	s, err := loops.NewSigner([]byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",` +
		`"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"; s.KeyID() != want {
		t.Errorf("KeyID = %s, want %s", s.KeyID(), want)
	}
}

func TestOutcomeOfSomethingElseIsNotTaken(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	jws, err := s.SignOutcome(answeredOutcome())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		prefix string
		ref    loops.Ref
		reason string
	}{
		{"other", someRef, "its prefix is"},
		{"fs", loops.Ref{ID: "stop-2", Digest: someDigest}, "its stop is"},
		{"fs", loops.Ref{ID: "stop-1", Digest: otherDigest}, "its digest is"},
	} {
		_, err := keysOf(t, s).VerifyOutcome(jws, row.prefix, row.ref)
		wantVerifyError(t, err, row.reason)
		_, err = loops.UnverifiedOutcome(jws, row.prefix, row.ref)
		wantVerifyError(t, err, row.reason)
	}
}

func wantVerifyError(t *testing.T, err error, reason string) {
	t.Helper()
	var bad *loops.VerifyError
	if !errors.As(err, &bad) {
		t.Errorf("error = %v, want a *VerifyError", err)
		return
	}
	if !strings.Contains(bad.Reason, reason) {
		t.Errorf("reason = %q, want it to say %q", bad.Reason, reason)
	}
}

// forge signs any payload under any header with the standard library alone.
func forge(key ed25519.PrivateKey, header, payload string) string {
	signed := b64(header) + "." + b64(payload)
	return signed + "." + b64(string(ed25519.Sign(key, []byte(signed))))
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// ownKey is a key of the verifier's own set, in the hands of a test that signs what the bot never would.
func ownKey(t testing.TB) (ed25519.PrivateKey, string, *loops.KeySet) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := (&jose.JSONWebKey{Key: public}).Thumbprint(crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	jwk, err := json.Marshal(jose.JSONWebKey{Key: public})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := loops.NewKeySet(jwk, nil)
	if err != nil {
		t.Fatal(err)
	}
	return key, base64.RawURLEncoding.EncodeToString(sum), keys
}

func payloadOf(t testing.TB, o loops.Outcome) string {
	t.Helper()
	b, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestForgedHeadersAreNotTakenThoughTheSignatureIsRight(t *testing.T) {
	t.Parallel()
	key, kid, keys := ownKey(t)
	good := payloadOf(t, answeredOutcome())
	if _, err := keys.VerifyOutcome(forge(key, fmt.Sprintf(`{"alg":"EdDSA","kid":%q,"typ":"flagstop-outcome"}`, kid), good), "fs", someRef); err != nil {
		t.Fatalf("the outcome that the others are made of: %v", err)
	}
	for header, reason := range map[string]string{
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-refusal"}`:                                 "typ",
		`{"alg":"EdDSA","kid":"KID","typ":"FLAGSTOP-OUTCOME"}`:                                 "typ",
		`{"alg":"EdDSA","kid":"KID","typ":"JWT"}`:                                              "typ",
		`{"alg":"EdDSA","kid":"KID"}`:                                                          "typ",
		`{"alg":"EdDSA","typ":"flagstop-outcome"}`:                                             "kid",
		`{"alg":"EdDSA","kid":"","typ":"flagstop-outcome"}`:                                    "kid",
		`{"alg":"EdDSA","kid":7,"typ":"flagstop-outcome"}`:                                     "kid",
		`{"alg":"none","kid":"KID","typ":"flagstop-outcome"}`:                                  "alg",
		`{"alg":"None","kid":"KID","typ":"flagstop-outcome"}`:                                  "alg",
		`{"alg":"Ed25519","kid":"KID","typ":"flagstop-outcome"}`:                               "alg",
		`{"Alg":"EdDSA","kid":"KID","typ":"flagstop-outcome"}`:                                 "alg",
		`{"kid":"KID","typ":"flagstop-outcome"}`:                                               "alg",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","crit":["b64"],"b64":true}`:       "crit",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","crit":[]}`:                       "crit",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","b64":false}`:                     "b64",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","jwk":{"kty":"OKP"}}`:             "jwk",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","jku":"https://example.org/jwk"}`: "jku",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","x5c":["AA"]}`:                    "x5c",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","x5u":"https://example.org/x"}`:   "x5u",
		`{"alg":"EdDSA","alg":"EdDSA","kid":"KID","typ":"flagstop-outcome"}`:                   "twice",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome"} {}`:                              "header",
		`["EdDSA"]`: "header",
		``:          "header",
		"{\"alg\":\"EdDSA\",\"kid\":\"KID\",\"typ\":\"flagstop-outcome\",\"n\":\"\xff\"}":              "UTF-8",
		`{"alg":"EdDSA","kid":"KID","typ":"flagstop-outcome","n":"` + strings.Repeat("n", 4000) + `"}`: "header",
	} {
		_, err := keys.VerifyOutcome(forge(key, strings.ReplaceAll(header, "KID", kid), good), "fs", someRef)
		wantVerifyError(t, err, reason)
	}
}

func TestForgedPayloadsAreNotTakenThoughTheSignatureIsRight(t *testing.T) {
	t.Parallel()
	key, kid, keys := ownKey(t)
	good := payloadOf(t, answeredOutcome())
	change := func(from, to string) string {
		changed := strings.Replace(good, from, to, 1)
		if changed == good {
			t.Fatalf("nothing to change: %s", from)
		}
		return changed
	}
	for payload, reason := range map[string]string{
		change(`"v":1`, `"v":2`):                                     "version is 2",
		change(`"v":1,`, ``):                                         "version",
		change(`"v":1`, `"v":"1"`):                                   "payload",
		change(`"v":1`, `"V":1`):                                     "version",
		change(`"stop":"stop-1"`, `"Stop":"stop-1"`):                 "missing",
		change(`"stop":"stop-1"`, `"stop":"other","stop":"stop-1"`):  "twice",
		change(`"cmd":"a`, `"cmd":"b","cmd":"a`):                     "twice",
		change(`"end":"answered"`, `"end":"expired"`):                "expired",
		change(`"end":"answered"`, `"end":"pending"`):                "pending",
		change(`"origin":"person"`, `"origin":"policy"`):             "policy",
		change(`"origin":"person"`, `"origin":"infrastructure"`):     "infrastructure",
		change(`"action":"accept"`, `"action":"cancel"`):             "cancel",
		change(`"action":"accept"`, `"action":""`):                   "action",
		change(`"arguments"`, `"output":1,"arguments"`):              "more than one",
		change(`"verdicts":{`, `"verdicts":{},"x":{`):                "without a verdict",
		change(someDigest, "sha256:"+strings.Repeat("0A", 32)):       "digest",
		change(`"at":"2026`, `"at":"x2026`):                          "types",
		change(`"verdicts":{`, "\"verdicts\":{\"\xff\":{}},\"x\":{"): "UTF-8",
		good + "{}": "payload",
		"null":      "version",
		"":          "payload",
	} {
		_, err := keys.VerifyOutcome(forge(key, fmt.Sprintf(`{"alg":"EdDSA","kid":%q,"typ":"flagstop-outcome"}`, kid), payload), "fs", someRef)
		wantVerifyError(t, err, reason)
	}
}

func TestOtherAlgorithmsAndSerialisationsAreNotTaken(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	keys := keysOf(t, s)
	good, err := s.SignOutcome(answeredOutcome())
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	resign := func(alg jose.SignatureAlgorithm, key any) string {
		o := new(jose.SignerOptions).WithType("flagstop-outcome").WithHeader("kid", s.KeyID())
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
		if err != nil {
			t.Fatal(err)
		}
		jws, err := signer.Sign(payload)
		if err != nil {
			t.Fatal(err)
		}
		compact, err := jws.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return compact
	}
	flattened := fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, parts[1], parts[0], parts[2])
	for name, jws := range map[string]string{
		"HS256 with the public key": resign(jose.HS256, s.Public()),
		"ES256":                     resign(jose.ES256, ec),
		"no signature":              parts[0] + "." + parts[1] + ".",
		"alg none":                  b64(`{"alg":"none","typ":"flagstop-outcome"}`) + "." + parts[1] + ".",
		"changed payload":           parts[0] + "." + b64(strings.Replace(string(payload), "accept", "decline", 1)) + "." + parts[2],
		"changed header":            b64(`{"typ":"flagstop-outcome","alg":"EdDSA","kid":"`+s.KeyID()+`"}`) + "." + parts[1] + "." + parts[2],
		"flattened JSON":            flattened,
		"two signatures":            fmt.Sprintf(`{"payload":%q,"signatures":[%s,%s]}`, parts[1], flattened, flattened),
		"four parts":                good + "." + parts[2],
		"detached":                  parts[0] + ".." + parts[2],
		"a line break":              good[:20] + "\n" + good[20:],
		"space around":              " " + good,
		"padding":                   good + "=",
		"not canonical":             nonCanonical(good),
		"empty":                     "",
	} {
		if _, err := keys.VerifyOutcome(jws, "fs", someRef); err == nil {
			t.Errorf("VerifyOutcome(%s) = nil, want an error", name)
		}
	}
}

// nonCanonical sets the bits of the last character that do not count: 64 bytes leave four of them.
func nonCanonical(jws string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, jws[len(jws)-1])
	return jws[:len(jws)-1] + string(alphabet[last|1])
}

func TestRefusalIsNoOutcomeAndTheOtherWayRound(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	keys := keysOf(t, s)
	refusal, err := s.SignRefusal(someRefusal())
	if err != nil {
		t.Fatal(err)
	}
	_, err = keys.VerifyOutcome(refusal, "fs", someRef)
	wantVerifyError(t, err, "typ")
	outcome, err := s.SignOutcome(answeredOutcome())
	if err != nil {
		t.Fatal(err)
	}
	_, err = keys.VerifyRefusal(outcome, "fs", someDigest)
	wantVerifyError(t, err, "typ")
}

func TestUnknownKeyIsNamedAndAskedForOnce(t *testing.T) {
	t.Parallel()
	old, rotated := newSigner(t), newSigner(t)
	jws, err := rotated.SignOutcome(answeredOutcome())
	if err != nil {
		t.Fatal(err)
	}
	answers, asked := old.Public(), 0
	keys, err := loops.NewKeySet(old.Public(), func() ([]byte, error) { asked++; return answers, nil })
	if err != nil {
		t.Fatal(err)
	}
	_, err = keys.VerifyOutcome(jws, "fs", someRef)
	var unknown *loops.UnknownKeyError
	if !errors.As(err, &unknown) || unknown.KeyID != rotated.KeyID() || asked != 1 {
		t.Fatalf("VerifyOutcome = %v after asking %d times, want an UnknownKeyError of %s after one", err, asked, rotated.KeyID())
	}
	if !strings.Contains(err.Error(), rotated.KeyID()) || !strings.Contains(err.Error(), "FLAGSTOP_VERIFY_KEY") {
		t.Errorf("error = %q, want it to name the key and the variable", err)
	}
	answers = rotated.Public()
	if _, err := keys.VerifyOutcome(jws, "fs", someRef); err != nil || asked != 2 {
		t.Errorf("VerifyOutcome after the key was added = %v after asking %d times, want nil after two", err, asked)
	}
	if _, err := keys.VerifyOutcome(jws, "fs", someRef); err != nil || asked != 2 {
		t.Errorf("VerifyOutcome with a known key = %v after asking %d times, want nil after two", err, asked)
	}
}

func TestKeySetsThatMustNotBeUsed(t *testing.T) {
	t.Parallel()
	private, public, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaJWK, err := json.Marshal(jose.JSONWebKey{Key: rsaKey.Public()})
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct{ jwk, says string }{
		"private":              {string(private), "private"},
		"private in a set":     {`{"keys":[` + string(private) + `]}`, "private"},
		"secret":               {`{"kty":"oct","k":"c2VjcmV0"}`, "secret"},
		"RSA":                  {string(rsaJWK), "Ed25519"},
		"set of RSA only":      {`{"keys":[` + string(rsaJWK) + `]}`, "Ed25519"},
		"empty set":            {`{"keys":[]}`, "Ed25519"},
		"X25519":               {`{"kty":"OKP","crv":"X25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`, "Ed25519"},
		"for encryption":       {`{"kty":"OKP","crv":"Ed25519","use":"enc","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`, "Ed25519"},
		"short":                {`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHUQ"}`, "damaged"},
		"key that fits anyone": {`{"kty":"OKP","crv":"Ed25519","x":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`, "damaged"},
		"twice x":              {`{"kty":"OKP","crv":"Ed25519","x":"a","x":"b"}`, "neither"},
		"PEM":                  {"-----BEGIN PUBLIC KEY-----", "neither"},
		"nothing":              {"", "neither"},
	} {
		_, err := loops.NewKeySet([]byte(row.jwk), nil)
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("NewKeySet(%s) = %v, want an error that says %q", name, err, row.says)
		}
	}
	mixed, err := loops.NewKeySet([]byte(`{"keys":[`+string(rsaJWK)+`,`+strings.TrimSuffix(strings.TrimPrefix(string(public), `{"keys":[`), `]}`)+`]}`), nil)
	if err != nil || len(mixed.KeyIDs()) != 1 {
		t.Errorf("NewKeySet(RSA and Ed25519) = %v, want the Ed25519 key alone", err)
	}
}

func TestSigningKeysThatMustNotBeUsed(t *testing.T) {
	t.Parallel()
	private, public, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct{ jwk, says string }{
		"public set": {string(public), "JWK Set"},
		"public":     {`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`, "private"},
		"RSA":        {`{"kty":"RSA","d":"AQ","n":"AQ","e":"AQAB"}`, "Ed25519"},
		"halves of two keys": {`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",` +
			`"x":"3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08"}`, "damaged"},
		"not JSON": {"SECRETSECRET", "JSON object"},
		"cut":      {string(private[:len(private)-30]), "JSON object"},
	} {
		_, err := loops.NewSigner([]byte(row.jwk))
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("NewSigner(%s) = %v, want an error that says %q", name, err, row.says)
		}
	}
}

func TestSignerRefusesWhatNoVerifierTakes(t *testing.T) {
	t.Parallel()
	s := newSigner(t)
	for name, change := range map[string]func(*loops.Outcome){
		"no prefix":       func(o *loops.Outcome) { o.Prefix = "" },
		"no digest":       func(o *loops.Outcome) { o.Digest = "" },
		"no time":         func(o *loops.Outcome) { o.At = time.Time{} },
		"no verdict":      func(o *loops.Outcome) { o.Verdicts = nil },
		"expired by hand": func(o *loops.Outcome) { o.End, o.Verdicts = loops.Expired, nil },
		"cancel":          func(o *loops.Outcome) { o.Verdicts["q"] = loops.Verdict{Action: "cancel"} },
		"broken content":  func(o *loops.Outcome) { o.Verdicts["q"] = loops.Verdict{Action: loops.Accept, Content: []byte("{")} },
	} {
		o := answeredOutcome()
		change(&o)
		if _, err := s.SignOutcome(o); err == nil {
			t.Errorf("SignOutcome(%s) = nil, want an error", name)
		}
	}
}

func TestSignerLeaksNoSecret(t *testing.T) {
	t.Parallel()
	private, _, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	var jwk struct{ D string }
	if err := json.Unmarshal(private, &jwk); err != nil {
		t.Fatal(err)
	}
	s, err := loops.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("test", "signer", s, "value", *s)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X"} {
		logged.WriteString(fmt.Sprintf(verb, s) + fmt.Sprintf(verb, *s) + fmt.Sprintf(verb, struct{ S *loops.Signer }{s}))
	}
	printed := logged.String()
	asJSON, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	printed += string(asJSON)
	if strings.Contains(strings.ReplaceAll(printed, "[redacted]", ""), jwk.D[:8]) || !strings.Contains(printed, "[redacted]") {
		t.Errorf("a printed signer shows its key: %s", printed)
	}
	seed, err := base64.RawURLEncoding.DecodeString(jwk.D)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(printed, hex.EncodeToString(seed)[:12]) || strings.Contains(printed, string(seed[:4])) {
		t.Errorf("a printed signer shows its key: %s", printed)
	}
	for _, damaged := range []string{jwk.D, `{"d":"` + jwk.D + `"}`, strings.Replace(string(private), "OKP", "OKQ", 1), string(private) + "x"} {
		if _, err := loops.NewSigner([]byte(damaged)); err == nil || strings.Contains(err.Error(), jwk.D[:8]) {
			t.Errorf("NewSigner(damaged) = %v, want an error without the key", err)
		}
		if _, err := loops.NewKeySet([]byte(damaged), nil); err == nil || strings.Contains(err.Error(), jwk.D[:8]) {
			t.Errorf("NewKeySet(damaged) = %v, want an error without the key", err)
		}
	}
}

func FuzzVerifyOutcome(f *testing.F) {
	s, err := loops.NewSigner([]byte(`{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",` +
		`"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil {
		f.Fatal(err)
	}
	keys, err := loops.NewKeySet(s.Public(), nil)
	if err != nil {
		f.Fatal(err)
	}
	good, err := s.SignOutcome(answeredOutcome())
	if err != nil {
		f.Fatal(err)
	}
	refusal, err := s.SignRefusal(someRefusal())
	if err != nil {
		f.Fatal(err)
	}
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		good, refusal, "", ".", "..", "...", good + ".", parts[0] + ".." + parts[2], b64(`{"alg":"none"}`) + "." + parts[1] + ".",
		b64(strings.Repeat("[", 1000)) + "." + parts[1] + "." + parts[2], `{"payload":"","signatures":[]}`, nonCanonical(good),
		parts[0] + "." + b64(`{"v":1,"v":1}`) + "." + parts[2], "\xff.\xff.\xff", good[:40] + "\r\n" + good[40:],
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, jws string) {
		if o, err := keys.VerifyOutcome(jws, "fs", someRef); err == nil && (jws != good || o == nil) {
			t.Errorf("VerifyOutcome took %q, which was never signed", jws)
		}
		if o, err := loops.UnverifiedOutcome(jws, "fs", someRef); err == nil && (o.Stop != someRef.ID || o.Digest != someRef.Digest || o.V != 1) {
			t.Errorf("UnverifiedOutcome took %q for %v", jws, someRef)
		}
	})
}
