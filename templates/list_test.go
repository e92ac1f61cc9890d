package templates_test

import (
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"
)

// A page of 15 is shown whole, however long its stops are: what did not fit would be on no page at all.
func TestAPageOfAListHasRoomForTheLongestStops(t *testing.T) {
	for name, long := range map[string]string{"plain": strings.Repeat("word ", 400), "escaped": strings.Repeat("&<>", 600), "wide": strings.Repeat("🧑‍🚒", 500), "bidi": strings.Repeat("\u202e*x_", 400)} {
		r := judgement()
		r.ID, r.Addressee = strings.Repeat("i", 64), strings.Repeat("a", 40)
		r.Loop = loops.Loop{ID: long, Agent: long, Repository: long, Task: long}
		r.Questions[0].Message = long
		rows := make([]templates.Row, 15)
		for i := range rows {
			rows[i] = templates.Row{View: view(r), Asked: at("09:12"), Link: "https://acme.slack.example/archives/C0PRODUCT/p1764493920000100"}
		}
		page := templates.ListPage{Command: "/stops", What: strings.Repeat("x", 100) + "/*", Page: 2}
		m := templates.Default().List(templates.Listing{Rows: rows, Total: 5000, Earlier: 15, Hidden: 7000, Part: true, Page: page})
		checkMessage(t, m)
		if len(m.Blocks) != 1+15+1+1 {
			t.Errorf("%s: %d blocks, want a header, 15 rows, a note and the buttons", name, len(m.Blocks))
		}
	}
}

func TestTheButtonsOfAListTurnItsPages(t *testing.T) {
	rows := []templates.Row{{View: view(judgement()), Asked: at("09:12")}}
	for name, tc := range map[string]struct {
		l          templates.Listing
		back, next bool
	}{
		"the only page": {templates.Listing{Rows: rows, Total: 1, Page: templates.ListPage{Command: "/stops", What: "mine", Page: 1}}, false, false},
		"the first":     {templates.Listing{Rows: rows, Total: 2, Page: templates.ListPage{Command: "/stops", What: "mine", Page: 1}}, false, true},
		"in between":    {templates.Listing{Rows: rows, Total: 3, Earlier: 1, Page: templates.ListPage{Command: "/stops", What: "mine", Page: 2}}, true, true},
		"the last":      {templates.Listing{Rows: rows, Total: 2, Earlier: 1, Page: templates.ListPage{Command: "/stops", What: "mine", Page: 2}}, true, false},
		"no command":    {templates.Listing{Rows: rows, Total: 3, Earlier: 1, Page: templates.ListPage{What: "mine", Page: 2}}, false, false},
	} {
		said := compact(t, templates.Default().List(tc.l))
		if got := strings.Contains(said, `"Back"`); got != tc.back {
			t.Errorf("%s: a way back: %t, want %t", name, got, tc.back)
		}
		if got := strings.Contains(said, `"Show more"`); got != tc.next {
			t.Errorf("%s: a way on: %t, want %t", name, got, tc.next)
		}
	}
}

func FuzzListPage(f *testing.F) {
	f.Add(templates.ListPage{Command: "/stops", What: "acme/*", Page: 2}.Encode())
	f.Add(`{"command":"/stops","list":"mine","page":0}`)
	f.Add(`{"command":"/stops","list":"mine","page":2,"page":3}`)
	f.Add(`{"list":"mine","command":"/stops","page":2}`)
	f.Add(`["s1","answer",1]`)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := templates.ParseListPage(s)
		if err != nil {
			return
		}
		if p.Encode() != s || p.Page < 1 || p.What == "" || len(s) > 2000 {
			t.Errorf("%q is read as %+v", s, p)
		}
		if _, err := templates.ParseValue(s); err == nil {
			t.Errorf("%q is the value of a card too", s)
		}
	})
}
