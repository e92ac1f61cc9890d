package routing

import "slices"

// Channel is the channel in which a role is asked for a repository, "" when it has none: then its stops go to the fallback
// channel.
func Channel(c Config, role, repository string) string {
	if channel := c.Repository(repository).Channels[role]; channel != "" {
		return channel
	}
	return c.Roles[role].Channel
}

// Belongs reports whether the configuration names a person by id for a role: as an answerer, a fallback or a participant of
// its rotation, on call or not.
func Belongs(c Config, role, user string) bool { return user != "" && c.named(role, user) }

// Channels are all the channels in which a role is asked, each once; "" among them where there is none for some repository.
func Channels(c Config, role string) []string {
	all := []string{c.Roles[role].Channel}
	for _, r := range c.Repositories {
		if channel := r.Channels[role]; channel != "" {
			all = union(all, []string{channel})
		}
	}
	return all
}

// Groups are the Slack user groups ("S…") whose members have to be known to decide who may answer, in order and once.
func Groups(c Config, a Asked) []string {
	var groups []string
	for _, name := range a.roles() {
		for _, entry := range c.Roles[name].Answerers {
			if isGroup(entry) && !slices.Contains(groups, entry[1:]) {
				groups = append(groups, entry[1:])
			}
		}
	}
	return groups
}

// RelayGroups are Groups with those of the roles that relay for the roles whose stop it is.
func RelayGroups(c Config, a Asked) []string {
	groups := Groups(c, a)
	for _, behalf := range a.roles() {
		for _, name := range c.relays(behalf) {
			groups = union(groups, Groups(c, Asked{Addressee: name}))
		}
	}
	return groups
}

// union is a list with what another has more, in order and without changing either.
func union(a, b []string) []string {
	out := slices.Clip(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
