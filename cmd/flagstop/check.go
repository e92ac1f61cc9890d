package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"flagstop/internal/config"
	"flagstop/loops"
)

// checked is what came out for one record, or for one configuration.
type checked struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	OK       bool    `json:"ok"`
	Faults   []fault `json:"faults"`
	Warnings []fault `json:"warnings,omitempty"`
}

// fault is one fault of either kind of file: a record's has a pointer, a configuration's a line and column.
type fault struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// check prints every fault of the files and fails if there is one.
func check(ctx context.Context, io stdio, args []string) error {
	f := flags(io, "check")
	asJSON := f.Bool("json", false, "one JSON object a record")
	expect := f.String("expect", "", "hold the configuration against this table of expectations")
	if err := parse(f, args, 0, 1<<16); err != nil {
		return err
	}
	if *expect == "" && f.NArg() == 0 {
		return usageError("a word is missing")
	}
	roles, err := knownRoles(ctx, io)
	if err != nil {
		return err
	}
	faulty := 0
	for _, path := range f.Args() {
		results, err := checkFile(ctx, io, path, loops.CheckOptions{Now: time.Now(), Roles: roles})
		if err != nil {
			return err
		}
		for _, r := range results {
			if !r.OK {
				faulty++
			}
			if err := printChecked(io, r, *asJSON); err != nil {
				return err
			}
		}
	}
	if faulty > 0 {
		return exit{exitError, nil}
	}
	if *expect != "" {
		return checkExpectations(ctx, io, *expect, f.Args(), *asJSON)
	}
	return nil
}

// knownRoles are those of the configuration, nil where there is none.
func knownRoles(ctx context.Context, io stdio) ([]string, error) {
	e, err := readEnvironment()
	if err != nil || e.Config == "" {
		return nil, err
	}
	log, err := e.logger(io)
	if err != nil {
		return nil, err
	}
	s, err := e.loadSettings(ctx, log)
	if err != nil {
		return nil, err
	}
	return s.roles(), nil
}

func checkFile(ctx context.Context, io stdio, path string, o loops.CheckOptions) ([]checked, error) {
	ext := filepath.Ext(path)
	if !slices.Contains([]string{"", ".json", ".jsonl", ".yaml", ".yml"}, ext) {
		return nil, usageError("%s is neither .json, .jsonl nor .yaml", path)
	}
	b, err := readInput(io, path)
	switch {
	case err != nil:
		return nil, err
	case ext == ".yaml" || ext == ".yml":
		c, err := checkConfig(ctx, io, path, b)
		return []checked{c}, err
	case ext == ".jsonl":
		return checkLines(path, b, o), nil
	}
	return []checked{checkRecord(path, 1, b, o)}, nil
}

func checkLines(path string, b []byte, o loops.CheckOptions) []checked {
	var out []checked
	line := 0
	for text := range bytes.Lines(b) {
		line++
		if text = bytes.TrimSpace(text); len(text) > 0 {
			out = append(out, checkRecord(path, line, text, o))
		}
	}
	return out
}

func checkRecord(path string, line int, b []byte, o loops.CheckOptions) checked {
	_, faults := loops.Check(b, o)
	c := checked{File: path, Line: line, OK: len(faults) == 0, Faults: []fault{}}
	for _, x := range faults {
		c.Faults = append(c.Faults, fault{Code: x.Code, Pointer: x.Pointer, Message: x.Message})
	}
	return c
}

func checkConfig(ctx context.Context, io stdio, path string, b []byte) (checked, error) {
	book, faults := config.Parse(b)
	c := checked{File: path, Line: 1, OK: true, Faults: []fault{}}
	for _, x := range faults {
		y := fault{Code: x.Code, Message: x.Message, Line: x.Line, Column: x.Column}
		if x.Warning {
			c.Warnings = append(c.Warnings, y)
			continue
		}
		c.OK = false
		c.Faults = append(c.Faults, y)
	}
	if !c.OK {
		return c, nil
	}
	unknown, err := unknownToSlack(ctx, io, book.Config)
	c.Warnings = append(c.Warnings, unknown...)
	return c, err
}

func printChecked(io stdio, c checked, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(io.out).Encode(c)
	}
	if c.OK {
		if _, err := fmt.Fprintf(io.out, "%s:%d: ok\n", c.File, c.Line); err != nil {
			return err
		}
	}
	return errors.Join(printFaults(io, c, "", c.Faults), printFaults(io, c, "warning: ", c.Warnings))
}

func printFaults(io stdio, c checked, prefix string, faults []fault) error {
	for _, x := range faults {
		place := fmt.Sprintf("%s:%d", c.File, c.Line)
		if x.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", c.File, x.Line, x.Column)
		}
		if x.Pointer != "" {
			place += " " + x.Pointer
		}
		if _, err := fmt.Fprintf(io.out, "%s: %s%s (%s)\n", place, prefix, x.Message, x.Code); err != nil {
			return err
		}
	}
	return nil
}

// readInput reads a file, or standard input for -.
func readInput(io stdio, path string) ([]byte, error) {
	if path == "-" {
		return readAll(io.in)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := readAll(f)
	return b, errors.Join(err, f.Close())
}
