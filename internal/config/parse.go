package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"flagstop/escalation"
	"flagstop/loops"
	"flagstop/routing"

	"go.yaml.in/yaml/v3"
)

var (
	rolePattern    = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)
	channelPattern = regexp.MustCompile(`^[CG][A-Z0-9]{2,}$`)
	groupPattern   = regexp.MustCompile(`^S[A-Z0-9]{2,}$`)
	userPattern    = regexp.MustCompile(`^([UW][A-Z0-9]{2,}|@S[A-Z0-9]{2,}|rotation:[a-z0-9][a-z0-9-]*|cli:[^@\s:]+@[^@\s]+)$`)
)

func (r *reader) config(root *yaml.Node) escalation.Book {
	b := escalation.Book{Policies: map[string]escalation.Policy{}, Config: routing.Config{
		Roles: map[string]routing.Role{}, Machines: map[string]routing.Machine{}, Rotations: map[string]routing.Roster{},
	}}
	c := &b.Config
	r.places = map[string]*yaml.Node{}
	faultsBefore := len(r.faults)
	r.mapping(root, "the configuration", map[string]field{
		"roles": func(_, v *yaml.Node) {
			r.each(v, "roles", func(key, value *yaml.Node) { r.role(c.Roles, key, value) })
		},
		"machines": func(_, v *yaml.Node) {
			r.each(v, "machines", func(key, value *yaml.Node) { r.machine(c.Machines, key, value) })
		},
		"rotations": func(_, v *yaml.Node) {
			r.each(v, "rotations", func(key, value *yaml.Node) { r.rotation(c.Rotations, key, value) })
		},
		"repositories": func(_, v *yaml.Node) {
			r.each(v, "repositories", func(key, value *yaml.Node) { r.repository(&b, key, value) })
		},
		"fallback_channel":  func(_, v *yaml.Node) { c.FallbackChannel = r.channel(v, "fallback_channel") },
		"retention":         func(_, v *yaml.Node) { c.Retention = r.duration(v, "retention") },
		"retention_untaken": func(_, v *yaml.Node) { c.RetentionUntaken = r.duration(v, "retention_untaken") },
	})
	if len(c.Roles) == 0 && len(r.faults) == faultsBefore {
		r.fault(root, "no-roles", "name the roles: without any, every stop is refused")
	}
	return b
}

func (r *reader) channel(n *yaml.Node, what string) string {
	return r.matching(n, what, channelPattern, "C0PRODUCT (the channel's id, from its details in Slack)")
}

func (r *reader) role(roles map[string]routing.Role, key, value *yaml.Node) {
	if !rolePattern.MatchString(key.Value) {
		r.fault(key, "format", "the role %q is not written like security-team (a-z, 0-9 and -)", key.Value)
		return
	}
	role := routing.Role{Name: key.Value}
	r.places["role "+role.Name] = key
	r.mapping(value, "the role "+role.Name, map[string]field{
		"channel": func(_, v *yaml.Node) {
			r.places["channel of "+role.Name] = v
			role.Channel = r.channel(v, "the channel of "+role.Name)
		},
		"answerers": func(_, v *yaml.Node) {
			before := len(r.faults)
			if role.Answerers = r.answerers(v, role.Name); len(r.faults) > before {
				r.places["faulty answerers of "+role.Name] = v
			}
		},
		"rotation": func(_, v *yaml.Node) {
			r.places["rotation of "+role.Name] = v
			role.Rotation = r.matching(v, "the rotation of "+role.Name, rolePattern, "on-call (one of the rotations)")
		},
		"fallback": func(_, v *yaml.Node) {
			r.places["fallback of "+role.Name] = v
			role.Fallback = r.people(v, "fallback of "+role.Name)
		},
		"one_at_a_time": func(_, v *yaml.Node) {
			role.OneAtATime = r.oneOf(v, "one_at_a_time of "+role.Name, "false", "true") == "true"
		},
		"user_group": func(_, v *yaml.Node) {
			r.places["user_group of "+role.Name] = v
			role.UserGroup = r.matching(v, "user_group of "+role.Name, groupPattern, "S0FACIL (the user group's id)")
		},
		"machine_answers": func(_, v *yaml.Node) {
			role.MachineAnswers = r.oneOf(v, "machine_answers of "+role.Name, "fact", "all")
		},
		"relays_for": func(_, v *yaml.Node) { role.RelaysFor = r.roleNames(v, "relays_for of "+role.Name) },
	})
	roles[role.Name] = role
}

func (r *reader) answerers(n *yaml.Node, role string) []string {
	var out []string
	for _, v := range r.list(n, "answerers of "+role) {
		s := r.matching(v, "the answerer of "+role, userPattern, `U0ANA, "@S0TEAM", "rotation:on-call" or "cli:name@host"`)
		switch {
		case s == "":
		case slices.Contains(out, s):
			r.fault(v, "doubled", "%s stands twice among the answerers of %s", s, role)
		default:
			if rotation, ok := strings.CutPrefix(s, "rotation:"); ok {
				r.places["answering rotation "+rotation] = v
			}
			out = append(out, s)
		}
	}
	return out
}

func (r *reader) machine(machines map[string]routing.Machine, key, value *yaml.Node) {
	if !rolePattern.MatchString(key.Value) {
		r.fault(key, "format", "the machine %q is not written like ci-hook (a-z, 0-9 and -)", key.Value)
		return
	}
	m := routing.Machine{Name: key.Value}
	r.places["machine "+m.Name] = key
	r.mapping(value, "the machine "+m.Name, map[string]field{
		"may_answer_as": func(_, v *yaml.Node) { m.MayAnswerAs = r.roleNames(v, "may_answer_as of "+m.Name) },
	})
	machines[m.Name] = m
}

// roleNames reads a list of roles; whether they exist is asked once all are known.
func (r *reader) roleNames(n *yaml.Node, what string) []string {
	var out []string
	for _, v := range r.list(n, what) {
		s := r.matching(v, "an entry of "+what, rolePattern, "product-thinker")
		if s == "" {
			continue
		}
		r.places[what+" "+s] = v
		out = append(out, s)
	}
	return out
}

func (r *reader) oneOf(n *yaml.Node, what string, allowed ...string) string {
	s := r.text(n, what)
	if s != "" && !slices.Contains(allowed, s) {
		r.fault(n, "value", "%s is one of %s, not %q", what, strings.Join(allowed, ", "), s)
		return ""
	}
	return s
}

// crossCheck finds what only the whole can tell.
func (r *reader) crossCheck(c routing.Config) {
	for _, name := range slices.Sorted(maps.Keys(c.Roles)) {
		r.checkRole(c, c.Roles[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Machines)) {
		m := c.Machines[name]
		if len(m.MayAnswerAs) == 0 {
			r.warn(r.places["machine "+name], "nobody", "the machine %s may answer as nobody: give it may_answer_as", name)
		}
		r.known(c, "may_answer_as of "+name, m.MayAnswerAs)
	}
	r.checkRotations(c)
	r.checkRepositories(c)
	if c.FallbackChannel == "" {
		r.warn(nil, "no-fallback", "no fallback_channel: a stop whose channel cannot be posted to is seen only in flagstop list --undelivered")
	}
	for _, name := range []string{loops.ProductThinker, loops.Facilitator} {
		if _, ok := c.Roles[name]; !ok && len(c.Roles) > 0 {
			r.warn(nil, "no-role", "no role %s: stops that ask it are refused", name)
		}
	}
}

func (r *reader) checkRole(c routing.Config, role routing.Role) {
	place := r.places["role "+role.Name]
	if r.places["channel of "+role.Name] == nil {
		r.fault(place, "no-channel", "the role %s has no channel: its stops would have no place", role.Name)
	}
	if len(role.Answerers) == 0 && r.places["faulty answerers of "+role.Name] == nil && r.places["rotation of "+role.Name] == nil {
		r.warn(place, "nobody", "the role %s has neither answerers nor a rotation: nobody may answer its stops", role.Name)
	}
	r.checkOnCall(c, role)
	r.known(c, "relays_for of "+role.Name, role.RelaysFor)
	if slices.Contains(role.RelaysFor, role.Name) {
		r.fault(place, "relay", "the role %s cannot relay for itself", role.Name)
	}
}

func (r *reader) known(c routing.Config, what string, names []string) {
	for _, name := range names {
		if _, ok := c.Roles[name]; !ok {
			r.fault(r.places[what+" "+name], "unknown-role", "%s names the role %q, which is not among the roles", what, name)
		}
	}
}
