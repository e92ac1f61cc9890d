// Package stories plays whole ways of a stop: loops, the ledger, bots and the stand-in for Slack together, in memory, so that
// days pass in milliseconds inside a testing/synctest bubble.
package stories
