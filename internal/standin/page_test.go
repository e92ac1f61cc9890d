package standin_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagstop/internal/standin"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPage opens the page in one tab of one Chromium for all of its subtests, each of which has a workspace of its own.
func TestPage(t *testing.T) {
	tab := startChromium(t)
	for name, f := range map[string]func(*desk){
		"a person reads and clicks, and sees what the app makes of it": readAndClick,
		"an overflow menu is a menu of buttons":                        overflowMenu,
		"a window takes every kind of input":                           everyInput,
		"what is wrong with an input stands at the input":              wrongInput,
		"typing survives an update of the window":                      windowUpdate,
		"everything is done with the keyboard alone":                   keyboardOnly,
		"an ephemeral message is its person's alone":                   ephemeral,
		"hostile text is shown as it is":                               hostile,
		"an update leaves the focus and the other messages alone":      focusStays,
		"threads are read and written":                                 threads,
		"commands are typed where messages are":                        commands,
		"what fails is told to the person":                             failure,
		"the inbox is the app's home":                                  inbox,
		"loops stand beside the messages":                              loopsBeside,
		"every control has a name and every sign its contrast":         accessible,
		"every kind of block is drawn":                                 everyBlock,
		"every card and window of the templates is drawn":              everyCard,
		"it looks as it should":                                        pictures,
	} {
		t.Run(name, func(t *testing.T) { f(newDesk(t, tab)) })
	}
}

func startChromium(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("no chromium in PATH: install it with\n\tapt-get install --no-install-recommends chromium")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not start as root
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	tab, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(tab); err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	return tab
}

// desk is a person at the page: the tab, the workspace, and the app that answers.
type desk struct {
	*testing.T
	tab context.Context
	s   *standin.Server
	app *app
	url string

	mu      sync.Mutex
	foreign []string // requests to anybody but the page's own server, and what the browser complains of
}

func newDesk(t *testing.T, tab context.Context) *desk {
	d := &desk{T: t}
	d.app = newApp(t)
	web := httptest.NewUnstartedServer(nil)
	d.url = "http://" + web.Listener.Addr().String()
	d.s = standin.New(workspace(d.url, d.app.url()))
	d.app.connect(d.s, d.url)
	web.Config.Handler = d.s
	web.Start()
	var stop context.CancelFunc
	d.tab, stop = context.WithTimeout(tab, 2*time.Minute)
	if err := chromedp.Listen(d.tab, d.watch); err != nil {
		t.Fatalf("listen to the tab: %v", err)
	}
	t.Cleanup(func() {
		if err := chromedp.Do(tab, chromedp.Navigate("about:blank")); err != nil {
			t.Errorf("leave the page: %v", err)
		}
		stop()
		d.s.Close()
		web.Close()
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, f := range d.foreign {
			t.Error(f)
		}
	})
	d.do(chromedp.EmulateViewport(1280, 800))
	d.prefers("light")
	return d
}

func workspace(base, app string) standin.Options {
	return standin.Options{
		BaseURL: base,
		Users: []standin.User{
			{ID: "U0ANA", Name: "ana", RealName: "Ana", Title: "◆ product thinker"},
			{ID: "U0BOB", Name: "bob", RealName: "Bob", Title: "■ facilitator, on call"},
			{ID: "U0EVE", Name: "eve", RealName: "Eve"},
		},
		Channels: []standin.Channel{
			{ID: "C0PRODUCT", Name: "product", Members: []string{"U0ANA", "U0BOB", "U0EVE"}},
			{ID: "C0FACIL", Name: "facilitators", Members: []string{"U0BOB"}, Private: true},
		},
		Groups:          []standin.Group{{ID: "S0FACIL", Handle: "facilitators", Users: []string{"U0BOB"}}},
		InteractionsURL: app + "/interactions", CommandsURL: app + "/commands", EventsURL: app + "/events",
	}
}

// watch notes requests that leave the machine, and errors of the page's own: no test may make either.
func (d *desk) watch(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, d.url) && !strings.HasPrefix(e.Request.URL, "data:image/svg+xml") && e.Request.URL != "about:blank" { // the browser's own pictures
			fault = "the page asked " + e.Request.URL
		}
	case *runtime.EventExceptionThrown:
		fault = "the page threw " + e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			fault = "the browser complains: " + e.Entry.Text + " " + e.Entry.URL
		}
	}
	if fault != "" {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.foreign = append(d.foreign, fault)
	}
}

func (d *desk) do(steps ...chromedp.Action[chromedp.Void]) {
	d.Helper()
	if err := chromedp.Do(d.tab, steps...); err != nil {
		d.Fatal(err)
	}
}

// open opens the page as a person in a channel, and waits until it shows that channel.
func (d *desk) open(user, channel string) {
	d.Helper()
	d.do(chromedp.Navigate(d.url + "/#as=" + user + "&in=" + channel))
	d.wants(`document.querySelector("#people input:checked")?.value === ` + quoted(user))
}

// wants waits until a condition of the page holds.
func (d *desk) wants(condition string) {
	d.Helper()
	ok, err := chromedp.Run(d.tab, chromedp.Evaluate[bool](`new Promise((done) => {
		const end = performance.now() + 15000;
		const look = () => {
			if (`+condition+`) done(true);
			else if (performance.now() > end) done(false);
			else setTimeout(look, 5);
		};
		look();
	})`, chromedp.EvalAwaitPromise))
	if err != nil || !ok {
		d.Fatalf("waited for %s: %v\nthe focus is on %s\nthe page says:\n%s", condition, err,
			evaluate[string](d, `document.activeElement.outerHTML.slice(0, 200)`), d.text("body"))
	}
}

// says waits until an element contains a text.
func (d *desk) says(selector, text string) {
	d.Helper()
	d.wants(`document.querySelector(` + quoted(selector) + `)?.textContent.includes(` + quoted(text) + `)`)
}

// press clicks an element with the mouse.
func (d *desk) press(selector string) {
	d.Helper()
	d.do(chromedp.Click(chromedp.CSS(selector)))
}

// named is a button or link with exactly that accessible name, as a JavaScript expression.
func named(name string) string {
	return `[...document.querySelectorAll("button,a,summary")].find((b) => (b.ariaLabel || b.textContent) === ` + quoted(name) + `)`
}

// pressNamed clicks the button or link of that name with the mouse.
func (d *desk) pressNamed(name string) {
	d.Helper()
	d.wants(named(name))
	d.do(chromedp.Click(chromedp.JSPath(named(name))))
}

// fill types into an element, in the place of what stands there.
func (d *desk) fill(selector, text string) {
	d.Helper()
	d.wants(`document.querySelector(` + quoted(selector) + `)`)
	d.do(chromedp.Evaluate[chromedp.Void](`(() => { const at = document.querySelector(`+quoted(selector)+`); at.focus(); at.select(); })()`),
		chromedp.KeyEvent(kb.Delete+text))
}

func (d *desk) text(selector string) string {
	d.Helper()
	return evaluate[string](d, `document.querySelector(`+quoted(selector)+`)?.innerText ?? ""`)
}

func evaluate[V any](d *desk, expression string) V {
	d.Helper()
	v, err := chromedp.Run(d.tab, chromedp.Evaluate[V](expression))
	if err != nil {
		d.Fatalf("evaluate %s: %v", expression, err)
	}
	return v
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// prefers makes the browser prefer a colour scheme.
func (d *desk) prefers(scheme string) {
	d.Helper()
	d.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

// picture writes what the tab shows into a directory.
func (d *desk) picture(dir, name string) {
	d.Helper()
	png, err := chromedp.Run(d.tab, chromedp.CaptureScreenshot())
	if err != nil {
		d.Fatalf("take a picture: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		d.Fatal(err)
	}
}
