package loops

import (
	"regexp"
	"strings"
	"unicode"
)

// forThinker checks a judgement that is put to the product thinker: one choice with an example of each answer, in words
// that need no terminal.
func (c *checker) forThinker(o *node, at string, q *Question) {
	c.inPlainWords(at+"/message", q.Message)
	const hint = "The product thinker answers one single select: write the answers out as options, or ask the facilitator."
	switch {
	case q.Call != nil:
		c.fault(codeNotSelect, at+"/call", hint)
	case o.get("url") != nil:
		c.fault(codeNotSelect, at+"/url", hint)
	case q.Schema != nil && len(q.Schema.Properties) == 0:
		c.fault(codeNotSelect, at+"/requestedSchema", hint)
	}
	if q.Schema == nil {
		return
	}
	properties := o.get("requestedSchema").get("properties")
	for i := range q.Schema.Properties {
		p := &q.Schema.Properties[i]
		here := at + "/requestedSchema/properties/" + escapePointer(p.Name)
		c.inPlainWords(here+"/title", p.Title)
		c.inPlainWords(here+"/description", p.Description)
		if p.Type != SelectProperty {
			c.fault(codeNotSelect, here, hint)
			continue
		}
		c.examples(properties.get(p.Name), here, p, q.NullOption)
	}
}

func (c *checker) examples(o *node, at string, p *Property, null string) {
	places, titles := optionPlaces(o, at, len(p.Options))
	for i := range p.Options {
		opt := &p.Options[i]
		c.inPlainWords(titles[i], opt.Title)
		c.inPlainWords(places[i]+"/description", opt.Description)
		if opt.Const != null && blank(opt.Description) {
			c.fault(codeExample, places[i]+"/description", "Add an example: what this answer would mean in practice.")
		}
	}
}

// inPlainWords holds that a text can be read by somebody who is not at a terminal.
func (c *checker) inPlainWords(pointer, text string) {
	switch {
	case text == "":
	case pointsIntoFile(text):
		c.fault(codeLocation, pointer, "A place in a file stands here. Say in words what is there, and quote it where the text itself is the question.")
	case hasCommand(text):
		c.fault(codeCommand, pointer, "A shell command stands here. Say what it would do for the people who use the product.")
	case hasRecordID(text):
		c.fault(codeRecordID, pointer, "A bare id stands here. Say in words what it names, and put the id into about.")
	case hasCommitHash(text):
		c.fault(codeHash, pointer, "A commit hash stands here. Say in words what was changed.")
	}
}

func pointsIntoFile(text string) bool {
	if strings.ContainsAny(text, "0123456789") && (fileLine.MatchString(text) || lineOfFile.MatchString(text)) {
		return true
	}
	return strings.Contains(text, "/") && sourcePath.MatchString(text)
}

func hasCommand(text string) bool {
	if !hasAny(text, commandParts) {
		return false
	}
	if commandAnywhere.MatchString(text) {
		return true
	}
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		if commandAlone.MatchString(span[1]) {
			return true
		}
	}
	return false
}

func hasCommitHash(text string) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for _, i := range hexRun.FindAllStringIndex(text, -1) {
		run := text[i[0]:i[1]]
		if i[0] > 0 && text[i[0]-1] == '#' && len(run) <= 8 {
			continue // a colour
		}
		letters := strings.IndexFunc(run, unicode.IsLetter) >= 0
		digits := strings.IndexFunc(run, unicode.IsDigit) >= 0
		if letters && digits && (len(run) > 9 || mixed(run) || hashCue.MatchString(text[:i[0]])) {
			return true
		}
	}
	return false
}

// mixed tells a short hash from a type such as 767300f: at least two letters and two digits.
func mixed(run string) bool {
	letters := 0
	for _, r := range run {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2 && len(run)-letters >= 2
}

func hasRecordID(text string) bool {
	if !strings.ContainsAny(text, "0123456789") || !strings.ContainsAny(text, "-_") {
		return false
	}
	if uuidForm.MatchString(text) {
		return true
	}
	for _, m := range idShape.FindAllStringSubmatch(text, -1) {
		if isRecordID(m[1], m[2]) {
			return true
		}
	}
	return false
}

// isRecordID tells itd-169 and PROJ-1234 from UTF-8, COVID-19 and top-10.
func isRecordID(prefix, digits string) bool {
	lower := strings.ToLower(prefix)
	switch {
	case recordPrefixes[lower]:
		return true
	case nameOfNumber[lower]:
		return false
	case len(digits) >= 7:
		return true
	case prefix == lower:
		return len(prefix) <= 4 && len(digits) >= 2
	case prefix == strings.ToUpper(prefix):
		return len(prefix) >= 3 && len(digits) >= 2
	default:
		return false
	}
}

var (
	uuidForm = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	idShape  = regexp.MustCompile(`(?:^|[^\pL\pN_/.-])([A-Za-z]{2,12})[-_]([0-9]{1,20})(?:\b|_)`)
	hexRun   = regexp.MustCompile(`\b[0-9a-f]{7,64}\b`)
	hashCue  = regexp.MustCompile(`(?i)\b(?:commit|revision|sha|hash)\b[ :=(]*$`)
	codeSpan = regexp.MustCompile("`+([^`\n]+)`+")
)
