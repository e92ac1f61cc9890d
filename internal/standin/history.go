package standin

import (
	"cmp"
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// readable returns the channel whose history a call reads: the bot has to be in it.
func (s *Server) readable(a args) (*Channel, error) {
	c, err := s.channelOf(a)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(c.Members, s.world.bot) {
		return nil, fail("not_in_channel")
	}
	return c, nil
}

// span is the stretch of time that a call asks for.
type span struct {
	oldest, latest int64
	inclusive      bool
}

func readSpan(a args) (span, error) {
	p := span{latest: math.MaxInt64, inclusive: a.flag("inclusive")}
	for name, to := range map[string]*int64{"oldest": &p.oldest, "latest": &p.latest} {
		if ts := a.text(name); ts != "" && ts != "0" {
			at, ok := parseTS(ts)
			if !ok {
				return p, fail("invalid_ts_" + name)
			}
			*to = at
		}
	}
	return p, nil
}

func (p span) holds(at int64) bool {
	if p.inclusive && (at == p.oldest || at == p.latest) {
		return true
	}
	return p.oldest < at && at < p.latest
}

// history answers conversations.history: newest first, without replies.
func (s *Server) history(a args) (object, error) {
	c, err := s.readable(a)
	if err != nil {
		return nil, err
	}
	p, err := readSpan(a)
	if err != nil {
		return nil, err
	}
	var found []*message
	for _, m := range s.world.messages[c.ID] {
		if m.inChannel() && p.holds(m.at) {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(x, y *message) int { return cmp.Compare(y.at, x.at) })
	return s.pageOfMessages(a, found, true)
}

// threadHistory answers conversations.replies: the parent, then its replies, oldest first.
func (s *Server) threadHistory(a args) (object, error) {
	c, err := s.readable(a)
	if err != nil {
		return nil, err
	}
	p, err := readSpan(a)
	if err != nil {
		return nil, err
	}
	parent := s.world.find(c.ID, a.text("ts"))
	if parent == nil || parent.EphemeralFor != "" {
		return nil, fail("thread_not_found")
	}
	found := []*message{parent}
	if parent.ThreadTS == "" || parent.ThreadTS == parent.TS {
		for _, m := range s.world.replies(c.ID, parent.TS) {
			if p.holds(m.at) {
				found = append(found, m)
			}
		}
	}
	return s.pageOfMessages(a, found, false)
}

// pageOfMessages cuts by a cursor that is a moment, so that what is posted or deleted between two pages neither repeats nor
// hides another message.
func (s *Server) pageOfMessages(a args, found []*message, newestFirst bool) (object, error) {
	if c := a.text("cursor"); c != "" {
		last, err := readCursor(c)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(m *message) bool { return m.at == last || (m.at > last) == newestFirst })
	}
	limit, err := readLimit(a, 100, 999)
	if err != nil {
		return nil, err
	}
	next := ""
	if limit < len(found) {
		found = found[:limit]
		next = writeCursor(found[limit-1].at)
	}
	out := make([]object, 0, len(found))
	for _, m := range found {
		out = append(out, s.messageJSON(m, a.flag("include_all_metadata")))
	}
	answer := object{"messages": out, "has_more": next != ""}
	if newestFirst {
		answer["pin_count"] = 0 // which only conversations.history has
	}
	return withCursor(answer, next), nil
}

func readLimit(a args, usual, most int) (int, error) {
	n := a.number("limit", usual)
	if n == 0 {
		n = usual
	}
	if n < 0 {
		return 0, fail("invalid_limit")
	}
	return min(n, most), nil
}

func writeCursor(n int64) string {
	return base64.StdEncoding.EncodeToString([]byte("next:" + strconv.FormatInt(n, 10)))
}

func readCursor(c string) (int64, error) {
	raw, err := base64.StdEncoding.DecodeString(c)
	at, ok := strings.CutPrefix(string(raw), "next:")
	n, numErr := strconv.ParseInt(at, 10, 64)
	if err != nil || numErr != nil || !ok || n < 0 {
		return 0, fail("invalid_cursor")
	}
	return n, nil
}

// paged cuts a list that only grows by the limit and the cursor of a call.
func paged[T any](a args, all []T, usual, most int) (part []T, next string, err error) {
	from := 0
	if c := a.text("cursor"); c != "" {
		n, err := readCursor(c)
		if err != nil || n > int64(len(all)) {
			return nil, "", fail("invalid_cursor")
		}
		from = int(n)
	}
	limit, err := readLimit(a, usual, most)
	if err != nil {
		return nil, "", err
	}
	to := min(from+limit, len(all))
	if to < len(all) {
		next = writeCursor(int64(to))
	}
	return all[from:to], next, nil
}

func withCursor(out object, next string) object {
	out["response_metadata"] = object{"next_cursor": next}
	return out
}
