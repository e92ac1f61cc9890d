package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"flagstop/escalation"
	"flagstop/internal/config"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// expectation is what a configuration has to make of a stop, at a time: docs/operating.md. What is left out is not compared.
type expectation struct {
	Record     string   `yaml:"record"` // a file, beside the expectations; or a question of this role and repository
	Addressee  string   `yaml:"addressee"`
	Repository string   `yaml:"repository"`
	Owner      string   `yaml:"owner"`
	At         string   `yaml:"at"`
	Channel    *string  `yaml:"channel"`
	OnCall     []string `yaml:"on_call"`
	May        []string `yaml:"may"`
	MayNot     []string `yaml:"may_not"`
	Due        *string  `yaml:"due"` // of the first thing that happens if nobody answers, or "none"

	line int
}

// different is an expectation that did not come true.
type different struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"what"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// checkExpectations holds a configuration against a table, prints the differences, and fails if there is one.
func checkExpectations(ctx context.Context, io stdio, path string, files []string, asJSON bool) error {
	b, err := bookOf(ctx, io, files)
	if err != nil {
		return err
	}
	all, err := readExpectations(path)
	if err != nil {
		return err
	}
	var found []different
	for _, x := range all {
		d, err := x.differences(b, path)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, x.line, err)
		}
		found = append(found, d...)
	}
	for _, d := range found {
		if asJSON {
			err = json.NewEncoder(io.out).Encode(d)
		} else {
			_, err = fmt.Fprintf(io.out, "%s:%d: %s is %s, want %s\n", d.File, d.Line, d.What, d.Got, d.Want)
		}
		if err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return exit{exitError, nil}
	}
	if !asJSON {
		_, err = fmt.Fprintf(io.out, "%s: ok, %d as expected\n", path, len(all))
	}
	return err
}

// bookOf is the configuration among the files, or that of the environment.
func bookOf(ctx context.Context, io stdio, files []string) (escalation.Book, error) {
	for _, file := range files {
		if ext := filepath.Ext(file); ext == ".yaml" || ext == ".yml" {
			b, _, err := config.Load(file)
			return b, err
		}
	}
	return configured(ctx, io)
}

func readExpectations(path string) ([]expectation, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var nodes []yaml.Node
	if err := yaml.Unmarshal(b, &nodes); err != nil {
		return nil, fmt.Errorf("%s is no list of expectations: %w", path, err)
	}
	if len(nodes) == 0 {
		return nil, fmt.Errorf("%s has no expectation", path)
	}
	var all []expectation
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range all {
		all[i].line = nodes[i].Line
	}
	return all, nil
}

// differences are in the order of the fields.
func (x expectation) differences(b escalation.Book, path string) ([]different, error) {
	at, err := time.Parse(time.RFC3339, x.At)
	if err != nil {
		return nil, fmt.Errorf("at %q is no time with its offset, such as 2026-12-24T09:00:00+01:00", x.At)
	}
	s, err := x.stop(b.Config, path, at)
	if err != nil {
		return nil, err
	}
	var found []different
	compare := func(what, want, got string) {
		if want != got {
			found = append(found, different{path, x.line, what, want, got})
		}
	}
	role := s.Record.Addressee
	if x.Channel != nil {
		compare("channel", *x.Channel, orDefault(routing.Channel(b.Config, role, s.Record.Loop.Repository), "none"))
	}
	if x.OnCall != nil {
		compare("on_call", inOrder(x.OnCall), inOrder(routing.OnCall(b.Config.Team(role), at).Users))
	}
	asked := askedOf(s, hardest(s.Record), at)
	for _, may := range []struct {
		who  []string
		want string
	}{{x.May, "may"}, {x.MayNot, "may not"}} {
		for _, who := range may.who {
			d := routing.May(b.Config, asked, answererOf(who))
			compare(who, may.want, map[bool]string{true: "may", false: "may not"}[d.OK])
		}
	}
	if x.Due != nil {
		compare("due", *x.Due, firstDue(b, s, at))
	}
	return found, nil
}

func inOrder(users []string) string {
	return orDefault(strings.Join(slices.Sorted(slices.Values(users)), ", "), "nobody")
}

func firstDue(b escalation.Book, s ledger.Stop, at time.Time) string {
	for _, h := range ahead(b, s, at) {
		return h.At.UTC().Format(time.RFC3339)
	}
	return "none"
}

// stop is the stop of a record's file, or one of a role and a repository.
func (x expectation) stop(c routing.Config, path string, at time.Time) (ledger.Stop, error) {
	var b []byte
	if x.Record != "" {
		if x.Addressee != "" || x.Repository != "" || x.Owner != "" {
			return ledger.Stop{}, errors.New("name a record, or an addressee and a repository, not both")
		}
		file := x.Record
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(path), file)
		}
		var err error
		if b, err = os.ReadFile(file); err != nil {
			return ledger.Stop{}, err
		}
	} else {
		b = x.invented()
	}
	r, faults := loops.Check(b, loops.CheckOptions{Now: at, Roles: roleNames(c)})
	if len(faults) > 0 {
		return ledger.Stop{}, fmt.Errorf("its record would be refused: %s", faults[0].Message)
	}
	return ledger.Stop{ID: r.ID, Record: r, State: ledger.State{Phase: ledger.Open, Holder: r.Addressee}}, nil
}

// invented is the record of a question that the role could be asked: a choice for the product thinker, a call for the others.
func (x expectation) invented() []byte {
	question := map[string]any{"key": "q", "message": "May it run?", "call": map[string]any{"name": "terminal", "arguments": map[string]any{}}}
	concern := loops.Permission
	if x.Addressee == loops.ProductThinker {
		concern = loops.Scope
		question = map[string]any{
			"key": "q", "message": "Keep it?", "null_option": "none", "requestedSchema": map[string]any{
				"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string", "oneOf": []any{
					map[string]any{"const": "yes", "title": "Keep it", "description": "It stays."},
					map[string]any{"const": "none", "title": "Neither"},
				}}},
			},
		}
	}
	loop := map[string]any{"id": "expected", "repository": x.Repository}
	if x.Owner != "" {
		loop["owner"] = x.Owner
	}
	b, err := json.Marshal(map[string]any{
		"v": 1, "id": "expected", "addressee": x.Addressee, "kind": loops.Judgement, "concern": concern, "loop": loop, "questions": []any{question},
	})
	if err != nil {
		panic(err) // maps of strings always marshal
	}
	return b
}
