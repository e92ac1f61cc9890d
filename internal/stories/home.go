package stories

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"flagstop/internal/standin"
)

// OpenHome has somebody open their App Home.
func (w *World) OpenHome(user string) {
	w.TB.Helper()
	w.must(w.Slack.As(user).OpenHome(w.TB.Context()))
}

// Home is what somebody's App Home shows, as JSON; "" nothing.
func (w *World) Home(user string) string {
	if v := w.Slack.As(user).Home(); v != nil {
		return string(v.JSON)
	}
	return ""
}

// SeeHome waits until somebody's App Home contains each text, or none of those that begin with "!", and returns it.
func (w *World) SeeHome(user string, texts ...string) string {
	w.TB.Helper()
	var home string
	w.Until(func() bool {
		home = w.Home(user)
		if home == "" {
			return false
		}
		for _, text := range texts {
			not, negated := strings.CutPrefix(text, "!")
			if strings.Contains(home, not) == negated {
				return false
			}
		}
		return true
	}, "a home of %s with %q", user, texts)
	return home
}

// publish puts a view into somebody's App Home, as another program with the bot's token does.
func (w *World) publish(user, view string) error {
	body := strings.NewReader(url.Values{"user_id": {user}, "view": {view}}.Encode())
	r, err := http.NewRequestWithContext(w.TB.Context(), http.MethodPost, w.api.URL()+"/api/views.publish", body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+botToken)
	client := &http.Client{Transport: w.api.Transport()}
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// ClickHome presses the nth button, or picks the nth menu item, with that label in somebody's App Home.
func (w *World) ClickHome(user, label string, nth int) {
	w.TB.Helper()
	home := w.Slack.As(user).Home()
	if home == nil {
		w.TB.Fatalf("%s sees no home", user)
	}
	a, ok := homeAction(home.JSON, label, nth)
	if !ok {
		w.TB.Fatalf("there is no %q number %d in the home of %s: %s", label, nth, user, home.JSON)
	}
	if err := w.Slack.As(user).ActInView(w.TB.Context(), home.ID, a); err != nil {
		w.TB.Fatalf("%s clicks %q at home: %v", user, label, err)
	}
}

func homeAction(home json.RawMessage, label string, nth int) (standin.Action, bool) {
	type option struct {
		Text  struct{ Text string }
		Value string
	}
	var v struct {
		Blocks []struct {
			BlockID  string `json:"block_id"`
			Elements []struct {
				ActionID string `json:"action_id"`
				Text     any
				Options  []option
			}
		}
	}
	if json.Unmarshal(home, &v) != nil {
		return standin.Action{}, false
	}
	for _, b := range v.Blocks {
		for _, e := range b.Elements {
			text, _ := e.Text.(map[string]any)
			choices := e.Options
			if e.ActionID != "" && len(choices) == 0 {
				said, _ := text["text"].(string)
				choices = []option{{Text: struct{ Text string }{said}}}
			}
			for _, o := range choices {
				if o.Text.Text != label {
					continue
				}
				if nth--; nth < 0 {
					return standin.Action{BlockID: b.BlockID, ActionID: e.ActionID, Value: o.Value}, true
				}
			}
		}
	}
	return standin.Action{}, false
}
