package standin_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"flagstop/internal/standin"

	"github.com/chromedp/chromedp"
)

// pictures draws the page as a person would find it, for the documents and for whoever changes it. What it checks is
// that nothing has to be scrolled sideways, at either width.
func pictures(d *desk) {
	bar := func(colour, blocks string) json.RawMessage {
		return json.RawMessage(`[{"color":"` + colour + `","blocks":` + blocks + `}]`)
	}
	small := func(s string) string {
		return `{"type":"context","elements":[{"type":"mrkdwn","verbatim":true,"text":` + quoted(s) + `}]}`
	}
	option := func(title, example string) string {
		return `{"type":"section","text":{"type":"mrkdwn","verbatim":true,"text":` + quoted("*"+title+"*\nIn practice: "+example) + `},"accessory":{"type":"button","action_id":"c` +
			title + `","value":"v","text":` + textOf("Choose") + `,"accessibility_label":` + quoted("Choose: "+title) + `}}`
	}
	head := func(badge, question string) string {
		return `[{"type":"header","text":` + textOf(badge) + `},{"type":"section","text":` + textOf(question) + `}]`
	}
	d.app.post(head("◆ Product thinker · answered", "The first screen greets people by name. Is that what you want?"), "attachments",
		bar("#8A8A8A", `[{"type":"section","text":{"type":"mrkdwn","verbatim":true,"text":"*Without the name*\n<@U0ANA>, product thinker · 08:31 · in Slack"}},`+small("The loop went on at 08:31, in iteration 2 of 8. Nothing is left to do.")+`]`))
	open := `[{"type":"header","text":` + textOf("◆ Product thinker · trade-off") + `},{"type":"section","text":` +
		textOf("A person can close a question without answering, or say no to it. Should these two mean different things?") +
		`,"accessory":{"type":"overflow","action_id":"menu","options":[` + optionOf("first") + `,` + optionOf("second") + `]}}]`
	ts := d.app.post(open, "attachments", bar("#C77B00", `[`+small("Nothing is recommended. The order is the asker’s.")+`,`+
		option("Keep both", "A person who closes the window is asked again next week; one who says no is not.")+`,`+
		option("Keep only no", "Closing the window and saying no mean the same, so the loop goes on at once.")+`,`+
		option("None of these", "You tell the loop what to do instead.")+`,`+
		small("If nobody answers, it waits. No timer is set.\nFrom dev-agent · acme/greeting · task cd652d85")+`]`))
	d.app.post(`[`+small("Raised by dev-agent at 09:12. Asked: ◆ product thinker.")+`]`, "thread_ts", ts)
	d.app.post(`[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"The whole text","style":{"bold":true}}]},{"type":"rich_text_quote","elements":[{"type":"text","text":"Welcome. You can ask this page a question and leave; it keeps your place."}]},{"type":"rich_text_preformatted","elements":[{"type":"text","text":"ls -la && find . -name \"AGENTS.md\" -o -name \"package.json\" | head -50"}]}]}]`, "thread_ts", ts)
	d.s.SetLoops([]standin.LoopState{
		{ID: "1", Title: "dev-agent / cd652d85", State: "suspended in iteration 3 of 8", Iteration: 3, Cap: 8, WaitsFor: "◆ Product thinker", Log: []string{"ls -la ran", "cat README.md ran", "asked, and waits"}},
		{ID: "2", Title: "qa-lead / gate-77", State: "waits with qa-automation, gives no verdict", WaitsFor: "■ Facilitator", Log: []string{"1 of 3 delegations done and kept"}},
		{ID: "3", Title: "writer / a41c", State: "done in iteration 6 of 8", Iteration: 6, Cap: 8, Log: []string{"asked; Ana said “Without the name”", "wrote the first screen"}},
	})
	d.app.opens(allInputs())
	d.app.call("chat.postMessage", map[string]any{
		"channel": "C0FACIL", "text": "in words", "blocks": json.RawMessage(
			`[{"type":"header","text":` + textOf("■ Facilitator · permission") + `},{"type":"section","text":` + textOf("QA automation lists the project files before it writes its report. May it run this?") + `},
		{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":"ls -la && find . -name \"AGENTS.md\" -o -name \"package.json\" | head -50"}]}]}]`),
		"attachments": bar("#245AA6", `[`+small("Nothing is recommended.")+`,`+strings.Trim(buttons("Approve=whisper", "Edit…=window", "Decline…=d"), "[]")+`,`+small("If nobody answers, it waits. No timer is set.")+`]`),
	})
	d.open("U0ANA", "C0PRODUCT")
	d.says("#loops", "writer / a41c")
	d.shoot("channel")
	d.pressNamed("2 replies in the thread")
	d.says("#replies", "The whole text")
	d.shoot("thread")
	d.open("U0BOB", "C0FACIL")
	d.pressNamed("Approve")
	d.says("#messages .only", "Not recorded")
	d.shoot("facilitator")
	d.pressNamed("Edit…")
	d.wants(`document.querySelector("#window").open`)
	d.pressNamed("Send answer")
	d.says("#window", "required")
	d.shoot("window")
}

// everyCard posts all cards and opens all windows that the templates' own tests hold as golden files: the stand-in takes
// each, and the page knows each block and element in it.
func everyCard(d *desk) {
	read := func(pattern string) (out []string) {
		files, err := filepath.Glob("../../templates/testdata/" + pattern)
		if err != nil || len(files) == 0 {
			d.Fatalf("%s: %v, %d files", pattern, err, len(files))
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				d.Fatal(err)
			}
			out = append(out, string(raw))
		}
		return out
	}
	cards := read("card-*.json")
	for _, card := range cards {
		args := map[string]any{}
		if err := json.Unmarshal([]byte(card), &args); err != nil {
			d.Fatal(err)
		}
		args["channel"] = "C0PRODUCT"
		d.app.call("chat.postMessage", args)
	}
	d.app.post(buttons("Window=window"))
	d.open("U0ANA", "C0PRODUCT")
	d.wants(fmt.Sprintf(`document.querySelectorAll("#messages .msg").length === %d`, len(cards)+1))
	for _, window := range append(read("modal-*.json"), read("relay-*.json")...) {
		d.app.opens(window)
		d.pressNamed("Window")
		d.wants(`document.querySelector("#window").open`)
		if s := d.text(".unknown"); s != "" {
			d.Errorf("%s\n%s", s, window)
		}
		d.press("#window [data-f=close]")
		d.wants(`!document.querySelector("#window").open`)
	}
	if s := d.text(".unknown"); s != "" {
		d.Error(s)
	}
}

// shoot looks at both widths, and takes pictures: one into the test's artifacts, all of them where FLAGSTOP_PICTURES says.
func (d *desk) shoot(name string) {
	d.Helper()
	dir := os.Getenv("FLAGSTOP_PICTURES")
	for _, width := range []int64{800, 1280} {
		d.do(chromedp.EmulateViewport(width, 800))
		if over := evaluate[[]string](d, `[...document.querySelectorAll("body, nav, main, .log, .loops, dialog .body")].filter((n) => n.scrollWidth > n.clientWidth + 1).map((n) => n.tagName + n.className)`); len(over) > 0 {
			d.Errorf("%s: scrolls sideways at %d: %q", name, width, over)
		}
		for _, scheme := range []string{"dark", "light"} {
			d.prefers(scheme)
			d.axe(fmt.Sprintf("%s at %d, %s", name, width, scheme))
			if dir != "" {
				d.picture(dir, fmt.Sprintf("%s-%d-%s", name, width, scheme))
			}
		}
	}
	if dir == "" {
		d.picture(d.ArtifactDir(), name)
	}
}

// axe runs axe-core, where FLAGSTOP_AXE names its script, and takes no violation: it is not part of this module.
func (d *desk) axe(where string) {
	d.Helper()
	path := os.Getenv("FLAGSTOP_AXE")
	if path == "" {
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		d.Fatal(err)
	}
	found, err := chromedp.Run(d.tab, chromedp.Evaluate[[]string](string(script)+`
		;axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" + v.nodes.map((n) => n.html).join("\n")))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		d.Fatalf("%s: run axe: %v", where, err)
	}
	for _, f := range found {
		d.Errorf("%s: %s", where, f)
	}
}
