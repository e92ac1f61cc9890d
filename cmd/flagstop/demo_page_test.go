package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

var pageAt = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)

// TestTheDemosPageTakesOneClickToSeeALoopGoOn looks at the demo in a browser, as a newcomer does. Where FLAGSTOP_PICTURES
// names a directory, the README's picture is taken on the way: make pictures.
func TestTheDemosPageTakesOneClickToSeeALoopGoOn(t *testing.T) {
	t.Parallel()
	p := start(t, nil, call{args: []string{"demo", "--addr", "127.0.0.1:0"}})
	until(t, "a demo that says where its page is", func() bool { return strings.Contains(p.out.String(), "Go on when you have seen this.") })
	tab := browser(t)
	do(t, tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(pageAt.FindString(p.out.String())))
	const choose = `button[aria-label="Choose: Keep both"]`
	wants(t, tab, `document.querySelector('`+choose+`') && document.querySelectorAll("#loops .loop").length === 3 &&
		document.querySelectorAll("#loops .badge").length === 3 && document.querySelector("#channels .n")?.textContent.startsWith("2")`)
	if dir := os.Getenv("FLAGSTOP_PICTURES"); dir != "" {
		takePicture(t, tab, filepath.Join(dir, "page.png"))
	}
	do(t, tab, chromedp.Click(chromedp.CSS(choose)))
	wants(t, tab, `document.querySelector("#loops .loop").innerText.includes("verified outcome: Keep both")`)
	wants(t, tab, `document.querySelector("#messages").innerText.includes("The loop went on")`)
	p.signal(syscall.SIGINT)
	if code := p.ended(); code != exitDone {
		t.Errorf("the demo ended with %d, want %d", code, exitDone)
	}
}

func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("no chromium in PATH: make needs installs it, or says how")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not start as root
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	tab, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	return tab
}

func do(t *testing.T, tab context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(tab, steps...); err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, tab context.Context, condition string) {
	t.Helper()
	until(t, "a page with "+condition, func() bool {
		ok, err := chromedp.Run(tab, chromedp.Evaluate[bool](`Boolean(`+condition+`)`))
		return err == nil && ok
	})
}

func takePicture(t *testing.T, tab context.Context, path string) {
	t.Helper()
	shot, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("take a picture: %v", err)
	}
	if err := os.WriteFile(path, shot, 0o644); err != nil {
		t.Fatal(err)
	}
}
