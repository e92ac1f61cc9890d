package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestTheDemoPlaysItselfThrough(t *testing.T) {
	t.Parallel()
	p := start(t, nil, call{args: []string{"demo", "--auto", "--addr", "127.0.0.1:0"}})
	if code := p.ended(); code != exitDone {
		t.Errorf("demo --auto = %d, want %d", code, exitDone)
	}
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")
	if got, want := lines[len(lines)-1], `{"loops":3,"resumed":3,"outcomes":3}`; got != want {
		t.Errorf("the last line = %s, want %s", got, want)
	}
	for _, id := range []string{"dev-agent", "qa-gate", "designer"} {
		pressed := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, " pressed ") && strings.HasSuffix(l, " for "+id) })
		verified := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, id+": verified outcome") })
		if pressed < 0 || verified < 0 {
			t.Errorf("the transcript of %s has no click (%d) or no verified outcome (%d)", id, pressed, verified)
		}
	}
}

func TestTheDemoFailsWithinAMinuteWhenAClickIsWithheld(t *testing.T) {
	t.Parallel()
	began := time.Now()
	p := start(t, nil, call{args: []string{"demo", "--auto", "--withhold", "dev-agent", "--addr", "127.0.0.1:0"}})
	if code := p.ended(); code != exitError {
		t.Errorf("demo --auto = %d, want %d", code, exitError)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v to fail, want less than a minute", took)
	}
	if want := `{"loops":3,"resumed":2,"outcomes":2}`; !strings.HasSuffix(p.out.String(), want+"\n") {
		t.Errorf("it printed %s, want %s as the last line", p.out.String(), want)
	}
	if !strings.Contains(p.err.String(), "dev-agent: no verdict came within") {
		t.Errorf("standard error = %s, want which loop got no verdict", p.err.String())
	}
}

// printed are what the demo prints for loops of one's own.
var printed = regexp.MustCompile(`export (FLAGSTOP_[A-Z_]+)='?([^'\n]+)'?\n`)

func TestALoopOfOnesOwnAsksInTheDemo(t *testing.T) {
	t.Parallel()
	p := start(t, nil, call{args: []string{"demo", "--addr", "127.0.0.1:0"}})
	until(t, "a demo that says how to join", func() bool { return strings.Contains(p.out.String(), "Go on when you have seen this.") })
	var env []string
	for _, line := range printed.FindAllStringSubmatch(p.out.String(), -1) {
		env = append(env, line[1]+"="+line[2])
	}
	if len(env) != 2 {
		t.Fatalf("it printed %q, want a Redis and a key", env)
	}
	loop := start(t, env, call{args: []string{
		"raise", "--wait", "--id", "mine", "--to", "facilitator", "--concern", "evidence", "--kind", "fact", "--loop", "mine",
		"--repository", "me/mine", "--message", "The nightly job is done. Go on when you have seen this.",
	}})
	clickOnPage(t, p, "mine", "I have seen this")
	if code := loop.ended(); code != exitDone || !strings.Contains(loop.out.String(), `"action":"accept"`) {
		t.Errorf("the loop ended with %d and %s, want an accept", code, loop.out.String())
	}
	p.signal(syscall.SIGINT)
	if code := p.ended(); code != exitDone {
		t.Errorf("the demo ended with %d, want %d", code, exitDone)
	}
}

// clickOnPage is Bob, who waits on the demo's page for the card of a stop and presses its button.
func clickOnPage(t *testing.T, demo *process, stop, label string) {
	t.Helper()
	page := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(demo.out.String())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	resp := request(ctx, t, http.MethodGet, page+"page/events?as="+demoBob, http.NoBody)
	defer resp.Body.Close()
	for states := bufio.NewReader(resp.Body); ; {
		line, err := states.ReadString('\n')
		if err != nil {
			t.Fatalf("the page never showed %s of %s: %v", label, stop, err)
		}
		var state struct {
			Messages map[string][]struct {
				TS                  string
				Blocks, Attachments any
			}
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok || json.Unmarshal([]byte(text), &state) != nil {
			continue
		}
		for _, m := range state.Messages[demoFacilitat] {
			block, action := button([]any{m.Blocks, m.Attachments}, "", stop, label)
			if action == "" {
				continue
			}
			body := fmt.Sprintf(`{"as":%q,"do":"act","channel":%q,"ts":%q,"action":{"block_id":%q,"action_id":%q}}`,
				demoBob, demoFacilitat, m.TS, block, action)
			did := request(ctx, t, http.MethodPost, page+"page/do", strings.NewReader(body))
			answer, err := io.ReadAll(did.Body)
			if err := errors.Join(err, did.Body.Close()); err != nil || strings.TrimSpace(string(answer)) != "{}" {
				t.Fatalf("the click was answered with %s (%v)", answer, err)
			}
			return
		}
	}
}

// button looks for the button with a label whose value names the stop.
func button(v any, within, stop, label string) (block, action string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if block, action = button(e, within, stop, label); action != "" {
				return block, action
			}
		}
	case map[string]any:
		if id, ok := v["block_id"].(string); ok {
			within = id
		}
		text, _ := v["text"].(map[string]any)
		value, _ := v["value"].(string)
		if id, ok := v["action_id"].(string); ok && text["text"] == label && strings.Contains(value, stop) {
			return within, id
		}
		for _, e := range v {
			if block, action = button(e, within, stop, label); action != "" {
				return block, action
			}
		}
	}
	return "", ""
}

func request(ctx context.Context, t *testing.T, method, url string, body io.Reader) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := new(http.Client).Do(req) // the context bounds it
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
