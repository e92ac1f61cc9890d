package standin

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
)

// walk goes through the JSON of blocks and views, notes each fault as Slack words it, and makes of it what Slack stores:
// text escaped, ids filled in.
type walk struct {
	faults   []string
	blockIDs map[string]bool
	inputs   int // input blocks
	focused  int // elements with focus_on_load
	text     int // characters of text in all blocks but markdown
	markdown int // characters in markdown blocks
}

// Slack publishes no cap on the text of all blocks together. It has turned back 11,341 characters of text objects and
// rich text, and documents 12,000 for markdown blocks.
const (
	maxBlockText = 11_000
	maxMarkdown  = 12_000
)

func newWalk() *walk { return &walk{blockIDs: map[string]bool{}} }

// tooMuchText reports whether all blocks together are more than Slack takes.
func (w *walk) tooMuchText() bool { return w.text > maxBlockText || w.text+w.markdown > maxMarkdown }

func (w *walk) fault(at, format string, v ...any) {
	w.faults = append(w.faults, fmt.Sprintf(format, v...)+" [json-pointer:"+at+"]")
}

// rule checks a value at a JSON pointer and returns it as stored.
type rule func(w *walk, at string, v any) any

// fields are the members that an object may have; a name that ends in ! must be there.
type fields map[string]rule

// object checks an object against its fields. Members that are null count as absent.
func (w *walk) object(at string, v any, f fields) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		w.fault(at, "must provide an object")
		return map[string]any{}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		check := f[name]
		if check == nil {
			check = f[name+"!"]
		}
		switch {
		case check == nil:
			w.fault(at, "invalid additional property: %s", name)
		case m[name] == nil:
			delete(m, name)
		default:
			m[name] = check(w, at+"/"+name, m[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if must, required := strings.CutSuffix(name, "!"); required && m[must] == nil {
			w.fault(at, "missing required field: %s", must)
		}
	}
	return m
}

func (w *walk) length(at, s string, least, most int) {
	switch n := characters(s); {
	case n < least:
		w.fault(at, "must be more than %d characters", least-1)
	case n > most:
		w.fault(at, "must be less than %d characters", most+1)
	}
}

// str is a string of so many characters.
func str(least, most int) rule {
	return func(w *walk, at string, v any) any {
		s, ok := v.(string)
		if !ok {
			w.fault(at, "must provide a string")
			return ""
		}
		w.length(at, s, least, most)
		return s
	}
}

func boolean(w *walk, at string, v any) any {
	if _, ok := v.(bool); !ok {
		w.fault(at, "must be a boolean")
	}
	return v
}

func integer(least, most int64) rule {
	return func(w *walk, at string, v any) any {
		n, err := jsonInt(v)
		if err != nil || n < least || n > most {
			w.fault(at, "must be an integer from %d to %d", least, most)
		}
		return v
	}
}

func jsonInt(v any) (int64, error) {
	switch n := v.(type) {
	case json.Number:
		return n.Int64()
	case float64:
		if n == math.Trunc(n) {
			return int64(n), nil
		}
	}
	return 0, fmt.Errorf("%v is no whole number", v)
}

func oneOf(words ...string) rule {
	return func(w *walk, at string, v any) any {
		if s, ok := v.(string); !ok || !slices.Contains(words, s) {
			w.fault(at, "value must be one of: %s", strings.Join(words, ", "))
		}
		return v
	}
}

// list is an array of so many items, each of which item checks.
func list(least, most int, item rule) rule {
	return func(w *walk, at string, v any) any {
		items, ok := v.([]any)
		switch {
		case !ok:
			w.fault(at, "must be an array")
			return []any{}
		case len(items) < least:
			w.fault(at, "no fewer than %d items allowed", least)
		case len(items) > most:
			w.fault(at, "no more than %d items allowed", most)
		}
		for i := range items {
			items[i] = item(w, fmt.Sprintf("%s/%d", at, i), items[i])
		}
		return items
	}
}

// textObject is a text object: of kind plain_text, mrkdwn, or either where kind is "".
func textObject(kind string, most int) rule {
	return func(w *walk, at string, v any) any {
		m, _ := v.(map[string]any)
		f := fields{"type!": oneOf("plain_text", "mrkdwn"), "text!": storedText(most)}
		if kind != "" {
			f["type!"] = oneOf(kind)
		}
		if m["type"] == "plain_text" {
			f["emoji"] = boolean
		} else {
			f["verbatim"] = boolean
		}
		return w.object(at, v, f)
	}
}

// storedText is text for people, of 1 to most characters as stored.
func storedText(most int) rule {
	return func(w *walk, at string, v any) any {
		s, ok := v.(string)
		if !ok {
			w.fault(at, "must provide a string")
			return ""
		}
		s = storeText(s)
		w.length(at, s, 1, most)
		w.text += characters(s)
		return s
	}
}

func href(w *walk, at string, v any) any {
	s, _ := str(1, 3000)(w, at, v).(string)
	if u, err := url.Parse(s); err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" {
		w.fault(at, "invalid url")
	}
	return v
}

// dateLike is a string that time.Parse reads.
func dateLike(layout string) rule {
	return func(w *walk, at string, v any) any {
		s, _ := v.(string)
		if _, err := time.Parse(layout, s); err != nil {
			w.fault(at, "must be of the format %s", layout)
		}
		return v
	}
}

// shortID is an id as Slack makes one up for a block or an action that came without.
func shortID() string { return rand.Text()[:5] }
