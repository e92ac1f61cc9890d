package templates_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/slack-go/slack"

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
	s := all[r.IntN(len(all))]
	for r.IntN(3) == 0 {
		s += all[r.IntN(len(all))]
	}
	return s
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
			p.MinLength, p.MaxLength = ptr(r.IntN(50)), ptr(50+r.IntN(5000))
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
		p.MaxItems = ptr(1 + r.IntN(9))
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
		nil, ana(), bob(), {ID: r.text(), Name: r.text(), Role: r.text(), For: r.text(), Through: "cli"},
		{ID: "slack:T0/U0EVIL><!channel>", Through: r.text()}, {ID: "machine:ci", Through: "machine"},
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
	if r.flip() {
		v.Resumed, v.Completed, v.Fallback = at("10:02"), at("09:59"), []string{"C0OPS", r.text()}[r.IntN(2)]
	}
	return v
}

func TestNothingHostileBreaksALimitOrPings(t *testing.T) {
	w := templates.Default()
	for seed := range uint64(150) {
		r := random{rand.New(rand.NewPCG(seed, 7))} //nolint:gosec // a seed that can be repeated
		v := r.view()
		faults := cardFaults(t, w, v)
		faults = append(faults, sayFaults(t, w, r, v)...)
		faults = append(faults, windowFaults(t, w, r, v)...)
		if len(faults) > 0 {
			t.Fatalf("seed %d: %s", seed, strings.Join(faults[:min(8, len(faults))], "\n"))
		}
	}
}

func cardFaults(t *testing.T, w *templates.Words, v templates.View) []string {
	t.Helper()
	card := w.Card(v)
	faults := messageFaults(t, card)
	if card.Blocks == nil {
		faults = append(faults, "the card fell back to its plain form")
	}
	faults = append(faults, messageFaults(t, w.Plain(v))...)
	for _, m := range append(w.ThreadParts(v), w.ThreadLine(templates.View{}, v)...) {
		faults = append(faults, messageFaults(t, m)...)
	}
	return faults
}

func sayFaults(t *testing.T, w *templates.Words, r random, v templates.View) []string {
	t.Helper()
	verdict := r.verdict()
	var faults []string
	for _, s := range sentences() {
		m := w.Say(s, templates.Say{View: v, Key: v.Record.Questions[0].Key, Verdict: &verdict, Reason: r.text(), Who: []string{r.text(), "U0ANA", "cli:bob@build1"}})
		faults = append(faults, messageFaults(t, m)...)
	}
	lines := make([]templates.LogLine, r.IntN(60))
	for i := range lines {
		lines[i] = templates.LogLine{At: at("10:00"), Kind: r.limited(20), By: r.by(), Key: v.Record.Questions[0].Key, Verdict: &verdict, Text: r.text()}
	}
	rows := make([]templates.Row, r.IntN(80)*r.IntN(2))
	for i := range rows {
		rows[i] = templates.Row{View: v, Link: []string{"", "https://acme.slack.example/archives/C0/p1", "javascript:" + r.text()}[r.IntN(3)]}
	}
	shown := w.Show(v, lines)
	for _, m := range []templates.Message{shown, w.List(rows, r.IntN(3)), w.Help(r.text())} {
		faults = append(faults, messageFaults(t, m)...)
	}
	raw, err := json.Marshal(shown.Blocks)
	if err != nil || strings.Contains(string(raw), `"button"`) || strings.Contains(string(raw), `"overflow"`) {
		faults = append(faults, "what is shown for reading has buttons")
	}
	return faults
}

func sentences() []templates.Sentence {
	return []templates.Sentence{
		templates.SayStranger, templates.SayAnswered, templates.SaySame, templates.SayClosed, templates.SayStoreAway,
		templates.SayNotSure, templates.SayRecorded, templates.SayNotRecorded, templates.SayUnknown, templates.SayGarbled,
		templates.SayBusy, templates.SayModalGone, templates.SayFault,
	}
}

func windowFaults(t *testing.T, w *templates.Words, r random, v templates.View) []string {
	t.Helper()
	q := v.Record.Questions[r.IntN(len(v.Record.Questions))]
	var faults []string
	for _, verb := range []string{templates.VerbAnswer, templates.VerbEdit, templates.VerbOutput, templates.VerbDecline, templates.VerbDetails} {
		val := templates.Value{Stop: v.Record.ID, Key: q.Key, Option: -1, Verb: verb, Rev: v.Rev}
		m, err := w.Modal(v, val)
		if err == nil {
			faults = append(faults, modalFaults(t, m)...)
		}
		faults = append(faults, modalFaults(t, w.NotRecorded(v, val, r.verdict()))...)
		templates.ReadSubmission(v.Record, val, &slack.ViewState{})
	}
	return faults
}

func TestTwentyCallsWith64KiBOfArgumentsStillFit(t *testing.T) {
	w := templates.Default()
	for _, filler := range []string{"x", "&", "👩‍👩‍👧‍👦", "\u202e", "line\n"} {
		var calls []loops.Question
		for i := range 20 {
			body, err := json.Marshal(map[string]string{"command": strings.Repeat(filler, 3200/len(filler)), "cwd": "/"})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call(fmt.Sprintf("call_%d", i), strings.Repeat(filler, 40), "terminal", string(body), loops.MayRun, loops.MayEdit, loops.MayDecline))
		}
		v := view(callRecord("big", calls...))
		m := w.Card(v)
		checkMessage(t, m)
		if n := strings.Count(compact(t, m), `"q`); m.Blocks == nil || n < 20 {
			t.Errorf("with %q the card offers %d of 20 calls", filler, n)
		}
		v.Thread = false
		if early := w.Card(v); strings.Contains(compact(t, early), `"actions"`) {
			t.Errorf("with %q there are buttons before the thread stands", filler)
		}
		for _, part := range w.ThreadParts(v) {
			checkMessage(t, part)
		}
	}
}

func compact(t *testing.T, m templates.Message) string {
	t.Helper()
	raw, err := json.Marshal(payload(t, m))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
