// Package ledger is the keeper's side of a stop: it turns what loops and people say into entries of an append-only
// log, by one pure decision and one script. Nothing else writes stops.
package ledger
