// Package stories plays whole ways of a stop: loops, the ledger, bots and the stand-in for Slack together.
//
// A story is written once, on a [World], and told in four: over HTTP and over Socket Mode, in memory inside a
// testing/synctest bubble, where days pass in milliseconds, and again on a redis-server process and loopback TCP. What takes
// more than ten seconds of real time is told in memory only. At its end the world fails the test if there is a
// message, a word to a person, a line of a thread or a refusal of Slack's that the story did not see, or a stop whose log,
// outcome and cards do not agree.
package stories
