// Package escalation says what happens to a stop that nobody answers, where its repository asks for it: when its holder
// changes, when somebody is reminded, when it ends undecided. Due moments are stored with the stop, and cron computes
// them; whoever finds one in the past does what it says, once.
package escalation
