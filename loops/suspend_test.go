package loops_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
)

func contextKey(t testing.TB) *loops.ContextKey {
	t.Helper()
	jwk, err := loops.GenerateContextKey()
	if err != nil {
		t.Fatal(err)
	}
	key, err := loops.NewContextKey(jwk)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// loop is one process of a loop that keeps its context with key.
func (k *keeper) loop(key *loops.ContextKey) *loops.Client {
	k.t.Helper()
	c, err := loops.NewClient(k.t.Context(), loops.Options{Redis: k.rdb, Keys: keysOf(k.t, k.signer), ContextKey: key})
	k.must(err)
	k.t.Cleanup(func() { k.must(c.Close()) })
	return c
}

func suspend(t testing.TB, c *loops.Client, record []byte, saved string) loops.Ref {
	t.Helper()
	ref, err := c.Suspend(t.Context(), record, []byte(saved))
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func listed(t testing.TB, c *loops.Client) []loops.Suspended {
	t.Helper()
	all, err := c.Suspended(t.Context(), "loop-1")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheContextIsStoredBeforeTheStopIsRaised(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		ref := suspend(t, k.loop(contextKey(t)), record("s"), "at iteration 3")
		if ttl := k.rdb.TTL(t.Context(), k.keys.Of("s", "context")).Val(); ttl != 24*time.Hour {
			t.Errorf("the context expires in %v, want a day", ttl)
		}
		if got := k.rdb.SMembers(t.Context(), k.keys.In(k.keys.Partition("s"), "suspended:loop-1")).Val(); !cmp.Equal(got, []string{"s"}) {
			t.Errorf("the loop has suspended %q, want s", got)
		}
		if text := k.rdb.Get(t.Context(), k.keys.Of("s", "context")).Val(); strings.Contains(text, "iteration") {
			t.Error("the context can be read")
		}
		if got := k.inbox(); len(got) != 1 || got[0].op != "raise" || refOf(t, []byte(got[0].body)) != ref {
			t.Errorf("the inbox has %v, want the raise", got)
		}
	})
}

func TestAnotherProcessResumesWithTheContextAndTheBytes(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		key := contextKey(t)
		one := k.loop(key)
		saved := strings.Repeat("x", loops.MaxContext)
		ref := suspend(t, one, record("s"), saved)
		k.take()
		k.must(one.Close())
		two := k.loop(key)
		if got := listed(t, two); len(got) != 1 || got[0].Ref != ref || got[0].Outcome != nil || got[0].Err != nil {
			t.Fatalf("Suspended = %v, want the open stop", got)
		}
		jws := k.answer(ref)
		if got := listed(t, two); len(got) != 1 || got[0].Outcome == nil || got[0].Outcome.JWS != jws {
			t.Fatalf("Suspended = %v, want it with its outcome", got)
		}
		err := two.Resume(t.Context(), "s", func(_ context.Context, r *loops.Resumption) error {
			if r.Outcome.JWS != jws || !bytes.Equal(r.Record, record("s")) || string(r.Context) != saved || r.Earlier != nil {
				t.Errorf("resumed with %v, the record %s and %d bytes", r.Outcome, r.Record, len(r.Context))
			}
			return nil
		})
		k.must(err)
		if got := k.inbox(); len(got) != 1 || got[0].op != "resumed" {
			t.Errorf("the inbox has %v, want that the loop went on", got)
		}
		if got := listed(t, two); len(got) != 0 {
			t.Errorf("Suspended = %v after it was resumed, want nothing", got)
		}
	})
}

func TestMoreThanEightMiBAreRefusedAndNothingIsRaised(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		_, err := k.loop(contextKey(t)).Suspend(t.Context(), record("s"), make([]byte, loops.MaxContext+1))
		if err == nil || len(k.inbox()) != 0 {
			t.Errorf("Suspend = %v with %d raised, want an error and none", err, len(k.inbox()))
		}
	})
}

func TestARecordWithFaultsIsNotStored(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		_, err := k.loop(contextKey(t)).Suspend(t.Context(), []byte(`{"v":1,"id":"s"}`), nil)
		if _, ok := errors.AsType[*loops.FaultsError](err); !ok {
			t.Errorf("Suspend = %v, want the faults", err)
		}
		if n := k.rdb.Exists(t.Context(), k.keys.Of("s", "context")).Val(); n != 0 {
			t.Error("the context was stored")
		}
	})
}

func TestWithoutAKeyNothingIsSuspended(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		_, err := k.client(0).Suspend(t.Context(), record("s"), nil)
		if err == nil || !strings.Contains(err.Error(), "FLAGSTOP_CONTEXT_KEY") || len(k.inbox()) != 0 {
			t.Errorf("Suspend = %v, want what to set", err)
		}
	})
}

func TestTheContextThatWasStoredFirstStands(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		ref := suspend(t, c, record("s"), "first")
		suspend(t, c, record("s"), "second")
		k.take()
		k.answer(ref)
		k.must(c.Resume(t.Context(), "s", func(_ context.Context, r *loops.Resumption) error {
			if string(r.Context) != "first" {
				t.Errorf("resumed with %q, want the first", r.Context)
			}
			return nil
		}))
	})
}

func TestOtherBytesUnderTheSameIDLeaveTheContextAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		suspend(t, c, record("s"), "first")
		before := k.rdb.Get(t.Context(), k.keys.Of("s", "context")).Val()
		_, err := c.Suspend(t.Context(), append([]byte(" "), record("s")...), []byte("second"))
		if _, ok := errors.AsType[*loops.TakenError](err); !ok {
			t.Errorf("Suspend = %v, want that the id is taken", err)
		}
		if after := k.rdb.Get(t.Context(), k.keys.Of("s", "context")).Val(); after != before {
			t.Error("the context was replaced")
		}
	})
}

// damages are what may be done to a sealed context by who has no key.
func damages(t testing.TB, k *keeper, c *loops.Client) map[string]string {
	t.Helper()
	text := k.rdb.Get(t.Context(), k.keys.Of("s", "context")).Val()
	parts := strings.Split(text, ".")
	flip := func(i int) string {
		changed := append([]string(nil), parts...)
		b := []byte(changed[i])
		b[len(b)/2] ^= 1
		changed[i] = string(b)
		return strings.Join(changed, ".")
	}
	suspend(t, c, record("other"), "of another stop")
	suspend(t, k.loop(contextKey(t)), record("foreign"), "sealed with another key")
	return map[string]string{
		"the header changed":       flip(0),
		"the nonce changed":        flip(2),
		"the text changed":         flip(3),
		"the tag changed":          flip(4),
		"swapped":                  k.rdb.Get(t.Context(), k.keys.Of("other", "context")).Val(),
		"another key":              header(t, k.rdb.Get(t.Context(), k.keys.Of("foreign", "context")).Val(), text),
		"cut":                      text[:len(text)-1],
		"cut in the middle":        text[:len(text)/2],
		"more behind it":           text + "A",
		"another spelling":         text[:len(text)-1] + "\n" + text[len(text)-1:],
		"empty":                    "",
		"the digest of the header": redigest(t, text),
		"compressed":               reheader(t, text, "zip", "DEF"),
		"critical":                 reheader(t, text, "crit", []string{"exp"}),
		"of a newer version":       reheader(t, text, "v", 2),
		"of another type":          reheader(t, text, "typ", "flagstop-saved"),
	}
}

// header is a text with the header of another.
func header(t testing.TB, text, of string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, ".")
	first, _, _ := strings.Cut(of, ".")
	return first + "." + rest
}

func reheader(t testing.TB, text, name string, value any) string {
	t.Helper()
	first, rest, _ := strings.Cut(text, ".")
	b, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		t.Fatal(err)
	}
	var h map[string]any
	if err := json.Unmarshal(b, &h); err != nil {
		t.Fatal(err)
	}
	h[name] = value
	if b, err = json.Marshal(h); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(b) + "." + rest
}

func redigest(t testing.TB, text string) string {
	t.Helper()
	return reheader(t, text, "digest", "sha256:"+strings.Repeat("0", 64))
}

func TestAContextThatIsNotItselfIsAnErrorAndNeverAResume(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.loop(contextKey(t))
		ref := suspend(t, c, record("s"), "mine")
		texts := damages(t, k, c)
		k.take()
		k.answer(ref)
		for name, text := range texts {
			k.must(k.rdb.Set(t.Context(), k.keys.Of("s", "context"), text, 0).Err())
			err := c.Resume(t.Context(), "s", func(context.Context, *loops.Resumption) error {
				t.Errorf("%s: it was resumed", name)
				return nil
			})
			if _, ok := errors.AsType[*loops.ContextError](err); !ok {
				t.Errorf("%s: Resume = %v, want a ContextError", name, err)
			}
		}
		if n := k.rdb.Exists(t.Context(), k.keys.Of("s", "claim")).Val(); n != 0 {
			t.Error("it is claimed")
		}
		k.must(k.rdb.Set(t.Context(), k.keys.Of("s", "context"), texts["cut"], 0).Err())
		suspend(t, c, record("s"), "mine again")
		k.must(c.Resume(t.Context(), "s", func(_ context.Context, r *loops.Resumption) error {
			if string(r.Context) != "mine again" {
				t.Errorf("resumed with %q, want what was sealed anew", r.Context)
			}
			return nil
		}))
	})
}

func TestAKeyThatWasChangedStillOpensWhatWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		old, err := loops.GenerateContextKey()
		k.must(err)
		young, err := loops.GenerateContextKey()
		k.must(err)
		oldKey, err := loops.NewContextKey(old)
		k.must(err)
		both, err := loops.NewContextKey(fmt.Appendf(nil, `{"keys":[%s,%s]}`, young, old))
		k.must(err)
		ref := suspend(t, k.loop(oldKey), record("s"), "before the change")
		k.take()
		k.answer(ref)
		k.must(k.loop(both).Resume(t.Context(), "s", func(_ context.Context, r *loops.Resumption) error {
			if string(r.Context) != "before the change" {
				t.Errorf("resumed with %q", r.Context)
			}
			return nil
		}))
	})
}

func TestContextKeysThatAreNone(t *testing.T) {
	t.Parallel()
	private, _, err := loops.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	for name, jwk := range map[string]string{
		"nothing": "", "no JSON": "secret", "a signing key": string(private), "128 bits": `{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAA"}`,
		"another algorithm": `{"kty":"oct","alg":"A128KW","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`, "an empty set": `{"keys":[]}`,
	} {
		if _, err := loops.NewContextKey([]byte(jwk)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: NewContextKey = %v, want an error without the key", name, err)
		}
	}
	if got := fmt.Sprintf("%v %+v %#v %s %x", contextKey(t), contextKey(t), contextKey(t), *contextKey(t), *contextKey(t)); got != strings.TrimSpace(strings.Repeat("[redacted] ", 5)) {
		t.Errorf("a context key prints as %s", got)
	}
}

func FuzzContextsOfAnybody(f *testing.F) {
	jwk, err := loops.GenerateContextKey()
	if err != nil {
		f.Fatal(err)
	}
	key, err := loops.NewContextKey(jwk)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "....", "e30....", rand.Text(), "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAA.AAAA.AAAA"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if loops.OpensContext(key, text) {
			t.Errorf("%q opens", text)
		}
	})
}
