package routing

import "slices"

// MayHandle reports whether somebody may do what is no verdict: say that they are on it, let go of it, snooze it, give it to
// another role, say that the wrong one was asked. Whoever answers it may, in the role in which they answer, and whoever
// relays for one of its roles. Its owner too, where among those: that gives no consent to anything. A machine may not.
func MayHandle(c Config, a Asked, who Answerer) Decision {
	a.Call, a.Owner = false, ""
	if machine(who.ID) != "" {
		return Decision{Reason: "A machine answers, or does not; the rest is for people.", Who: c.others(a)}
	}
	d := May(c, a, who)
	if d.OK {
		return d
	}
	for _, behalf := range a.roles() {
		for _, name := range c.relays(behalf) {
			as := a
			as.Addressee, as.Holder = name, name
			if relay := May(c, as, who); relay.OK {
				return relay
			}
		}
	}
	return d
}

func (a Asked) holder() string {
	if a.Holder == "" {
		return a.Addressee
	}
	return a.Holder
}

// MayMoveTo are the roles that a stop may be given to by hand, in alphabetical order: all but its holder. Whether its record
// could have been addressed to them the ledger says.
func MayMoveTo(c Config, a Asked) []string {
	var names []string
	for name := range c.Roles {
		if name != a.holder() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
