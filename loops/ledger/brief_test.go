package ledger

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// trips counts how often a client asks Redis: a pipeline asks once.
type trips struct{ n atomic.Int64 }

func (c *trips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.n.Add(1)
		return next(ctx, cmd)
	}
}

func (c *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.n.Add(1)
		return next(ctx, cmds)
	}
}

func TestEverythingOpenIsLookedAtInTheOrderOfTheListAndInFewTrips(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, func(o *Options) { o.Partitions = 4 })
		const n = 600
		for i, id := range numbered(n) {
			o := withCalls(id, "a")
			o["addressee"] = []string{loops.Facilitator, "security"}[i%2]
			o["loop"] = object{"id": "dev/1", "repository": "acme/site", "owner": "U0ANA"}
			k.do(id, Raise{Record: recordOf(t, o)})
			pause(t.Context(), 2*time.Millisecond)
		}
		k.do("call_7", Withdraw{})
		k.do("call_9", Reassign{By: ana, To: "security"})
		var listed []string
		for stop, err := range k.List(t.Context(), Query{Phase: Open}) {
			ok(t, err)
			listed = append(listed, stop.ID+" "+stop.State.Holder)
		}
		count := &trips{}
		r.AddHook(count)
		var got, ids []string
		for h, err := range k.Open(t.Context()) {
			ok(t, err)
			got, ids = append(got, h.ID+" "+h.Role), append(ids, h.ID)
		}
		if diff := cmp.Diff(listed, got); diff != "" {
			t.Errorf("the open stops (-list +looked at):\n%s", diff)
		}
		briefs, err := k.Briefs(t.Context(), ids)
		ok(t, err)
		cards, err := k.Cards(t.Context(), ids)
		ok(t, err)
		if len(briefs) != n-1 || len(cards) != n-1 {
			t.Errorf("%d briefs and the cards of %d, want %d", len(briefs), len(cards), n-1)
		}
		if diff := cmp.Diff(Brief{Addressee: loops.Facilitator, Repository: "acme/site", Owner: "U0ANA"}, briefs["call_9"]); diff != "" {
			t.Errorf("a brief (-want +got):\n%s", diff)
		}
		// Four partitions: their roles, 8 indexes twice (to their ends), the records in three parts, the cards in one; and
		// what the client itself says on a new connection.
		if most := int64(4 + 2*8 + 3 + 1 + 10); count.n.Load() > most {
			t.Errorf("it took %d trips to Redis, want %d at most", count.n.Load(), most)
		}
		before := count.n.Load()
		_, err = k.Briefs(t.Context(), ids)
		ok(t, err)
		if now := count.n.Load(); now != before {
			t.Errorf("what never changes was read again, in %d trips", now-before)
		}
	})
}

func TestABriefReadsTheMembersThatTheCheckReads(t *testing.T) {
	for name, tc := range map[string]struct {
		record string
		want   Brief
		ok     bool
	}{
		"whole":         {`{"addressee":"security","loop":{"repository":"a/b","owner":"U1"}}`, Brief{"security", "a/b", "U1"}, true},
		"ownerless":     {`{"addressee":"security","loop":{"repository":"a/b"}}`, Brief{"security", "a/b", ""}, true},
		"other letters": {`{"addressee":"security","Addressee":"x","LOOP":{},"loop":{"repository":"a/b","Owner":"U1","owneR":"U2"}}`, Brief{"security", "a/b", ""}, true},
		"no addressee":  {`{"loop":{"repository":"a/b"}}`, Brief{}, false},
		"no loop":       {`{"addressee":"security"}`, Brief{}, false},
		"no record":     {``, Brief{}, false},
		"a list":        {`[]`, Brief{}, false},
		"another type":  {`{"addressee":1,"loop":{"repository":"a/b"}}`, Brief{}, false},
	} {
		b, ok := briefOf([]byte(tc.record))
		if ok != tc.ok || ok && b != tc.want {
			t.Errorf("%s: %+v, %t, want %+v, %t", name, b, ok, tc.want, tc.ok)
		}
	}
}

func TestABrokenStopHasNoBriefAndHidesNoOther(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		for _, id := range numbered(3) {
			k.raised(id)
		}
		ok(t, r.Del(t.Context(), k.keys.Of("call_1", "record"), k.keys.Of("call_1", "stop")).Err())
		ok(t, r.LPush(t.Context(), k.keys.Of("call_1", "record"), "no string").Err())
		ok(t, r.Set(t.Context(), k.keys.Of("call_1", "stop"), "no hash", 0).Err())
		ok(t, r.HSet(t.Context(), k.keys.Of("call_2", "stop"), "card:asked", "no card").Err())
		briefs, err := k.Briefs(t.Context(), []string{"call_1", "call_2", "call_3", "nobody's"})
		ok(t, err)
		if _, there := briefs["call_1"]; there || len(briefs) != 2 {
			t.Errorf("briefs of %v", briefs)
		}
		cards, err := k.Cards(t.Context(), []string{"call_1", "call_2", "call_3"})
		ok(t, err)
		if cards["call_1"] != nil || cards["call_2"] != nil {
			t.Errorf("cards of %v", cards)
		}
	})
}

func TestARedisThatDoesNotAnswerIsAnErrorAndNoEmptyList(t *testing.T) {
	inBubble(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.raised("call_1")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := k.Briefs(ctx, []string{"call_1"}); err == nil {
			t.Error("no brief, and no error")
		}
		if _, err := k.Cards(ctx, []string{"call_1"}); err == nil {
			t.Error("no cards, and no error")
		}
		for _, err := range k.Open(ctx) {
			if err == nil {
				t.Error("something is open, and no error")
			}
		}
	})
}

func TestAFloodOfNotesIsBoundByPersonAndMinute(t *testing.T) {
	commands := make([]Command, 0, notesAMinute)
	for i := range notesAMinute {
		commands = append(commands, Note{By: ana, Text: strings.Repeat("x", i+1)})
	}
	stop := after(t, withCalls("s", "a"), commands...)
	last := stop.Log[len(stop.Log)-1].At
	for name, tc := range map[string]struct {
		by   loops.By
		at   time.Time
		text string
		want error
	}{
		"one more":              {ana, last, "more", ErrFlood},
		"the same again":        {ana, last, strings.Repeat("x", notesAMinute), nil},
		"of somebody else":      {bob, last, "more", nil},
		"a minute later":        {ana, last.Add(time.Minute), "more", nil},
		"one second before one": {ana, stop.Log[1].At.Add(time.Minute - time.Second), "more", ErrFlood},
	} {
		if _, err := Decide(stop, Note{By: tc.by, Text: tc.text}, tc.at); err != tc.want { //nolint:errorlint // it is this one
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
}

func TestWhatIsNotedIsCutVisibly(t *testing.T) {
	long := strings.Repeat("é", 2001)
	for name, c := range map[string]Command{
		"a note": Note{By: ana, Text: long}, "given away": Reassign{By: ana, To: "security", Text: long},
		"not mine": NotMine{By: ana, To: "security", Text: long}, "snoozed": Snooze{By: ana, Until: noon.Add(time.Hour), Text: long},
	} {
		log := after(t, withCalls("s", "a"), c).Log
		text := []rune(log[len(log)-1].Text)
		if len(text) != 2000 || !slices.Equal(text[1998:], []rune("é…")) {
			t.Errorf("%s has %d characters, and ends with %q", name, len(text), string(text[max(0, len(text)-2):]))
		}
	}
}

func TestAMessageIsOneNoteWheneverItComesAgain(t *testing.T) {
	stop := after(t, withCalls("s", "a"), Note{By: ana, Text: "hello", Message: "slack:C0/1.2"})
	for name, tc := range map[string]struct {
		note Note
		want int
	}{
		"the same message": {Note{By: ana, Text: "hello", Message: "slack:C0/1.2"}, 0},
		"another message":  {Note{By: ana, Text: "hello", Message: "slack:C0/1.3"}, 1},
		"no message":       {Note{By: ana, Text: "hello"}, 1},
	} {
		change, err := Decide(stop, tc.note, noon.Add(time.Hour))
		ok(t, err)
		if len(change.Entries) != tc.want {
			t.Errorf("%s: %d entries, want %d", name, len(change.Entries), tc.want)
		}
	}
}
