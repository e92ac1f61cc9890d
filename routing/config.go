package routing

import "time"

// Config is what a bot knows about roles, machines and channels: contract §7. Roles holds every role that may be
// addressed.
type Config struct {
	Roles            map[string]Role
	Machines         map[string]Machine
	FallbackChannel  string
	Retention        time.Duration // 0: 90 days
	RetentionUntaken time.Duration // 0: for ever
}

// Role is one role of the configuration.
type Role struct {
	Name           string
	Channel        string
	Answerers      []string // Slack user ids, "@S…" for a user group, "cli:<user>@<host>"
	MachineAnswers string   // "fact" (also the zero value) or "all"
	RelaysFor      []string
	OneAtATime     bool
}

// Machine is an answerer that is not a person.
type Machine struct {
	Name        string
	MayAnswerAs []string
}
