package stories

import (
	"fmt"
	"testing"

	"flagstop/routing"
)

func TestALongListComesInPages(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i := range 45 {
			w.Raise(instead(Calls(fmt.Sprintf("s%02d", i), "ls"), "acme/saudacao", []string{"acme/shop", "acme/site", "other/shop"}[i%3]))
		}
		w.See(Facil, 45)
		w.Shown()
		for i, step := range []struct {
			typed string
			shows []string
		}{
			{"", []string{"Open stops: 45, 1 to 15 here", "s00", "s14", "!s15", "30 more are not shown: /stops list mine page 2", "!Back"}},
			{"list mine page 2", []string{"Open stops: 45, 16 to 30 here", "!s14", "s15", "s29", "!s30", "15 more are not shown: /stops list mine page 3", "Back"}},
			{"List Mine Page 3", []string{"Open stops: 45", "!s29", "s30", "s44", "Oldest first", "!Show more"}},
			{"list page 2", []string{"Open stops: 45, 16 to 30"}},
			{"list acme/*", []string{"Open stops: 30", "/stops list acme/* page 2", "!s02"}},
			{"list other/shop", []string{"Open stops: 15", "s02", "s44", "!s00", "!more"}},
			{"list facilitator page 3", []string{"Open stops: 45", "s44"}},
			{"list all page 99", []string{"Open stops: 45, 31 to 45", "s44"}},
			{"list security", []string{"Nothing is open for you", "!yours to read"}},
			{"list nobody-here", []string{"Not understood: list nobody-here"}},
			{"list mine page 0", []string{"Not understood: list mine page 0"}},
			{"list mine page x", []string{"Not understood: list mine page x"}},
			{"list acme/* other/shop", []string{"Not understood: list acme"}},
		} {
			w.Type(Bob, Ops, "/stops "+step.typed)
			said(t, w, Bob, i+1, step.shows...)
		}
	})
}

func TestTheButtonOfAListTurnsItsPage(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		for i := range 20 {
			w.Raise(Calls(fmt.Sprintf("s%02d", i), "ls"))
		}
		w.See(Facil, 20)
		w.Shown()
		w.Type(Bob, Ops, "/stops list facilitator")
		said(t, w, Bob, 1, "s00", "!s15", "Show more")
		for _, step := range []struct {
			button string
			shows  []string
		}{
			{"Show more", []string{"16 to 20 here", "!s14", "s15", "s19", "!Show more"}},
			{"Back", []string{"1 to 15 here", "s00", "!s15"}},
		} {
			w.Click(Bob, w.Told(Bob, 1)[0], step.button, 0)
			w.Until(func() bool { return Shows(w.Told(Bob, 1)[0], step.shows...) }, "a list in the same place with %q", step.shows)
		}
	})
}

// Whoever is in no role reads in a list what is in the channels that they are in, and learns how much there is beside.
func TestAListHasWhatItsReaderMaySeeAndCountsTheRest(t *testing.T) {
	tell(t, Options{Config: inPrivate}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("product-1"))
		w.Raise(Judgement("product-2"))
		w.Raise(Calls("facil-1", "ls"))
		w.SeeText(Facil, "Approve")
		w.See(Private, 2)
		w.Shown()
		for i, step := range []struct {
			user, typed string
			shows       []string
		}{
			{Eve, "list all", []string{"Open stops: 1.", "facil-1", "!product-", "!different things", "2 more are not yours to read."}},
			{Eve, "list facilitator", []string{"Open stops: 1.", "facil-1", "!yours to read"}},
			{Eve, "list product-thinker", []string{"Nothing is open for you or your role. 2 are not yours to read.", "!product-"}},
			{Eve, "list acme/*", []string{"Open stops: 1.", "2 more are not yours to read."}},
			{Eve, "", []string{"Nothing is open for you or your role.", "!yours to read"}},
		} {
			w.Type(step.user, Ops, "/stops "+step.typed)
			said(t, w, step.user, i+1, step.shows...)
		}
		w.Type(Ana, Ops, "/stops list all")
		said(t, w, Ana, 1, "Open stops: 3.", "product-1", "product-2", "facil-1", "!yours to read")
		w.Configure(func(c *routing.Config) { c.Roles = map[string]routing.Role{} })
		w.Type(Ana, Ops, "/stops")
		said(t, w, Ana, 2, "Nothing is open for you")
	})
}
