// Package loops is what the author of an agent loop imports: the stop record and its check, verdicts, the signed
// outcome, and the client that raises a stop, waits for its outcome and claims it.
package loops
