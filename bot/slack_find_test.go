package bot

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// stamped is a message of a history.
func stamped(ts, bot string, st Stamp) string {
	m, err := json.Marshal(st.metadata())
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"type":"message","ts":%q,"bot_id":%q,"metadata":%s}`, ts, bot, m)
}

func other(change func(*Stamp)) Stamp {
	st := cardStamp
	change(&st)
	return st
}

// history answers auth.test and the pages of a history, by cursor.
func history(pages map[string]string) func(http.ResponseWriter, gotCall) {
	return func(w http.ResponseWriter, c gotCall) {
		if c.method == "auth.test" {
			_, _ = io.WriteString(w, `{"ok":true,"team_id":"T1","user_id":"U1","bot_id":"B1"}`)
			return
		}
		cursor, _ := c.args["cursor"].(string)
		_, _ = io.WriteString(w, pages[cursor])
	}
}

func TestFindReadsEveryPageAndTakesOnlyItsOwn(t *testing.T) {
	again := other(func(st *Stamp) { st.Attempt, st.Rev = "a2", 9 })
	a := &api{answer: history(map[string]string{
		"": `{"ok":true,"has_more":true,"messages":[` + stamped("1700000009.000100", "B1", again) + `,
			{"type":"message","ts":"1700000008.000100","user":"U5","text":"hi"},
			{"type":"message","ts":"1700000007.000100","bot_id":"B1","metadata":{"event_type":"flagstop_card","event_payload":{"part":{}}}},
			{"type":"message","ts":"1700000007.000200","bot_id":"B1","metadata":{"event_type":"flagstop_card","event_payload":[]}},
			` + stamped("1700000006.000100", "B2", cardStamp) + `,
			` + stamped("1700000005.000100", "B1", other(func(st *Stamp) { st.Stop = "s2" })) + `,
			` + stamped("1700000004.000100", "B1", other(func(st *Stamp) { st.Part = 1 })) + `,
			` + stamped("1700000003.000100", "B1", other(func(st *Stamp) { st.Place = "fallback" })) + `,
			` + stamped("1700000002.000100", "B1", other(func(st *Stamp) { st.Prefix = "staging" })) + `],
			"response_metadata":{"next_cursor":"two="}}`,
		"two=": `{"ok":true,"has_more":false,"messages":[` + stamped("1700000001.000100", "B1", cardStamp) + `],"response_metadata":{"next_cursor":""}}`,
	})}
	since := time.Unix(1_700_000_000, 0)
	found, err := overTCP(t, a).Find(t.Context(), "C1", "", since, cardStamp)
	if err != nil {
		t.Fatal(err)
	}
	want := []Found{
		{Posted: Posted{Channel: "C1", TS: "1700000001.000100"}, Stamp: cardStamp},
		{Posted: Posted{Channel: "C1", TS: "1700000009.000100"}, Stamp: again},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("Find (-want +got):\n%s", diff)
	}
	args := a.all()[1].args
	if args["include_all_metadata"] != "true" || args["inclusive"] != "true" || args["oldest"].(string) >= slackTime(since) {
		t.Errorf("arguments = %v", args)
	}
}

func TestFindLooksInAThread(t *testing.T) {
	a := &api{answer: history(map[string]string{"": `{"ok":true,"messages":[
		{"type":"message","ts":"1.1","thread_ts":"1.1"},
		` + stamped("1700000001.000100", "B1", cardStamp) + `]}`})}
	s := overTCP(t, a)
	found, err := s.Find(t.Context(), "C1", "1.1", time.Time{}, cardStamp)
	if err != nil || len(found) != 1 {
		t.Fatalf("Find = %v, %v, want one", found, err)
	}
	call := a.all()[1]
	if call.method != "conversations.replies" || call.args["ts"] != "1.1" || call.args["oldest"] != "0.000000" {
		t.Errorf("called %s with %v", call.method, call.args)
	}
	a.answer = history(map[string]string{"": `{"ok":false,"error":"thread_not_found"}`})
	if found, err := s.Find(t.Context(), "C1", "1.1", time.Time{}, cardStamp); err != nil || found != nil {
		t.Errorf("in a thread that is gone Find = %v, %v", found, err)
	}
}

func TestFindNeverTakesACutHistoryForAnEmptyOne(t *testing.T) {
	for name, page := range map[string]string{
		"more without a cursor": `{"ok":true,"has_more":true,"messages":[]}`,
		"the same page again":   `{"ok":true,"has_more":true,"messages":[],"response_metadata":{"next_cursor":"x"}}`,
	} {
		a := &api{answer: history(map[string]string{"": page, "x": page})}
		found, err := overTCP(t, a).Find(t.Context(), "C1", "", time.Time{}, cardStamp)
		if err == nil || classOf(err) != ClassAmbiguous {
			t.Errorf("%s: Find = %v, %v, want an ambiguous error", name, found, err)
		}
	}
	a := &api{answer: history(map[string]string{"": `{"ok":false,"error":"not_in_channel"}`})}
	if _, err := overTCP(t, a).Find(t.Context(), "C1", "", time.Time{}, cardStamp); classOf(err) != ClassDestination {
		t.Errorf("in a foreign channel Find = %v, want class destination", err)
	}
}

func TestFindGoesOnWhereItWasLimited(t *testing.T) {
	pages := history(map[string]string{
		"":    `{"ok":true,"has_more":true,"messages":[],"response_metadata":{"next_cursor":"two"}}`,
		"two": `{"ok":true,"messages":[` + stamped("1700000001.000100", "B1", cardStamp) + `]}`,
	})
	limits := 2
	a := &api{}
	a.answer = func(w http.ResponseWriter, c gotCall) {
		if c.args["cursor"] == "two" && limits > 0 {
			limits--
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		pages(w, c)
	}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		began := time.Now()
		found, err := s.Find(t.Context(), "C1", "", time.Time{}, cardStamp)
		if err != nil || len(found) != 1 {
			t.Errorf("Find = %v, %v, want one", found, err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("Find took %v, want two waits of 5 s", took)
		}
		first := 0
		for _, c := range a.all() {
			if c.method == "conversations.history" && c.args["cursor"] == nil {
				first++
			}
		}
		if first != 1 {
			t.Errorf("the first page was read %d times", first)
		}
	})
}

func TestFindAllowsForASlackClockThatIsBehind(t *testing.T) {
	a := &api{}
	pages := history(map[string]string{"": `{"ok":true,"messages":[]}`})
	a.answer = func(w http.ResponseWriter, c gotCall) {
		w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
		pages(w, c)
	}
	s := overTCP(t, a)
	since := time.Unix(1_700_000_000, 0)
	if _, err := s.Find(t.Context(), "C1", "", since, cardStamp); err != nil {
		t.Fatal(err)
	}
	if got := a.all()[1].args["oldest"].(string); got > slackTime(since.Add(-time.Hour)) {
		t.Errorf("oldest = %s, want an hour before %s", got, slackTime(since))
	}
}

func TestAStampSurvivesSlack(t *testing.T) {
	got, ok := stampOf(cardStamp.metadata())
	if !ok || got != cardStamp {
		t.Errorf("stampOf = %+v, %v, want %+v", got, ok, cardStamp)
	}
	texts := &metadata{Type: stampType, Payload: []byte(`{"prefix":"fs","stop":"s1","place":"own","attempt":"a1","part":"2","rev":"1099511627776"}`)}
	if got, ok := stampOf(texts); !ok || got != cardStamp {
		t.Errorf("with numbers as texts stampOf = %+v, %v", got, ok)
	}
}

func TestExistsTellsAMessageFromItsTombstone(t *testing.T) {
	for body, want := range map[string]bool{
		`{"ok":true,"messages":[{"ts":"1.2"}]}`:                       true,
		`{"ok":true,"messages":[{"ts":"1.2","subtype":"tombstone"}]}`: false,
		`{"ok":true,"messages":[{"ts":"1.1"}]}`:                       false,
		`{"ok":true,"messages":[]}`:                                   false,
	} {
		a := &api{answer: says(body)}
		if got, err := overTCP(t, a).Exists(t.Context(), "C1", "1.2"); err != nil || got != want {
			t.Errorf("Exists with %s = %v, %v, want %v", body, got, err, want)
		}
	}
	a := &api{answer: says(`{"ok":false,"error":"channel_not_found"}`)}
	if _, err := overTCP(t, a).Exists(t.Context(), "C1", "1.2"); classOf(err) != ClassDestination {
		t.Errorf("in a channel that is gone Exists = %v, want class destination", err)
	}
}

func TestInChannelReadsEveryPageOfMembers(t *testing.T) {
	a := &api{answer: history(map[string]string{
		"":    `{"ok":true,"members":["U1"],"response_metadata":{"next_cursor":"two"}}`,
		"two": `{"ok":true,"members":["U2"]}`,
	})}
	s := overTCP(t, a)
	for user, want := range map[string]bool{"U1": true, "U2": true, "U3": false} {
		if got, err := s.InChannel(t.Context(), "C1", user); err != nil || got != want {
			t.Errorf("InChannel(%s) = %v, %v, want %v", user, got, err, want)
		}
	}
}
