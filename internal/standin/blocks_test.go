package standin

import (
	"net/url"
	"strings"
	"testing"
)

func TestFaultsThatAreNoLengths(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for name, blocks := range map[string]string{
		"an unknown block":              `[{"type":"marquee"}]`,
		"a block that is no object":     `["x"]`,
		"an unknown element":            `[{"type":"actions","elements":[{"type":"slider"}]}]`,
		"an input in an actions block":  `[{"type":"actions","elements":[{"type":"plain_text_input"}]}]`,
		"a button in an input":          `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"button","text":{"type":"plain_text","text":"b"}}}]`,
		"a multi-select in actions":     `[{"type":"actions","elements":[{"type":"multi_static_select","options":[{"text":{"type":"plain_text","text":"b"},"value":"v"}]}]}]`,
		"an unknown member":             `[{"type":"divider","colour":"red"}]`,
		"a section of nothing":          `[{"type":"section"}]`,
		"an empty text":                 `[{"type":"section","text":{"type":"mrkdwn","text":""}}]`,
		"mrkdwn in a header":            `[{"type":"header","text":{"type":"mrkdwn","text":"x"}}]`,
		"emoji on mrkdwn":               `[{"type":"section","text":{"type":"mrkdwn","text":"x","emoji":true}}]`,
		"verbatim on plain_text":        `[{"type":"section","text":{"type":"plain_text","text":"x","verbatim":true}}]`,
		"a style that there is not":     `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"style":"default"}]}]`,
		"a URL that is none":            `[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"b"},"url":"example"}]}]`,
		"one action_id twice":           `[{"type":"actions","elements":[{"type":"button","action_id":"a","text":{"type":"plain_text","text":"b"}},{"type":"button","action_id":"a","text":{"type":"plain_text","text":"c"}}]}]`,
		"one block_id twice":            `[{"type":"divider","block_id":"a"},{"type":"divider","block_id":"a"}]`,
		"no elements":                   `[{"type":"actions","elements":[]}]`,
		"no options":                    `[{"type":"actions","elements":[{"type":"overflow","options":[]}]}]`,
		"a select without options":      `[{"type":"actions","elements":[{"type":"static_select"}]}]`,
		"an option without a value":     `[{"type":"actions","elements":[{"type":"static_select","options":[{"text":{"type":"plain_text","text":"b"}}]}]}]`,
		"a preset that is no option":    `[{"type":"actions","elements":[{"type":"static_select","options":[{"text":{"type":"plain_text","text":"b"},"value":"v"}],"initial_option":{"text":{"type":"plain_text","text":"c"},"value":"v"}}]}]`,
		"a date that is none":           `[{"type":"actions","elements":[{"type":"datepicker","initial_date":"2026-02-30"}]}]`,
		"a time that is none":           `[{"type":"actions","elements":[{"type":"timepicker","initial_time":"24:00"}]}]`,
		"a moment in milliseconds":      `[{"type":"actions","elements":[{"type":"datetimepicker","initial_date_time":1764500000000}]}]`,
		"a number that is none":         `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"number_input","is_decimal_allowed":false,"min_value":"low"}}]`,
		"decimals left open":            `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"number_input"}}]`,
		"a least above the most":        `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"plain_text_input","min_length":3,"max_length":2}}]`,
		"an input without a label":      `[{"type":"input","element":{"type":"plain_text_input"}}]`,
		"two that want the focus":       `[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"plain_text_input","focus_on_load":true}},{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"plain_text_input","focus_on_load":true}}]`,
		"unknown rich text":             `[{"type":"rich_text","elements":[{"type":"rich_text_poem","elements":[]}]}]`,
		"empty rich text":               `[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":""}]}]}]`,
		"an image without words for it": `[{"type":"image","image_url":"https://example.com/a.png"}]`,
		"an image from nowhere":         `[{"type":"image","alt_text":"a"}]`,
	} {
		if got := o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "blocks": {blocks}}); got["error"] != "invalid_blocks" {
			t.Errorf("%s: %v, want invalid_blocks", name, got)
		}
	}
	for name, view := range map[string]string{
		"an input and no submit": `{"type":"modal","title":{"type":"plain_text","text":"t"},"blocks":[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"plain_text_input"}}]}`,
		"no title":               `{"type":"modal","blocks":[]}`,
		"null for blocks":        `{"type":"modal","title":{"type":"plain_text","text":"t"},"blocks":null}`,
		"a home":                 `{"type":"home","blocks":[]}`,
		"no JSON":                `{`,
	} {
		if got := o.call("views.open", url.Values{"trigger_id": {o.trigger("U0ANA")}, "view": {view}}); got["error"] != "invalid_arguments" {
			t.Errorf("%s: %v, want invalid_arguments", name, got)
		}
	}
	if got := o.call("views.open", url.Values{"view": {asJSON(t, blk{"type": "modal", "title": say("t"), "blocks": []any{}, "private_metadata": strings.Repeat("x", maxViewBytes)})}}); got["error"] != "view_too_large" {
		t.Errorf("a view of 250 KB: %v", got["error"])
	}
}

// As in a public report: 3,000 characters are taken, stored as 3,061, and turned back when they are sent again.
func TestWhatIsStoredIsEscapedAndMeasuredSo(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	if got := o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "blocks": {asJSON(t, []any{blk{"type": "section", "text": blk{"type": "mrkdwn", "text": strings.Repeat("x", 2999) + "&"}}})}}); got["error"] != "invalid_blocks" {
		t.Errorf("3,000 characters with an ampersand: %v", got)
	}
	for in, want := range map[string]string{
		"a & b":                         "a &amp; b",
		"a &amp; b":                     "a &amp; b",
		"&quot;":                        "&amp;quot;",
		"if a < b && b > c":             "if a &lt; b &amp;&amp; b &gt; c",
		"<@U0ANA> <!here> <#C0PRODUCT>": "<@U0ANA> <!here> <#C0PRODUCT>",
		"<https://x.example|a>":         "<https://x.example|a>",
		"x> <b>":                        "x&gt; &lt;b&gt;",
		"<https://x\ny>":                "&lt;https://x\ny&gt;",
		"\xff":                          "\uFFFD",
		"a <":                           "a &lt;",
	} {
		if got := storeText(in); got != want {
			t.Errorf("storeText(%q) = %q, want %q", in, got, want)
		}
		if again := storeText(want); again != want {
			t.Errorf("storeText(%q) = %q, want it unchanged", want, again)
		}
	}
}

func TestMetadataIsFlatAndNamed(t *testing.T) {
	t.Parallel()
	o := open(t, people())
	for md, want := range map[string]string{
		`{"event_type":"shown","event_payload":{"stop":"x","rev":1,"ok":true,"list":["a",1]}}`: "",
		`{}`: "",
		`[`:  "invalid_metadata_format",
		`[]`: "invalid_metadata_format",
		`{"event_type":"Shown!","event_payload":{}}`:                                              "invalid_metadata_format",
		`{"event_type":"shown"}`:                                                                  "invalid_metadata_format",
		`{"event_type":"shown","event_payload":{},"more":1}`:                                      "invalid_metadata_format",
		`{"event_type":"shown","event_payload":{"a":{"b":1}}}`:                                    "invalid_metadata_schema",
		`{"event_type":"shown","event_payload":{"a":[{"b":1}]}}`:                                  "invalid_metadata_schema",
		`{"event_type":"shown","event_payload":{"A-b":1}}`:                                        "invalid_metadata_schema",
		`{"event_type":"shown","event_payload":{"a":"` + strings.Repeat("x", maxMetadata) + `"}}`: "metadata_too_large",
	} {
		got := o.call("chat.postMessage", url.Values{"channel": {"C0PRODUCT"}, "text": {"x"}, "metadata": {md}})
		if got["ok"] != (want == "") || want != "" && got["error"] != want {
			t.Errorf("metadata %.60s: %v, want %q", md, got["error"], want)
		}
	}
}

// FuzzBlocks holds the walk over foreign JSON: it never panics, and what it takes it takes again as stored.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte(twoButtons))
	f.Add([]byte(`[{"type":"rich_text","elements":[{"type":"rich_text_list","style":"bullet","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"x<&>"}]}]}]}]`))
	f.Add([]byte(`[{"type":"section","fields":[{"type":"mrkdwn","text":"<!here> & <x>"}],"accessory":null}]`))
	f.Add([]byte(`[{"type":"input","label":{"type":"plain_text","text":"l"},"element":{"type":"number_input","is_decimal_allowed":true,"min_value":"-1.5"}}]`))
	f.Add([]byte(`[null,1,"x",[],{"type":7}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if decode(data, &v) != nil {
			return
		}
		w := newWalk()
		stored := mustJSON(w.blocks("/blocks", v, 50))
		if len(w.faults) > 0 {
			return
		}
		again := newWalk()
		if twice := mustJSON(again.blocks("/blocks", parsed(stored), 50)); string(twice) != string(stored) || len(again.faults) > 0 {
			t.Errorf("stored %s, then %s with %q", stored, twice, again.faults)
		}
	})
}
