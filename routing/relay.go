package routing

import "slices"

// MayFor reports whether somebody may answer a question on behalf of a role: as an answerer of another role that
// relays for it. The role spoken for has to be one of the two whose stop it is.
func MayFor(c Config, a Asked, who Answerer, behalf string) Decision {
	if !slices.Contains(a.roles(), behalf) {
		return Decision{Reason: "This stop does not ask " + behalf + "."}
	}
	no := Decision{Reason: unlisted(behalf), Who: c.others(Asked{Addressee: behalf, At: a.At})}
	for _, name := range c.relays(behalf) {
		as := a
		as.Addressee, as.Holder = name, name
		d := May(c, as, who)
		if d.OK {
			return Decision{OK: true, Role: name}
		}
		if unread := who.GroupsUnknown && d.Reason != c.stranger(name); d.Reason == ownLoop || d.Member || unread {
			no.Reason, no.Member = d.Reason, d.Member
		}
	}
	return no
}

// Relays is the role on whose behalf somebody may answer a question, "" none. Where something keeps them from it who would
// relay otherwise, the decision says what; else its reason is empty.
func Relays(c Config, a Asked, who Answerer) (behalf string, d Decision) {
	var no Decision
	for _, role := range a.roles() {
		d := MayFor(c, a, who, role)
		if d.OK {
			return role, d
		}
		if no.Reason == "" && d.Reason != unlisted(role) {
			no = d
		}
	}
	return "", no
}

func unlisted(behalf string) string { return "You are not among those who answer for " + behalf + "." }

// relays are the roles that may speak for another, in alphabetical order.
func (c Config) relays(behalf string) []string {
	var names []string
	for name, r := range c.Roles {
		if slices.Contains(r.RelaysFor, behalf) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
