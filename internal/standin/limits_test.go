package standin

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

type blk = map[string]any

func pt(n int) blk     { return blk{"type": "plain_text", "text": strings.Repeat("é", n)} }
func mrk(n int) blk    { return blk{"type": "mrkdwn", "text": strings.Repeat("é", n)} }
func say(s string) blk { return blk{"type": "plain_text", "text": s} }

func long(n int) string { return strings.Repeat("é", n) }

func times(n int, f func(i int) blk) []any {
	out := []any{}
	for i := range n {
		out = append(out, f(i))
	}
	return out
}

func actions(elements ...any) blk { return blk{"type": "actions", "elements": elements} }

func button(with blk) blk {
	b := blk{"type": "button", "text": say("Go"), "value": "v"}
	maps.Copy(b, with)
	return b
}

func opt(i int) blk { return blk{"text": say(fmt.Sprintf("Option %d", i)), "value": strconv.Itoa(i)} }

func choose(kind string, with blk) blk {
	e := blk{"type": kind, "options": []any{opt(0)}}
	maps.Copy(e, with)
	return e
}

func input(e blk, with blk) blk {
	b := blk{"type": "input", "label": say("Label"), "element": e}
	maps.Copy(b, with)
	return b
}

func confirmed(part string, n int) blk {
	c := blk{"title": say("t"), "text": say("t"), "confirm": say("c"), "deny": say("d")}
	c[part] = pt(n)
	return actions(button(blk{"confirm": c}))
}

// Each limit of a block, as the number that is still taken and where the fault is when there is one more.
func blockLimits() map[string]struct {
	most int
	at   string
	of   func(n int) []any
} {
	type row = struct {
		most int
		at   string
		of   func(n int) []any
	}
	one := func(f func(n int) blk) func(int) []any { return func(n int) []any { return []any{f(n)} } }
	elem := func(name string) string { return "/0/elements/0/" + name }
	return map[string]row{
		"section text":   {3000, "/0/text/text", one(func(n int) blk { return blk{"type": "section", "text": mrk(n)} })},
		"section fields": {10, "/0/fields", one(func(n int) blk { return blk{"type": "section", "fields": times(n, func(int) blk { return pt(1) })} })},
		"a field":        {2000, "/0/fields/0/text", one(func(n int) blk { return blk{"type": "section", "fields": []any{pt(n)}} })},
		"header":         {150, "/0/text/text", one(func(n int) blk { return blk{"type": "header", "text": pt(n)} })},
		"context":        {10, "/0/elements", one(func(n int) blk { return blk{"type": "context", "elements": times(n, func(int) blk { return mrk(1) })} })},
		"actions":        {25, "/0/elements", one(func(n int) blk { return actions(times(n, func(int) blk { return button(nil) })...) })},
		"image url": {3000, "/0/image_url", one(func(n int) blk {
			return blk{"type": "image", "alt_text": "a", "image_url": "https://x.example/" + strings.Repeat("x", n-18)}
		})},
		"image alt": {2000, "/0/alt_text", one(func(n int) blk { return blk{"type": "image", "alt_text": long(n), "image_url": "https://x.example/"} })},
		"image title": {2000, "/0/title/text", one(func(n int) blk {
			return blk{"type": "image", "alt_text": "a", "title": pt(n), "image_url": "https://x.example/"}
		})},
		"input label":   {2000, "/0/label/text", one(func(n int) blk { return input(blk{"type": "plain_text_input"}, blk{"label": pt(n)}) })},
		"input hint":    {2000, "/0/hint/text", one(func(n int) blk { return input(blk{"type": "plain_text_input"}, blk{"hint": pt(n)}) })},
		"button text":   {75, elem("text/text"), one(func(n int) blk { return actions(button(blk{"text": pt(n)})) })},
		"button value":  {2000, elem("value"), one(func(n int) blk { return actions(button(blk{"value": long(n)})) })},
		"button url":    {3000, elem("url"), one(func(n int) blk { return actions(button(blk{"url": "https://x.example/" + strings.Repeat("x", n-18)})) })},
		"button label":  {75, elem("accessibility_label"), one(func(n int) blk { return actions(button(blk{"accessibility_label": long(n)})) })},
		"action id":     {255, elem("action_id"), one(func(n int) blk { return actions(button(blk{"action_id": long(n)})) })},
		"block id":      {255, "/0/block_id", one(func(n int) blk { return blk{"type": "divider", "block_id": long(n)} })},
		"confirm title": {100, elem("confirm/title/text"), one(func(n int) blk { return confirmed("title", n) })},
		"confirm text":  {300, elem("confirm/text/text"), one(func(n int) blk { return confirmed("text", n) })},
		"confirm yes":   {30, elem("confirm/confirm/text"), one(func(n int) blk { return confirmed("confirm", n) })},
		"confirm no":    {30, elem("confirm/deny/text"), one(func(n int) blk { return confirmed("deny", n) })},
		"option text": {75, elem("options/0/text/text"), one(func(n int) blk {
			return actions(choose("static_select", blk{"options": []any{blk{"text": pt(n), "value": "v"}}}))
		})},
		"option value": {150, elem("options/0/value"), one(func(n int) blk {
			return actions(choose("overflow", blk{"options": []any{blk{"text": pt(1), "value": long(n)}}}))
		})},
		"option description": {75, elem("options/0/description/text"), one(func(n int) blk {
			return actions(choose("radio_buttons", blk{"options": []any{blk{"text": pt(1), "value": "v", "description": pt(n)}}}))
		})},
		"select options": {100, elem("options"), one(func(n int) blk { return actions(choose("static_select", blk{"options": times(n, opt)})) })},
		"multi-select options": {100, "/0/accessory/options", one(func(n int) blk {
			return blk{"type": "section", "text": pt(1), "accessory": choose("multi_static_select", blk{"options": times(n, opt)})}
		})},
		"option groups": {100, "/0/element/option_groups", one(func(n int) blk {
			return input(blk{"type": "static_select", "option_groups": times(n, func(int) blk { return blk{"label": pt(1), "options": []any{opt(1)}} })}, nil)
		})},
		"overflow options":  {5, elem("options"), one(func(n int) blk { return actions(choose("overflow", blk{"options": times(n, opt)})) })},
		"checkboxes":        {10, elem("options"), one(func(n int) blk { return actions(choose("checkboxes", blk{"options": times(n, opt)})) })},
		"radio buttons":     {10, elem("options"), one(func(n int) blk { return actions(choose("radio_buttons", blk{"options": times(n, opt)})) })},
		"placeholder":       {150, "/0/element/placeholder/text", one(func(n int) blk { return input(blk{"type": "email_text_input", "placeholder": pt(n)}, nil) })},
		"input min_length":  {3000, "/0/element/min_length", one(func(n int) blk { return input(blk{"type": "plain_text_input", "min_length": n}, nil) })},
		"input max_length":  {3000, "/0/element/max_length", one(func(n int) blk { return input(blk{"type": "plain_text_input", "max_length": n}, nil) })},
		"a preset input":    {3000, "/0/element/initial_value", one(func(n int) blk { return input(blk{"type": "plain_text_input", "initial_value": long(n)}, nil) })},
		"a text in context": {3000, "/0/elements/0/text", one(func(n int) blk { return blk{"type": "context", "elements": []any{pt(n)}} })},
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEachLimitOfABlockIsSlacksInAMessageAnAttachmentAndAView(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for name, row := range blockLimits() {
		for _, n := range []int{row.most, row.most + 1} {
			blocks := row.of(n)
			surfaces := map[string]map[string]any{
				"/blocks":               o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "blocks": {asJSON(t, blocks)}}),
				"/attachments/0/blocks": o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "attachments": {asJSON(t, []any{blk{"blocks": blocks}})}}),
				"/view/blocks":          o.call("views.publish", url.Values{"user_id": {"U0ANA"}, "view": {asJSON(t, blk{"type": "home", "blocks": blocks})}}),
			}
			for root, got := range surfaces {
				if n == row.most {
					if got["ok"] != true {
						t.Errorf("%s of %d: %v", name, n, got)
					}
					continue
				}
				checkFault(t, fmt.Sprintf("%s of %d", name, n), root, row.at, got)
			}
		}
	}
}

func checkFault(t *testing.T, name, root, at string, got map[string]any) {
	t.Helper()
	want := map[string]string{"/blocks": "invalid_blocks", "/attachments/0/blocks": "invalid_attachments", "/view/blocks": "invalid_arguments"}[root]
	notes := fmt.Sprint(got["response_metadata"])
	if got["error"] != want || !strings.Contains(notes, "[json-pointer:"+root+at+"]") || !strings.Contains(notes, "[ERROR] ") {
		t.Errorf("%s under %s: %v %v, want %s at %s", name, root, got["error"], notes, want, root+at)
	}
}

func TestTheWordingOfALimitIsSlacks(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	got := o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "blocks": {asJSON(t, []any{blk{"type": "section", "text": mrk(3001)}})}})
	if want := "[must be less than 3001 characters [json-pointer:/blocks/0/text/text]]"; fmt.Sprint(got["errors"]) != want {
		t.Errorf("errors = %v, want %s", got["errors"], want)
	}
	got = o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "blocks": {asJSON(t, times(51, func(int) blk { return blk{"type": "divider"} }))}})
	if want := "[no more than 50 items allowed [json-pointer:/blocks]]"; fmt.Sprint(got["errors"]) != want {
		t.Errorf("errors = %v, want %s", got["errors"], want)
	}
}

func TestLimitsOfAMessage(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	dividers := func(n int) string { return asJSON(t, times(n, func(int) blk { return blk{"type": "divider"} })) }
	sections := func(n int) string {
		var out []any
		for ; n > 0; n -= 2750 {
			out = append(out, blk{"type": "section", "text": pt(min(n, 2750))})
		}
		return asJSON(t, out)
	}
	for name, row := range map[string]struct {
		form  url.Values
		want  string
		under string // the method; chat.postMessage by default
	}{
		"50 blocks":                 {form: url.Values{"blocks": {dividers(50)}}},
		"51 blocks":                 {form: url.Values{"blocks": {dividers(51)}}, want: "invalid_blocks"},
		"much text":                 {form: url.Values{"blocks": {sections(maxBlockText)}}},
		"too much text":             {form: url.Values{"blocks": {sections(maxBlockText + 1)}}, want: "msg_blocks_too_long"},
		"a long markdown block":     {form: url.Values{"blocks": {asJSON(t, []any{blk{"type": "markdown", "text": long(12000)}})}}},
		"too long a markdown block": {form: url.Values{"blocks": {asJSON(t, []any{blk{"type": "markdown", "text": long(12001)}})}}, want: "invalid_blocks"},
		"two markdown blocks":       {form: url.Values{"blocks": {asJSON(t, []any{blk{"type": "markdown", "text": long(12000)}, blk{"type": "markdown", "text": "x"}})}}, want: "msg_blocks_too_long"},
		"100 attachments":           {form: url.Values{"attachments": {asJSON(t, times(100, func(int) blk { return blk{"text": "x"} }))}}},
		"101 attachments":           {form: url.Values{"attachments": {asJSON(t, times(101, func(int) blk { return blk{"text": "x"} }))}}, want: "too_many_attachments"},
		"a legacy field at blocks":  {form: url.Values{"attachments": {`[{"text":"x","blocks":[{"type":"divider"}]}]`}}, want: "invalid_attachments"},
		"12000 of markdown_text":    {form: url.Values{"markdown_text": {long(12000)}}},
		"12001 of markdown_text":    {form: url.Values{"markdown_text": {long(12001)}}, want: "msg_too_long"},
		"markdown_text and text":    {form: url.Values{"markdown_text": {"x"}, "text": {"x"}}, want: "markdown_text_conflict"},
		"nothing":                   {form: url.Values{}, want: "no_text"},
		"no blocks":                 {form: url.Values{"blocks": {"[]"}}, want: "no_text"},
		"blocks that are no JSON":   {form: url.Values{"blocks": {"["}}, want: "invalid_blocks_format"},
		"blocks that are no list":   {form: url.Values{"blocks": {"{}"}}, want: "invalid_blocks_format"},
		"attachments of no list":    {form: url.Values{"attachments": {"7"}}, want: "invalid_attachments"},
		"a thread that is no ts":    {form: url.Values{"text": {"x"}, "thread_ts": {"yesterday"}}, want: "invalid_thread_ts"},
		"4000 of text on update":    {form: url.Values{"text": {long(4000)}}, under: "chat.update"},
		"4001 of text on update":    {form: url.Values{"text": {long(4001)}}, under: "chat.update", want: "msg_too_long"},
		"escaping counts on update": {form: url.Values{"text": {long(3996) + "&"}}, under: "chat.update", want: "msg_too_long"},
		"nothing on update":         {form: url.Values{}, under: "chat.update", want: "no_text"},
	} {
		row.form.Set("channel", "C0PRODUCT")
		if row.under == "" {
			row.under = "chat.postMessage"
		}
		row.form.Set("ts", o.post(url.Values{"text": {"before"}}).TS)
		if got := o.call(row.under, row.form); got["ok"] != (row.want == "") || row.want != "" && got["error"] != row.want {
			t.Errorf("%s: ok %v, error %v, want %q", name, got["ok"], got["error"], row.want)
		}
	}
}

func TestTextOfAPostIsCutWithAWarning(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for n, want := range map[int]any{40_000: nil, 40_001: "message_truncated"} {
		got := o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "text": {long(n)}})
		if got["ok"] != true || got["warning"] != want || characters(got["message"].(map[string]any)["text"].(string)) != 40_000 {
			t.Errorf("%d characters: ok %v, warning %v, want %v", n, got["ok"], got["warning"], want)
		}
	}
}

func TestLimitsOfAView(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	modal := func(with blk) blk {
		v := blk{"type": "modal", "title": say("T"), "blocks": []any{}}
		maps.Copy(v, with)
		return v
	}
	for name, row := range map[string]struct {
		most int
		view func(n int) blk
	}{
		"title":            {24, func(n int) blk { return modal(blk{"title": pt(n)}) }},
		"submit":           {24, func(n int) blk { return modal(blk{"submit": pt(n)}) }},
		"close":            {24, func(n int) blk { return modal(blk{"close": pt(n)}) }},
		"private_metadata": {3000, func(n int) blk { return modal(blk{"private_metadata": long(n)}) }},
		"callback_id":      {255, func(n int) blk { return modal(blk{"callback_id": long(n)}) }},
		"external_id":      {255, func(n int) blk { return modal(blk{"external_id": long(n)}) }},
		"blocks": {100, func(n int) blk {
			return modal(blk{"blocks": times(n, func(int) blk { return blk{"type": "divider"} })})
		}},
	} {
		for _, n := range []int{row.most, row.most + 1} {
			got := o.call("views.open", url.Values{"trigger_id": {o.trigger("U0ANA")}, "view": {asJSON(t, row.view(n))}})
			if ok := n == row.most; got["ok"] != ok || !ok && got["error"] != "invalid_arguments" {
				t.Errorf("%s of %d: %v", name, n, got)
			}
		}
	}
}

// trigger is a trigger id as a click makes one.
func (o *office) trigger(user string) string {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.newTrigger(user, "")
}
