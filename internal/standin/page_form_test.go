package standin_test

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

func textOf(s string) string { return `{"type":"plain_text","text":` + quoted(s) + `}` }

func optionOf(value string) string {
	return `{"text":` + textOf("The "+value) + `,"value":` + quoted(value) + `}`
}

// field is an input block; more is added to the element.
func field(id, kind, more string) string {
	return `{"type":"input","block_id":"` + id + `","label":` + textOf("Field "+id) + `,"hint":` + textOf("Hint of "+id) +
		`,"element":{"type":"` + kind + `","action_id":"v"` + more + `}}`
}

func modal(blocks ...string) string {
	return `{"type":"modal","callback_id":"answer","notify_on_close":true,"title":` + textOf("■ Facilitator") + `,"submit":` + textOf("Send answer") +
		`,"close":` + textOf("Close") + `,"blocks":[` + strings.Join(blocks, ",") + `]}`
}

func allInputs() string {
	options := `,"options":[` + optionOf("a") + `,` + optionOf("b") + `,` + optionOf("c") + `]`
	return modal(
		field("line", "plain_text_input", ""), field("area", "plain_text_input", `,"multiline":true`),
		field("mail", "email_text_input", ""), field("site", "url_text_input", ""),
		field("number", "number_input", `,"is_decimal_allowed":true`), field("day", "datepicker", ""),
		field("moment", "datetimepicker", ""), field("radio", "radio_buttons", options),
		field("boxes", "checkboxes", options), field("one", "static_select", options),
		field("many", "multi_static_select", options),
		strings.Replace(field("kept", "plain_text_input", `,"initial_value":"as it was"`), `"type":"input"`, `"type":"input","optional":true`, 1),
	)
}

// openWindow posts a button that opens a window, and presses it as Bob.
func (d *desk) openWindow(view string) {
	d.Helper()
	d.app.opens(view)
	d.app.post(buttons("Answer…=window"))
	d.open("U0BOB", "C0PRODUCT")
	d.pressNamed("Answer…")
	d.wants(`document.querySelector("#window").open`)
}

func input(block string) string { return `[data-block="` + block + `"] :is(input,textarea,select)` }

func everyInput(d *desk) {
	d.openWindow(allInputs())
	d.says("#window h2 .badge.fa", "Facilitator")
	d.wants(`document.activeElement.matches(` + quoted(input("line")) + `)`)
	d.fill(input("line"), "v2.1 <b>")
	d.fill(input("area"), "first\nsecond")
	d.fill(input("mail"), "ana@example.com")
	d.fill(input("site"), "https://example.com/x")
	d.fill(input("number"), "12.50")
	d.do(chromedp.SetValue(chromedp.CSS(input("day")), "2026-12-31"),
		chromedp.SetValue(chromedp.CSS(input("moment")), "2026-12-31T23:30"))
	d.press(`[data-block="radio"] input[value="b"]`)
	d.press(`[data-block="boxes"] input[value="a"]`)
	d.press(`[data-block="boxes"] input[value="c"]`)
	d.do(chromedp.SendKeys(chromedp.CSS(input("one")), "The b"))
	d.press(`[data-block="many"] input[value="b"]`)
	d.press(`[data-block="many"] input[value="c"]`)
	d.fill(input("kept"), "")
	d.pressNamed("Send answer")
	d.wants(`!document.querySelector("#window").open`)
	d.hears("view_submission", 1)
	option := func(v string) any {
		return map[string]any{"value": v, "text": map[string]any{"type": "plain_text", "text": "The " + v, "emoji": true}}
	}
	local, err := time.ParseInLocation("2006-01-02T15:04", "2026-12-31T23:30", time.Local)
	if err != nil {
		d.Fatal(err)
	}
	want := map[string]map[string]any{
		"line":   {"type": "plain_text_input", "value": "v2.1 <b>"},
		"area":   {"type": "plain_text_input", "value": "first\nsecond"},
		"mail":   {"type": "email_text_input", "value": "ana@example.com"},
		"site":   {"type": "url_text_input", "value": "https://example.com/x"},
		"number": {"type": "number_input", "value": "12.50"},
		"day":    {"type": "datepicker", "selected_date": "2026-12-31"},
		"moment": {"type": "datetimepicker", "selected_date_time": float64(local.Unix())},
		"radio":  {"type": "radio_buttons", "selected_option": option("b")},
		"boxes":  {"type": "checkboxes", "selected_options": []any{option("a"), option("c")}},
		"one":    {"type": "static_select", "selected_option": option("b")},
		"many":   {"type": "multi_static_select", "selected_options": []any{option("b"), option("c")}},
		"kept":   {"type": "plain_text_input", "value": nil},
	}
	got := dig[map[string]any](d.app.got("view_submission")[0], "view", "state", "values")
	for block, value := range want {
		one := dig[map[string]any](got, block, "v")
		strip(one)
		strip(value)
		if diff := cmp.Diff(value, one); diff != "" {
			d.Errorf("%s: want (-) and got (+)\n%s", block, diff)
		}
	}
}

// strip takes out what Slack adds to the texts of options.
func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "emoji")
		for _, item := range v {
			strip(item)
		}
	case []any:
		for _, item := range v {
			strip(item)
		}
	}
}

func wrongInput(d *desk) {
	d.openWindow(modal(field("name", "plain_text_input", ""), field("pick", "radio_buttons", `,"options":[`+optionOf("a")+`,`+optionOf("b")+`]`)))
	d.app.refuses(map[string]string{"name": "That name is taken: <b>v1</b>"})
	d.fill(input("name"), "v1")
	d.pressNamed("Send answer")
	d.says(`[data-block="pick"] .wrong`, "required") // Slack's own check comes before the app's
	d.wants(`document.querySelector('[data-block="pick"]').getAttribute("aria-invalid") === "true"`)
	if n := len(d.app.got("view_submission")); n != 0 {
		d.Errorf("the app got %d submissions of an incomplete form", n)
	}
	d.press(`[data-block="pick"] input[value="a"]`)
	d.pressNamed("Send answer")
	d.says(`[data-block="name"] .wrong`, "That name is taken: <b>v1</b>")
	d.wants(`document.activeElement.matches(` + quoted(input("name")) + `) && document.activeElement.getAttribute("aria-invalid") === "true"`)
	d.wants(`document.querySelector('[data-block="pick"] .wrong').hidden && !document.querySelector('[data-block="pick"]').hasAttribute("aria-invalid")`)
	d.wants(`document.activeElement.getAttribute("aria-describedby").split(" ").some((id) => document.getElementById(id).textContent.startsWith("That name"))`)
	if v := evaluate[string](d, `document.activeElement.value`); v != "v1" {
		d.Errorf("what was typed became %q", v)
	}
	d.app.refuses(nil)
	d.fill(input("name"), "v2")
	d.pressNamed("Send answer")
	d.wants(`!document.querySelector("#window").open && document.activeElement.textContent === "Answer…"`)
}

func windowUpdate(d *desk) {
	d.openWindow(modal(field("name", "plain_text_input", ""), field("pick", "radio_buttons", `,"options":[`+optionOf("a")+`,`+optionOf("b")+`]`)))
	d.press(`[data-block="pick"] input[value="b"]`)
	d.fill(input("name"), "half a wo")
	d.app.post(buttons("Another=x")) // something else changes
	d.says("#messages", "Another")
	view := d.s.As("U0BOB").View()
	d.app.call("views.update", map[string]any{"view_id": view.ID, "view": json.RawMessage(
		modal(`{"type":"section","text":`+textOf("It is not sure yet that this was recorded.")+`}`, field("name", "plain_text_input", ""),
			field("pick", "radio_buttons", `,"options":[`+optionOf("a")+`,`+optionOf("b")+`]`)))})
	d.says("#window", "It is not sure yet")
	d.wants(`document.activeElement.matches(` + quoted(input("name")) + `) && document.activeElement.value === "half a wo"`)
	d.do(chromedp.KeyEvent("rd"))
	d.pressNamed("Send answer")
	d.hears("view_submission", 1)
	values := dig[map[string]any](d.app.got("view_submission")[0], "view", "state", "values")
	if name, pick := dig[string](values, "name", "v", "value"), dig[string](values, "pick", "v", "selected_option", "value"); name != "half a word" || pick != "b" {
		d.Errorf("the app got %q and %q", name, pick)
	}
}

func keyboardOnly(d *desk) {
	d.app.opens(modal(field("name", "plain_text_input", ""), field("pick", "radio_buttons", `,"options":[`+optionOf("a")+`,`+optionOf("b")+`]`)))
	d.app.post(question)
	d.app.post(buttons("Answer…=window"))
	d.open("U0ANA", "C0PRODUCT")
	d.wants(named("Answer…"))
	d.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter)) // the skip link
	d.wants(`document.activeElement.id === "messages"`)
	d.tabTo("More actions")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.tabTo("I'm on it")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.hears("block_actions", 1)
	d.tabTo("Answer…")
	d.do(chromedp.KeyEvent(" "))
	d.wants(`document.activeElement.matches(` + quoted(input("name")) + `)`)
	d.do(chromedp.KeyEvent("typed"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowDown))
	d.tabTo("Send answer")
	d.do(chromedp.KeyEvent(kb.Enter))
	d.hears("view_submission", 1)
	if v := dig[string](d.app.got("view_submission")[0], "view", "state", "values", "pick", "v", "selected_option", "value"); v != "b" {
		d.Errorf("the arrow key chose %q", v)
	}
	d.wants(`!document.querySelector("#window").open && document.activeElement.textContent === "Answer…"`)
	d.do(chromedp.KeyEvent(" "))
	d.wants(`document.querySelector("#window").open`)
	d.do(chromedp.KeyEvent(kb.Escape))
	d.hears("view_closed", 1)
	d.wants(`!document.querySelector("#window").open && document.activeElement.textContent === "Answer…"`)
	d.tabTo("Choose: Keep both", kb.Shift)
	d.do(chromedp.KeyEvent(kb.Enter))
	d.says("#messages", "@Ana chose both")
	d.wants(`document.activeElement.closest(".msg")?.textContent.includes("chose both")`)
}

// tabTo presses Tab, or Shift and Tab, until the focus is on the control with that name.
func (d *desk) tabTo(name string, with ...string) {
	d.Helper()
	key := chromedp.KeyEvent(kb.Tab)
	if len(with) > 0 {
		key = chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
	}
	var trail []string
	for range 40 {
		d.do(key)
		at := evaluate[string](d, `document.activeElement.ariaLabel || document.activeElement.textContent.slice(0, 60)`)
		if at == name {
			return
		}
		trail = append(trail, at)
	}
	d.Fatalf("the keyboard does not reach %q; it went by\n%s", name, strings.Join(trail, "\n"))
}
