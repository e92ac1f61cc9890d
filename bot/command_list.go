package bot

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

const (
	// listed is how many stops a page of a list has: as many as a message holds, however long they are.
	listed = 15
	// listWalk is how many open stops are looked at for a list, listPart of them at once.
	listWalk = 20_000
	listPart = 1000
	// linksWithin is how long a list waits for its links, of which Slack gives out few a minute. The rest of it comes without.
	linksWithin = time.Second
	// listWithin is how long a list may take. Whoever asked is told after it that it did not come.
	listWithin = 15 * time.Second
	// channelsWithin is how long a list waits to hear who is in a channel. Who is not known to be in it reads nothing of it.
	channelsWithin = time.Second
)

// listing is which open stops a person wants to see.
type listing struct {
	page templates.ListPage
	mine bool // those of the person's roles and loops, and nothing of the others
	pick func(holder string, b ledger.Brief) bool
}

// listingOf reads a command that lists: nothing, or "list" with mine, all, a role or a repository, and "page N".
func (h *hand) listingOf(name string, t wording) (listing, bool) {
	if t.verb != "" && t.verb != "list" {
		return listing{}, false
	}
	page, words := 1, strings.Fields(t.args)
	if n := len(words); n >= 2 && strings.EqualFold(words[n-2], "page") {
		var err error
		if page, err = strconv.Atoi(words[n-1]); err != nil || page < 1 {
			return listing{}, false
		}
		words = words[:n-2]
	}
	if len(words) > 1 {
		return listing{}, false
	}
	return h.listingFor(templates.ListPage{Command: name, What: cmp.Or(strings.Join(words, ""), "mine"), Page: page})
}

// listingFor is false where the page names no list.
func (h *hand) listingFor(page templates.ListPage) (listing, bool) {
	l := listing{page: page, pick: func(string, ledger.Brief) bool { return true }}
	_, isRole := h.config().Roles[page.What]
	switch what := page.What; {
	case isRole:
		l.pick = func(holder string, b ledger.Brief) bool { return holder == what || b.Addressee == what }
	case strings.EqualFold(what, "mine"):
		l.mine = true
	case strings.EqualFold(what, "all"):
	case strings.ContainsAny(what, "/*"):
		l.pick = func(_ string, b ledger.Brief) bool { return routing.Matches(what, b.Repository) }
	default:
		return listing{}, false
	}
	return l, true
}

// list shows a page of a list, privately, by tell.
func (h *hand) list(ctx context.Context, l listing, tell func(context.Context, templates.Message)) {
	within, cancel := context.WithTimeout(ctx, listWithin)
	defer cancel()
	shown, err := h.listed(within, l)
	if err != nil {
		h.log.WarnContext(ctx, "stops were not listed", "err", err)
		h.finish(ctx, ending{sentence: templates.SayNotListed, result: ClickFaulty})
		return
	}
	h.metrics.Click(ClickOpened)
	tell(ctx, h.words.List(shown))
}

// listed looks at all that is open and reads the stops of one page, the last one where there are fewer.
func (h *hand) listed(ctx context.Context, l listing) (templates.Listing, error) {
	found, err := h.lookFor(ctx, l)
	if err != nil {
		return templates.Listing{}, err
	}
	shown := templates.Listing{Total: len(found.ids), Hidden: found.hidden, Part: found.part, Page: l.page}
	shown.Page.Page = max(1, min(l.page.Page, (len(found.ids)+listed-1)/listed))
	shown.Earlier = (shown.Page.Page - 1) * listed
	ids := found.ids[shown.Earlier:]
	shown.Rows, err = h.rows(ctx, ids[:min(len(ids), listed)])
	return shown, err
}

// rows are what a list says of stops, with the links that Slack gives out in time. What closed meanwhile is left out.
func (h *hand) rows(ctx context.Context, ids []string) ([]templates.Row, error) {
	links, cancel := context.WithTimeout(ctx, linksWithin)
	defer cancel()
	rows := make([]templates.Row, 0, len(ids))
	for _, id := range ids {
		s, err := h.ledger.Read(ctx, id)
		if _, gone := noStop(err); gone {
			continue
		}
		if err != nil {
			return nil, err
		}
		if s.State.Phase == ledger.Open {
			rows = append(rows, templates.Row{View: viewOf(s), Asked: s.State.Asked, Link: h.linkOf(links, s)})
		}
	}
	return rows, nil
}

// found are the open stops that a list has, oldest first.
type found struct {
	ids    []string // that the person may see
	hidden int      // that they may not
	part   bool     // there were more than are looked at
}

// lookFor looks at what is open, many at once: at the indexes, at whom the records are for, and at cards only where it may be
// the channel that lets the person see.
func (h *hand) lookFor(ctx context.Context, l listing) (found, error) {
	v := h.eyes()
	var f found
	var part []ledger.Held
	seen := map[string]bool{}
	for open, err := range h.ledger.Open(ctx) {
		if err != nil {
			return f, err
		}
		if seen[open.ID] { // it moved from one holder to another meanwhile
			continue
		}
		if f.part = len(seen) >= listWalk; f.part {
			break
		}
		seen[open.ID] = true
		if part = append(part, open); len(part) == listPart {
			if err := v.sort(ctx, l, part, &f); err != nil {
				return f, err
			}
			part = part[:0]
		}
	}
	err := v.sort(ctx, l, part, &f)
	return f, err
}

// linkOf is the link to a stop's card, "" when there is none.
func (b *Bot) linkOf(ctx context.Context, stop ledger.Stop) string {
	i := slices.IndexFunc(stop.State.Cards, func(c ledger.Card) bool { return c.TS != "" })
	if i < 0 {
		return ""
	}
	c := stop.State.Cards[i]
	link, err := b.links.get(c.Channel+" "+c.TS, func() (string, error) { return b.slack.Permalink(ctx, c.Channel, c.TS) })
	if err != nil {
		b.log.WarnContext(ctx, "a card's link was not read", "stop", stop.ID, "err", err)
	}
	return link
}

// turnPage shows another page in the place of the one whose button was pressed.
func (h *hand) turnPage(ctx context.Context, page templates.ListPage) {
	l, ok := h.listingFor(page)
	if !ok { // the role is gone from the configuration
		h.help(ctx, page.Command, "list "+page.What)
		return
	}
	h.answer(nil)
	h.list(ctx, l, func(ctx context.Context, m templates.Message) {
		if err := h.slack.Replace(ctx, h.who.respond, m); err != nil {
			h.tell(ctx, m)
		}
	})
}
