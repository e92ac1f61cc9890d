package templates_test

import (
	"fmt"
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

func homeRow(v templates.View, change func(*templates.HomeRow)) templates.HomeRow {
	r := templates.HomeRow{
		Row:    templates.Row{View: v, Asked: at("08:12"), Link: "https://acme.slack.com/archives/C0PRODUCT/p1"},
		Answer: true, Handle: true,
	}
	if change != nil {
		change(&r)
	}
	return r
}

// homes are the golden homes by the name of their file.
func homes() map[string]templates.Home {
	all := views()
	nobody := templates.Home{User: "U0MALLORY"}
	quiet := templates.Home{User: "U0ANA", Roles: []string{loops.ProductThinker}}
	duties := []templates.Duty{
		{Role: loops.Facilitator, Users: []string{"U0BOB"}, Until: at("19:00"), Next: []string{"U0CHI"}, NextFrom: at("21:00")},
		{Role: "security", Next: []string{"U0DEE"}, NextFrom: at("18:00"), Until: at("18:00")},
		{Role: "release", Users: []string{"U0ANA", "U0BOB", "U0CHI", "U0DEE", "U0EVE"}},
	}
	busy := templates.Home{
		User: "U0ANA", Roles: []string{loops.ProductThinker, "security"}, Total: [2]int{7, 2}, Duties: duties,
		Yours: []templates.HomeRow{
			homeRow(all["judgement-taken"], nil),
			homeRow(all["judgement"], func(r *templates.HomeRow) { r.Queued, r.Link = true, "" }),
			homeRow(all["long"], nil), homeRow(all["call"], nil), homeRow(all["batch-one-decided"], nil),
			homeRow(all["page"], nil), homeRow(all["fact"], nil),
		},
		Others: []templates.HomeRow{
			homeRow(all["form"], func(r *templates.HomeRow) { r.Answer = false }),
			homeRow(all["judgement-snoozed"], func(r *templates.HomeRow) { r.Answer, r.Handle = false, false }),
		},
		Decided: []templates.Row{
			{View: all["judgement-went-on"], Link: "https://acme.slack.com/archives/C0PRODUCT/p2"},
			{View: all["batch-answered"]},
			{View: all["judgement-relayed"]},
			{View: all["call-declined"]},
		},
	}
	part := busy
	part.Earlier, part.Total, part.More = 20, [2]int{31, 0}, 12
	part.Others = nil
	return map[string]templates.Home{
		"nobody": nobody, "quiet": quiet, "quiet-on-call": {User: "U0ANA", Roles: []string{loops.Facilitator}, Duties: duties},
		"busy": busy, "part": part, "away": {User: "U0ANA", Away: true},
	}
}

func TestEveryHome(t *testing.T) {
	for name, h := range homes() {
		t.Run(name, func(t *testing.T) {
			m := templates.Default().Home(h)
			golden(t, "home-"+name, m)
			checkHome(t, m)
		})
	}
}

func TestEveryCardFitsARowOfTheHome(t *testing.T) {
	for name, v := range views() {
		if v.End != "" {
			continue
		}
		for _, change := range []func(*templates.HomeRow){nil, func(r *templates.HomeRow) { r.Answer = false }, func(r *templates.HomeRow) { r.Handle = false }} {
			h := templates.Home{Yours: []templates.HomeRow{homeRow(v, change)}, Total: [2]int{1, 0}}
			m := templates.Default().Home(h)
			checkHome(t, m)
			if t.Failed() {
				t.Fatal(name)
			}
		}
	}
}

func TestAHomeWithoutRoomHasAButtonForTheRest(t *testing.T) {
	var rows []templates.HomeRow
	for i := range 300 {
		v := view(manyCalls(20))
		v.Record.ID = fmt.Sprintf("s%d", i)
		v.Record.Questions[0].Key = strings.Repeat("\u2028", 200)
		rows = append(rows, homeRow(v, nil))
	}
	first := homes()["busy"].Decided
	for len(first) < 20 {
		first = append(first, first[0])
	}
	h := templates.Home{User: "U0ANA", Roles: []string{"x"}, Total: [2]int{200, 100}, Decided: first, Duties: homes()["busy"].Duties}
	pages := 0
	for seen := 0; seen < 300; pages++ {
		h.Earlier = seen
		h.Yours, h.Others = rows[min(seen, 200):200], rows[max(seen, 200):]
		m := templates.Default().Home(h)
		checkHome(t, m)
		next, ok := more(m)
		if !ok {
			next = 300
		}
		if next <= seen {
			t.Fatalf("the page after row %d has no rows", seen)
		}
		seen = next
	}
	if pages < 5 {
		t.Errorf("300 rows on %d pages", pages)
	}
}

// more is where the next page begins.
func more(m slack.HomeTabViewRequest) (int, bool) {
	for _, b := range m.Blocks.BlockSet {
		actions, ok := b.(*slack.ActionBlock)
		if !ok {
			continue
		}
		for _, e := range actions.Elements.ElementSet {
			if button, ok := e.(*slack.ButtonBlockElement); ok {
				if n, ok := templates.PageOf(button.ActionID, button.Value); ok && n > 0 {
					return n, true
				}
			}
		}
	}
	return 0, false
}

func TestHostileTextIsLiteralInTheHome(t *testing.T) {
	for _, s := range hostile() {
		for _, v := range []templates.View{view(judgement()), view(branch()), view(pageRecord())} {
			v.Record.Questions[0].Message, v.Record.Questions[0].Quote = s, s
			v.Record.Loop.Agent, v.Record.Loop.Repository = s, s
			done := answered(v)
			done.Verdicts = map[string]loops.Verdict{v.Record.Questions[0].Key: {Action: loops.Decline, Message: s, By: ana(), At: at("09:52")}}
			checkHome(t, templates.Default().Home(templates.Home{
				User: s, Roles: []string{s}, Yours: []templates.HomeRow{homeRow(v, func(r *templates.HomeRow) { r.Link = s })},
				Others: []templates.HomeRow{homeRow(v, func(r *templates.HomeRow) { r.View.Record = other(v.Record) })}, Total: [2]int{1, 1},
				Duties: []templates.Duty{{Role: s, Users: []string{s}, Next: []string{s}}}, Decided: []templates.Row{{View: done, Link: s}},
			}))
		}
	}
}

func other(r *loops.Record) *loops.Record {
	c := *r
	c.ID += "x"
	return &c
}

func TestOnlyTheHomesOwnButtonsTurnItsPages(t *testing.T) {
	for _, c := range []struct {
		action, value string
		want          int
		ok            bool
	}{
		{templates.HomeMore, "20", 20, true},
		{templates.HomeStart, "0", 0, true},
		{"menu", "20", 0, false},
		{templates.HomeMore, "-1", 0, false},
		{templates.HomeMore, "x", 0, false},
		{templates.HomeMore, "99999999999999999999", 0, false},
		{templates.HomeMore, "2000000", 0, false},
	} {
		got, ok := templates.PageOf(c.action, c.value)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s %s: %d, %v", c.action, c.value, got, ok)
		}
	}
}
