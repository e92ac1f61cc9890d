package templates_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

// The inputs of docs/reports.md that broke the cards of others.

// lengths lie around every limit of Slack that somebody ran into.
func lengths() []int {
	return []int{75, 76, 150, 151, 200, 2048, 3000, 3001, 4001, 40_001}
}

func TestTextOfEveryLengthThatBrokeACardFitsAlsoWhenItIsAnswered(t *testing.T) {
	w := templates.Default()
	for _, filler := range []string{"a", "&", "🙂", "👩‍👩‍👧‍👦"} {
		for _, n := range lengths() {
			if n > 4001 && len(filler) > 1 {
				continue // it takes long, and shows nothing more
			}
			long := strings.Repeat(filler, n/len([]rune(filler))+1)
			t.Run(fmt.Sprintf("%d of %s", n, filler), func(t *testing.T) {
				t.Parallel()
				for _, r := range everywhere(long) {
					v := view(r)
					checkAll(t, w, v)
					q := r.Questions[0]
					v.Verdicts = map[string]loops.Verdict{q.Key: {Action: loops.Decline, Message: long, By: ana(), At: at("09:52")}}
					checkAll(t, w, wentOn(answered(v)))
				}
			})
		}
	}
}

// Exactly as much as a text object holds, and more as soon as it is escaped or a line is added.
func TestATextThatGrowsPastTheLimitWhenItIsEscapedFits(t *testing.T) {
	w := templates.Default()
	text := strings.Repeat(">", 7) + strings.Repeat("<", 8) + strings.Repeat("&", 4)
	text += strings.Repeat("x", 3000-len(text))
	for _, r := range everywhere(text) {
		v := view(r)
		checkAll(t, w, v)
		v.Verdicts = map[string]loops.Verdict{r.Questions[0].Key: {Action: loops.Decline, Message: text, By: bob(), At: at("09:52")}}
		checkAll(t, w, answered(v))
	}
}

// everywhere has the text in every place of a judgement, of a call and of a form.
func everywhere(text string) []*loops.Record {
	judged := judgement()
	judged.Questions[0].Message, judged.Questions[0].Quote = text, text
	judged.About = &loops.About{Ref: text, Title: text}
	options := judged.Questions[0].Schema.Properties[0].Options
	options[0].Title, options[1].Title = text, text+"2"
	options[0].Description, options[1].Description = text, text
	raw, err := json.Marshal(map[string]string{"command": text})
	if err != nil {
		panic(err) // a text always marshals
	}
	called := callRecord("c", call("k", text, text, string(raw)))
	called.Loop.Agent, called.Loop.Task, called.Loop.Repository = text, text, text
	form := formRecord()
	for i := range form.Questions[0].Schema.Properties {
		p := &form.Questions[0].Schema.Properties[i]
		p.Title, p.Description = text, text
	}
	return []*loops.Record{judged, called, form}
}

// checkAll holds everything that is sent of a view against Slack's limits.
func checkAll(t *testing.T, w *templates.Words, v templates.View) {
	t.Helper()
	card := w.Card(v)
	checkMessage(t, card)
	if card.Blocks == nil {
		t.Error("the card fell back to its plain form")
	}
	checkMessage(t, w.Plain(v))
	for _, m := range append(w.ThreadParts(v), w.ThreadLine(templates.View{}, v)...) {
		checkMessage(t, m)
	}
	if v.End != "" {
		return
	}
	for _, verb := range []string{templates.VerbAnswer, templates.VerbEdit, templates.VerbDecline, templates.VerbDetails} {
		val := templates.Value{Stop: v.Record.ID, Key: v.Record.Questions[0].Key, Option: -1, Verb: verb, Rev: 1}
		if m, err := w.Modal(v, val); err == nil {
			checkModal(t, m)
		}
	}
}

func TestWhatPeopleWroteReadsAsTheyWroteIt(t *testing.T) {
	w := templates.Default()
	for _, text := range []string{
		`max_capacity: "1" => "2"`, `We've <b> & co`, `it says &quot; and &#39;`, `&lt;!here&gt;`, `if a < b && b > c:`,
		"```js\nx\n``` and ``` again", `<!channel> <@U012ABC> @everyone`, `x> <https://evil.example|click`, "*bold* _it_ ~no~ :tada:",
	} {
		r := judgement()
		r.Questions[0].Message, r.Questions[0].Quote = text, text
		options := r.Questions[0].Schema.Properties[0].Options
		options[0].Title, options[0].Description = text, text
		card := payload(t, w.Card(view(r)))
		if got := reading(card, text); got < 4 {
			t.Errorf("%q reads as it was written %d times on its card, want 4: question, quotation, title, example", text, got)
		}
		declined := view(r)
		declined.Verdicts = verdicts(loops.Verdict{Action: loops.Decline, Message: text, By: ana(), At: at("09:52")})
		if got := reading(payload(t, w.Card(answered(declined))), text); got < 3 {
			t.Errorf("%q reads as it was written %d times once it is the reason of a decline, want 3", text, got)
		}
	}
}

// reading counts how often a text stands whole in one object of a message's blocks as Slack draws them: rich text as it is, the other texts
// with three entities read back and nothing else.
func reading(v any, text string) (n int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += reading(e, text)
		}
	case map[string]any:
		s, _ := v["text"].(string)
		if v["type"] == slack.MarkdownType || v["type"] == slack.PlainTextType {
			s = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)
		}
		if v["type"] != nil {
			n += strings.Count(s, text)
		}
		for _, e := range v {
			n += reading(e, text)
		}
	}
	return n
}
