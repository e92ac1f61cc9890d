package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

func TestFiftyWritersHaveOneWinner(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{Record: recordOf(t, withCalls("s", "a"))})
		type end struct {
			changed bool
			err     error
			by      string
		}
		ends := make(chan end)
		for i := range 50 {
			by := ana
			by.ID = fmt.Sprintf("slack:T0ACME/U%02d", i)
			go func() {
				_, changed, err := k.Do(t.Context(), "s", answers(by, loops.Verdict{Action: loops.Accept, Output: json.RawMessage(strconv.Itoa(i))}, "a"))
				ends <- end{changed, err, by.ID}
			}()
		}
		winner, told := "", map[string]int{}
		for range 50 {
			e := <-ends
			var answered *AnsweredError
			switch {
			case e.changed && winner == "":
				winner = e.by
			case errors.As(e.err, &answered):
				told[answered.Standing.By.ID]++
			default:
				t.Errorf("%s: changed %t, err %v", e.by, e.changed, e.err)
			}
		}
		if told[winner] != 49 {
			t.Errorf("winner %q; the others were told of %v", winner, told)
		}
		stop := k.read("s")
		if _, err := k.set.VerifyOutcome(stop.Outcome, "fs", ref(stop)); err != nil || len(stop.Log) != 3 {
			t.Errorf("outcome: %v, %d entries", err, len(stop.Log))
		}
	})
}

func TestTheOutcomeIsStoredPublishedAndBoundToTheLog(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *redis.Client) {
		k := newRoom(t, r, nil)
		k.do("s", Raise{Record: recordOf(t, withCalls("s", "a", "b"))})
		heard := r.Subscribe(t.Context(), k.keys.Of("s", "outcome"))
		defer func() { ok(t, heard.Close()) }()
		_, err := heard.Receive(t.Context())
		ok(t, err)
		k.do("s", answers(ana, accept(), "a"))
		stop := k.do("s", answers(bob, decline("no"), "b"))
		m, err := heard.ReceiveMessage(t.Context())
		ok(t, err)
		stored, err := r.Get(t.Context(), k.keys.Of("s", "outcome")).Result()
		ok(t, err)
		if m.Payload != stored || stored != stop.Outcome {
			t.Error("what was published, what is stored and what was returned are not the same")
		}
		o, err := k.set.VerifyOutcome(stored, "fs", ref(stop))
		ok(t, err)
		if o.End != loops.Answered || o.Origin != loops.OriginPerson || o.By.ID != bob.ID || o.Log != digestOf(stop.raw[3]) {
			t.Errorf("outcome = %+v", o)
		}
		if o.Verdicts["a"].By.ID != ana.ID || o.Verdicts["b"].Message != "no" || o.Verdicts["b"].At.IsZero() {
			t.Errorf("verdicts = %+v", o.Verdicts)
		}
		if age := stop.Now.Sub(o.At); age < 0 || age > time.Second {
			t.Errorf("it says that it ended %v ago", age)
		}
	})
}
