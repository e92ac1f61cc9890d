package bot

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"flagstop/loops/ledger"
	"flagstop/templates"
)

const (
	// noteWithin is how long is tried to keep what somebody typed in a thread.
	noteWithin = 5 * time.Minute
	// toldFor is how long is remembered that a person was told that a note answers nothing, and floodFor that they wrote too
	// much.
	toldFor  = 30 * 24 * time.Hour
	floodFor = time.Minute
	// maxThreads bounds the threads that are kept in memory.
	maxThreads = 10_000
)

// reply is a message that a person typed in a thread.
type reply struct {
	channel, thread, ts string
	text                string
	who                 person
}

// replyOf is what an event says that somebody typed in a thread of a message of the bot's; false for everything else: what
// apps write, what is edited, what stands in the channel itself. me may be the zero value, where it is not known yet.
func replyOf(e event, me Identity) (reply, bool) {
	m := e.Event
	typed := m.Subtype == "" || m.Subtype == "thread_broadcast"
	inThread := m.Thread != "" && m.Thread != m.TS && m.TS != ""
	byPerson := m.Bot == "" && m.User != "" && m.User != "USLACKBOT" && m.User != me.BotUser
	ours := m.Parent == "" || me.BotUser == "" || m.Parent == me.BotUser
	if m.Type != "message" || !typed || !inThread || !byPerson || !ours || strings.TrimSpace(m.Text) == "" {
		return reply{}, false
	}
	team := m.UserTeam
	if team == "" {
		team = e.Team
	}
	r := reply{channel: e.channel(), thread: m.Thread, ts: m.TS, text: asTyped(m.Text)}
	r.who = person{team: team, user: m.User, channel: r.channel, thread: m.Thread}
	return r, r.channel != ""
}

// keepReply keeps what somebody typed in a card's thread as a note on its stop. It answers nothing.
func (h *hand) keepReply(ctx context.Context, r reply) {
	h.who = r.who
	ctx, cancel := context.WithTimeout(ctx, noteWithin)
	defer cancel()
	for wait := time.Second; ; wait = min(2*wait, 10*time.Second) {
		err := h.tryReply(ctx, r)
		if err == nil {
			return
		}
		h.log.WarnContext(ctx, "what was typed in a thread is not kept yet", "channel", r.channel, "err", err)
		if sleep(ctx, wait) != nil {
			h.log.ErrorContext(ctx, "what was typed in a thread was not kept", "channel", r.channel)
			return
		}
	}
}

// tryReply tries once. An error means that it is not known whether it was kept: the same again changes nothing.
func (h *hand) tryReply(ctx context.Context, r reply) error {
	id, err := h.threads.stop(ctx, h.Bot, r.channel, r.thread)
	if err != nil || id == "" {
		return err
	}
	stop, changed, err := h.ledger.Do(ctx, id, ledger.Note{By: h.who.by(""), Text: r.text, Message: "slack:" + r.channel + "/" + r.ts})
	switch {
	case errors.Is(err, ledger.ErrFlood):
		if h.first(ctx, "flooded:"+id+":"+r.who.user, floodFor) {
			h.say(ctx, templates.SayFlood, templates.Say{})
		}
		return nil
	case errors.Is(err, ledger.ErrUnknown), errors.Is(err, ledger.ErrBroken):
		return nil
	case err != nil:
		return err
	}
	if changed && stop.State.Phase == ledger.Open && h.first(ctx, "noted:"+id+":"+r.who.user, toldFor) {
		h.say(ctx, templates.SayNoted, templates.Say{})
	}
	return nil
}

// first reports whether something is done for the first time within a while. Where Redis does not say, it is.
func (b *Bot) first(ctx context.Context, what string, within time.Duration) bool {
	is, err := b.redis.SetNX(ctx, b.key(what), 1, within).Result()
	return err != nil || is
}

// threads keep under which messages a card's thread is, and under which none.
type threads struct {
	mu sync.Mutex
	of map[string]string
}

// stop is the stop whose card a message is, "" where it is none. Slack is asked once for each message: the card's metadata
// names its stop.
func (t *threads) stop(ctx context.Context, b *Bot, channel, ts string) (string, error) {
	key := channel + " " + ts
	t.mu.Lock()
	id, known := t.of[key]
	t.mu.Unlock()
	if known {
		return id, nil
	}
	st, err := b.slack.StampAt(ctx, channel, ts)
	if hasClass(err, ClassDestination) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if st.Prefix == b.prefix && st.Part == 0 {
		id = st.Stop
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil || len(t.of) >= maxThreads {
		t.of = map[string]string{}
	}
	t.of[key] = id
	return id, nil
}

// StampAt is the stamp of an own message at the head of a thread; the zero stamp where it is none, or somebody else's.
func (s *Slack) StampAt(ctx context.Context, channel, ts string) (Stamp, error) {
	me, err := s.Identify(ctx)
	if err != nil {
		return Stamp{}, err
	}
	var p page
	err = s.read(ctx, "conversations.replies", url.Values{
		"channel": {channel}, "ts": {ts}, "latest": {ts}, "inclusive": {"true"}, "limit": {"1"}, "include_all_metadata": {"true"},
	}, &p)
	if err != nil {
		return Stamp{}, err
	}
	for _, m := range p.Messages {
		if st, ok := stampOf(m.Metadata); ok && m.TS == ts && m.BotID == me.BotID {
			return st, nil
		}
	}
	return Stamp{}, nil
}

// known is who the bot is, where Slack was asked before; else the zero value.
func (s *Slack) known() Identity {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.me
}

// takeReply has a reply kept. The same message is one note, however often its event comes.
func (h *hand) takeReply(r reply) (do func(context.Context), key string) {
	return func(ctx context.Context) { h.keepReply(ctx, r) }, deliveryKey(string(EventsAPI), "reply", r.channel, r.ts)
}
