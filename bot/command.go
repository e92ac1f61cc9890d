package bot

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

// listed bounds how many stops a list shows, and listWalk how many open ones are looked at for it.
const (
	listed   = 20
	listWalk = 2000
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

// command answers a slash command: the person's list, one stop, or help.
func (h *hand) command(ctx context.Context, name string, words []string) {
	switch {
	case len(words) == 0, len(words) == 1 && words[0] == "list":
		h.list(ctx)
	case len(words) == 2 && words[0] == "show":
		h.showStop(ctx, words[1])
	default:
		h.metrics.Click(ClickOpened)
		h.tell(ctx, h.words.Help(name))
	}
}

// list shows the open stops that are the person's: asked of a role of theirs, held by one, or raised for them.
func (h *hand) list(ctx context.Context) {
	var rows []templates.Row
	var more, seen int
	links, cancel := context.WithTimeout(ctx, linksWithin)
	defer cancel()
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
		case !h.theirs(ctx, stop):
		case len(rows) < listed:
			rows = append(rows, templates.Row{View: viewOf(stop), Asked: stop.State.Asked, Link: h.linkOf(links, stop)})
		default:
			more++
		}
	}
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.List(rows, more))
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
	link, err := h.slack.Permalink(ctx, c.Channel, c.TS)
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
