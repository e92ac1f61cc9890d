package templates

import (
	"strconv"
	"strings"
	"time"

	"flagstop/loops"
)

// facts are the values that sentences may use. Each is "", 0 or false where there is none. A slot is safe wherever a
// sentence puts it.
type facts struct {
	ID, Glyph, Role, Kind, State, Holder       slot
	Agent, Repository, Task, About, Host, Link slot
	Question, Option, Example, Names           slot
	Tool, Argument, Property, Entry            slot
	Person, As, For, Through, Did, Who         slot
	At, Until                                  slot
	Reason, Channel, Command, Show, Help       slot
	Number, Shown, Length, Min, Max, Title     slot
	Label                                      slot
	Count, Total                               int
	Unchecked, Required, Expired, Withdrawn    bool
}

// samples are what every sentence is tried on: all values, and only those that never lack.
func samples() []facts {
	at := moment(time.Date(2026, 11, 30, 9, 52, 0, 0, time.UTC))
	t := func(s string) slot { return text(s, 100) }
	few := facts{
		ID: t("pt-1"), Glyph: t("◆"), Role: t("Product thinker"), Kind: t("judgement"), State: t("trade-off"),
		Agent: t("dev-agent"), Repository: t("acme/saudacao"), Host: t("example.com"), Question: t("Keep both?"),
		Option: t("Keep both"), Names: t("one, two"), Tool: t("terminal"), Argument: t("command"), Property: t("Rows"),
		Entry: t("500"), Did: t("Keep both"), Person: t("Ana"), At: at, Until: at, Title: t("The text"), Channel: t("C0OPS"),
		Command: t("flagstop answer pt-1"), Show: t("flagstop show pt-1"), Help: t("/stops help"), Link: t("open"),
		Reason: t("It is in the README."), Number: t("1 of 3"), Shown: t("180"), Length: t("2,310"), Label: t("Choose"),
		Count: 1, Total: 1,
	}
	all := few
	all.Holder, all.Task, all.About, all.Example = t("■ facilitator"), t("cd652d85"), t("PR 12"), t("It waits.")
	all.As, all.For, all.Through, all.Who = t("facilitator"), t("product thinker"), t("in Slack"), t("Ana and Bob")
	all.Min, all.Max, all.Count, all.Total = t("1"), t("12"), 2, 3
	all.Unchecked, all.Required, all.Expired, all.Withdrawn = true, true, true, true
	return []facts{all, few}
}

// about the stop itself: what every sentence of a card may use.
func (w *Words) facts(v View) facts {
	r := v.Record
	f := facts{
		ID: text(r.ID, 64), Glyph: text(glyph(r.Addressee), 4), Role: text(capital(roleWord(r.Addressee)), 60),
		Repository: text(r.Loop.Repository, 80), Task: text(r.Loop.Task, 60), Agent: text(r.Loop.Agent, 60),
		At: moment(v.EndedAt), Until: moment(r.Expires), Total: len(r.Questions), Count: decided(v), Reason: text(v.Reason, 300),
	}
	if f.Agent == "" {
		f.Agent = text(r.Loop.ID, 60)
	}
	if r.About != nil {
		f.About = text(strings.TrimSpace(r.About.Ref+" "+r.About.Title), 120)
	}
	return f
}

func decided(v View) int {
	n := 0
	for _, q := range v.Record.Questions {
		if _, ok := v.Verdicts[q.Key]; ok {
			n++
		}
	}
	return n
}

// who adds a verdict, or an end, and who gave it.
func (w *Words) who(f facts, by *loops.By, at time.Time) facts {
	f.At, f.Person, f.As, f.For, f.Through = moment(at), person(by), "", "", ""
	if by == nil {
		f.Person = text("somebody", 20)
		return f
	}
	f.As, f.For = text(roleWord(by.Role), 60), text(roleWord(by.For), 60)
	switch by.Through {
	case "slack", "cli", "machine":
		f.Through = own(w.words("through."+by.Through, f))
	}
	return f
}

// own frames our own words as a value of another sentence.
func own(s string) slot {
	if s == "" {
		return ""
	}
	return piece{kind: ownPiece, text: s}.slot()
}

// list joins values with a separator of ours.
func list(values []slot, sep string) slot {
	parts := make([]string, 0, len(values))
	for _, v := range values {
		if v != "" {
			parts = append(parts, string(v))
		}
	}
	return slot(strings.Join(parts, sep))
}

// number writes n with separators of thousands.
func number(n int) slot {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return own(s)
}
