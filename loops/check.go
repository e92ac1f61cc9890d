package loops

import "time"

// CheckOptions say what a check knows beside the bytes.
type CheckOptions struct {
	Now   time.Time // expires lies after it; zero: not compared
	Roles []string  // the roles that may be addressed; nil: not known here, not checked
}

// Check reads a record and names all its faults at once: contract §1. The record is nil when there are any.
func Check(b []byte, o CheckOptions) (*Record, []Fault) { panic("skeleton") }

// Load reads the bytes of a record that a check accepted before; it does not check again.
func Load(b []byte) (*Record, error) { panic("skeleton") }

// Bytes are the record's bytes as written. Digest is "sha256:<hex>" of them.
func (r *Record) Bytes() []byte { return r.bytes }

// Digest is "sha256:<hex>" of the record's bytes.
func (r *Record) Digest() string { return r.digest }

// Question returns the question with that key.
func (r *Record) Question(key string) (Question, bool) { panic("skeleton") }

// FaultsError is a record that fails its check.
type FaultsError struct{ Faults []Fault }

func (e *FaultsError) Error() string { panic("skeleton") }

// VerdictError is a verdict that does not fit its question: contract §2. Pointer is inside the verdict ("/content/rows").
type VerdictError struct{ Key, Pointer, Message string }

func (e *VerdictError) Error() string { panic("skeleton") }

// CheckVerdict reports what is wrong with a verdict on a question, nil if nothing: each a *VerdictError, joined.
func CheckVerdict(q Question, v Verdict) error { panic("skeleton") }

// SameVerdict compares action, content, arguments, output and scope by value (contract §2 rule 2).
func SameVerdict(a, b Verdict) bool { panic("skeleton") }
