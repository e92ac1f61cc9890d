package bot

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"flagstop/templates"
)

// takeCommand reads a slash command.
func (h *hand) takeCommand(raw json.RawMessage) (do func(context.Context), key string) {
	var c struct {
		Command     string `json:"command"`
		Text        string `json:"text"`
		TeamID      string `json:"team_id"`
		UserID      string `json:"user_id"`
		UserName    string `json:"user_name"`
		ChannelID   string `json:"channel_id"`
		ResponseURL string `json:"response_url"`
		TriggerID   string `json:"trigger_id"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return h.unknown("a command that is not an object of strings"), ""
	}
	h.who = person{team: c.TeamID, user: c.UserID, name: c.UserName, channel: c.ChannelID, respond: c.ResponseURL}
	return func(ctx context.Context) {
		h.answer(nil) // what is asked for comes over the response URL
		if t := wordingOf(c.Text); strings.HasSuffix(c.Command, "oncall") {
			h.oncall(ctx, c.Command, strings.Fields(t.text))
		} else {
			h.stops(ctx, c.Command, t)
		}
	}, deliveryKey(string(SlashCommand), c.TriggerID)
}

// wording is what follows the name of a slash command.
type wording struct {
	text string // all of it
	verb string // its first word, in small letters
	args string // what follows the verb
	id   string // the first word of that
	rest string // what follows the id, as it was typed
}

func wordingOf(text string) wording {
	t := wording{text: strings.TrimSpace(asTyped(text))}
	t.verb, t.args = cutWord(t.text)
	t.id, t.rest = cutWord(t.args)
	t.verb, t.id = strings.ToLower(t.verb), strings.Trim(t.id, "`")
	return t
}

// cutWord cuts the first word off a text.
func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}

// asTyped takes away what Slack escapes in text that people type: what is kept is what was typed, and is escaped again when
// it is shown. https://docs.slack.dev/messaging/formatting-message-text#escaping
func asTyped(text string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(strings.ToValidUTF8(text, "\uFFFD"))
}

// stops answers /stops: a list, one stop, something that is no answer, or help.
func (h *hand) stops(ctx context.Context, name string, t wording) {
	do, ok := h.actionTyped(ctx, t)
	l, isList := h.listingOf(name, t)
	switch {
	case isList:
		h.list(ctx, l, h.tell)
	case t.verb == "show" && t.id != "" && t.rest == "":
		h.showStop(ctx, t.id)
	case ok && t.id != "":
		h.recordTyped(ctx, h.typing(t, do))
	case t.text == "help":
		h.help(ctx, name, "")
	default:
		h.help(ctx, name, t.text)
	}
}

func (h *hand) help(ctx context.Context, name, unread string) {
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.Help(name, unread))
}

// showStop shows one stop with its log to somebody who may see it.
func (h *hand) showStop(ctx context.Context, id string) {
	stop, err := h.ledger.Read(ctx, id)
	if err != nil {
		e, err := unread(err)
		if err != nil {
			h.log.WarnContext(ctx, "a stop was not shown", "err", err)
			e = ending{sentence: templates.SayNotListed, result: ClickFaulty}
		}
		h.finish(ctx, e.hiding())
		return
	}
	if d := h.maySee(ctx, stop); !d.OK {
		e := stranger(stop, "", d)
		e.sentence = templates.SayUnseen
		h.finish(ctx, e)
		return
	}
	h.metrics.Click(ClickOpened)
	h.tell(ctx, h.words.Show(viewOf(stop), logLines(stop.Log)))
}
