package config

import (
	"strconv"
	"time"

	"flagstop/escalation"
	"flagstop/routing"

	"go.yaml.in/yaml/v3"
)

// policyFields read what a repository asks for where nobody answers.
func (r *reader) policyFields(pattern string, p *escalation.Policy) map[string]field {
	of := func(name string) string { return name + " of " + pattern }
	duration := func(name string, to *time.Duration) field {
		return func(_, v *yaml.Node) {
			r.places[of(name)] = v
			*to = r.duration(v, of(name))
		}
	}
	return map[string]field{
		"escalation":       func(_, v *yaml.Node) { r.escalation(v, of("escalation"), p) },
		"ack_timeout":      duration("ack_timeout", &p.AckTimeout),
		"reminders":        func(_, v *yaml.Node) { r.reminders(v, of("reminders"), p) },
		"wait_cap":         duration("wait_cap", &p.Cap),
		"wait_cap_warning": duration("wait_cap_warning", &p.Warning),
	}
}

func (r *reader) escalation(n *yaml.Node, what string, p *escalation.Policy) {
	before := len(r.faults)
	r.mapping(n, what, map[string]field{
		"cron": func(_, v *yaml.Node) {
			r.places["cron of "+what] = v
			p.Schedule = r.schedule(v, "cron of "+what)
		},
		"steps": func(_, v *yaml.Node) { p.Steps = r.steps(v, "steps of "+what) },
	})
	if len(r.faults) > before {
		return
	}
	if p.Schedule.Zero() || len(p.Steps) == 0 {
		r.fault(n, "missing", `%s needs a cron, such as "CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri", and steps`, what)
	}
}

// schedule reads a cron expression and warns of what it does otherwise than it seems.
func (r *reader) schedule(n *yaml.Node, what string) escalation.Schedule {
	s := r.text(n, what)
	if s == "" {
		return escalation.Schedule{}
	}
	schedule, err := escalation.ParseSchedule(s)
	if err != nil {
		r.fault(n, "cron", "%s %q is %s", what, s, err)
		return escalation.Schedule{}
	}
	if zone := schedule.Zone().String(); fixed(zone) {
		r.warn(n, "fixed-zone", "%s is in the zone %s, which never changes its clock; name a place, such as America/New_York", what, zone)
	}
	return schedule
}

func (r *reader) steps(n *yaml.Node, what string) []escalation.Step {
	var steps []escalation.Step
	for i, v := range r.list(n, what) {
		name := "step " + strconv.Itoa(i+1) + " of " + what
		var s escalation.Step
		before := len(r.faults)
		r.mapping(v, name, map[string]field{
			"after": func(_, v *yaml.Node) { s.After = r.duration(v, "after of "+name) },
			"to": func(_, v *yaml.Node) {
				r.places["to of "+name+" "+v.Value] = v
				s.To = r.matching(v, "to of "+name, rolePattern, "facilitator (one of the roles)")
			},
		})
		if len(r.faults) == before && (s.After == 0 || s.To == "") {
			r.fault(v, "missing", "%s needs after, such as 4h, and to, one of the roles", name)
		}
		steps = append(steps, s)
	}
	return steps
}

func (r *reader) reminders(n *yaml.Node, what string, p *escalation.Policy) {
	before := len(r.faults)
	r.mapping(n, what, map[string]field{
		"every": func(_, v *yaml.Node) { p.Every = r.duration(v, "every of "+what) },
		"at_most": func(_, v *yaml.Node) {
			count, err := strconv.Atoi(r.text(v, "at_most of "+what))
			if err != nil || count < 1 || count > 100 {
				r.fault(v, "format", "at_most of %s is a whole number from 1 to 100", what)
				return
			}
			p.AtMost = count
		},
	})
	if len(r.faults) == before && (p.Every == 0 || p.AtMost == 0) {
		r.fault(n, "missing", "%s needs every, such as 24h, and at_most, such as 3", what)
	}
}

// checkPolicies finds steps to roles that there are not, and what does otherwise than it seems.
func (r *reader) checkPolicies(c routing.Config, policies map[string]escalation.Policy) {
	for _, x := range c.Repositories {
		p := policies[x.Pattern]
		what := "escalation of " + x.Pattern
		for i, s := range p.Steps {
			if s.To == "" {
				continue // said where it stands
			}
			r.known(c, "to of step "+strconv.Itoa(i+1)+" of steps of "+what, []string{s.To})
		}
		for _, said := range p.Schedule.Lint(time.Now(), p.Shortest()) {
			r.warn(r.places["cron of "+what], "cron-surprise", "%s", said)
		}
		r.checkCap(x.Pattern, p)
	}
}

func (r *reader) checkCap(pattern string, p escalation.Policy) {
	warning := r.places["wait_cap_warning of "+pattern]
	switch {
	case warning == nil || p.Warning == 0:
	case p.Cap == 0 && r.places["wait_cap of "+pattern] == nil:
		r.fault(warning, "no-cap", "wait_cap_warning of %s warns of a wait_cap that there is not", pattern)
	case p.Cap != 0 && p.Warning >= p.Cap:
		r.fault(warning, "range", "wait_cap_warning of %s is not shorter than its wait_cap", pattern)
	}
	if p.AckTimeout != 0 && len(p.Steps) == 0 {
		r.warn(r.places["ack_timeout of "+pattern], "unused", "ack_timeout of %s lets \"I'm on it\" lapse, and there is no escalation that it holds back", pattern)
	}
}
