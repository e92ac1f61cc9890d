package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"flagstop/escalation"
	"flagstop/routing"

	"go.yaml.in/yaml/v3"
)

var repositoryPattern = regexp.MustCompile(`^\S{1,200}$`)

func (r *reader) repository(b *escalation.Book, key, value *yaml.Node) {
	pattern := key.Value
	if !repositoryPattern.MatchString(pattern) || strings.Contains(pattern, "**") {
		r.fault(key, "format", `the pattern %q is not written like acme/shop, "acme/*" or "*"`, pattern)
		return
	}
	x := routing.Repository{Pattern: pattern}
	var p escalation.Policy
	r.places["repository "+pattern] = key
	fields := r.policyFields(pattern, &p)
	fields["channels"] = func(_, v *yaml.Node) { x.Channels = r.channels(v, "channels of "+pattern) }
	fields["self_approval"] = func(_, v *yaml.Node) {
		x.SelfApproval = r.oneOf(v, "self_approval of "+pattern, "false", "true") == "true"
	}
	r.mapping(value, "the repository "+pattern, fields)
	b.Config.Repositories = append(b.Config.Repositories, x)
	b.Policies[pattern] = p
}

// channels reads a channel for each role; whether they exist is asked once all are known.
func (r *reader) channels(n *yaml.Node, what string) map[string]string {
	channels := map[string]string{}
	r.each(n, what, func(role, channel *yaml.Node) {
		r.places[what+" "+role.Value] = role
		channels[role.Value] = r.channel(channel, "the channel of "+role.Value+" in "+what)
	})
	return channels
}

// checkRepositories finds unknown roles, and patterns between which a repository cannot, or only just, tell.
func (r *reader) checkRepositories(c routing.Config) {
	for i, x := range c.Repositories {
		r.known(c, "channels of "+x.Pattern, slices.Sorted(maps.Keys(x.Channels)))
		for _, y := range c.Repositories[:i] {
			r.compare(x.Pattern, y.Pattern)
		}
	}
}

// compare holds two patterns against each other, of which more stands later in the file.
func (r *reader) compare(more, other string) {
	if !routing.Overlap(more, other) {
		return
	}
	place := r.places["repository "+more]
	switch a, b := routing.Specific(more), routing.Specific(other); {
	case a == b:
		r.fault(place, "tie", "%q and %q are equally specific and both match some repositories: make one of them say more", more, other)
	case a > b && !routing.Matches(other, more):
		r.shadowed(other, more)
	case a < b && !routing.Matches(more, other):
		r.shadowed(more, other)
	}
}

func (r *reader) shadowed(pattern, by string) {
	r.warn(r.places["repository "+pattern], "shadowed",
		"%q and %q match some of the same repositories although neither lies within the other: %q counts there, because it says more", pattern, by, by)
}
