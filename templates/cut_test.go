package templates

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestACutIsMarkedAndTearsNothing(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"what fits stays", "abc", 3, "abc"},
		{"what does not is marked", "abcd", 3, "ab…"},
		{"an entity counts whole", "a&b", 6, "a…"},
		{"an entity fits whole", "a&b", 7, "a&b"},
		{"an accent stays on its letter", "e\u0301e\u0301e\u0301", 4, "e\u0301…"},
		{"a family stays together", "👩‍👩‍👧‍👦x👩‍👩‍👧‍👦", 14, "👩‍👩‍👧‍👦x…"},
		{"a flag is not torn", "🇵🇹🇵🇹", 7, "🇵🇹…"},
		{"a skin stays on its hand", "👍🏽👍🏽", 7, "👍🏽…"},
		{"a syllable stays together", "\u1112\u1161\u11ab\u1112\u1161\u11ab", 5, "\u1112\u1161\u11ab…"},
		{"no space before the mark", "ab cd", 4, "ab…"},
		{"an isolate is closed", isolate + "שלום" + isolateEnd, 5, isolate + "של…" + isolateEnd},
		{"nothing fits", "abc", 1, "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cut(c.in, c.limit); got != c.want {
				t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
			}
		})
	}
}

func TestWhatCannotBeSeenIsMadeVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 漢字 שלום":          "plain é 漢字 שלום",
		"a\r\nb\rc\u2028d":         "a\nb\nc\nd",
		"\x00\x1b[31m\x7f":         "␀␛[31m␡",
		"\u202eoot\u202c":          "[U+202E]oot[U+202C]",
		"a\u200bb\ufeff":           "a[U+200B]b[U+FEFF]",
		"a\u200db":                 "a[U+200D]b",
		"👩‍👩‍👧‍👦":                  "👩‍👩‍👧‍👦",
		"नमस्\u200dते":             "नमस्\u200dते",
		"❤️":                       "❤️",
		"\xff":                     "\uFFFD",
		"🏴\U000E0067\U000E007F":    "🏴\U000E0067\U000E007F",
		"a\U000E0067":              "a[U+E0067]",
		"\u0085\u2800\u3164\ue000": "[U+0085][U+2800][U+3164][U+E000]",
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestArgumentsStayTheSameWhenTheUnseenIsWritten(t *testing.T) {
	in := "{\"a\":\"x\u202ey\u200b\U000E0041\",\"id\":9007199254740993,\"b\":1.50}"
	want := `{"a":"x\u202ey\u200b\udb40\udc41","id":9007199254740993,"b":1.50}`
	if got := prettyJSON([]byte(in), 100); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a < b && c > d &amp; <!channel> <@U0ANA> @here")
	f.Add("\xff&#39;&quot;")
	f.Fuzz(func(t *testing.T, s string) {
		got := escape(s)
		if strings.ContainsAny(got, "<>") {
			t.Errorf("escape(%q) = %q", s, got)
		}
		if back := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(got); back != s {
			t.Errorf("escape(%q) reads %q", s, back)
		}
		if utf8.ValidString(s) && width(s) < utf8.RuneCountInString(got) {
			t.Errorf("the width of %q is %d, escaped it has %d characters", s, width(s), utf8.RuneCountInString(got))
		}
		if top := topText(s, 100); broadcast.MatchString(top) {
			t.Errorf("topText(%q) = %q", s, top)
		}
	})
}

func FuzzCut(f *testing.F) {
	f.Add("👩‍👩‍👧‍👦 and a long text & more", 10)
	f.Add(strings.Repeat("e\u0301", 50), 33)
	f.Add("🇵🇹🇵🇹🇵🇹", 5)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 1 + abs(limit)%4000
		s = visible(s)
		got := cut(s, limit)
		if width(got) > limit || !utf8.ValidString(got) {
			t.Errorf("cut(%q, %d) = %q, which is %d wide", s, limit, got, width(got))
		}
		if got != s && !strings.HasSuffix(got, ellipsis) {
			t.Errorf("cut(%q, %d) = %q has no mark", s, limit, got)
		}
		if visible(s) != s {
			t.Errorf("visible(%q) is not visible", s)
		}
		parts := chunks(s, 160+limit)
		if strings.Join(parts, "") != s {
			t.Errorf("the parts of %q are not the whole", s)
		}
		for _, p := range parts {
			if width(p) > 160+limit {
				t.Errorf("a part of %q is %d wide", s, width(p))
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
