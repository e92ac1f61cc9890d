package routing

import "slices"

// Member is what Slack knows of a person beside the id.
type Member string

// The members. Who is named by their id in the configuration may be any of them; others answer as FullMember only.
const (
	Unasked     Member = "" // nobody has asked Slack yet
	FullMember  Member = "member"
	Guest       Member = "guest"
	AppMember   Member = "bot"
	Deactivated Member = "deactivated"
	Foreign     Member = "foreign" // of another workspace, through Slack Connect
	Unreadable  Member = "unreadable"
)

// standing says, in a sentence for that person, why who is in a role, but not named by their id, may not; "" where they may.
func (m Member) standing() string {
	switch m {
	case FullMember:
		return ""
	case Guest:
		return "Guests answer only where the configuration names them by their id."
	case AppMember:
		return "Apps answer only where the configuration names them by their id."
	case Deactivated:
		return "This account is deactivated, so it answers nothing."
	case Foreign:
		return "Members of other workspaces answer only where the configuration names them by their id."
	case Unasked, Unreadable:
	}
	return "Slack did not say who you are. Press again in a minute."
}

// named reports whether the configuration names a person by id for a role: as an answerer, a fallback or a participant.
func (c Config) named(role, user string) bool {
	r := c.Roles[role]
	return slices.Contains(c.everybody(r.Answerers), user) || slices.Contains(r.Fallback, user) ||
		r.Rotation != "" && slices.Contains(c.participants(r.Rotation), user)
}

// participants are those of a rotation as it was loaded last.
func (c Config) participants(rotation string) []string {
	var newest Version
	for _, v := range c.Rotations[rotation].Versions {
		if !v.Loaded.Before(newest.Loaded) {
			newest = v
		}
	}
	return newest.Participants
}
