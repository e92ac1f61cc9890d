package stories

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"flagstop/loops"
)

// hostile are texts that would be more than text to Slack, or break what is cut.
func hostile() map[string]string {
	return map[string]string{
		"pings":       "<!channel> <!here> <!everyone> @everyone @channel @here <@U0ANA> <#C0OPS> <!subteam^S0SEC> <!date^0^{date}|x>",
		"links":       "<https://evil.example/|Approve here> https://evil.example/ [Approve](https://evil.example/) mailto:a@example.com",
		"formatting":  "say _it_ ~st~ *bold* `code` ```block``` > quote\n> quote\n1. one\n- two :rotating_light: &amp; &lt;!channel&gt;",
		"entities":    strings.Repeat("&<>", 250),
		"emoji":       strings.Repeat("👩‍👩‍👧‍👦", 60) + "🇵🇹é",
		"directions":  "\u202eevorppA\u202c \u2066abc\u2069 \u200f\u200e\u061c right to left: \u05d0\u05d1\u05d2",
		"controls":    "a\u0000b\u0007c\u001b[31mred\u0085d\u2028e\u2029f\ufeffg\u200bh",
		"code fences": "```\n```js\n`` ` ```` '''",
		"templates":   "{{.Stop}} {{define \"x\"}} %s %!d(MISSING) ${HOME} $(reboot)",
	}
}

func TestHostileTextInACallIsShownLiterallyFromTheQuestionToTheEnd(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				w.StartBot()
				w.Connected()
				ref := w.Raise(hostileCall("s1", text))
				w.Shown()
				card := w.SeeText(Facil, "Approve")
				literal(t, card)
				w.Click(Bob, card, "Decline…", 0)
				w.Submit(Bob, map[string]any{"reason": cutTo(text, 1900)})
				if v := answeredBy(t, w.Outcome(ref), Bob, "call_a", loops.Decline); v.Message != strings.TrimSpace(cutTo(text, 1900)) {
					t.Errorf("the loop got the reason %q, want what was typed", v.Message)
				}
				w.GoOn(ref, "loop-s1")
				literal(t, w.SeeText(Facil, "went on", "!Decline…"))
				w.Shown()
				for _, line := range w.Slack.Thread(Facil, card.TS) {
					literal(t, line)
				}
				for _, words := range []string{"/stops", "/stops show s1"} {
					w.Type(Mallory, Ops, words) // she is the loop's owner
				}
				for _, m := range w.Told(Mallory, 2) {
					literal(t, m)
				}
				quiet(t, w)
			})
		})
	}
}

// hostileCall has the text everywhere where an asker may write.
func hostileCall(id, text string) string {
	short := strings.TrimSpace(cutTo(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' { // which the check takes in no name
			return -1
		}
		return r
	}, text), 150))
	var r map[string]any
	if err := json.Unmarshal([]byte(Calls(id, text, text)), &r); err != nil {
		panic(err) // it was marshalled by Calls
	}
	r["questions"] = r["questions"].([]any)[:1]
	r["loop"] = map[string]any{"id": short, "repository": short, "agent": short, "task": short, "owner": Mallory}
	r["about"] = map[string]any{"ref": short, "title": short}
	q := r["questions"].([]any)[0].(map[string]any)
	q["message"], q["quote"] = cutTo(text, 2000), strings.Repeat(text+"\n", 3)
	q["call"] = map[string]any{"name": short, "arguments": map[string]any{short: text, "more": []any{text}}}
	return record(r)
}

func cutTo(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

func TestHostileOptionsAreShownLiterallyAndAnswered(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				w.StartBot()
				w.Connected()
				quoted := func(s string) string {
					b := record(map[string]any{"s": s})
					return b[5 : len(b)-1]
				}
				title := strings.TrimSpace(cutTo(text, 50))
				ref := w.Raise(instead(Judgement("s1"), `"Keep both"`, quoted(title), `"Closing leaves it open; no ends it."`, quoted(text)))
				w.Shown()
				card := w.SeeText(Product, "Choose")
				literal(t, card)
				w.Click(Ana, card, "Choose", 0)
				answeredBy(t, w.Outcome(ref), Ana, "q", loops.Accept)
				w.Shown()
				literal(t, w.SeeText(Product, "answered", "!Choose"))
				w.ClickOld(Ana, card, `"q",0`)
				literal(t, w.Told(Ana, 1)[0])
				quiet(t, w)
			})
		})
	}
}
