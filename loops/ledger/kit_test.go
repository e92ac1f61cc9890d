package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/embedded"
	"flagstop/internal/redistest"
	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// onEachStore runs a test on miniredis in virtual time and on a real redis-server.
func onEachStore(t *testing.T, test func(t *testing.T, r *redis.Client)) {
	t.Helper()
	t.Run("miniredis", func(t *testing.T) { inBubble(t, test) })
	t.Run("redis-server", func(t *testing.T) {
		t.Parallel()
		test(t, redistest.Start(t, redistest.Options{}).Client(t))
	})
}

func inBubble(t *testing.T, test func(t *testing.T, r *redis.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := *embedded.InBubble(t).Options()
		o.PoolSize = 200 // who waits for a connection does so on a timer that go-redis shares between bubbles, which is fatal
		r := redis.NewClient(&o)
		t.Cleanup(func() { _ = r.Close() })
		test(t, r)
	})
}

// room is a ledger and what a test looks at beside it.
type room struct {
	*Ledger
	t    *testing.T
	r    *redis.Client
	keys loops.Keys
	set  *loops.KeySet
}

func newRoom(t *testing.T, r *redis.Client, with func(*Options)) *room {
	t.Helper()
	signer := newSigner(t)
	set, err := loops.NewKeySet(signer.Public(), nil)
	ok(t, err)
	opt := Options{Redis: r, Signer: signer, Roles: roles}
	if with != nil {
		with(&opt)
	}
	l, err := Start(t.Context(), opt)
	ok(t, err)
	return &room{Ledger: l, t: t, r: r, keys: l.keys, set: set}
}

func newSigner(t testing.TB) *loops.Signer {
	t.Helper()
	private, _, err := loops.GenerateKey()
	ok(t, err)
	signer, err := loops.NewSigner(private)
	ok(t, err)
	return signer
}

func roles() []string { return []string{"product-thinker", "facilitator", "security"} }

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// do does what must succeed.
func (k *room) do(id string, c Command) Stop {
	k.t.Helper()
	stop, _, err := k.Do(k.t.Context(), id, c)
	ok(k.t, err)
	return stop
}

func (k *room) read(id string) Stop {
	k.t.Helper()
	stop, err := k.Read(k.t.Context(), id)
	ok(k.t, err)
	return stop
}

// say appends to an inbox as a loop does, and returns the entry's id.
func (k *room) say(p int, values ...any) string {
	k.t.Helper()
	id, err := k.r.XAdd(k.t.Context(), &redis.XAddArgs{Stream: k.keys.In(p, "inbox"), Values: values}).Result()
	ok(k.t, err)
	return id
}

// until waits for a condition.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(5 * time.Minute)
	defer end.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("it never happened: %s", what)
		}
	}
}

// consume consumes until the returned function is called.
func (k *room) consume(name string) (stop func()) {
	ctx, cancel := context.WithCancel(k.t.Context())
	done := make(chan error, 1)
	go func() { done <- k.Consume(ctx, name) }()
	return func() {
		k.t.Helper()
		cancel()
		ok(k.t, <-done)
	}
}

// empty reports whether nothing is left in an inbox.
func (k *room) empty(p int) bool {
	n, err := k.r.XLen(k.t.Context(), k.keys.In(p, "inbox")).Result()
	ok(k.t, err)
	return n == 0
}

// dead returns why entries went to the dead, oldest first.
func (k *room) dead(p int) []string {
	entries, err := k.r.XRange(k.t.Context(), k.keys.In(p, "dead"), "-", "+").Result()
	ok(k.t, err)
	var why []string
	for _, e := range entries {
		why = append(why, e.Values["why"].(string))
	}
	return why
}

func (k *room) has(key, member string) bool {
	_, err := k.r.ZScore(k.t.Context(), key, member).Result()
	if err == redis.Nil { //nolint:errorlint // go-redis returns it unwrapped
		return false
	}
	ok(k.t, err)
	return true
}

type object = map[string]any

// withCalls is a record of tool calls that wait, one a key.
func withCalls(id string, keys ...string) object {
	var questions []object
	for _, key := range keys {
		questions = append(questions, object{
			"key": key, "message": "The list of branches is needed. May it run this?",
			"call": object{"name": "terminal", "arguments": object{"command": "git branch -a"}, "may": []string{"run", "output", "decline"}},
		})
	}
	return object{
		"v": 1, "id": id, "addressee": "facilitator", "kind": "judgement", "concern": "permission",
		"loop": object{"id": "dev/1", "repository": "acme/site", "agent": "dev"}, "questions": questions,
	}
}

// withPage is a record whose question is answered on a page.
func withPage(id string) object {
	o := withCalls(id)
	o["kind"], o["concern"] = "fact", "evidence"
	o["questions"] = []object{{"key": "q", "message": "The account has to be linked.", "mode": "url", "url": "https://id.example.com/link"}}
	return o
}

// toSee is a record that has only to be seen.
func toSee(id string) object {
	o := withCalls(id)
	o["kind"], o["concern"] = "fact", "evidence"
	o["questions"] = []object{{"key": "q", "message": "Three checks have no evidence.", "requestedSchema": object{"type": "object", "properties": object{}}}}
	return o
}

func bytesOf(t testing.TB, o object) []byte {
	t.Helper()
	b, err := json.Marshal(o)
	ok(t, err)
	return b
}

func recordOf(t testing.TB, o object) *loops.Record {
	t.Helper()
	r, faults := loops.Check(bytesOf(t, o), loops.CheckOptions{Roles: roles()})
	if len(faults) > 0 {
		t.Fatalf("the test's own record fails its check: %v", faults)
	}
	return r
}

func ref(s Stop) loops.Ref { return loops.Ref{ID: s.ID, Digest: s.State.Digest} }

var (
	ana = loops.By{ID: "slack:T0ACME/U0ANA", Name: "Ana", Role: "facilitator", Through: "slack"}
	bob = loops.By{ID: "slack:T0ACME/U0BOB", Name: "Bob", Role: "facilitator", Through: "slack"}
	bot = loops.By{ID: "machine:ci-hook", Role: "facilitator", Through: "machine"}
)

func accept() loops.Verdict { return loops.Verdict{Action: loops.Accept} }

func decline(why string) loops.Verdict { return loops.Verdict{Action: loops.Decline, Message: why} }

// answers gives the same verdict on each key.
func answers(by loops.By, v loops.Verdict, keys ...string) Answer {
	verdicts := map[string]loops.Verdict{}
	for _, key := range keys {
		verdicts[key] = v
	}
	return Answer{By: by, Verdicts: verdicts}
}

func numbered(n int) []string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprintf("call_%d", i+1))
	}
	return keys
}
