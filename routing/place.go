package routing

import "slices"

// Channel is the channel of a role, "" when it has none: then its stops go to the fallback channel.
func Channel(c Config, role string) string { return c.Roles[role].Channel }

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
