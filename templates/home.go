package templates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// Home is what App Home shows to one person. Yours and Others are the rows of this page and all after it that may have room.
type Home struct {
	User    string   // Slack user id
	Roles   []string // that the person is in; none: nothing will wait for them
	Yours   []HomeRow
	Others  []HomeRow // with roles of theirs, without waiting for them, and their own loops'
	Earlier int       // rows on earlier pages
	Total   [2]int    // of yours, and of others
	More    int       // open stops that are in no page
	Duties  []Duty
	Decided []Row // lately
	Away    bool  // what is open could not be read
}

// HomeRow is an open stop.
type HomeRow struct {
	Row
	Queued bool // it waits for its turn: its card is not in the channel yet
	Answer bool // the person may answer it
	Handle bool // the person may take it, give it away, and so on
}

// Duty is who is on call for a role.
type Duty struct {
	Role     string
	Users    []string // Slack user ids; none: nobody is
	Until    time.Time
	Next     []string
	NextFrom time.Time
}

// The actions of App Home that are about no stop. Their value is the number of rows before the page.
const (
	HomeMore  = "home.more"
	HomeStart = "home.start"
)

// PageOf is the page that a button of App Home shows: the number of rows before it; false for any other action.
func PageOf(action, value string) (earlier int, ok bool) {
	if action != HomeMore && action != HomeStart {
		return 0, false
	}
	n, err := strconv.Atoi(value)
	return n, err == nil && n >= 0 && n <= 1_000_000
}

const (
	maxHome    = 100     // blocks of a home
	maxHomeRaw = 180_000 // bytes of its rows: Slack takes 250 KB
	homeDuties = 20
)

// Home renders App Home: as many rows as have room, and on the first page who is on call and what was decided lately.
func (w *Words) Home(h Home) slack.HomeTabViewRequest {
	b := &home{w: w, h: h, left: maxHome - 4, room: maxHomeRaw}
	tail := b.tail()
	b.left -= len(tail)
	b.top()
	shown := b.rows("home.yours", h.Yours, h.Total[0])
	if shown == len(h.Yours) {
		shown += b.rows("home.others", h.Others, h.Total[1])
	}
	b.pages(shown)
	return slack.HomeTabViewRequest{
		Type: slack.VTHomeTab, CallbackID: "home", Blocks: slack.Blocks{BlockSet: append(b.blocks, tail...)},
	}
}

// Notice is the window that tells something to a person who did something in App Home, where nothing private can be posted.
func (w *Words) Notice(m Message) slack.ModalViewRequest {
	blocks := m.Blocks
	if len(blocks) == 0 {
		blocks = []slack.Block{slack.NewSectionBlock(plainText(m.Text, maxText), nil, nil)}
	}
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plainText(w.words("title.notice", facts{}), maxTitle),
		Close: plainText(w.words("close", facts{}), maxTitle), CallbackID: "notice", Blocks: slack.Blocks{BlockSet: blocks},
	}
}

// home is an App Home that is being drawn.
type home struct {
	w      *Words
	h      Home
	blocks []slack.Block
	left   int // blocks
	room   int // bytes
}

func (b *home) add(blocks ...slack.Block) { b.blocks = append(b.blocks, blocks...) }

func (b *home) header(name string, n int) slack.Block {
	return slack.NewHeaderBlock(plainText(b.w.words(name, facts{Total: n}), maxHeader))
}

func (b *home) note(name string, f facts) slack.Block { return note(b.w.sentence(name, f)) }

// top says what there is in all, and who the person is here.
func (b *home) top() {
	f := facts{ID: text(b.h.User, 40), Names: roleNames(b.h.Roles)}
	switch {
	case b.h.Away:
		b.add(b.header("home.title", 0), richBlock(section(b.w.sentence("home.away", f))))
	case len(b.h.Roles) == 0 && b.h.Total == [2]int{}:
		b.add(b.header("home.title", 0), richBlock(section(b.w.sentence("home.stranger", f))))
	case b.h.Total[0] == 0:
		b.add(b.header("home.none", 0))
	}
	if len(b.h.Roles) > 0 {
		b.add(b.note("home.roles", f))
	}
}

func roleNames(roles []string) slot {
	var all []slot
	for i, role := range roles {
		if i == homeDuties {
			break
		}
		all = append(all, text(roleWord(role), 40))
	}
	return list(all, ", ")
}

// rows adds rows under a heading while there is room, and reports how many.
func (b *home) rows(name string, rows []HomeRow, total int) int {
	if len(rows) == 0 || b.left < 4 {
		return 0
	}
	heading := []slack.Block{b.header(name, total), b.order(name, rows)}
	b.left -= len(heading)
	for i, r := range rows {
		drawn := b.row(r, len(b.blocks)+i)
		if i > 0 {
			drawn = append([]slack.Block{slack.NewDividerBlock()}, drawn...)
		}
		raw, err := json.Marshal(drawn)
		if err != nil || len(drawn) > b.left || len(raw) > b.room {
			rows = rows[:i]
			break
		}
		b.left, b.room = b.left-len(drawn), b.room-len(raw)
		heading = append(heading, drawn...)
	}
	if len(rows) > 0 {
		b.add(heading...)
	}
	return len(rows)
}

// order says how rows are ordered, and of judgements that nothing is recommended.
func (b *home) order(name string, rows []HomeRow) slack.Block {
	said := b.w.sentence(name+".order", facts{})
	if slices.ContainsFunc(rows, func(r HomeRow) bool { return r.View.Record != nil && r.View.Record.Kind != loops.Fact }) {
		said = append(append(said, piece{kind: ownPiece, text: " "}), b.w.sentence("nothing.calls", facts{})...)
	}
	return note(said)
}

// pages says which rows are shown, and has buttons for the others.
func (b *home) pages(shown int) {
	all, last := b.h.Total[0]+b.h.Total[1], b.h.Earlier+shown
	f := facts{Min: number(b.h.Earlier + 1), Max: number(last), Count: b.h.More, Total: all}
	if b.h.More > 0 {
		b.add(b.note("home.unlisted", f))
	}
	var buttons []slack.BlockElement
	if last < all && shown > 0 {
		buttons = append(buttons, b.button(HomeMore, "more", last))
	}
	if b.h.Earlier > 0 {
		buttons = append(buttons, b.button(HomeStart, "start", 0))
	}
	if len(buttons) > 0 {
		b.add(b.note("home.part", f), slack.NewActionBlock("pages", buttons...))
	}
}

func (b *home) button(action, name string, earlier int) slack.BlockElement {
	label := plainText(b.w.words("button.home-"+name, facts{}), maxLabel)
	return slack.NewButtonBlockElement(action, strconv.Itoa(earlier), label)
}

// tail is who is on call, and what was decided, on the first page.
func (b *home) tail() []slack.Block {
	if b.h.Earlier > 0 {
		return nil
	}
	var all []slack.Block
	if len(b.h.Duties) > 0 {
		var lines []slack.RichTextElement
		for _, d := range b.h.Duties[:min(len(b.h.Duties), homeDuties)] {
			lines = append(lines, section(b.w.sentence("home.duty", b.duty(d))))
		}
		all = append(all, b.header("home.duties", 0), richBlock(lines...))
	}
	if len(b.h.Decided) > 0 {
		all = append(all, b.header("home.decided", 0))
	}
	for _, r := range b.h.Decided {
		all = append(all, richBlock(section(b.decided(r))))
	}
	return all
}

func (b *home) duty(d Duty) facts {
	f := facts{Role: text(capital(roleWord(d.Role)), 40), Who: few(d.Users), Until: moment(d.Until), Names: few(d.Next)}
	if !d.NextFrom.Equal(d.Until) {
		f.At = moment(d.NextFrom)
	}
	return f
}

// few are people, three at most.
func few(ids []string) slot {
	if len(ids) <= 3 {
		return people(ids)
	}
	return list([]slot{people(ids[:3]), own(fmt.Sprintf("%d more", len(ids)-3))}, ", ")
}

// decided says what came of a stop that was answered.
func (b *home) decided(r Row) []piece {
	if r.View.Record == nil || len(r.View.Record.Questions) == 0 {
		return b.w.sentence("say.unknown", facts{})
	}
	f := b.w.facts(r.View)
	q := r.View.Record.Questions[0]
	f = b.w.who(f, r.View.EndedBy, r.View.EndedAt)
	f.Question, f.Link = text(q.Message, 100), b.w.opens(r)
	if v, ok := r.View.Verdicts[q.Key]; ok && len(r.View.Record.Questions) == 1 {
		f.Did = b.w.did(q, v)
		f.For = text(roleWord(v.By.For), 60)
	}
	return b.w.sentence("home.answered", f)
}

// opens is the link to the card of a row, "" where there is none.
func (w *Words) opens(r Row) slot {
	if _, ok := linkable(r.Link); !ok {
		return ""
	}
	return link(linkTarget(r.Link), w.words("list.open", facts{}))
}
