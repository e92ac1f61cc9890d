package routing

import "slices"

// MayFor reports whether somebody may answer a question on behalf of a role: as an answerer of another role that
// relays for it. The role spoken for has to be one of the two whose stop it is.
func MayFor(c Config, a Asked, who Answerer, behalf string) Decision {
	if !slices.Contains(a.roles(), behalf) {
		return Decision{Reason: "This stop does not ask " + behalf + "."}
	}
	no := Decision{Reason: "You are not among those who answer for " + behalf + ".", Who: c.others(Asked{Addressee: behalf, At: a.At})}
	for _, name := range c.relays(behalf) {
		as := a
		as.Addressee, as.Holder = name, name
		d := May(c, as, who)
		if d.OK {
			return Decision{OK: true, Role: name}
		}
		if d.Reason == ownLoop || d.Member {
			no.Reason, no.Member = d.Reason, d.Member
		}
	}
	return no
}

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
