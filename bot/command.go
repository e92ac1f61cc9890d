package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// listed bounds how many stops a list shows, and listWalk how many open ones are looked at for it.
const (
	listed   = 20
	listWalk = 10_000
)

// linksWithin is how long a list waits for its links, of which Slack gives out few a minute. The rest of it comes without.
const linksWithin = 3 * time.Second

// takeCommand reads a slash command.
func (h *hand) takeCommand(raw json.RawMessage) (do func(context.Context), key string) {
	var c struct {
		Command     string `json:"command"`
		Text        string `json:"text"`
		TeamID      string `json:"team_id"`
		UserID      string `json:"user_id"`
		UserName    string `json:"user_name"`
		ChannelID   string `json:"channel_id"`
		ResponseURL string `json:"response_url"`
		TriggerID   string `json:"trigger_id"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return h.unknown("a command that is not an object of strings"), ""
	}
	h.who = person{team: c.TeamID, user: c.UserID, name: c.UserName, channel: c.ChannelID, respond: c.ResponseURL}
	return func(ctx context.Context) {
		h.answer(nil) // what is asked for comes over the response URL
		h.command(ctx, c.Command, strings.Fields(c.Text))
	}, deliveryKey(string(SlashCommand), c.TriggerID)
}

// command answers a slash command: a list, one stop, something that is no answer, or help.
func (h *hand) command(ctx context.Context, name string, words []string) {
	verb, words := cutWord(words)
	id, rest := cutWord(words)
	switch verb {
	case "", "list":
		h.list(ctx, name, words)
		return
	case "help":
		h.help(ctx, name, "")
		return
	}
	do, ok := h.actionTyped(verb, rest)
	switch {
	case verb == "show" && id != "" && len(rest) == 0:
		h.showStop(ctx, id)
	case ok && id != "":
		h.recordTyped(ctx, h.handling(id, do))
	default:
		h.help(ctx, name, strings.Join(append([]string{verb}, words...), " "))
	}
}

func cutWord(words []string) (first string, rest []string) {
	if len(words) == 0 {
		return "", nil
	}
	return words[0], words[1:]
}

// actionTyped is the action of a command's verb with the words after the stop's id; false for one that is not understood.
func (h *hand) actionTyped(verb string, rest []string) (action, bool) {
	text := strings.Join(rest, " ")
	first, more := cutWord(rest)
	switch verb {
	case "take":
		return does(func(by loops.By) ledger.Command { return ledger.Take{By: by} }), text == ""
	case "release":
		return does(func(by loops.By) ledger.Command { return ledger.Release{By: by} }), text == ""
	case "note":
		return noting(text), text != ""
	case "not-mine":
		return does(func(by loops.By) ledger.Command { return ledger.NotMine{By: by, To: loops.Facilitator, Text: text} }), true
	case "escalate":
		return h.stepping(0), text == ""
	case "reassign":
		return h.moving(first, strings.Join(more, " ")), first != ""
	case "snooze":
		d, err := routing.ParseDuration(first)
		return h.snoozing(d, strings.Join(more, " ")), err == nil
	}
	return nil, false
}

func (h *hand) help(ctx context.Context, name, unread string) {
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.Help(name, unread))
}

// listing is which open stops a person wants to see, of those that are theirs to see.
type listing struct {
	pick func(ledger.Stop) bool
	page int    // from 1
	more string // the words that show the next page
}

// listingOf reads what follows "list": nothing or "mine", "all", a role or a repository, and "page N".
func (h *hand) listingOf(name string, words []string) (listing, bool) {
	l := listing{page: 1}
	if n := len(words); n >= 2 && words[n-2] == "page" {
		page, err := strconv.Atoi(words[n-1])
		if err != nil || page < 1 || page > listWalk {
			return l, false
		}
		l.page, words = page, words[:n-2]
	}
	what, rest := cutWord(words)
	_, isRole := h.config().Roles[what]
	switch {
	case len(rest) > 0:
		return l, false
	case what == "" || what == "mine" || what == "all":
		l.pick = func(ledger.Stop) bool { return true }
	case isRole:
		l.pick = func(s ledger.Stop) bool { return s.State.Holder == what || s.Record.Addressee == what }
	case strings.ContainsAny(what, "/*"):
		l.pick = func(s ledger.Stop) bool { return routing.Matches(what, s.Record.Loop.Repository) }
	default:
		return l, false
	}
	l.more = strings.TrimSpace(strings.Join([]string{name, "list", cmp.Or(what, "mine"), "page", strconv.Itoa(l.page + 1)}, " "))
	return l, true
}

// list shows a page of the open stops that are the person's: asked of a role of theirs, held by one, or raised for them.
func (h *hand) list(ctx context.Context, name string, words []string) {
	l, ok := h.listingOf(name, words)
	if !ok {
		h.help(ctx, name, strings.Join(append([]string{"list"}, words...), " "))
		return
	}
	var stops []ledger.Stop
	skip, more, seen := (l.page-1)*listed, 0, 0
	for stop, err := range h.ledger.List(ctx, ledger.Query{Phase: ledger.Open}) {
		if err != nil {
			h.log.WarnContext(ctx, "stops were not listed", "err", err)
			h.finish(ctx, ending{sentence: templates.SayStoreAway, result: ClickFaulty})
			return
		}
		if seen++; seen > listWalk {
			break
		}
		switch {
		case !l.pick(stop) || !h.theirs(ctx, stop):
		case skip > 0:
			skip--
		case len(stops) < listed:
			stops = append(stops, stop)
		default:
			more++
		}
	}
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.List(h.rows(ctx, stops), more, (l.page-1)*listed, l.more))
}

// rows are what a list says of stops, with the links that Slack gives out in time.
func (h *hand) rows(ctx context.Context, stops []ledger.Stop) []templates.Row {
	links, cancel := context.WithTimeout(ctx, linksWithin)
	defer cancel()
	rows := make([]templates.Row, 0, len(stops))
	for _, s := range stops {
		rows = append(rows, templates.Row{View: viewOf(s), Asked: s.State.Asked, Link: h.linkOf(links, s)})
	}
	return rows
}

func (h *hand) theirs(ctx context.Context, stop ledger.Stop) bool {
	asked := askedOf(stop, "")
	return routing.MaySee(h.config(), asked, h.answerer(ctx, h.who, asked), false).OK
}

// linkOf is the link to a stop's card, "" when there is none.
func (h *hand) linkOf(ctx context.Context, stop ledger.Stop) string {
	i := slices.IndexFunc(stop.State.Cards, func(c ledger.Card) bool { return c.TS != "" })
	if i < 0 {
		return ""
	}
	c := stop.State.Cards[i]
	link, err := h.links.get(c.Channel+" "+c.TS, func() (string, error) { return h.slack.Permalink(ctx, c.Channel, c.TS) })
	if err != nil {
		h.log.WarnContext(ctx, "a card's link was not read", "stop", stop.ID, "err", err)
	}
	return link
}

// showStop shows one stop with its log to somebody who may see it.
func (h *hand) showStop(ctx context.Context, id string) {
	stop, err := h.ledger.Read(ctx, id)
	if err != nil {
		e, err := unread(err)
		if err != nil {
			h.log.WarnContext(ctx, "a stop was not shown", "err", err)
			e = ending{sentence: templates.SayStoreAway, result: ClickFaulty}
		} else {
			e.sentence = templates.SayNoStop
		}
		h.finish(ctx, e)
		return
	}
	if d := h.maySee(ctx, stop); !d.OK {
		e := stranger(stop, "", d)
		e.sentence = templates.SayUnseen
		h.finish(ctx, e)
		return
	}
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.Show(viewOf(stop), logLines(stop.Log)))
}
