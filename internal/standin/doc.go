// Package standin is Slack for one machine: the Web API methods that the bot uses, with Slack's limits, error names and
// rate limits, Socket Mode, signed HTTP delivery, faults on demand, and a page on which a person reads and clicks. The
// demo and the tests use it. It is held against Slack's own packages by `make interop`.
package standin
