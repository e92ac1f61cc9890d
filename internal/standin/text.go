package standin

import (
	"strings"
	"unicode/utf8"
)

// storeText is text as Slack stores it: what is not an entity or a token of Slack's own is escaped. Slack measures the
// stored text, so 3,000 characters with an ampersand may be refused on the update that sends them back.
func storeText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, "&<>") {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexAny(s, "&<>")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		n, out := storeMark(s)
		b.WriteString(out)
		s = s[n:]
	}
	return b.String()
}

// storeMark stores what s begins with, one of & < >, and returns how many bytes of s that was.
func storeMark(s string) (n int, stored string) {
	switch s[0] {
	case '&':
		for _, e := range [...]string{"&amp;", "&lt;", "&gt;"} {
			if strings.HasPrefix(s, e) {
				return len(e), e
			}
		}
		return 1, "&amp;"
	case '>':
		return 1, "&gt;"
	}
	if end := strings.IndexByte(s, '>'); end > 0 && isToken(s[1:end]) {
		return end + 1, "<" + strings.ReplaceAll(s[1:end], "<", "&lt;") + ">"
	}
	return 1, "&lt;"
}

// isToken reports whether Slack reads <in> as a mention, a command or a link.
func isToken(in string) bool {
	if strings.ContainsAny(in, "\n<") {
		return false
	}
	for _, p := range [...]string{"@U", "@W", "#C", "#G", "!here", "!channel", "!everyone", "!subteam^", "!date^", "http://", "https://", "mailto:", "tel:"} {
		if strings.HasPrefix(in, p) {
			return true
		}
	}
	return false
}

// plain is stored text as a person reads it.
func plain(stored string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(stored)
}

// characters is the length that the limits are about. Slack does not say in what it counts: this counts code points.
func characters(s string) int { return utf8.RuneCountInString(s) }

// cutText keeps the first n characters.
func cutText(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
