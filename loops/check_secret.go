package loops

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// asksSecret holds that a form asks for no secret: MCP elicitation wants URL mode for that.
func (c *checker) asksSecret(at string, p *Property) {
	number := p.Type == NumberProperty || p.Type == IntegerProperty
	text := p.Type == StringProperty && (p.Format == "" || p.Format == "uri")
	if !number && !text {
		return
	}
	const hint = "A form must not ask for a secret. Ask with the mode url and a page that takes it."
	switch {
	case namesSecret(splitName(p.Name), number):
		c.fault(codeSecret, at, hint)
	case namesSecret(p.Title, number):
		c.fault(codeSecret, at+"/title", hint)
	case namesSecret(p.Description, number):
		c.fault(codeSecret, at+"/description", hint)
	}
}

var (
	pinForm    = regexp.MustCompile(`^(?:[\w' ]{0,20} )?PIN(?: (?:for|of)\b.*)?$`)
	phraseEnds = regexp.MustCompile(`[.,;:!?()\[\]{}<>"\n/|]| - `)
)

// splitName writes the name of a property as words: apiKey, API_KEY and api-key are "api key".
func splitName(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && next) {
			b.WriteByte(' ')
		}
		if unicode.IsDigit(r) && i > 0 && unicode.IsLetter(runes[i-1]) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// namesSecret reports whether a text asks for a secret; of a number property only those that are numbers.
func namesSecret(text string, number bool) bool {
	for _, part := range phraseEnds.Split(text, -1) {
		if pinForm.MatchString(strings.TrimSpace(part)) && !strings.Contains(part, "GPIO") {
			return true
		}
		ws := strings.FieldsFunc(plain(part), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if asksFor(ws, secretNumbers) || !number && asksFor(ws, secretNames) {
			return true
		}
	}
	return false
}

func asksFor(ws []string, names [][]string) bool {
	for i := range ws {
		for _, name := range names {
			if startsWith(ws[i:], name) && leads(ws[:i], name) && follows(ws[i+len(name):], name) {
				return true
			}
		}
	}
	return false
}

func startsWith(ws, name []string) bool {
	return len(ws) >= len(name) && slices.Equal(ws[:len(name)], name)
}

// leads reports whether what stands before the name of a secret leaves it what is asked for.
func leads(before, name []string) bool {
	if i := lastOf(before, secretAsks); i >= 0 {
		if slices.ContainsFunc(before[:i], func(w string) bool { return secretNegations[w] }) {
			return false
		}
		before = before[i+1:]
	}
	const most = 5
	if len(before) > most {
		return false
	}
	special := secretBlockersOf[strings.Join(name, " ")]
	return !slices.ContainsFunc(before, func(w string) bool {
		return secretBlockers[w] || secretNegations[w] || special[w]
	})
}

func lastOf(ws []string, among map[string]bool) int {
	for i, w := range slices.Backward(ws) {
		if among[w] {
			return i
		}
	}
	return -1
}

// follows reports whether what stands after the name leaves it the head of its phrase.
func follows(after, name []string) bool {
	if len(after) == 0 || secretFollowers[after[0]] {
		return true
	}
	common := len(name) == 1 && (name[0] == "token" || name[0] == "secret")
	return after[0] == "to" && !common
}
