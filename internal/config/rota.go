package config

import (
	"maps"
	"slices"
	"strings"
	"time"

	"flagstop/routing"
)

// ahead is how far hours that nobody covers are looked for.
const ahead = 52 * 7 * 24 * time.Hour

// checkRotations finds rotations that no role has.
func (r *reader) checkRotations(c routing.Config) {
	used := map[string]bool{}
	for _, role := range c.Roles {
		used[role.Rotation] = true
		for _, entry := range role.Answerers {
			if name, ok := strings.CutPrefix(entry, "rotation:"); ok {
				used[name] = true
				if r.places["rotation "+name] == nil {
					r.fault(r.places["answering rotation "+name], "unknown-rotation", "the answerers of %s name the rotation %q, which is not among the rotations", role.Name, name)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Rotations)) {
		if !used[name] {
			r.warn(r.places["rotation "+name], "unused", "no role has the rotation %s: nobody is asked by it", name)
		}
	}
}

// checkOnCall finds what is wrong between a role and its rotation.
func (r *reader) checkOnCall(c routing.Config, role routing.Role) {
	place := r.places["rotation of "+role.Name]
	if group := r.places["user_group of "+role.Name]; group != nil && role.Rotation == "" && place == nil {
		r.fault(group, "no-rotation", "the role %s has a user_group but no rotation whose people it could have", role.Name)
	}
	switch {
	case role.Rotation == "" && place == nil && r.places["fallback of "+role.Name] != nil:
		r.fault(r.places["fallback of "+role.Name], "no-rotation", "the role %s has a fallback but no rotation for which it could stand in", role.Name)
	case role.Rotation == "" || r.places["faulty rotation "+role.Rotation] != nil:
	case r.places["rotation "+role.Rotation] == nil:
		r.fault(place, "unknown-rotation", "the role %s names the rotation %q, which is not among the rotations", role.Name, role.Rotation)
	case r.places["fallback of "+role.Name] == nil:
		now := time.Now().UTC()
		if total, first := routing.Uncovered(c.Team(role.Name), now, now.Add(ahead)); total > 0 {
			r.warn(place, "uncovered", "nobody is on call for %s in %.0f of the next %.0f hours, first from %s, and the role has no fallback",
				role.Name, total.Hours(), ahead.Hours(), first.At.Format(time.RFC3339))
		}
	}
}
