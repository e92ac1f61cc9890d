package routing

// Asked is what May needs to know of a stop and its question.
type Asked struct {
	Addressee, Holder string
	Fact              bool   // the stop's kind
	URL               bool   // the question is a page to visit
	Owner             string // loop.owner
	Call              bool   // the question has a call
}

// Answerer is who wants to answer: the id of loops.By ("slack:T…/U…", "cli:<user>@<host>", "machine:<name>"), and the
// user groups it is known to be in; Groups nil with GroupsUnknown means that they could not be read.
type Answerer struct {
	ID            string
	Groups        []string
	GroupsUnknown bool
}

// Decision is whether somebody may, in which role, and if not the reason in words for that person.
type Decision struct {
	OK     bool
	Role   string   // in which role
	Reason string   // one sentence, when not OK
	Who    []string // who may instead: entries of the role's answerers
}

// May reports whether somebody may answer a question, asked on every click, modal, command and CLI call.
func May(c Config, a Asked, who Answerer) Decision { panic("skeleton") }

// MaySee reports whether somebody may see a stop's text: who may answer it, the roles that held it, its owner, and
// members of the channel that its card is in (inChannel).
func MaySee(c Config, a Asked, who Answerer, inChannel bool) Decision { panic("skeleton") }
