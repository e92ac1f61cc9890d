package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"
)

const (
	stampType  = "flagstop_card"
	findSkew   = 5 * time.Minute // between the clock that since is from and Slack's
	findPages  = 500             // of 200 messages; more means that the history does not end
	readTries  = 4               // of one page that Slack limits
	historyAll = "200"
)

// Stamp is the metadata of a card's message (event_type flagstop_card): by it a message is found again.
type Stamp struct {
	Prefix, Stop, Place, Attempt string
	Part                         int // 0 is the card, 1… are the parts of its thread
	Rev                          int64
}

// stampPayload is a stamp as event_payload: flat, as Slack wants it. Its numbers are also read when they come back as strings.
type stampPayload struct {
	Prefix  string      `json:"prefix"`
	Stop    string      `json:"stop"`
	Place   string      `json:"place"`
	Attempt string      `json:"attempt"`
	Part    json.Number `json:"part"`
	Rev     json.Number `json:"rev"`
}

func (st Stamp) metadata() *metadata {
	payload, err := json.Marshal(stampPayload{
		Prefix: st.Prefix, Stop: st.Stop, Place: st.Place, Attempt: st.Attempt,
		Part: json.Number(strconv.Itoa(st.Part)), Rev: json.Number(strconv.FormatInt(st.Rev, 10)),
	})
	if err != nil {
		panic("marshal a stamp: " + err.Error()) // strings and whole numbers always marshal
	}
	return &metadata{Type: stampType, Payload: payload}
}

// stampOf reads a stamp; ok is false for any other metadata.
func stampOf(m *metadata) (st Stamp, ok bool) {
	if m == nil || m.Type != stampType {
		return Stamp{}, false
	}
	var p stampPayload
	if json.Unmarshal(m.Payload, &p) != nil {
		return Stamp{}, false
	}
	part, err := strconv.Atoi(p.Part.String())
	if err != nil {
		return Stamp{}, false
	}
	rev, err := p.Rev.Int64()
	if err != nil {
		return Stamp{}, false
	}
	return Stamp{Prefix: p.Prefix, Stop: p.Stop, Place: p.Place, Attempt: p.Attempt, Part: part, Rev: rev}, true
}

// Found is an own message that was found by its stamp.
type Found struct {
	Posted
	Stamp Stamp
}

// Find looks in a channel's history (a thread's replies where thread is not "") since a moment for own messages with this
// stamp's Prefix, Stop, Place and Part, oldest first. A thread that is gone has no messages. Slack promises no
// read after write: what was sent a moment ago may be missing.
func (s *Slack) Find(ctx context.Context, channel, thread string, since time.Time, st Stamp) ([]Found, error) {
	me, err := s.Identify(ctx)
	if err != nil {
		return nil, err
	}
	var found []Found
	err = s.history(ctx, channel, thread, since.Add(-findSkew-s.clock.lag()), func(m message) {
		got, ok := stampOf(m.Metadata)
		if ok && m.BotID == me.BotID && got.Prefix == st.Prefix && got.Stop == st.Stop && got.Place == st.Place && got.Part == st.Part {
			found = append(found, Found{Posted: Posted{Channel: channel, TS: m.TS, ThreadTS: m.ThreadTS}, Stamp: got})
		}
	})
	if thread != "" && hasCode(err, "thread_not_found") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Found) int { return cmp.Or(cmp.Compare(len(a.TS), len(b.TS)), cmp.Compare(a.TS, b.TS)) })
	return found, nil
}

// message is what is read of a message in a history.
type message struct {
	TS       string    `json:"ts"`
	ThreadTS string    `json:"thread_ts"`
	BotID    string    `json:"bot_id"`
	Subtype  string    `json:"subtype"`
	Metadata *metadata `json:"metadata"`
}

type page struct {
	Messages []message
	HasMore  bool `json:"has_more"`
	Metadata struct {
		Next string `json:"next_cursor"`
	} `json:"response_metadata"`
}

// history calls each with every message since oldest, to the end of the last page.
func (s *Slack) history(ctx context.Context, channel, thread string, oldest time.Time, each func(message)) error {
	method, args := "conversations.history", url.Values{
		"channel": {channel}, "oldest": {slackTime(oldest)}, "inclusive": {"true"},
		"include_all_metadata": {"true"}, "limit": {historyAll},
	}
	if thread != "" {
		method = "conversations.replies"
		args.Set("ts", thread)
	}
	for range findPages {
		var p page
		if err := s.read(ctx, method, args, &p); err != nil {
			return err
		}
		for _, m := range p.Messages {
			each(m)
		}
		next := p.Metadata.Next
		switch {
		case next == "" && !p.HasMore:
			return nil
		case next == "" || next == args.Get("cursor"):
			return &SlackError{Method: method, Class: ClassAmbiguous, Err: errors.New("there is more, but no way to the next page")}
		}
		args.Set("cursor", next)
	}
	return &SlackError{Method: method, Class: ClassAmbiguous, Err: errors.New("the history does not end")}
}

// read calls a reading method, again where Slack limits it: a page that fails must not cost the ones before it.
func (s *Slack) read(ctx context.Context, method string, args url.Values, result any) error {
	return again(func() error { return s.call(ctx, method, args, result) })
}

// again repeats what was definitely not done because Slack limits the method; the method's queue makes it wait.
func again(call func() error) error {
	var err error
	for range readTries {
		failed, ok := errors.AsType[*SlackError](call())
		if !ok {
			return nil
		}
		err = failed
		if !limited(failed) {
			break
		}
	}
	return err
}

// slackTime writes a moment as Slack's ts, seconds since 1970; never before.
func slackTime(t time.Time) string {
	return strconv.FormatInt(max(t.Unix(), 0), 10) + ".000000"
}

// Exists reports whether a message of a channel, not of a thread, still stands. One that was deleted while it had
// replies stays in the history as a tombstone: it does not stand.
func (s *Slack) Exists(ctx context.Context, channel, ts string) (bool, error) {
	var p page
	err := s.read(ctx, "conversations.history", url.Values{
		"channel": {channel}, "oldest": {ts}, "latest": {ts}, "inclusive": {"true"}, "limit": {"1"},
	}, &p)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.Messages, func(m message) bool { return m.TS == ts && m.Subtype != "tombstone" }), nil
}

// InChannel reports whether a user is a member of a channel.
func (s *Slack) InChannel(ctx context.Context, channel, user string) (bool, error) {
	args := url.Values{"channel": {channel}, "limit": {historyAll}}
	for range findPages {
		var a struct {
			Members  []string
			Metadata struct {
				Next string `json:"next_cursor"`
			} `json:"response_metadata"`
		}
		if err := s.read(ctx, "conversations.members", args, &a); err != nil {
			return false, err
		}
		if slices.Contains(a.Members, user) {
			return true, nil
		}
		if a.Metadata.Next == "" {
			return false, nil
		}
		args.Set("cursor", a.Metadata.Next)
	}
	return false, &SlackError{Method: "conversations.members", Class: ClassAmbiguous, Err: errors.New("the members do not end")}
}
