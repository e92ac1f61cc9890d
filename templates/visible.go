package templates

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// visible makes everything that a person cannot see, or that changes how other text reads, visible: control
// characters, marks and overrides of direction, characters without width, and bytes that are not UTF-8. Line breaks
// and tabs stay; joiners stay where they join.
func visible(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = lineBreaks.Replace(s)
	if !strings.ContainsFunc(s, suspect) {
		return s
	}
	var b strings.Builder
	prev := rune(-1)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if hides(prev, r, next) {
			fmt.Fprint(&b, mark(r))
		} else {
			b.WriteRune(r)
		}
		prev = r
	}
	return b.String()
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n") //nolint:gochecknoglobals // built once, never changed

func mark(r rune) string {
	switch {
	case r < 0x20:
		return string('\u2400' + r)
	case r == 0x7f:
		return "\u2421"
	default:
		return fmt.Sprintf("[U+%04X]", r)
	}
}

// hides reports whether r between prev and next cannot be seen as what it is.
func hides(prev, r, next rune) bool {
	switch {
	case r == zwj || r == zwnj:
		return !joins(prev) || !joins(next)
	case isTag(r): // the flags of England, Scotland and Wales are a black flag and tags
		return prev != '\U0001F3F4' && !isTag(prev)
	default:
		return suspect(r)
	}
}

// joins reports whether a joiner beside r has a purpose: emoji, and scripts whose letters join. What is made visible itself
// joins nothing, nor does the end of the text.
func joins(r rune) bool {
	return r >= 0x0600 && (r < 0x2000 || r > 0x20CF) && r != utf8.RuneError && !suspect(r)
}

func isTag(r rune) bool { return r >= 0xE0020 && r <= 0xE007F }

func suspect(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r == zwj, r == zwnj, bidi(r), blank(r):
		return true
	case r >= 0xFFF0 && r <= 0xFFFB, r&0xFFFE == 0xFFFE, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	default:
		return unicode.Is(unicode.Co, r)
	}
}

// bidi reports whether r sets the direction of the text around it.
func bidi(r rune) bool {
	return r == 0x061C || r == 0x200E || r == 0x200F || (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
}

// blank reports whether r is drawn as nothing, or as a space that is none.
func blank(r rune) bool {
	switch r {
	case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064,
		0x2065, 0x206A, 0x206B, 0x206C, 0x206D, 0x206E, 0x206F, 0x2800, 0x3164, 0xFEFF, 0xFFA0:
		return true
	}
	return false
}

// The first strong isolate and its end: Unicode Standard Annex 9.
const (
	isolate    = "\u2068"
	isolateEnd = "\u2069"
)

// isolated keeps text that runs from right to left from reordering what stands beside it: it is put between
// isolate and its end. s must be visible already, so that it holds neither.
func isolated(s string) string {
	if strings.ContainsFunc(s, fromRight) {
		return isolate + s + isolateEnd
	}
	return s
}

func fromRight(r rune) bool {
	return (r >= 0x0590 && r <= 0x08FF) || (r >= 0xFB1D && r <= 0xFDFF) || (r >= 0xFE70 && r <= 0xFEFC) ||
		(r >= 0x10800 && r <= 0x10FFF) || (r >= 0x1E800 && r <= 0x1EFFF)
}
