package loops

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// characters is the length of a text as the contract counts it: code points.
func characters(s string) int { return utf8.RuneCountInString(s) }

// blank reports whether a text shows nothing.
func blank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !hollow(r)
	}) < 0
}

// hollow are letters and symbols that draw nothing: Hangul fillers and the empty Braille pattern.
func hollow(r rune) bool {
	return r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0' || r == '\u2800'
}

// foldTitle makes titles equal that look alike but for case, space and characters that do not show.
func foldTitle(s string) string {
	folded := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cf, r) || unicode.IsControl(r):
			return -1
		default:
			return foldCase(r)
		}
	}, s)
	return strings.Join(strings.Fields(folded), " ")
}

// foldCase picks one of the runes that differ by case alone.
func foldCase(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// plain folds a text for the heuristics: lower case, Latin letters without their marks, one kind of each quote, dash and
// bracket, no invisible characters. Patterns are then plain ASCII, in five languages.
func plain(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		r = unicode.ToLower(r)
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		if ascii, ok := bare(r); ok {
			b.WriteString(ascii)
			continue
		}
		if !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Cf, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// bare returns the ASCII letters or signs that stand for a rune.
func bare(r rune) (string, bool) {
	switch {
	case unicode.IsSpace(r):
		return " ", true
	case r >= '\uFF01' && r <= '\uFF5E': // full width
		return string(unicode.ToLower(r - 0xFEE0)), true
	}
	for _, class := range bareLetters {
		if strings.ContainsRune(class.of, r) {
			return class.ascii, true
		}
	}
	return "", false
}

var bareLetters = []struct{ ascii, of string }{ //nolint:gochecknoglobals // a table
	{"a", "àáâãäå"},
	{"c", "ç"},
	{"e", "èéêë"},
	{"i", "ìíîï"},
	{"n", "ñ"},
	{"o", "òóôõöº"},
	{"u", "ùúûü"},
	{"ss", "ß"},
	{"oe", "œ"},
	{"'", "’‘ʼ"},
	{`"`, "“”„«»‹›"},
	{"-", "‐‑−"},
	{" - ", "–—"},
	{"(", "【〔「"},
	{")", "】〕」"},
}
