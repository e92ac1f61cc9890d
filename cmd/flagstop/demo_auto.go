package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"flagstop/internal/standin"
)

// autoLimit bounds demo --auto: a click that never comes is a failure, not a wait.
const autoLimit = 45 * time.Second

// tally is the last line of demo --auto: contract §5.
type tally struct {
	Loops    int `json:"loops"`
	Resumed  int `json:"resumed"`
	Outcomes int `json:"outcomes"`
}

// auto plays the sample loops, clicks for the people, and prints the transcript.
func (d *demoWorld) auto(ctx context.Context, withhold string) error {
	defer d.close()
	ctx, cancel := context.WithTimeout(ctx, autoLimit)
	defer cancel()
	d.show.transcript = d.io.out
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- together(running, d.tasks()) }()
	t, failed := d.playAll(ctx, withhold)
	stop()
	failed = errors.Join(failed, <-ended)
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(d.io.out, string(line)); err != nil {
		return err
	}
	if failed != nil || t.Resumed < t.Loops || t.Outcomes < t.Loops {
		return exit{exitError, failed}
	}
	return nil
}

// playAll plays every loop with its click and counts what came of them.
func (d *demoWorld) playAll(ctx context.Context, withhold string) (tally, error) {
	samples := sampleLoops()
	if withhold != "" && !strings.Contains(loopIDs(samples), withhold) {
		return tally{}, fmt.Errorf("--withhold names one of %s", loopIDs(samples))
	}
	type played struct {
		loop string
		err  error
	}
	ends := make(chan played, len(samples))
	for _, l := range samples {
		go func() { ends <- played{l.id, d.play(ctx, l)} }()
		if l.id != withhold {
			go d.click(ctx, l)
		}
	}
	t := tally{Loops: len(samples)}
	var failed error
	for range samples {
		switch p := <-ends; {
		case p.err == nil:
			t.Resumed++
			t.Outcomes++
		case errors.Is(p.err, context.DeadlineExceeded):
			failed = errors.Join(failed, fmt.Errorf("%s: no verdict came within %s", p.loop, autoLimit))
		default:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.loop, p.err))
		}
	}
	return t, failed
}

// click waits for the card of a loop's stop and presses the button that the sample names.
func (d *demoWorld) click(ctx context.Context, l sampleLoop) {
	var card standin.Message
	found := func() bool {
		for _, m := range d.slack.Messages(l.channel) {
			if strings.Contains(string(m.Metadata), l.stopID()) && strings.Contains(string(m.Blocks)+string(m.Attachments), l.button) {
				card = m
				return true
			}
		}
		return false
	}
	if d.slack.Until(ctx, found) != nil {
		return
	}
	if err := d.slack.As(l.person).Click(ctx, card, l.button, 0); err != nil {
		d.show.say("the click of " + l.person + " on " + l.id + " failed: " + err.Error())
		return
	}
	d.show.say(l.person + " pressed " + l.button + " for " + l.id)
}
