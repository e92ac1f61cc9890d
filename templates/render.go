package templates

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/slack-go/slack"
)

// plain renders a sentence as bare text: people by name, moments in UTC.
func plain(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		switch p.kind {
		case channelPiece:
			b.WriteString("#" + p.text)
		case textPiece, codePiece, personPiece, groupPiece:
			b.WriteString(isolated(p.text))
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

var broadcast = regexp.MustCompile(`(?i)@(everyone|channel|here)`)

// topText renders bare text as the top-level text of a message: escaped, within limit, and with the words that could
// call a whole channel broken by an invisible joiner, in case that somebody sends it with link_names.
func topText(s string, limit int) string {
	return escape(cut(broadcast.ReplaceAllString(s, "@\u2060$1"), limit))
}

// markdown renders a sentence as mrkdwn. Text of others stands in it only where no character of it means anything
// there: harmless tells.
func markdown(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		s := escape(p.text)
		switch p.kind {
		case personPiece:
			s = "<@" + p.extra + ">"
		case groupPiece:
			s = "<!subteam^" + p.extra + ">"
		case channelPiece:
			s = "<#" + p.text + ">"
		case momentPiece:
			s = "<!date^" + p.extra + "^{date_short} at {time}|" + s + ">"
		case clockPiece:
			s = "<!date^" + p.extra + "^{time}|" + s + ">"
		case linkPiece:
			s = "<" + escape(p.extra) + "|" + s + ">"
		case textPiece, codePiece:
			s = escape(isolated(p.text))
		}
		if p.bold && strings.TrimSpace(s) != "" {
			s = "*" + s + "*"
		}
		b.WriteString(s)
	}
	return b.String()
}

// harmless tells whether text of others in a sentence means nothing in mrkdwn once it is escaped. There is no escape
// for the marks of emphasis and code, nor for the codes of emoji; a line break could begin a quotation.
func harmless(all []piece) bool {
	for _, p := range all {
		switch p.kind {
		case codePiece:
			return false
		case textPiece:
			if strings.ContainsAny(p.text, "*_~`@#|\\\n") || emojiCode.MatchString(p.text) {
				return false
			}
		case ownPiece:
			if strings.ContainsAny(p.text, "*_~`@#|\\<>&") {
				return false
			}
		}
	}
	return true
}

var emojiCode = regexp.MustCompile(`:[^\s:]+:`)

// rich renders a sentence as the elements of a rich text section, in which nothing is parsed.
func rich(all []piece) []slack.RichTextSectionElement {
	var out []slack.RichTextSectionElement
	for _, p := range all {
		style := styleOf(p)
		switch p.kind {
		case personPiece:
			out = append(out, slack.NewRichTextSectionUserElement(p.extra, style))
		case groupPiece:
			out = append(out, slack.NewRichTextSectionUserGroupElement(p.extra))
		case channelPiece:
			out = append(out, slack.NewRichTextSectionChannelElement(p.text, style))
		case momentPiece, clockPiece:
			out = append(out, dateElement(p))
		case linkPiece:
			out = append(out, slack.NewRichTextSectionLinkElement(p.extra, p.text, style))
		case textPiece, codePiece:
			out = append(out, slack.NewRichTextSectionTextElement(isolated(p.text), style))
		default:
			out = append(out, slack.NewRichTextSectionTextElement(p.text, style))
		}
	}
	return out
}

func dateElement(p piece) slack.RichTextSectionElement {
	seconds, err := strconv.ParseInt(p.extra, 10, 64)
	if err != nil { // a template tore the frame
		return slack.NewRichTextSectionTextElement(p.text, nil)
	}
	format := "{date_short} at {time}"
	if p.kind == clockPiece {
		format = "{time}"
	}
	return slack.NewRichTextSectionDateElement(seconds, format, nil, &p.text)
}

func styleOf(p piece) *slack.RichTextSectionTextStyle {
	if !p.bold && p.kind != codePiece {
		return nil
	}
	return &slack.RichTextSectionTextStyle{Bold: p.bold, Code: p.kind == codePiece}
}

// section is a section of a rich text block.
func section(all []piece) *slack.RichTextSection { return slack.NewRichTextSection(rich(all)...) }

// richBlock is a rich text block. Sections that follow each other are one with a line break between, because Slack
// draws them in one line.
func richBlock(elements ...slack.RichTextElement) *slack.RichTextBlock {
	var all []slack.RichTextElement
	for _, e := range elements {
		next, isSection := e.(*slack.RichTextSection)
		if isSection && len(all) > 0 {
			if last, ok := all[len(all)-1].(*slack.RichTextSection); ok {
				last.Elements = append(append(last.Elements, bareText("\n")...), next.Elements...)
				continue
			}
		}
		all = append(all, e)
	}
	return slack.NewRichTextBlock("", all...)
}

// preformatted is text of others in a fixed width, every character as it is.
func preformatted(s string) *slack.RichTextPreformatted {
	return &slack.RichTextPreformatted{Type: slack.RTEPreformatted, Elements: bareText(s)}
}

// quoted is text of others as a quotation.
func quoted(s string) *slack.RichTextQuote {
	return &slack.RichTextQuote{Type: slack.RTEQuote, Elements: bareText(s)}
}

func bareText(s string) []slack.RichTextSectionElement {
	if s == "" {
		s = "–"
	}
	return []slack.RichTextSectionElement{slack.NewRichTextSectionTextElement(s, nil)}
}

// plainText is a plain_text object: no mark-up, no emoji codes, at most limit wide. Slack escapes by itself what it
// takes for mark-up in a plain_text and reads entities that are there already, so those are escaped first.
func plainText(s string, limit int) *slack.TextBlockObject {
	out := literal(cut(s, limit))
	for room := limit; width(out) > limit; {
		room -= width(out) - limit
		out = literal(cut(s, max(1, room)))
	}
	if strings.TrimSpace(out) == "" {
		out = "–" // Slack refuses blank text
	}
	return slack.NewTextBlockObject(slack.PlainTextType, out, false, false)
}

func literal(s string) string { return anEntity.ReplaceAllString(s, "&amp;$1;") }

var anEntity = regexp.MustCompile(`&(amp|lt|gt);`)

// note is a small grey line. A sentence in which text of others would mean something as mrkdwn is a rich text block.
func note(all []piece) slack.Block {
	bare := true
	for _, p := range all {
		bare = bare && !p.bold && (p.kind == ownPiece || p.kind == textPiece)
	}
	switch {
	case bare:
		return slack.NewContextBlock("", plainText(plain(all), maxText))
	case harmless(all) && width(markdown(all)) <= maxText:
		return slack.NewContextBlock("", slack.NewTextBlockObject(slack.MarkdownType, markdown(all), false, true))
	default:
		return richBlock(section(all))
	}
}
