package bot

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/internal/rosters"
	"flagstop/routing"
	"flagstop/templates"
)

// oncall answers `/oncall`.
func (h *hand) oncall(ctx context.Context, name string, words []string) {
	h.metrics.Click(ClickOpened)
	verb, rest := "", words
	if len(words) > 0 {
		verb, rest = strings.ToLower(words[0]), words[1:]
	}
	switch verb {
	case "", "now":
		h.tell(ctx, h.words.Duties(h.duties(time.Now(), 0)))
		return
	case "next":
		if n, ok := turns(rest); ok {
			h.tell(ctx, h.words.Duties(h.duties(time.Now(), n)))
			return
		}
	case "override", "swap", "clear", "log":
		h.rota(ctx, name, verb, rest)
		return
	case "help":
		h.tell(ctx, h.words.RotaHelp(name, ""))
		return
	}
	h.tell(ctx, h.words.RotaHelp(name, strings.Join(words, " ")))
}

// turns is how many of the coming changes were asked for: 8 where nothing was said.
func turns(words []string) (int, bool) {
	if len(words) == 0 {
		return 8, true
	}
	n, err := strconv.Atoi(words[0])
	return n, err == nil && len(words) == 1 && n >= 1 && n <= 20
}

// duties are who is on call for each role with a rotation, as routing says.
func (b *Bot) duties(at time.Time, next int) []templates.OnDuty {
	var all []templates.OnDuty
	c := b.config()
	for _, role := range rolesWithRotation(c) {
		d := routing.OnCall(c.Team(role), at)
		x := templates.OnDuty{Role: role, Users: d.Users, Until: d.Until, Next: d.Next, NextFrom: d.NextFrom, Why: d.Why}
		for t := range routing.Duties(c.Team(role), at) {
			if len(x.Coming) >= next {
				break
			}
			if t.At.After(at) {
				x.Coming = append(x.Coming, templates.Turn{At: t.At, Users: t.Users})
			}
		}
		all = append(all, x)
	}
	return all
}

func rolesWithRotation(c routing.Config) []string {
	var names []string
	for name, role := range c.Roles {
		if role.Rotation != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// errUnread says that a command was not understood.
var errUnread = errors.New("not understood")

// rota changes a rotation, or shows what was changed.
func (h *hand) rota(ctx context.Context, name, verb string, words []string) {
	rotation, words := h.rotationOf(words)
	c, err := h.rotaChange(ctx, rotation, verb, words)
	switch {
	case errors.Is(err, errUnread) || rotation == "":
		h.tell(ctx, h.words.RotaHelp(name, strings.Join(append([]string{verb}, words...), " ")))
	case err != nil:
		h.tell(ctx, h.words.RotaRefused(capitalised(err.Error())+"."))
	case verb == "log":
		h.rotaLog(ctx, rotation)
	default:
		h.tell(ctx, h.words.RotaChanged(changeView(rotation, c)))
		h.announce(ctx, rotation, c)
	}
}

// rotationOf is the rotation that the last word names, or the only one there is.
func (h *hand) rotationOf(words []string) (rotation string, rest []string) {
	all := h.config().Rotations
	if n := len(words); n > 0 {
		if _, ok := all[words[n-1]]; ok {
			return words[n-1], words[:n-1]
		}
	}
	if len(all) == 1 {
		for name := range all {
			return name, words
		}
	}
	return "", words
}

// rotaChange notes the change that a command says, if its person may. Of "log" there is none.
func (h *hand) rotaChange(ctx context.Context, rotation, verb string, words []string) (rosters.Change, error) {
	now := time.Now()
	by := h.who.id()
	if h.rosters == nil || rotation == "" {
		return rosters.Change{}, errUnread
	}
	if verb == "log" {
		return rosters.Change{}, nil
	}
	if d := h.mayRota(ctx, rotation, now); !d.OK {
		return rosters.Change{}, errors.New(strings.TrimSuffix(d.Reason, "."))
	}
	c, err := readChange(verb, words, h.config().Zone(rotation), now)
	if err != nil {
		return rosters.Change{}, err
	}
	switch verb {
	case "clear":
		return h.rosters.Clear(ctx, rotation, words[0], by)
	case "swap":
		a, _ := routing.ParseDate(c.A) // readChange has read it
		b, _ := routing.ParseDate(c.B)
		err = h.config().Rotations[rotation].CheckSwap(routing.Swap{A: a, B: b}, now)
	default:
		err = routing.Override{Out: c.Out, In: c.In, From: c.From, Until: c.Until}.Check(now)
	}
	if err != nil {
		return rosters.Change{}, err
	}
	c.By = by
	return h.rosters.Add(ctx, rotation, c)
}

// mayRota asks routing, with the user groups of the roles that have the rotation.
func (h *hand) mayRota(ctx context.Context, rotation string, now time.Time) routing.Decision {
	var groups []string
	for name, role := range h.config().Roles {
		if role.Rotation == rotation {
			groups = append(groups, routing.Groups(h.config(), routing.Asked{Addressee: name})...)
		}
	}
	may := func(x routing.Answerer) bool { return routing.MayChange(h.config(), rotation, x, now).OK }
	return routing.MayChange(h.config(), rotation, h.known(ctx, h.who, groups, may), now)
}

var mention = regexp.MustCompile(`^<@([UW][A-Z0-9]{1,30})(?:\|[^>]*)?>$`)

// readChange reads what follows the verb: people as mentions, times in the rotation's zone.
func readChange(verb string, words []string, zone *time.Location, now time.Time) (rosters.Change, error) {
	switch verb {
	case "clear":
		if len(words) == 1 {
			return rosters.Change{}, nil
		}
	case "swap":
		if len(words) != 2 {
			break
		}
		_, errA := routing.ParseDate(words[0])
		_, errB := routing.ParseDate(words[1])
		return rosters.Change{A: words[0], B: words[1]}, errors.Join(errA, errB)
	case "override":
		return readOverride(words, zone, now)
	}
	return rosters.Change{}, errUnread
}

// readOverride reads "@who [for @whom] 4h" or "… from T until T"; "none" is nobody.
func readOverride(words []string, zone *time.Location, now time.Time) (rosters.Change, error) {
	c := rosters.Change{From: now.UTC().Truncate(time.Second)}
	var ok bool
	if len(words) == 0 {
		return c, errUnread
	}
	if c.In, ok = mentioned(words[0]); !ok {
		return c, errUnread
	}
	words = words[1:]
	if len(words) >= 2 && words[0] == "for" {
		if c.Out, ok = mentioned(words[1]); !ok || c.Out == "" {
			return c, errUnread
		}
		words = words[2:]
	}
	var err error
	if len(words) >= 2 && words[0] == "from" {
		if c.From, err = routing.ParseMoment(words[1], zone); err != nil {
			return c, err
		}
		words = words[2:]
	}
	switch {
	case len(words) == 2 && words[0] == "until":
		c.Until, err = routing.ParseMoment(words[1], zone)
	case len(words) == 1:
		var d time.Duration
		d, err = routing.ParseDuration(words[0])
		c.Until = c.From.Add(d)
	default:
		return c, errUnread
	}
	c.From, c.Until = c.From.UTC(), c.Until.UTC()
	return c, err
}

// mentioned is the user of a mention, "" for none.
func mentioned(word string) (user string, ok bool) {
	if word == "none" {
		return "", true
	}
	m := mention.FindStringSubmatch(word)
	if m == nil {
		return "", false
	}
	return m[1], true
}

func changeView(rotation string, c rosters.Change) templates.RotaChange {
	by := c.By
	if _, user, ok := strings.Cut(by, "/"); ok && strings.HasPrefix(by, "slack:") {
		by = user
	}
	return templates.RotaChange{
		ID: c.ID, Rotation: rotation, By: by, Out: c.Out, In: c.In, From: c.From, Until: c.Until, A: c.A, B: c.B, Clears: c.Clears,
	}
}

// rotaLog shows the latest changes of a rotation.
func (h *hand) rotaLog(ctx context.Context, rotation string) {
	all, err := h.rosters.Changes(ctx, rotation)
	if err != nil {
		h.log.WarnContext(ctx, "the changes of a rotation were not read", "err", err)
		h.finish(ctx, ending{sentence: templates.SayStoreAway, result: ClickFaulty})
		return
	}
	counts := map[string]bool{}
	for _, c := range rosters.Counting(all) {
		counts[c.ID] = true
	}
	var views []templates.RotaChange
	for _, c := range all {
		v := changeView(rotation, c)
		v.Cleared = c.Clears == "" && !counts[c.ID]
		views = append(views, v)
	}
	h.tell(ctx, h.words.RotaLog(views))
}

// announce tells the channels of the roles that have a rotation that it was changed. A message that is lost is not sent again:
// the log has it.
func (h *hand) announce(ctx context.Context, rotation string, c rosters.Change) {
	conf := h.config()
	var told []string
	for _, role := range rolesWithRotation(conf) {
		channel := conf.Roles[role].Channel
		if conf.Roles[role].Rotation != rotation || channel == "" || slices.Contains(told, channel) {
			continue
		}
		told = append(told, channel)
		if _, err := h.slack.Post(ctx, channel, "", h.words.RotaChanged(changeView(rotation, c)), Stamp{Prefix: h.prefix}); err != nil {
			h.log.WarnContext(ctx, "a channel was not told of a change of its rotation", "channel", channel, "err", err)
		}
	}
}

func capitalised(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
