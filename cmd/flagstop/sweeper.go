package main

import (
	"context"
	"sync/atomic"
	"time"

	"flagstop/escalation"
)

// due does what policies ask for, under the configuration in force.
type due struct {
	sweeper *escalation.Sweeper
	p       *parts
	newest  atomic.Bool // whether this bot's configuration is the one that was loaded last by any
}

func (p *parts) due() *due {
	d := &due{p: p}
	d.sweeper = &escalation.Sweeper{Ledger: p.ledger, Book: p.settings.Book, Log: p.log, Current: d.current}
	return d
}

// current asks Redis whether another bot has loaded another configuration since.
func (d *due) current(ctx context.Context) bool {
	if d.p.settings.version() == "" {
		return true // a configuration that never changes
	}
	version, _, err := d.p.ledger.Config(ctx)
	if err != nil {
		d.p.log.WarnContext(ctx, "which configuration counts was not read", "err", err)
		return false
	}
	newest := version == d.p.settings.version()
	if was := d.newest.Swap(newest); was && !newest {
		d.p.log.WarnContext(ctx, "another bot has another configuration, loaded later: this one does nothing that is due until it has the same")
	}
	return newest
}

// adopt has the configuration in force count for the stops that are open.
func (d *due) adopt(ctx context.Context) {
	for ctx.Err() == nil {
		err := d.p.settings.noteVersions(ctx)
		if err == nil {
			err = d.p.ledger.SetConfig(ctx, d.p.settings.version())
		}
		if err == nil {
			err = d.sweeper.Adopt(ctx)
		}
		if err == nil {
			d.sweeper.Nudge()
			return
		}
		d.p.log.ErrorContext(ctx, "the policies of the configuration do not count for every open stop yet; it is tried again", "err", err)
		wait := time.NewTimer(5 * time.Second)
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
		wait.Stop()
	}
}

// run adopts the configuration and sweeps until ctx ends.
func (d *due) run(ctx context.Context) error {
	d.adopt(ctx)
	d.sweeper.Run(ctx)
	return nil
}
