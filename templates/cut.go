package templates

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// ellipsis is the mark of every cut.
const ellipsis = "…"

// escape writes the three characters that Slack takes for markup as entities, and nothing else.
func escape(s string) string { return entities.Replace(s) }

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;") //nolint:gochecknoglobals // built once, never changed

// width is the length that counts against every limit of Slack: of the escaped text, in code points or UTF-16 units,
// whichever is more, because Slack says neither.
func width(s string) int {
	runes, units, more := 0, 0, 0
	for _, r := range s {
		runes++
		units += max(1, utf16.RuneLen(r))
		more += entity(r)
	}
	return max(runes, units) + more
}

func entity(r rune) int {
	switch r {
	case '&':
		return len("&amp;") - 1
	case '<', '>':
		return len("&lt;") - 1
	}
	return 0
}

// cut shortens s to a width of at most limit, on the edge of a character as people see it, with a visible mark.
func cut(s string, limit int) string {
	if width(s) <= limit {
		return s
	}
	open := strings.Count(s, isolate)
	head, _ := split(s, max(0, limit-1-min(1, open)))
	head = strings.TrimRightFunc(head, unicode.IsSpace) + ellipsis
	if strings.Count(head, isolate) > strings.Count(head, isolateEnd) {
		head += isolateEnd
	}
	return head
}

// split takes as many whole characters from the front of s as fit into limit.
func split(s string, limit int) (head, tail string) {
	at, used := 0, 0
	for at < len(s) {
		n := cluster(s[at:])
		w := width(s[at : at+n])
		if used+w > limit {
			break
		}
		at, used = at+n, used+w
	}
	return s[:at], s[at:]
}

// chunks splits s into parts of at most limit, at the end of a line where one is near. Joined they are s. The limit
// is at least as much as the widest character: a hundred and sixty.
func chunks(s string, limit int) []string {
	var all []string
	for s != "" {
		head, tail := split(s, limit)
		if nl := strings.LastIndexByte(head, '\n'); tail != "" && nl > len(head)/2 {
			head, tail = s[:nl+1], s[nl+1:]
		}
		if head == "" {
			return append(all, s)
		}
		all, s = append(all, head), tail
	}
	return all
}

// longestCluster bounds what counts as one character: more marks than this on one letter are a trick.
const longestCluster = 32

// cluster is the length in bytes of the first character of s as people see it: the parts of Unicode Standard Annex 29
// that a cut can tear (marks, joined emoji, flags, Hangul syllables).
func cluster(s string) int {
	prev, n := utf8.DecodeRuneInString(s)
	flags := 0
	if regional(prev) {
		flags = 1
	}
	for count := 1; n < len(s) && count < longestCluster; count++ {
		r, size := utf8.DecodeRuneInString(s[n:])
		if regional(r) && flags == 1 {
			flags = 2
		} else if !glued(prev, r) {
			break
		}
		prev, n = r, n+size
	}
	return n
}

func glued(prev, r rune) bool {
	switch {
	case prev == '\n' || prev == '\r':
		return prev == '\r' && r == '\n'
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r == zwj, r == zwnj, r >= 0x1F3FB && r <= 0x1F3FF, isTag(r):
		return true
	case prev == zwj:
		return r >= 0x0600
	default:
		return hangul(prev, r)
	}
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

func hangul(prev, r rune) bool {
	lead := prev >= 0x1100 && prev <= 0x115F
	vowel := r >= 0x1160 && r <= 0x11A7
	tail := r >= 0x11A8 && r <= 0x11FF
	syllable := (prev >= 0xAC00 && prev <= 0xD7A3) || (prev >= 0x1160 && prev <= 0x11FF)
	return lead && (vowel || (r >= 0x1100 && r <= 0x115F) || (r >= 0xAC00 && r <= 0xD7A3)) || syllable && (vowel || tail)
}
