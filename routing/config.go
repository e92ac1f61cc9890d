package routing

import (
	"slices"
	"strings"
	"time"
)

// Config is what a bot knows about roles, machines and channels: contract §7. Roles holds every role that may be
// addressed.
type Config struct {
	Roles            map[string]Role
	Machines         map[string]Machine
	Rotations        map[string]Roster
	Repositories     []Repository
	FallbackChannel  string
	Retention        time.Duration // 0: 90 days
	RetentionUntaken time.Duration // 0: for ever
}

// Role is one role of the configuration.
type Role struct {
	Name           string
	Channel        string
	Answerers      []string // Slack user ids, "@S…" for a user group, "cli:<user>@<host>", "rotation:<name>" for all participants
	Rotation       string   // whoever is on call of it answers too; "" none
	Fallback       []string // Slack user ids, who answer while nobody of the rotation is on call
	MachineAnswers string   // "fact" (also the zero value) or "all"
	RelaysFor      []string
	OneAtATime     bool
	UserGroup      string // the Slack user group that is kept equal to who is on call; "" none
}

// Machine is an answerer that is not a person.
type Machine struct {
	Name        string
	MayAnswerAs []string
}

// Team is who can be on call for a role; without a rotation nobody.
func (c Config) Team(role string) Team {
	r := c.Roles[role]
	if r.Rotation == "" {
		return Team{}
	}
	return Team{Rosters: []Roster{c.Rotations[r.Rotation]}, Fallback: r.Fallback}
}

// Answerers are who answers as a role at an instant: those that the configuration names, and whoever is on call. At the zero
// instant nobody is.
func (c Config) Answerers(role string, at time.Time) []string {
	entries := c.Roles[role].Answerers
	named := c.everybody(entries)
	if at.IsZero() {
		return named
	}
	for _, entry := range entries { // whom an override brings in is nobody's participant
		if rotation, ok := strings.CutPrefix(entry, rotationEntry); ok {
			named = union(named, Team{Rosters: []Roster{c.Rotations[rotation]}}.onCall(at))
		}
	}
	return union(named, c.Team(role).onCall(at))
}

// rotationEntry is what an entry of answerers begins with that means all participants of a rotation.
const rotationEntry = "rotation:"

// everybody is a list of answerers with the participants in the place of each rotation.
func (c Config) everybody(answerers []string) []string {
	if !slices.ContainsFunc(answerers, func(entry string) bool { return strings.HasPrefix(entry, rotationEntry) }) {
		return answerers
	}
	var all []string
	for _, entry := range answerers {
		if rotation, ok := strings.CutPrefix(entry, rotationEntry); ok {
			all = union(all, c.participants(rotation))
		} else {
			all = union(all, []string{entry})
		}
	}
	return all
}

// Zone is the zone of a rotation as it was loaded last, in which its times are told; UTC where there is none.
func (c Config) Zone(rotation string) *time.Location {
	zone := time.UTC
	var loaded time.Time
	for _, v := range c.Rotations[rotation].Versions {
		if !v.Loaded.Before(loaded) {
			zone, loaded = v.Zone, v.Loaded
		}
	}
	return zone
}
