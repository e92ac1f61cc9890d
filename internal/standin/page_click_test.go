package standin_test

import (
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const question = `[
	{"type":"header","text":{"type":"plain_text","text":"◆ Product thinker · trade-off"}},
	{"type":"section","text":{"type":"plain_text","text":"Should closing and saying no mean different things?","emoji":false},
	 "accessory":{"type":"overflow","action_id":"menu","options":[
		{"text":{"type":"plain_text","text":"I'm on it"},"value":"on_it"},
		{"text":{"type":"plain_text","text":"Not mine to answer"},"value":"not_mine"}]}},
	{"type":"section","block_id":"o0","text":{"type":"mrkdwn","text":"*Keep both*\nIn practice: one who closes is asked again.","verbatim":true},
	 "accessory":{"type":"button","action_id":"choose","value":"both","text":{"type":"plain_text","text":"Choose"},"accessibility_label":"Choose: Keep both"}},
	{"type":"section","block_id":"o1","text":{"type":"mrkdwn","text":"*None of these*","verbatim":true},
	 "accessory":{"type":"button","action_id":"choose","value":"none","text":{"type":"plain_text","text":"Choose"},"accessibility_label":"Choose: None of these"}}]`

// buttons is an actions block of buttons; each is "label=action_id".
func buttons(pairs ...string) string {
	var out []string
	for _, p := range pairs {
		label, id, _ := strings.Cut(p, "=")
		out = append(out, `{"type":"button","action_id":`+quoted(id)+`,"value":"v","text":{"type":"plain_text","text":`+quoted(label)+`}}`)
	}
	return `[{"type":"actions","elements":[` + strings.Join(out, ",") + `]}]`
}

func readAndClick(d *desk) {
	d.app.post(question)
	d.open("U0ANA", "C0PRODUCT")
	d.says("#messages .badge.pt", "Product thinker")
	d.says("#messages", "In practice: one who closes is asked again.")
	d.pressNamed("Choose: None of these")
	d.says("#messages", "@Ana chose none")
	if n := evaluate[int](d, `document.querySelectorAll("#messages .msg button").length`); n != 0 {
		d.Errorf("%d buttons are left of an answered question", n)
	}
	got := d.app.got("block_actions")
	if len(got) != 1 || dig[string](got[0], "user", "id") != "U0ANA" || dig[string](got[0], "actions", 0, "value") != "none" {
		d.Errorf("the app got %v", got)
	}
}

func overflowMenu(d *desk) {
	d.app.post(question)
	d.open("U0BOB", "C0PRODUCT")
	d.pressNamed("More actions")
	d.pressNamed("Not mine to answer")
	d.wants(`!document.querySelector("details.menu").open`)
	d.hears("block_actions", 1)
	if v := dig[string](d.app.got("block_actions")[0], "actions", 0, "selected_option", "value"); v != "not_mine" {
		d.Errorf("the app got the item %q", v)
	}
	d.pressNamed("More actions")
	d.do(chromedp.KeyEvent(kb.Escape))
	d.wants(`!document.querySelector("details.menu").open && document.activeElement.ariaLabel === "More actions"`)
}

// hears waits until the app has got n payloads of a type.
func (d *desk) hears(kind string, n int) {
	d.Helper()
	for len(d.app.got(kind)) < n {
		select {
		case <-d.app.news:
		case <-d.tab.Done():
			d.Fatalf("the app got %d payloads of type %s, want %d\nthe page says:\n%s", len(d.app.got(kind)), kind, n, d.text("body"))
		}
	}
}

func ephemeral(d *desk) {
	d.app.post(buttons("Ask=whisper"))
	for range 20 {
		d.app.post(buttons("Later=yes"))
	}
	d.open("U0EVE", "C0PRODUCT")
	d.pressNamed("Ask")
	d.says("#messages .only", "Only visible to you")
	d.wants(`((box, only) => only.top < box.bottom && only.bottom <= box.bottom + 1)(
		document.querySelector("#messages").getBoundingClientRect(), document.querySelector("#messages .only").getBoundingClientRect())`)
	d.says("#messages .only strong", "Not recorded.")
	d.do(chromedp.Click(chromedp.CSS(`#people input[value="U0ANA"]`)))
	d.says("title", "Ana")
	d.wants(named("Ask"))
	if s := d.text("#messages"); strings.Contains(s, "Not recorded") {
		d.Errorf("Ana sees what only Eve may see:\n%s", s)
	}
	d.do(chromedp.Click(chromedp.CSS(`#people input[value="U0EVE"]`)))
	d.pressNamed("Dismiss message")
	d.wants(`!document.querySelector("#messages .only")`)
	if n := len(d.s.Ephemerals("U0EVE")); n != 0 {
		d.Errorf("%d ephemerals are left", n)
	}
}

func hostile(d *desk) {
	bad := `<img src=x onerror=alert(1)><script>document.title='pwned'</script> &lt;b&gt; &amp;lt; "'` + "`"
	d.app.post(`[
		{"type":"header","text":{"type":"plain_text","text":` + quoted(bad) + `}},
		{"type":"section","text":{"type":"mrkdwn","text":` + quoted(bad+" <javascript:alert(1)|run> <https://example.com/?a=1&amp;b=2|*a link*> @here https://example.org") + `,"verbatim":true},
		 "accessory":{"type":"button","action_id":"x","text":{"type":"plain_text","text":` + quoted(bad[:60]) + `},"url":"javascript:alert(1)"}},
		{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":` + quoted(bad) + `},{"type":"link","url":"data:text/html,x","text":"no"}]}]},
		{"type":"context","elements":[{"type":"mrkdwn","text":"@everyone see https://example.net/x and <!here>"},{"type":"plain_text","text":"<@U0ANA> *not bold*"}]}]`)
	d.open("U0ANA", "C0PRODUCT")
	d.says("#messages .head", `<img src=x onerror=alert(1)><script>document.title='pwned'</script> <b> &lt; "'`)
	d.says("#messages pre", `<script>document.title='pwned'</script> &lt;b&gt; &amp;lt;`)
	d.says("#messages .section", `<javascript:alert(1)|run>`)
	d.says("#messages .small", `<@U0ANA> *not bold*`)
	links := evaluate[[]string](d, `[...document.querySelectorAll("#messages .msg a:not(.replies)")].map((a) => a.href + " " + a.textContent)`)
	want := []string{"https://example.com/?a=1&b=2 *a link*", "https://example.net/x https://example.net/x"}
	if strings.Join(links, "\n") != strings.Join(want, "\n") {
		d.Errorf("links %q, want %q", links, want)
	}
	if n := evaluate[int](d, `document.querySelectorAll("#messages :is(img,script,iframe,b b,object)").length`); n != 0 {
		d.Errorf("%d elements came out of a text", n)
	}
	mentions := evaluate[[]string](d, `[...document.querySelectorAll("#messages .mention")].map((m) => m.textContent)`)
	if strings.Join(mentions, " ") != "@everyone @here" {
		d.Errorf("mentions %q", mentions)
	}
}

func failure(d *desk) {
	d.app.post(buttons("Break=fail"))
	d.open("U0ANA", "C0PRODUCT")
	d.pressNamed("Break")
	d.wants(`!document.querySelector("#trouble").hidden && document.querySelector("#trouble-text").textContent`)
	d.pressNamed("Dismiss")
	d.wants(`document.querySelector("#trouble").hidden && document.activeElement.id === "messages"`)
	d.app.refuses(map[string]string{"no such input": "?"}) // an answer that Slack cannot show
	d.openWindow(modal(field("name", "plain_text_input", "")))
	d.fill(input("name"), "kept")
	d.pressNamed("Send answer")
	d.wants(`!document.querySelector("#window-trouble").hidden && document.querySelector("#window-trouble").textContent`)
	d.wants(`document.querySelector("#trouble").hidden && document.querySelector("#window").open && document.querySelector(` + quoted(input("name")) + `).value === "kept"`)
}

func inbox(d *desk) {
	d.open("U0ANA", "C0PRODUCT")
	d.pressNamed("⚑ Your inbox")
	d.says("#messages .home", "Waits for you: 1")
	d.pressNamed("Open…")
	d.hears("block_actions", 1)
	if kind := dig[string](d.app.got("block_actions")[0], "view", "type"); kind != "home" {
		d.Errorf("the button was pressed in a view of type %q", kind)
	}
	d.do(chromedp.NavigateBack())
	d.says("#where", "product")
}
