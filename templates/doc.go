// Package templates turns a stop into what people see in Slack: cards, threads, modals and sentences. It is pure, and
// the only way by which text of agents and people reaches Slack: escaped, verbatim, cut with a visible mark.
package templates
