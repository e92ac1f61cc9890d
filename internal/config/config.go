// Package config reads the bot's YAML file (contract §7): strictly, and with every fault at once, each with its line and
// column.
package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"flagstop/escalation"
)

// maxSize is far above any real configuration; what is larger is a mistake.
const maxSize = 1 << 20

// Fault is one thing that is wrong with a configuration. Line and Column count from 1; 0 means the file as a whole. A
// Warning does not keep the configuration from being used.
type Fault struct {
	Line, Column int
	Code         string
	Message      string
	Warning      bool
}

func (f Fault) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Message)
}

// Error is a configuration that cannot be used, with all its faults.
type Error struct {
	File   string
	Faults []Fault
}

func (e *Error) Error() string {
	lines := make([]string, 0, len(e.Faults))
	for _, f := range e.Faults {
		lines = append(lines, e.File+":"+f.String())
	}
	return strings.Join(lines, "\n")
}

// Load reads a configuration file. The error is an *Error when the file was read but cannot be used.
func Load(path string) (escalation.Book, []Fault, error) {
	b, err := readFile(path)
	if err != nil {
		return escalation.Book{}, nil, fmt.Errorf("read the configuration (FLAGSTOP_CONFIG): %w", err)
	}
	c, faults := Parse(b)
	warnings, hard := split(faults)
	if len(hard) > 0 {
		return escalation.Book{}, warnings, &Error{File: path, Faults: hard}
	}
	return c, warnings, nil
}

func readFile(path string) (b []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxSize+1))
}

func split(faults []Fault) (warnings, hard []Fault) {
	for _, f := range faults {
		if f.Warning {
			warnings = append(warnings, f)
		} else {
			hard = append(hard, f)
		}
	}
	return warnings, hard
}

// Parse reads a configuration and names all its faults and warnings, in the order of the file.
func Parse(file []byte) (escalation.Book, []Fault) {
	r := &reader{}
	if len(file) > maxSize {
		r.fault(nil, "too-large", "the file is larger than 1 MiB: is it the right one?")
		return escalation.Book{}, r.faults
	}
	root := r.document(file)
	if root == nil {
		return escalation.Book{}, r.faults
	}
	b := r.config(root)
	r.crossCheck(b.Config)
	r.checkPolicies(b.Config, b.Policies)
	r.sort()
	return b, r.faults
}
