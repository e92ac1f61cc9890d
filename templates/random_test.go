package templates_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"flagstop/loops"
	"flagstop/templates"
)

// hostile are texts that people and agents have broken such cards with, and more.
func hostile() []string {
	return []string{
		"", " ", "\n\n", "plain words", "<!channel>", "@everyone and @here", "<@U0ANA>", "<!subteam^S0ADMIN>",
		"`code` ```", "<https://evil.example|Approve here>", "if a < b && b > c:", "&lt;already&gt; &amp; &quot;",
		"\u202eevorppA\u202c", "ab\u200bcd\ufeff", "\x00\x1b[31mred\x07", "👩‍👩‍👧‍👦🇵🇹🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F",
		"e\u0301\u0302\u0303", strings.Repeat("z\u0334\u0335\u0336", 400), strings.Repeat("👩‍👩‍👧‍👦", 300), strings.Repeat("🇵🇹", 500),
		strings.Repeat("&", 2000), strings.Repeat("<>", 1000), strings.Repeat("é", 2000), strings.Repeat("x ", 1000),
		strings.Repeat("@here ", 330), "שלום <עולם> *bold*", "*bold* _it_ ~no~ :smile: #general", "'\";--", "\xff\xfe",
		"a\tb\r\nc\u2028d", strings.Repeat("\u202e", 300), strings.Repeat("가", 200), "\u0301starts with a mark",
		"\x02pBAna\x1fU0EVIL\x03", "\x02", "{{.Agent}} {{b \"x\"}}", "*Nothing is recommended*", strings.Repeat("W", 76),
	}
}

type random struct{ *rand.Rand }

func (r random) text() string {
	all := hostile()
	parts := []string{all[r.IntN(len(all))]}
	for r.IntN(3) == 0 {
		parts = append(parts, all[r.IntN(len(all))])
	}
	return strings.Join(parts, "")
}

func (r random) limited(n int) string {
	runes := []rune(r.text())
	return string(runes[:min(n, len(runes))])
}

func (r random) flip() bool { return r.IntN(2) == 0 }

func (r random) json(n int) json.RawMessage {
	object := map[string]any{}
	for range r.IntN(4) {
		object[r.limited(30)] = r.text()
	}
	if n > 0 {
		s := r.text() + "x"
		object["big"] = strings.Repeat(s, 1+n/len(s))
	}
	if r.IntN(4) == 0 {
		object["id"] = json.Number("9007199254740993")
	}
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return raw
}

func (r random) call(big int) *loops.Call {
	c := &loops.Call{Name: r.limited(200), Arguments: r.json(big)}
	for _, m := range []loops.May{loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline, loops.MayAlways} {
		if r.flip() {
			c.May = append(c.May, m)
		}
	}
	if r.flip() {
		c.Schema = json.RawMessage(`{}`)
	}
	return c
}

func (r random) options(n int) []loops.Option {
	var all []loops.Option
	for i := range n {
		o := loops.Option{Const: fmt.Sprintf("c%d", i), Title: fmt.Sprintf("%s%d", r.limited(60), i)}
		if r.flip() {
			o.Description = r.text()
		}
		all = append(all, o)
	}
	return all
}

func (r random) property(i int) loops.Property {
	p := loops.Property{Name: fmt.Sprintf("p%d%s", i, r.limited(20)), Title: r.limited(80), Description: r.text()}
	p.Type = []loops.PropertyType{
		loops.StringProperty, loops.NumberProperty, loops.IntegerProperty, loops.BooleanProperty, loops.SelectProperty, loops.MultiSelectProperty,
	}[r.IntN(6)]
	switch p.Type {
	case loops.StringProperty:
		p.Format = []string{"", "", "email", "uri", "date", "date-time"}[r.IntN(6)]
		if r.flip() {
			p.MinLength, p.MaxLength = new(r.IntN(50)), new(50+r.IntN(5000))
		}
		p.Default, _ = json.Marshal(r.text())
	case loops.NumberProperty, loops.IntegerProperty:
		p.Minimum, p.Maximum = json.Number("-1e3"), json.Number("9223372036854775807")
		p.Default = json.RawMessage("9007199254740993")
	case loops.BooleanProperty:
		p.Default = json.RawMessage("true")
	case loops.SelectProperty:
		p.Options = r.options(2 + r.IntN(2))
	case loops.MultiSelectProperty:
		p.Options = r.options(1 + r.IntN(120))
		p.MaxItems = new(1 + r.IntN(9))
	}
	return p
}

func (r random) question(i, n, size int) loops.Question {
	q := loops.Question{Key: fmt.Sprintf("%d%s", i, r.limited(197)), Message: r.limited(2000)}
	if r.IntN(3) == 0 {
		q.Quote = strings.Repeat(r.text(), 1+r.IntN(5))
	}
	switch kind := r.IntN(5); {
	case n > 1 || kind == 0:
		q.Call = r.call(size)
	case kind == 1:
		q.URL = "https://" + []string{"example.com", "еxample.com", strings.Repeat("a", 63) + ".example.com:8443", "u:p@x.example"}[r.IntN(4)] + "/" + r.text()
	case kind == 2:
		q.Schema = &loops.Schema{Properties: []loops.Property{{Name: "choice", Type: loops.SelectProperty, Options: r.options(3)}}}
	case kind == 3:
		q.Schema = &loops.Schema{}
	default:
		q.Schema = &loops.Schema{}
		for i := range 1 + r.IntN(10) {
			q.Schema.Properties = append(q.Schema.Properties, r.property(i))
		}
	}
	return q
}

func (r random) record() *loops.Record {
	n := 1
	if r.IntN(3) == 0 {
		n = 2 + r.IntN(19)
	}
	size := 0
	if r.IntN(6) == 0 {
		size = 60_000 / n
	}
	rec := &loops.Record{
		V: 1, ID: strings.Repeat("s", 1+r.IntN(64)), Addressee: []string{loops.ProductThinker, loops.Facilitator, "security", r.limited(300)}[r.IntN(4)],
		Kind: []loops.Kind{loops.Judgement, loops.Fact}[r.IntN(2)], Concern: loops.Concern(r.limited(30)),
		Loop: loops.Loop{ID: r.text(), Repository: r.text(), Agent: r.text(), Task: r.text(), URL: "https://loops.example.com/" + r.text(), Owner: r.text()},
	}
	if r.flip() {
		rec.About = &loops.About{Ref: r.text(), Title: r.text(), URL: "https://x|y.example/<" + r.text()}
	}
	if r.flip() {
		rec.Expires, rec.Raised = at("18:00"), at("09:00")
	}
	for i := range n {
		rec.Questions = append(rec.Questions, r.question(i, n, size))
	}
	return rec
}

func (r random) by() *loops.By {
	return []*loops.By{
		nil, ana(), bob(),
		{ID: r.text(), Name: r.text(), Role: r.text(), For: r.text(), Through: "cli"},
		{ID: "slack:T0/U0EVIL><!channel>", Through: r.text()},
		{ID: "machine:ci", Through: "machine"},
	}[r.IntN(6)]
}

func (r random) verdict() loops.Verdict {
	v := loops.Verdict{Action: loops.Accept, By: r.by(), At: at("10:00"), Message: r.text()}
	switch r.IntN(5) {
	case 0:
		v.Action = loops.Decline
	case 1:
		v.Arguments = r.json(5000)
	case 2:
		v.Output, _ = json.Marshal(strings.Repeat(r.text(), 5))
	case 3:
		v.Content = r.json(0)
	}
	return v
}

// stands has a stop stand in any of the ways in which one can.
func (r random) stands(v *templates.View) {
	if r.flip() {
		v.Taken = &templates.Mark{By: r.by(), At: at("10:05")}
	}
	if r.flip() {
		v.Moved = &templates.Move{
			Kind: []templates.MoveKind{templates.Reassigned, templates.NotMine, templates.Escalated}[r.IntN(3)], By: r.by(), At: at("10:06"),
			From: r.limited(80), To: r.limited(80), Text: r.text(), Users: []string{r.text(), "U0ANA"}, Due: at("10:01"),
		}
	}
	if r.flip() {
		v.Snoozed, v.OnCall, v.OnCallSince, v.OnCallUntil = at("18:00"), []string{r.text(), "U0BOB"}, at("10:07"), at("19:00")
	}
	if r.flip() {
		v.First, v.Waiting = &templates.Place{Channel: []string{"C0PRODUCT", r.text()}[r.IntN(2)], Link: "https://acme.slack.example/" + r.text()}, r.IntN(3)
	}
	for range r.IntN(120) * r.IntN(2) {
		v.Roles = append(v.Roles, fmt.Sprintf("r%d%s", len(v.Roles), r.limited(80)))
	}
	v.NextRole, v.Snoozable = r.limited(80), r.flip()
}

func (r random) view() templates.View {
	v := templates.View{Record: r.record(), Rev: r.Int64N(1 << 60), Thread: r.flip(), Holder: r.limited(80), Verdicts: map[string]loops.Verdict{}}
	for _, q := range v.Record.Questions {
		if r.flip() {
			v.Verdicts[q.Key] = r.verdict()
		}
	}
	switch v.End = []loops.End{"", loops.Answered, loops.Withdrawn, loops.Expired}[r.IntN(4)]; v.End {
	case loops.Withdrawn:
		v.Reason = r.text()
	case loops.Answered:
		for _, q := range v.Record.Questions {
			v.Verdicts[q.Key] = r.verdict()
		}
	case loops.Expired:
	}
	if v.End != "" {
		v.EndedAt, v.EndedBy, v.Origin = at("10:01"), r.by(), loops.OriginAsker
	}
	r.stands(&v)
	if r.flip() {
		v.Resumed, v.Completed, v.Fallback = at("10:02"), at("09:59"), []string{"C0OPS", r.text()}[r.IntN(2)]
	}
	return v
}
