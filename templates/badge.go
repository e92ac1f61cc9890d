package templates

import (
	"hash/crc32"
	"strings"
	"unicode"
	"unicode/utf8"

	"flagstop/loops"
)

// The colours of the bar beside a card: of whoever has the stop now, and grey when there is nothing left to do. The
// colour is the third sign, after the glyph and the word; none of them is red or green.
const (
	amber  = "#C77B00"
	blue   = "#245AA6"
	purple = "#6B4FA0"
	slate  = "#3F5866"
	grey   = "#8A8A8A"
)

// glyph is the sign of a role: a road sign that has no form as an emoji. A role of the configuration has a triangle
// or a circle, by a sum over its name, so that it is the same everywhere and for ever.
func glyph(role string) string {
	switch role {
	case loops.ProductThinker:
		return "◆"
	case loops.Facilitator:
		return "■"
	case "":
		return "⚑"
	}
	return []string{"▲", "●"}[crc32.ChecksumIEEE([]byte(role))%2]
}

func colour(role string) string {
	switch glyph(role) {
	case "◆":
		return amber
	case "▲":
		return purple
	case "●":
		return slate
	default:
		return blue
	}
}

// roleWord is a role in a sentence: "product thinker".
func roleWord(role string) string {
	return cut(visible(strings.NewReplacer("-", " ", "_", " ").Replace(role)), 60)
}

// capital is a word at the start of a sentence.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
