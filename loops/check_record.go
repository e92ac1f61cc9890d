package loops

import (
	"regexp"
	"slices"
	"strconv"
	"unicode"
)

const (
	maxQuestions  = 20
	maxStateBytes = 8 << 10
)

var (
	idForm    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	ownerForm = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`)
)

func (c *checker) record(root *node, r *Record) {
	if r.V != Version {
		c.fault(codeVersion, "/v", "This version is not known. Write 1.")
	}
	if !idForm.MatchString(r.ID) {
		c.fault(codeID, "/id", "Use 1 to 64 of the characters A-Z a-z 0-9 _ and -.")
	}
	c.addressee(r)
	c.kind(r)
	c.loop(&r.Loop)
	if a := r.About; a != nil {
		c.says("/about/ref", a.Ref)
		c.address(root.get("about"), "/about", a.URL)
	}
	if s := r.Resume; s != nil {
		c.says("/resume/via", s.Via)
		if len(s.State) > maxStateBytes {
			c.fault(codeLength, "/resume/state", "It has %d bytes; at most %d are allowed. Keep it elsewhere and refer to it.", len(s.State), maxStateBytes)
		}
	}
	if root.get("expires") != nil && !r.Expires.After(c.opt.Now) {
		c.fault(codePast, "/expires", "This time has passed. Choose one that lies ahead, or leave expires out: the stop then waits for ever.")
	}
	c.questions(root.get("questions"), r)
}

// says wants a text that shows something and has no control characters: ids and names are printed and become keys.
func (c *checker) says(pointer, text string) {
	if blank(text) {
		c.fault(codeBlank, pointer, "Nothing stands here. Say what it is.")
		return
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			c.fault(codeUnknown, pointer, "A control character stands here. Leave it out.")
			return
		}
	}
}

func (c *checker) addressee(r *Record) {
	const at = "/addressee"
	if !slices.Contains(concerns, r.Concern) {
		c.fault(codeUnknown, "/concern", "Write scope, acceptance, trade-off, evidence, technique, verifiability or permission.")
	} else if r.Addressee == ProductThinker && slices.Index(concerns, r.Concern) > 2 {
		c.fault(codeConcern, at, "The product thinker is asked about scope, acceptance or a trade-off only. Ask the facilitator this.")
	}
	switch {
	case blank(r.Addressee):
		c.says(at, r.Addressee)
	case c.opt.Roles != nil && !slices.Contains(c.opt.Roles, r.Addressee):
		c.fault(codeRole, at, "No role has this name here. The roles are: %s.", ListKeys(c.opt.Roles))
	}
}

var concerns = []Concern{Scope, Acceptance, TradeOff, Evidence, Technique, Verifiability, Permission} //nolint:gochecknoglobals // a table

func (c *checker) kind(r *Record) {
	if r.Kind != Judgement && r.Kind != Fact {
		c.fault(codeUnknown, "/kind", "Write judgement or fact.")
	}
	calls := slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Call != nil })
	if calls && r.Kind == Fact {
		c.fault(codeCallFact, "/kind", "Whether a call may run is a judgement. Write judgement.")
	}
}

func (c *checker) loop(l *Loop) {
	c.says("/loop/id", l.ID)
	c.says("/loop/repository", l.Repository)
	if l.Owner != "" && !ownerForm.MatchString(l.Owner) {
		c.fault(codeOwner, "/loop/owner", "Write the Slack user id of the person, such as U0ANA, not a name.")
	}
	if l.URL != "" {
		c.url("/loop/url", l.URL)
	}
}

func (c *checker) questions(list *node, r *Record) {
	const at = "/questions"
	n := len(r.Questions)
	if n < 1 || n > maxQuestions {
		c.fault(codeQuestions, at, "There are %d questions. Ask 1 to %d.", n, maxQuestions)
	}
	if n > 1 && slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Call == nil }) {
		c.fault(codeNotCalls, at, "Only calls may be asked together. Raise a stop for each of the others.")
	}
	keys := map[string]int{}
	for i := range r.Questions[:min(n, maxQuestions)] {
		q := &r.Questions[i]
		here := at + "/" + strconv.Itoa(i)
		if first, twice := keys[q.Key]; twice && q.Key != "" {
			c.fault(codeKey, here+"/key", "Question %d has this key too. Give each call its own.", first)
		} else {
			keys[q.Key] = i
		}
		c.question(list.list[i], here, q, r)
	}
}
