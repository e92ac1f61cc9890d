package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"flagstop/loops/ledger"
)

// defect counts the stops of one agent that were said to be asked of the wrong role.
type defect struct {
	Agent  string    `json:"agent"`
	Count  int       `json:"count"`
	Loops  []string  `json:"loops"`
	Stops  []string  `json:"stops"`
	Latest time.Time `json:"latest"`
}

// defects counts by agent, the most first; who has no name of an agent is its loop.
func defects(ctx context.Context, l *ledger.Ledger, q ledger.Query) ([]defect, error) {
	by := map[string]defect{}
	q.NotMine = true
	for s, err := range l.List(ctx, q) {
		if err != nil {
			return nil, err
		}
		name := cmp.Or(s.Record.Loop.Agent, s.Record.Loop.ID)
		d := by[name]
		d.Agent, d.Count, d.Stops = name, d.Count+1, append(d.Stops, s.ID)
		if !slices.Contains(d.Loops, s.Record.Loop.ID) {
			d.Loops = append(d.Loops, s.Record.Loop.ID)
		}
		if s.State.NotMine.At.After(d.Latest) {
			d.Latest = s.State.NotMine.At
		}
		by[name] = d
	}
	all := make([]defect, 0, len(by))
	for _, d := range by {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b defect) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Agent, b.Agent)) })
	return all, nil
}

// listDefects prints who asked the wrong role, and how often.
func listDefects(ctx context.Context, io stdio, l *ledger.Ledger, q ledger.Query, asJSON bool) error {
	all, err := defects(ctx, l, q)
	if err != nil {
		return err
	}
	if len(all) == 0 && !asJSON {
		_, err := fmt.Fprintln(io.out, "nobody said that a question was not theirs to answer")
		return err
	}
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
	for _, d := range all {
		if asJSON {
			err = json.NewEncoder(io.out).Encode(d)
		} else {
			_, err = fmt.Fprintf(w, "%d\t%s\t%s\t%d loops\n", d.Count, plain(d.Agent), d.Latest.UTC().Format(time.RFC3339), len(d.Loops))
		}
		if err != nil {
			return err
		}
	}
	return w.Flush()
}
