package bot

import (
	"cmp"
	"context"
	"slices"
	"time"

	"flagstop/loops/ledger"
	"flagstop/routing"
	"flagstop/templates"
)

const (
	// homeRows bounds how many open stops are read for one home.
	homeRows = 300
	// homeLinks is how long a home waits for its links, of which Slack gives out few a minute.
	homeLinks = 2 * time.Second
	// homePage is how many rows a page has at most.
	homePage = 50
	// decidedFor and decidedRows bound what a home has of the past, and decidedWalk how many answers are looked at.
	decidedFor  = 7 * 24 * time.Hour
	decidedRows = 20
	decidedWalk = 300
)

// viewer is somebody who looks at their home.
type viewer struct {
	*eyes
	c  routing.Config
	of map[[2]string]routing.Answerer // by addressee and holder
}

func (b *Bot) viewer(user string) *viewer {
	h := &hand{Bot: b, who: person{user: user}}
	return &viewer{eyes: h.eyes(), c: b.config(), of: map[[2]string]routing.Answerer{}}
}

// as is the person with what decides what they may do with a stop. Slack is asked once for each two roles.
func (v *viewer) as(ctx context.Context, a routing.Asked) routing.Answerer {
	roles := [2]string{a.Addressee, a.Holder}
	who, ok := v.of[roles]
	if !ok {
		who = v.handler(ctx, v.who, routing.Asked{Addressee: a.Addressee, Holder: a.Holder, At: a.At})
		v.of[roles] = who
	}
	return who
}

// homeOf is what somebody's home shows from a row on.
func (b *Bot) homeOf(ctx context.Context, user string, earlier int) (templates.Home, error) {
	v := b.viewer(user)
	h := templates.Home{User: user, Earlier: earlier, Roles: v.roles(ctx)}
	rows, more, err := v.open(ctx)
	if err != nil {
		return h, err
	}
	yours := slices.IndexFunc(rows, func(r inRow) bool { return !v.waits(r.HomeRow) })
	if yours < 0 {
		yours = len(rows)
	}
	h.Total, h.More = [2]int{yours, len(rows) - yours}, more
	if earlier >= len(rows) { // what was there is gone
		h.Earlier = 0
	}
	v.link(ctx, rows[h.Earlier:])
	for i, r := range rows[h.Earlier:] {
		if h.Earlier+i < yours {
			h.Yours = append(h.Yours, r.HomeRow)
		} else {
			h.Others = append(h.Others, r.HomeRow)
		}
	}
	if h.Earlier == 0 {
		h.Duties = v.duties(time.Now())
		h.Decided, err = v.decided(ctx)
	}
	return h, err
}

// link adds the links to the cards of a page, those that Slack gives out in time. The others come when it is drawn again.
func (v *viewer) link(ctx context.Context, rows []inRow) {
	ctx, cancel := context.WithTimeout(ctx, homeLinks)
	defer cancel()
	for i := range rows[:min(len(rows), homePage)] {
		link, err := v.cardLink(ctx, rows[i].stop)
		if err != nil {
			v.log.DebugContext(ctx, "not every card of a home has a link yet", "err", err)
			return
		}
		rows[i].Link = link
	}
}

// cardLink is the link to a stop's first card, "" where there is none.
func (b *Bot) cardLink(ctx context.Context, s ledger.Stop) (string, error) {
	i := slices.IndexFunc(s.State.Cards, func(c ledger.Card) bool { return c.TS != "" })
	if i < 0 {
		return "", nil
	}
	c := s.State.Cards[i]
	link, err := b.links.get(c.Channel+" "+c.TS, func() (string, error) { return b.slack.Permalink(ctx, c.Channel, c.TS) })
	if hasClass(err, ClassDestination) { // it is gone, and posted again
		err = nil
	}
	return link, err
}

// roles are those that the person is in, on call or not.
func (v *viewer) roles(ctx context.Context) []string {
	var all []string
	for name := range v.c.Roles {
		if routing.Belongs(v.c, name, v.who.user) || v.inRole(ctx, name, ledger.Brief{Addressee: name}) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// inRow is an open stop that is the viewer's to see.
type inRow struct {
	templates.HomeRow
	stop ledger.Stop
}

// open are the open stops that are the person's to see: first those that wait for them, what they are on before all, then the
// others, oldest first; and how many more there are.
func (v *viewer) open(ctx context.Context) (rows []inRow, more int, err error) {
	f, err := v.lookFor(ctx, listing{mine: true, pick: func(string, ledger.Brief) bool { return true }})
	if err != nil {
		return nil, 0, err
	}
	for i, id := range f.ids {
		if len(rows) == homeRows {
			more = len(f.ids) - i
			break
		}
		stop, err := v.readQueued(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		if stop.State.Phase == ledger.Open {
			rows = append(rows, inRow{v.row(ctx, stop), stop})
		}
	}
	slices.SortStableFunc(rows, func(a, b inRow) int { return cmp.Compare(v.rank(a.HomeRow), v.rank(b.HomeRow)) })
	return rows, more, nil
}

func (v *viewer) rank(r templates.HomeRow) int {
	switch {
	case v.isOn(r):
		return 0
	case v.waits(r):
		return 1
	}
	return 2
}

func (v *viewer) isOn(r templates.HomeRow) bool {
	return r.View.Taken != nil && v.who.did(r.View.Taken.By)
}

// waits reports whether a stop waits for the person: they are on it, or may answer it and nobody is.
func (v *viewer) waits(r templates.HomeRow) bool { return v.isOn(r) || r.Answer && r.View.Taken == nil }

func (v *viewer) row(ctx context.Context, s ledger.Stop) templates.HomeRow {
	asked := askedOf(s, nextKey(s))
	who := v.as(ctx, asked)
	r := templates.HomeRow{
		Row:    templates.Row{View: viewOf(s), Asked: s.State.Asked},
		Answer: routing.May(v.c, asked, who).OK,
		Handle: routing.MayHandle(v.c, asked, who).OK,
	}
	if t, in := turnstileOf(s, v.c); in {
		_, shown := t.card(s, v.c)
		r.Queued = !shown
	}
	return r
}

// nextKey is that of the first question without a verdict.
func nextKey(s ledger.Stop) string {
	for _, q := range s.Record.Questions {
		if _, done := s.State.Verdicts[q.Key]; !done {
			return q.Key
		}
	}
	return ""
}

// duties are who is on call for each role that has a rotation.
func (v *viewer) duties(now time.Time) []templates.Duty {
	var all []templates.Duty
	for name, role := range v.c.Roles {
		if role.Rotation == "" {
			continue
		}
		d := routing.OnCall(v.c.Team(name), now)
		all = append(all, templates.Duty{Role: name, Users: d.Users, Until: d.Until, Next: d.Next, NextFrom: d.NextFrom})
	}
	slices.SortFunc(all, func(a, b templates.Duty) int { return cmp.Compare(a.Role, b.Role) })
	return all
}

// decided are the stops that were answered lately and are the person's to see, latest first.
func (v *viewer) decided(ctx context.Context) ([]templates.Row, error) {
	var rows []templates.Row
	looked := 0
	for stop, err := range v.ledger.List(ctx, ledger.Query{Phase: ledger.Answered, After: time.Now().Add(-decidedFor)}) {
		if err != nil {
			return nil, err
		}
		if looked++; looked > decidedWalk || len(rows) == decidedRows {
			break
		}
		if v.inRole(ctx, stop.State.Holder, briefOf(stop)) {
			rows = append(rows, templates.Row{View: viewOf(stop), Asked: stop.State.Asked})
		}
	}
	return rows, nil
}
