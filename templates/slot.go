package templates

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops"
)

// A slot is a value in the way that it travels through a template: framed by control characters, which no visible
// text holds, so that what comes out tells our own words from a person, a moment, a link, or the text of others. A
// template that breaks a frame gets plain text: everything outside of a frame is escaped all the same.
type slot string

// The kinds of pieces that a sentence consists of.
const (
	ownPiece     = 'o' // our own words
	textPiece    = 't' // text of agents and people
	codePiece    = 'k' // the same, shown as code
	personPiece  = 'p' // extra: the Slack user id
	groupPiece   = 'g' // extra: the id of a Slack user group
	channelPiece = 'c' // a Slack channel's id
	momentPiece  = 'd' // extra: seconds since 1970
	clockPiece   = 'h' // the same, shown as the time of day
	linkPiece    = 'l' // extra: the URL
)

const (
	frameStart = '\x02'
	frameEnd   = '\x03'
	frameBold  = 'B'
	frameSep   = "\x1f"
)

type piece struct {
	kind  rune
	text  string
	extra string
	bold  bool
}

func (p piece) slot() slot {
	weight := "n"
	if p.bold {
		weight = string(frameBold)
	}
	return slot(string(frameStart) + string(p.kind) + weight + p.text + frameSep + p.extra + string(frameEnd))
}

// text frames text of others: made visible, and cut to limit.
func text(s string, limit int) slot {
	s = cut(visible(strings.TrimSpace(s)), limit)
	if s == "" {
		return ""
	}
	return piece{kind: textPiece, text: s}.slot()
}

func code(s string) slot {
	if s = visible(s); strings.TrimSpace(s) == "" {
		return ""
	}
	return piece{kind: codePiece, text: s}.slot()
}

func moment(t time.Time) slot { return momentOf(momentPiece, t) }

func clock(t time.Time) slot { return momentOf(clockPiece, t) }

func momentOf(kind rune, t time.Time) slot {
	if t.IsZero() {
		return ""
	}
	return piece{kind: kind, text: t.UTC().Format("2 Jan 2006 15:04 UTC"), extra: strconv.FormatInt(t.Unix(), 10)}.slot()
}

var (
	slackGroup   = regexp.MustCompile(`^@(S[A-Z0-9]{1,20})$`)
	slackUser    = regexp.MustCompile(`^(?:slack:T[A-Z0-9]*/)?([UW][A-Z0-9]{1,20})$`)
	slackChannel = regexp.MustCompile(`^[CGD][A-Z0-9]{1,20}$`)
)

// person frames whoever did something: a mention where the id is Slack's, else the name or the id as text.
func person(by *loops.By) slot {
	if by == nil {
		return ""
	}
	name := by.Name
	if name == "" {
		name = bareID(by.ID)
	}
	name = cut(visible(strings.TrimSpace(name)), 80)
	if m := slackUser.FindStringSubmatch(by.ID); m != nil {
		return piece{kind: personPiece, text: name, extra: m[1]}.slot()
	}
	if m := slackGroup.FindStringSubmatch(by.ID); m != nil {
		return piece{kind: groupPiece, text: name, extra: m[1]}.slot()
	}
	return text(name, 80)
}

func bareID(id string) string {
	if m := slackUser.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	for _, scheme := range []string{"cli:", "machine:", "loop:"} {
		if rest, ok := strings.CutPrefix(id, scheme); ok {
			return rest
		}
	}
	return id
}

func channel(id string) slot {
	if slackChannel.MatchString(id) {
		return piece{kind: channelPiece, text: id}.slot()
	}
	return text(id, 80)
}

func link(url, label string) slot { return piece{kind: linkPiece, text: label, extra: url}.slot() }

// framed is a sentence as a value of another one.
func framed(all []piece) slot {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(string(p.slot()))
	}
	return slot(b.String())
}

// bold is the function b of the templates: it makes what it is given bold.
func bold(v slot) slot {
	all := parse(string(v))
	for i := range all {
		all[i].bold = true
	}
	return framed(all)
}

// parse reads what a template wrote.
func parse(s string) []piece {
	var all []piece
	for s != "" {
		own, rest, framed := strings.Cut(s, string(frameStart))
		if own = visible(tidy(own)); own != "" {
			all = append(all, piece{kind: ownPiece, text: own})
		}
		if !framed {
			break
		}
		body, after, closed := strings.Cut(rest, string(frameEnd))
		p, ok := unframe(body)
		if !closed || !ok {
			all = append(all, piece{kind: textPiece, text: visible(tidy(body))})
		} else {
			all = append(all, p)
		}
		s = after
	}
	return trim(all)
}

func unframe(body string) (piece, bool) {
	runes := []rune(body)
	if len(runes) < 3 || !strings.ContainsRune("otkpgcdhl", runes[0]) {
		return piece{}, false
	}
	text, extra, ok := strings.Cut(string(runes[2:]), frameSep)
	return piece{kind: runes[0], text: text, extra: extra, bold: runes[1] == frameBold}, ok
}

// tidy drops the parts of broken frames.
func tidy(s string) string { return frames.Replace(s) }

var frames = strings.NewReplacer(string(frameStart), "", string(frameEnd), "", frameSep, "") //nolint:gochecknoglobals // built once, never changed

func trim(all []piece) []piece {
	if len(all) > 0 && all[0].kind == ownPiece {
		all[0].text = strings.TrimLeft(all[0].text, " \n\t")
	}
	if n := len(all); n > 0 && all[n-1].kind == ownPiece {
		all[n-1].text = strings.TrimRight(all[n-1].text, " \n\t")
	}
	return slices.DeleteFunc(all, func(p piece) bool { return p.kind == ownPiece && p.text == "" }) // Slack refuses empty text
}
