package templates

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// card is a card that is being drawn: what is asked above the bar, how to answer inside of it.
type card struct {
	w       *Words
	v       View
	r       *loops.Record
	f       facts
	budget  budget
	mute    bool // no buttons: for reading only
	top     []slack.Block
	bars    []slack.Attachment
	waiting bool // for the thread, without which not all can be read
}

// Card renders the card of a view, within every limit of Slack. While what is too long for it is not in the thread
// (View.Thread), it has no buttons.
func (w *Words) Card(v View) Message { return w.draw(v, false) }

func (w *Words) draw(v View, mute bool) Message {
	if v.Record == nil || len(v.Record.Questions) == 0 {
		return Message{Text: topText(w.words("say.unknown", facts{}), maxTop)}
	}
	c := &card{w: w, v: v, r: v.Record, f: w.facts(v), budget: budgetFor(len(v.Record.Questions)), mute: mute}
	c.waiting = c.open() && !v.Thread && len(w.parts(v.Record)) > 0
	c.head()
	if len(c.r.Questions) > 1 {
		c.batch()
	} else {
		c.single(c.r.Questions[0])
	}
	m := Message{Text: c.text(), Blocks: c.top, Attachments: c.bars}
	if !fits(m) {
		return w.Plain(v)
	}
	return m
}

func (c *card) open() bool { return c.v.End == "" }

func (c *card) head() {
	c.top = append(c.top, slack.NewHeaderBlock(plainText(c.badge(), maxHeader)))
	from := []slack.MixedElement{plainText(c.w.words("from", c.f), 600)}
	if links := c.links(); links != "" {
		from = append(from, slack.NewTextBlockObject(slack.MarkdownType, links, false, true))
	}
	c.top = append(c.top, slack.NewContextBlock("", from...))
	if c.v.Fallback != "" {
		f := c.f
		f.Channel = channel(c.v.Fallback)
		c.top = append(c.top, note(c.w.sentence("fallback", f)))
	}
	if p := c.v.First; p != nil {
		f := c.f
		f.Channel = channel(p.Channel)
		if _, ok := linkable(p.Link); ok {
			f.Link = link(linkTarget(p.Link), c.w.words("list.open", f))
		}
		c.top = append(c.top, note(c.w.sentence("first", f)))
	}
}

func (c *card) badge() string {
	f := c.f
	f.Kind = own(c.w.words("kind."+kindOf(c.r), f))
	f.State = own(c.w.words(c.state(), f))
	if c.open() && c.v.Holder != "" && c.v.Holder != c.r.Addressee {
		f.Holder = text(glyph(c.v.Holder)+" "+roleWord(c.v.Holder), 64)
	}
	return c.w.words("badge", f)
}

func kindOf(r *loops.Record) string {
	if r.Kind == loops.Fact {
		return "fact"
	}
	return "judgement"
}

// state is the sentence of the badge that says where the stop stands.
func (c *card) state() string {
	switch c.v.End {
	case loops.Answered:
		return "state.answered"
	case loops.Withdrawn:
		return "state.withdrawn"
	case loops.Expired:
		return "state.expired"
	}
	if len(c.r.Questions) > 1 && decided(c.v) > 0 {
		return "state.decided"
	}
	if c.r.Questions[0].URL != "" {
		return "state.page"
	}
	switch c.r.Concern {
	case loops.Scope, loops.Acceptance, loops.TradeOff, loops.Evidence, loops.Technique, loops.Verifiability:
		return "state." + string(c.r.Concern)
	case loops.Permission:
	}
	return "state.permission"
}

// holder is whose bar it is.
func (c *card) holder() string {
	if c.v.Holder != "" {
		return c.v.Holder
	}
	return c.r.Addressee
}

// bar adds a bar with its blocks: grey when there is nothing left to do in it.
func (c *card) bar(done bool, blocks ...slack.Block) {
	shade := colour(c.holder())
	if done {
		shade = grey
	}
	c.bars = append(c.bars, slack.Attachment{Color: shade, Blocks: slack.Blocks{BlockSet: blocks}})
}

func (c *card) silence() []piece {
	var said []piece
	add := func(name string, f facts) {
		if len(said) > 0 {
			said = append(said, piece{kind: ownPiece, text: " "})
		}
		said = append(said, c.w.sentence(name, f)...)
	}
	c.ahead(add)
	return said
}

// ahead names what happens if nobody answers.
func (c *card) ahead(add func(name string, f facts)) {
	f := c.f
	if s := c.v.Step; s != nil {
		f.Holder, f.Until = text(roleWord(s.To), 60), moment(s.At)
		switch {
		case s.Held:
			add("silence.held", f)
		case s.At.IsZero():
			add("silence.later", f)
		default:
			add("silence.step", f)
		}
	}
	f.Until = moment(c.v.CapAt)
	switch {
	case !c.r.Expires.IsZero() && (c.v.CapAt.IsZero() || c.r.Expires.Before(c.v.CapAt)):
		add("silence.expires", c.f)
	case !c.v.CapAt.IsZero():
		add("silence.cap", f)
	case c.v.Step == nil:
		add("silence.waits", c.f)
	}
}

// links are the pages of the loop and of the record that the stop is about, each by the host that it leads to.
func (c *card) links() string {
	var all []string
	add := func(name, address string) {
		if host, ok := linkable(address); ok {
			f := c.f
			f.Host = own(host)
			label := strings.Map(labelRune, cut(c.w.words(name, f), 120))
			all = append(all, markdown([]piece{{kind: linkPiece, text: label, extra: linkTarget(address)}}))
		}
	}
	add("link.loop", c.r.Loop.URL)
	if c.r.About != nil {
		add("link.about", c.r.About.URL)
	}
	return strings.Join(all, " · ")
}

// labelRune drops what would end the label of a link.
func labelRune(r rune) rune {
	if strings.ContainsRune("|<>\n", r) {
		return ' '
	}
	return r
}

var linkEscapes = strings.NewReplacer(" ", "%20", "@", "%40", "|", "%7C", "<", "%3C", ">", "%3E", "\"", "%22", "`", "%60", "\\", "%5C", "^", "%5E") //nolint:gochecknoglobals // built once, never changed

func linkTarget(address string) string { return linkEscapes.Replace(address) }

// linkable tells whether an address may become a link, and which host that link must name: https (http on
// loopback), no credentials, a host and a length that can be shown, nothing that hides.
func linkable(address string) (host string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || len(u.Host) > 255 || visible(address) != address {
		return "", false
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return "", false
	}
	if strings.ContainsAny(address, "\n\t") || width(linkTarget(address)) > 1000 || !plainHost(u.Host) {
		return "", false
	}
	return u.Host, true
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func plainHost(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(".-:[]_", r)
	})
}

// ask adds the message of a question, with the menu beside it.
func (c *card) ask(body string) {
	s := slack.NewSectionBlock(plainText(visible(body), c.budget.message), nil, nil)
	if menu := c.menu(); menu != nil {
		s.BlockID, s.Accessory = fmt.Sprintf("menu.r%d", c.v.Rev), slack.NewAccessory(menu)
	}
	c.top = append(c.top, s)
	c.cutNote(body, c.budget.message)
}

// cutNote says how much of a text is shown, where it is not all.
func (c *card) cutNote(body string, limit int) {
	if n := c.cutWords(body, limit); n != nil {
		c.top = append(c.top, note(n))
	}
}

func (c *card) cutWords(body string, limit int) []piece {
	body = visible(body)
	if width(body) <= limit {
		return nil
	}
	f := c.f
	f.Shown, f.Length = number(runes(cut(body, limit))-1), number(runes(body))
	if c.v.Thread {
		return c.w.sentence("cut.there", f)
	}
	return c.w.sentence("cut.coming", f)
}

func runes(s string) int { return len([]rune(s)) }

// menu is what may be done beside answering.
func (c *card) menu() slack.BlockElement {
	if c.mute || !c.open() {
		return nil
	}
	return c.overflow(c.verbs())
}

func (c *card) overflow(verbs []string) *slack.OverflowBlockElement {
	var items []*slack.OptionBlockObject
	for _, verb := range verbs {
		v := Value{Stop: c.r.ID, Option: -1, Verb: verb, Rev: c.v.Rev}
		items = append(items, slack.NewOptionBlockObject(v.Encode(), plainText(c.w.words("button."+verb, c.f), maxLabel), nil))
	}
	return slack.NewOverflowBlockElement("menu", items...)
}

// verbs are the items of the menu, five at most. A call is declined by its button.
func (c *card) verbs() []string {
	var all []string
	if len(c.r.Questions) == 1 && c.r.Questions[0].Call == nil {
		all = append(all, VerbDecline)
	}
	if c.v.Taken == nil {
		all = append(all, VerbTake)
	} else {
		all = append(all, VerbRelease)
	}
	if c.holder() != loops.Facilitator {
		all = append(all, VerbNotMine)
	}
	return append(all, VerbMore, VerbDetails)
}

// button has no style, and a label for those who hear it that starts with the words on it.
func (c *card) button(v Value, name string, number slot, about string) *slack.ButtonBlockElement {
	label := c.w.words("button."+name, c.f)
	f := c.f
	f.Label, f.Number, f.Title = own(label), number, text(strings.Join(strings.Fields(about), " "), maxLabel)
	action := name
	if v.Verb == "" {
		action = fmt.Sprintf("%s.%d", name, v.Option)
	}
	b := slack.NewButtonBlockElement(action, v.Encode(), plainText(label, maxLabel))
	if aloud := c.w.words("aloud", f); aloud != label && strings.HasPrefix(aloud, label) {
		b.AccessibilityLabel = cut(aloud, maxLabel)
	}
	return b
}

func (c *card) value(q loops.Question, verb string) Value {
	return Value{Stop: c.r.ID, Key: q.Key, Option: -1, Verb: verb, Rev: c.v.Rev}
}
