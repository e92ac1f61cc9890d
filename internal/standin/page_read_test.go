package standin_test

import (
	"encoding/json"
	"strings"

	"flagstop/internal/standin"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

func focusStays(d *desk) {
	first := d.app.post(buttons("First=x", "Second=y"))
	other := d.app.post(question)
	d.open("U0ANA", "C0PRODUCT")
	d.wants(named("Second"))
	d.do(chromedp.Evaluate[chromedp.Void](named("Second") + `.focus(); document.querySelector('[data-key="` + other + `"]').before_ = true`))
	d.fill("#say-text", "half a mess")
	d.do(chromedp.Evaluate[chromedp.Void](named("Second") + `.focus()`))
	d.app.call("chat.update", map[string]any{"channel": "C0PRODUCT", "ts": first, "text": "x", "blocks": json.RawMessage(buttons("First=x", "Second, again=y"))})
	d.app.post(buttons("Third=z"))
	d.wants(named("Third"))
	d.wants(`document.activeElement.textContent === "Second, again"`)
	if !evaluate[bool](d, `document.querySelector('[data-key="`+other+`"]').before_ === true`) {
		d.Error("a message that did not change was drawn again")
	}
	if v := evaluate[string](d, `document.querySelector("#say-text").value`); v != "half a mess" {
		d.Errorf("what was typed became %q", v)
	}
	d.pressNamed("More actions")
	d.app.call("chat.update", map[string]any{"channel": "C0PRODUCT", "ts": other, "text": "x", "blocks": json.RawMessage(strings.ReplaceAll(question, "Keep both", "Keep all"))})
	d.says("#messages", "Keep all")
	d.wants(`document.querySelector("details.menu").open && document.activeElement.ariaLabel === "More actions"`)
}

func threads(d *desk) {
	ts := d.app.post(question)
	d.app.post(`[{"type":"context","elements":[{"type":"plain_text","text":"Raised by dev-agent."}]}]`, "thread_ts", ts)
	d.open("U0ANA", "C0PRODUCT")
	d.pressNamed("1 reply in the thread")
	d.says("#replies", "Raised by dev-agent.")
	d.wants(`document.activeElement.id === "thread-name"`)
	if s := d.text("#messages"); strings.Contains(s, "Raised by") {
		d.Errorf("the channel shows the reply:\n%s", s)
	}
	d.fill("#reply-text", "/stops show x")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.says("#trouble-text", "no commands in a thread")
	d.fill("#reply-text", "A note & <b>more</b>")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.says("#replies", "A note & <b>more</b>")
	if n := len(d.s.Thread("C0PRODUCT", ts)); n != 2 {
		d.Errorf("the thread has %d replies", n)
	}
	d.says("#messages", "2 replies in the thread")
	d.pressNamed("Close thread")
	d.wants(`document.querySelector("#thread").hidden && document.activeElement.textContent === "2 replies in the thread"`)
}

func commands(d *desk) {
	d.open("U0EVE", "C0PRODUCT")
	d.fill("#say-text", "/stops show x")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.says("#messages .only", "You typed /stops show x")
	d.fill("#say-text", "Good morning & <hello>")
	d.pressNamed("Send")
	d.says("#messages .msg:last-child", "Good morning & <hello>")
	d.says("#messages .msg:last-child .by", "Eve")
	if evaluate[bool](d, `[...document.querySelectorAll(".ch")].some((c) => c.textContent.includes("facilitators"))`) {
		d.Error("Eve sees a private channel that she is not a member of")
	}
	d.app.call("chat.postMessage", map[string]any{"channel": "C0FACIL", "text": "for you"})
	d.do(chromedp.Click(chromedp.CSS(`#people input[value="U0BOB"]`)))
	d.says(`#channels [data-key="C0FACIL"] .n`, "1 unread")
	d.pressNamed("# facilitators1 1 unread")
	d.says("#messages", "for you")
	d.wants(`!document.querySelector('#channels [data-key="C0FACIL"] .n')`)
}

func loopsBeside(d *desk) {
	d.open("U0ANA", "C0PRODUCT")
	d.wants(`!document.querySelector("#no-loops").hidden`)
	loop := standin.LoopState{
		ID: "l1", Title: "dev-agent / cd652d85", Agent: "dev-agent", State: "suspended in iteration 3 of 8", Iteration: 3, Cap: 8,
		WaitsFor: "◆ Product thinker", Log: []string{"<b>ls</b> ran", "asked, and waits"},
	}
	d.s.SetLoops([]standin.LoopState{loop})
	d.says("#loops .state", "suspended in iteration 3 of 8")
	d.says("#loops .badge.pt", "Product thinker")
	d.says("#loops .did-list", "<b>ls</b> ran")
	if s := evaluate[string](d, `[...document.querySelectorAll(".steps i")].map((i) => i.className || "-").join(" ")`); s != "did did now - - - - -" {
		d.Errorf("the strip is %q", s)
	}
	loop.State, loop.Iteration, loop.WaitsFor = "done in iteration 4 of 8", 4, ""
	d.s.SetLoops([]standin.LoopState{loop})
	d.says("#news", "dev-agent / cd652d85: done in iteration 4 of 8")
	d.wants(`!document.querySelector("#loops .badge") && !document.querySelector(".steps .now")`)
}

// everyBlock holds the text and the elements of all blocks that the stand-in takes against what is drawn.
func everyBlock(d *desk) {
	d.app.post(`[
		{"type":"section","text":{"type":"mrkdwn","text":"*bold* _it_ ~gone~ `+"`a*b` ```pre <https://example.com|x>```"+` snake_case_name 2*3*4 <@U0BOB> <#C0PRODUCT> <!subteam^S0FACIL> <!here> <!date^1796029920^{date_num} at {time}|then>\n&gt; quoted *too*\nafter","verbatim":true},
		 "fields":[{"type":"mrkdwn","text":"*one*"},{"type":"plain_text","text":"two"}]},
		{"type":"divider"},
		{"type":"image","image_url":"https://example.com/i.png","alt_text":"a graph","title":{"type":"plain_text","text":"Graph"}},
		{"type":"rich_text","elements":[
			{"type":"rich_text_section","elements":[{"type":"text","text":"B","style":{"bold":true,"italic":true}},{"type":"text","text":"C","style":{"code":true}},{"type":"text","text":"S","style":{"strike":true}},{"type":"user","user_id":"U0ANA"},{"type":"link","url":"https://example.com/","text":"L"},{"type":"emoji","name":"flag","unicode":"1f6a9"},{"type":"date","timestamp":1796029920,"format":"{date_num}","fallback":"then"}]},
			{"type":"rich_text_preformatted","elements":[{"type":"text","text":"a  <b>"}]},
			{"type":"rich_text_quote","elements":[{"type":"text","text":"Q"}]},
			{"type":"rich_text_list","style":"ordered","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"one"}]},{"type":"rich_text_section","elements":[{"type":"text","text":"two"}]}]},
			{"type":"rich_text_list","style":"bullet","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"dot"}]}]}]},
		{"type":"markdown","text":"**raw**"},
		{"type":"context","elements":[{"type":"image","image_url":"https://example.com/i.png","alt_text":"tiny"},{"type":"plain_text","text":"small"}]},
		{"type":"actions","elements":[{"type":"static_select","action_id":"s","placeholder":{"type":"plain_text","text":"Pick"},"options":[`+optionOf("a")+`]},{"type":"datepicker","action_id":"d"}]}]`,
		"attachments", json.RawMessage(`[{"color":"#C77B00","blocks":[{"type":"section","text":{"type":"plain_text","text":"in the bar"}}]}]`))
	d.open("U0ANA", "C0PRODUCT")
	d.says(".bar", "in the bar")
	got := evaluate[[]string](d, `[...document.querySelectorAll(".said :is(strong,em,s,code,pre,blockquote,li,.mention,.image,hr,time[title],.fields > *,figcaption,.unknown)")].map((n) => n.tagName.toLowerCase() + " " + n.textContent)`)
	want := []string{
		"strong bold", "em it", "s gone", "code a*b", "pre pre x", "mention @Bob", "mention #product", "mention @facilitators", "mention @here",
		"time", "blockquote quoted too", "strong too", "div one", "strong one", "div two", "hr ", "figcaption Graph", "span Image: a graph",
		"em B", "strong B", "code C", "s S", "mention @Ana", "time", "pre a  <b>", "blockquote Q", "li one", "li two", "li dot", "span Image: tiny",
	}
	for i, w := range want { // dates depend on the machine's time zone
		if i < len(got) {
			got[i] = strings.Replace(got[i], "span @", "mention @", 1)
			got[i] = strings.Replace(got[i], "span #", "mention #", 1)
			if w == "time" && strings.HasPrefix(got[i], "time 2026-") {
				got[i] = "time"
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.Errorf("drawn: want (-) and got (+)\n%s", diff)
	}
	d.says("#messages", "snake_case_name 2*3*4")
	d.says("#messages", "🚩")
	if c := evaluate[string](d, `getComputedStyle(document.querySelector(".bar")).borderLeftColor`); c != "rgb(199, 123, 0)" {
		d.Errorf("the bar is %s", c)
	}
	d.do(chromedp.SetValue(chromedp.CSS(`select[aria-label="Pick"]`), "a"), chromedp.Evaluate[chromedp.Void](`document.querySelector("select").dispatchEvent(new Event("change", {bubbles: true}))`))
	d.hears("block_actions", 1)
	if v := dig[string](d.app.got("block_actions")[0], "actions", 0, "selected_option", "value"); v != "a" {
		d.Errorf("the app got %q", v)
	}
}

// accessible holds what can be computed: names, labels, headings, and the contrasts that this page promises.
func accessible(d *desk) {
	d.app.opens(allInputs())
	d.app.post(question)
	d.app.post(`[{"type":"header","text":{"type":"plain_text","text":"■ Facilitator · permission"}},` + strings.TrimPrefix(buttons("Answer…=window"), "["))
	d.open("U0ANA", "C0PRODUCT")
	d.wants(named("Answer…"))
	check := func(where string) {
		d.Helper()
		nameless := evaluate[[]string](d, `[...document.querySelectorAll("button,a[href],summary,input,select,textarea")].filter((n) => n.checkVisibility() &&
			!(n.ariaLabel || n.textContent.trim() || [...(n.labels || [])].some((l) => l.textContent.trim()))).map((n) => n.outerHTML)`)
		if len(nameless) > 0 {
			d.Errorf("%s: controls without a name: %q", where, nameless)
		}
		twice := evaluate[[]string](d, `[...document.querySelectorAll("[id]")].map((n) => n.id).filter((id, i, all) => all.indexOf(id) !== i)`)
		if len(twice) > 0 {
			d.Errorf("%s: ids that stand twice: %q", where, twice)
		}
		lost := evaluate[[]string](d, `[...document.querySelectorAll("[aria-describedby],[aria-labelledby]")].flatMap((n) => ((n.getAttribute("aria-describedby") || "") + " " + (n.getAttribute("aria-labelledby") || "")).trim().split(/\s+/)).filter((id) => !document.getElementById(id))`)
		if len(lost) > 0 {
			d.Errorf("%s: descriptions that are not there: %q", where, lost)
		}
	}
	check("the page")
	for _, scheme := range []string{"light", "dark"} {
		d.prefers(scheme)
		for selector, least := range map[string]float64{
			".badge.pt": 6, ".badge.fa": 6, ".section .text": 7, ".kind": 4.5, ".by": 4.5, "header p": 4.5, "#channels a": 4.5, ".replies": 4.5,
			"#people small": 4.5, ".btn": 7,
		} {
			if c := d.contrast(selector); c < least {
				d.Errorf("%s, %s: contrast %.2f, want %.1f", scheme, selector, c, least)
			}
		}
	}
	weights := evaluate[[]string](d, `[...document.querySelectorAll("#messages .btn")].map((b) => { const s = getComputedStyle(b); return [s.backgroundColor, s.color, s.borderColor, s.fontWeight].join() })`)
	for _, w := range weights {
		if w != weights[0] {
			d.Errorf("a button looks preferred: %q", weights)
		}
	}
	d.pressNamed("Answer…")
	d.wants(`document.querySelector("#window").open`)
	check("the window")
	if c := d.contrast("#window .small"); c < 4.5 {
		d.Errorf("hints: contrast %.2f", c)
	}
}

// contrast computes WCAG's ratio between an element's colour and the ground that it stands on.
func (d *desk) contrast(selector string) float64 {
	d.Helper()
	return evaluate[float64](d, `(() => {
		const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
		const light = (c) => { pen.fillStyle = c; pen.fillRect(0, 0, 1, 1);
			const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
			return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const at = document.querySelector(`+quoted(selector)+`);
		let ground = at; while (getComputedStyle(ground).backgroundColor.endsWith(", 0)")) ground = ground.parentElement;
		const [a, b] = [light(getComputedStyle(at).color), light(getComputedStyle(ground).backgroundColor)];
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	})()`)
}
