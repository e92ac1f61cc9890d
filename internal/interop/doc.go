// Package interop holds the parts that face others against what others made: the stand-in against Slack's own packages, the
// signature code against Bolt's, the cards against Slack's types, and the protocol against another language's clients.
//
// Its tests need Node, the packages of npm/, a redis-server and a Chromium, so they carry the build tag interop:
// make interop brings all of it and runs them.
package interop
