package loops

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// where says in which text a recommendation is looked for: what marks a title can be ordinary in a sentence.
type where int

const (
	inMessage where = iota
	inExample
	inProperty
)

// brackets are what a mark can stand in, as plain leaves them.
const brackets = "([{*<"

const recommendsHint = "Nothing may be recommended here: the reader chooses. "

// recommends looks for a sentence in which the asker recommends, and for an option that is marked inside a text.
func (c *checker) recommends(pointer, text string, in where) {
	folded := plain(text)
	if !hasAny(folded, adviceStems) {
		return
	}
	if strings.Contains(folded, `"`) {
		folded = quoted.ReplaceAllString(folded, ` "" `)
	}
	if in != inProperty && strings.ContainsAny(folded, brackets) && bracketMark.MatchString(folded) {
		c.fault(codeRecommends, pointer, recommendsHint+"Leave out the mark that prefers one answer.")
		return
	}
	for _, sentence := range sentences(folded) {
		if advises(sentence) || in != inProperty && labelStart.MatchString(sentence) {
			c.fault(codeRecommends, pointer, recommendsHint+"Say what each answer would mean instead of which one you would take.")
			return
		}
	}
}

func hasAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// marks looks for what sets one option's title above the others.
func (c *checker) marks(pointers []string, options []Option) {
	starred, bare := 0, 0
	stars := make([]bool, len(options))
	for i, o := range options {
		if stars[i] = star(o.Title); stars[i] {
			starred++
		} else {
			bare++
		}
	}
	for i, o := range options {
		folded := plain(o.Title)
		// A star on every option but the null one is an ornament.
		if stars[i] && (bare > 1 || starred == 1) || titleMark(folded) {
			c.fault(codeRecommends, pointers[i], recommendsHint+"Leave out of the title what marks it as the better one.")
		}
	}
}

func titleMark(folded string) bool {
	if strings.ContainsAny(folded, brackets) &&
		(bracketMark.MatchString(folded) || bracketTitleMark.MatchString(folded) || scoreMark.MatchString(folded)) {
		return true
	}
	if !hasAny(folded, adviceStems) {
		return false
	}
	return labelMark.MatchString(folded) || slices.ContainsFunc(sentences(folded), func(s string) bool {
		return advises(s) || labelStart.MatchString(s)
	})
}

// star reports whether a title begins or ends with a glyph that singles it out. A rating such as "4 ★", "★★★" alone
// or "★ and more" after a number does not.
func star(title string) bool {
	title = strings.TrimSpace(strings.ReplaceAll(title, "\uFE0F", ""))
	rest := strings.TrimSpace(strings.Trim(title, starGlyphs+" "))
	for _, code := range starCodes {
		rest = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(rest, code), code))
	}
	if rest == title || strings.IndexFunc(rest, unicode.IsLetter) < 0 {
		return false
	}
	if strings.HasPrefix(title, rest) { // at the end
		return !endsInDigit(rest)
	}
	return true
}

func endsInDigit(s string) bool {
	return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// advises reports whether the asker's own voice recommends in a folded sentence.
func advises(sentence string) bool {
	if !hasAny(sentence, adviceStems) {
		return false
	}
	asks := strings.HasSuffix(sentence, "?")
	if !advice.MatchString(sentence) && (asks || !inverted.MatchString(sentence)) {
		return false
	}
	return !asksAboutAdvice.MatchString(sentence) && !advicePractice.MatchString(sentence)
}

// sentences cuts a folded text after what ends a sentence, and keeps the end.
func sentences(folded string) []string {
	var out []string
	for folded != "" {
		i := strings.IndexAny(folded, ".!?\n")
		if i < 0 {
			return append(out, strings.TrimSpace(folded))
		}
		if s := strings.TrimSpace(folded[:i+1]); s != "" {
			out = append(out, s)
		}
		folded = folded[i+1:]
	}
	return out
}

var quoted = regexp.MustCompile(`"[^"\n]{0,400}"`)
