package loops

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// CheckOptions say what a check knows beside the bytes.
type CheckOptions struct {
	Now   time.Time // expires lies after it; zero: not compared
	Roles []string  // the roles that may be addressed; nil: not known here, not checked
}

// Check reads a record and names all its faults at once: contract §1. The record is nil when there are any. The slice is
// not kept.
func Check(b []byte, o CheckOptions) (*Record, []Fault) {
	root, faults := parseStrict(b)
	if root == nil {
		return nil, faults
	}
	if root.kind != '{' {
		return nil, append(faults, Fault{codeType, "", "A record is a JSON object."})
	}
	r := decoder{faults: faults}
	rec := r.record(root)
	c := checker{opt: o, shape: len(r.faults), faults: r.faults}
	c.record(root, rec)
	if len(c.faults) > 0 {
		return nil, atMost(c.faults)
	}
	rec.keep(b)
	return rec, nil
}

// Misfits are the faults that a record which passed its check would have if it were addressed to another role.
func (r *Record) Misfits(role string) []Fault {
	root, faults := parseStrict(r.bytes)
	if root == nil || root.kind != '{' {
		return faults
	}
	var d decoder
	rec := d.record(root)
	rec.Addressee = role
	c := checker{}
	c.record(root, rec)
	return atMost(c.faults)
}

// atMost cuts what one refusal says: a refusal is kept for days, and must not be much larger than what it refuses.
func atMost(faults []Fault) []Fault {
	for i, f := range faults[:min(len(faults), maxFaults)] {
		faults[i].Pointer = shortened(f.Pointer)
	}
	if len(faults) <= maxFaults {
		return faults
	}
	more := Fault{codeTooMany, "", fmt.Sprintf("There are %d more faults. Mend these first.", len(faults)-maxFaults)}
	return append(slices.Clip(faults[:maxFaults]), more)
}

// shortened is a pointer as far as it helps: the names in it are foreign, and may be as long as the record.
func shortened(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:maxPointer], "") + "…"
}

// Load reads the bytes of a record that a check accepted before; it does not check again. The slice is not kept.
func Load(b []byte) (*Record, error) {
	root, faults := parseStrict(b)
	if len(faults) > 0 {
		return nil, fmt.Errorf("read a record: %w", &FaultsError{faults})
	}
	if root.kind != '{' {
		return nil, errors.New("read a record: it is not a JSON object")
	}
	var r decoder
	rec := r.record(root)
	if rec.V != Version {
		return nil, fmt.Errorf("read a record: its version is %d and this program knows %d", rec.V, Version)
	}
	rec.keep(b)
	return rec, nil
}

// keep stores a copy of the bytes, and their digest.
func (r *Record) keep(b []byte) {
	r.bytes = bytes.Clone(b)
	sum := sha256.Sum256(b)
	r.digest = "sha256:" + hex.EncodeToString(sum[:])
}

// Bytes are the record's bytes as written; nil where the record was not read by Check or Load.
func (r *Record) Bytes() []byte { return r.bytes }

// Digest is "sha256:<hex>" of the record's bytes.
func (r *Record) Digest() string { return r.digest }

// Question returns the question with that key.
func (r *Record) Question(key string) (Question, bool) {
	for _, q := range r.Questions {
		if q.Key == key {
			return q, true
		}
	}
	return Question{}, false
}

// checker collects faults. Those before shape were found while reading: nothing more is said about such a place.
type checker struct {
	opt    CheckOptions
	shape  int
	faults []Fault
}

func (c *checker) fault(code, pointer, format string, args ...any) {
	for _, f := range c.faults[:c.shape] {
		if pointer == f.Pointer || strings.HasPrefix(pointer, f.Pointer+"/") && f.Pointer != "" {
			return
		}
	}
	c.faults = append(c.faults, Fault{code, pointer, fmt.Sprintf(format, args...)})
}
