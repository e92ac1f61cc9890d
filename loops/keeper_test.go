package loops_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// keeper is the other side of the contract, as small as it can be: it takes what stands in the inboxes when it is told to,
// and answers as it is told.
type keeper struct {
	t      testing.TB
	rdb    *redis.Client
	keys   loops.Keys
	signer *loops.Signer
}

// entry is one entry of an inbox.
type entry struct {
	op, body string
	fields   int
}

func newKeeper(t testing.TB, rdb *redis.Client, partitions int) *keeper {
	t.Helper()
	k := &keeper{t: t, rdb: rdb, keys: loops.Keys{Prefix: "fs", Partitions: partitions}, signer: newSigner(t)}
	k.start()
	return k
}

// start says that there is a bot.
func (k *keeper) start() {
	k.t.Helper()
	k.must(k.rdb.HSetNX(k.t.Context(), k.keys.Meta(), "partitions", k.keys.Partitions).Err())
}

func (k *keeper) must(err error) {
	k.t.Helper()
	if err != nil && !errors.Is(err, redis.Nil) {
		k.t.Fatal(err)
	}
}

// client returns a client that looks as often as that; 0 is the default. It is closed when the test ends.
func (k *keeper) client(look time.Duration) *loops.Client {
	k.t.Helper()
	return k.clientOn(k.rdb, look)
}

func (k *keeper) clientOn(rdb *redis.Client, look time.Duration) *loops.Client {
	k.t.Helper()
	c, err := loops.NewClient(k.t.Context(), loops.Options{Redis: rdb, Keys: keysOf(k.t, k.signer), Look: look})
	k.must(err)
	k.t.Cleanup(func() { k.must(c.Close()) })
	return c
}

// inbox is what stands in the inboxes, untouched.
func (k *keeper) inbox() []entry {
	k.t.Helper()
	var entries []entry
	for p := range k.keys.Partitions {
		for _, m := range k.rdb.XRange(k.t.Context(), k.keys.In(p, "inbox"), "-", "+").Val() {
			op, _ := m.Values["op"].(string)
			body, _ := m.Values["body"].(string)
			entries = append(entries, entry{op, body, len(m.Values)})
		}
	}
	return entries
}

// take handles the inboxes and returns what stood there.
func (k *keeper) take() []entry {
	k.t.Helper()
	entries := k.inbox()
	for p := range k.keys.Partitions {
		k.must(k.rdb.Del(k.t.Context(), k.keys.In(p, "inbox")).Err())
	}
	for _, e := range entries {
		if e.op == "raise" {
			k.raise([]byte(e.body))
		}
	}
	return entries
}

func (k *keeper) raise(record []byte) {
	k.t.Helper()
	ref := refOf(k.t, record)
	stop := k.keys.Of(ref.ID, "stop")
	k.must(k.rdb.HSetNX(k.t.Context(), stop, "digest", ref.Digest).Err())
	if k.rdb.HGet(k.t.Context(), stop, "digest").Val() != ref.Digest {
		k.refuse(ref)
	}
}

func refOf(t testing.TB, record []byte) loops.Ref {
	t.Helper()
	var r struct{ ID string }
	if err := json.Unmarshal(record, &r); err != nil {
		t.Fatal(err)
	}
	return loops.Ref{ID: r.ID, Digest: digestOf(record)}
}

func (k *keeper) refuse(ref loops.Ref) {
	k.t.Helper()
	refusal := someRefusal()
	refusal.ID, refusal.Digest, refusal.At = ref.ID, ref.Digest, time.Now()
	jws, err := k.signer.SignRefusal(refusal)
	k.must(err)
	k.publish(k.keys.Refusal(k.keys.Partition(ref.ID), ref.Digest), jws)
}

func (k *keeper) outcome(ref loops.Ref) string {
	k.t.Helper()
	o := answeredOutcome()
	o.Stop, o.Digest, o.At = ref.ID, ref.Digest, time.Now()
	o.Verdicts = maps.Clone(o.Verdicts)
	jws, err := k.signer.SignOutcome(o)
	k.must(err)
	return jws
}

// answer stores the outcome and publishes it, in one step.
func (k *keeper) answer(ref loops.Ref) string {
	k.t.Helper()
	jws := k.outcome(ref)
	k.publish(k.keys.Of(ref.ID, "outcome"), jws)
	return jws
}

// answerSilently stores the outcome; the message is lost.
func (k *keeper) answerSilently(ref loops.Ref) string {
	k.t.Helper()
	jws := k.outcome(ref)
	k.must(k.rdb.Set(k.t.Context(), k.keys.Of(ref.ID, "outcome"), jws, 0).Err())
	return jws
}

func (k *keeper) publish(key, jws string) {
	k.t.Helper()
	_, err := k.rdb.TxPipelined(k.t.Context(), func(pipe redis.Pipeliner) error {
		pipe.Set(k.t.Context(), key, jws, 0)
		return pipe.Publish(k.t.Context(), key, jws).Err()
	})
	k.must(err)
}

// record is a record that passes its check.
func record(id string) []byte {
	return fmt.Appendf(nil, `{"v":1,"id":%q,"addressee":"facilitator","kind":"fact","concern":"evidence",`+
		`"loop":{"id":"loop-1","repository":"acme/x"},`+
		`"questions":[{"key":"q","message":"The nightly job found 3 checks without evidence.","requestedSchema":{"type":"object","properties":{}}}]}`, id)
}

// wait starts waiting; the end comes through the channel.
func wait(ctx context.Context, c *loops.Client, record []byte) <-chan waited {
	end := make(chan waited, 1)
	go func() {
		o, err := c.Wait(ctx, record)
		end <- waited{o, err}
	}()
	return end
}

type waited struct {
	outcome *loops.SignedOutcome
	err     error
}

// want receives the end and compares.
func want(t testing.TB, end <-chan waited, jws string) {
	t.Helper()
	select {
	case got := <-end:
		if got.err != nil {
			t.Fatalf("Wait = %v, want the outcome", got.err)
		}
		if got.outcome.JWS != jws {
			t.Errorf("Wait = %s, want %s", got.outcome.JWS, jws)
		}
	case <-time.After(time.Minute):
		t.Fatal("Wait has not ended after a minute")
	}
}

func wantWaiting(t testing.TB, end <-chan waited) {
	t.Helper()
	select {
	case got := <-end:
		t.Fatalf("Wait ended with %v, %v; want it to wait on", got.outcome, got.err)
	default:
	}
}

// eventually asks until it is so, on a real clock.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	deadline := time.After(2 * time.Minute)
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-deadline:
			t.Fatalf("not within two minutes: %s", what)
		case <-again.C:
		}
	}
}

func randomID() string { return rand.Text() }
