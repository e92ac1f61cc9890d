// Package bot makes Slack show what the ledger says, and tells the ledger what people click.
package bot
