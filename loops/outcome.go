package loops

import "time"

// End is how a stop ended: contract §2.
type End string

// The ends of a stop.
const (
	Answered  End = "answered"
	Withdrawn End = "withdrawn"
	Expired   End = "expired"
)

// Origin names who ended a stop; it is never what is left over by elimination.
type Origin string

// The origins of an end. Infrastructure is none of them: it is an error of the call that failed.
const (
	OriginPerson  Origin = "person"
	OriginMachine Origin = "machine"
	OriginAsker   Origin = "asker"
	OriginPolicy  Origin = "policy"
)

// Outcome is the payload of the signed outcome, one per stop: contract §2.
type Outcome struct {
	V        int                `json:"v"`
	Prefix   string             `json:"prefix"`
	Stop     string             `json:"stop"`
	Digest   string             `json:"digest"`
	End      End                `json:"end"`
	Origin   Origin             `json:"origin"`
	By       *By                `json:"by,omitempty"`
	At       time.Time          `json:"at"`
	Reason   string             `json:"reason,omitempty"`
	Log      string             `json:"log"` // the hash of the log's last entry
	Verdicts map[string]Verdict `json:"verdicts,omitempty"`
}

// Refusal is the payload of a signed refusal: bytes that did not become a stop.
type Refusal struct {
	V        int       `json:"v"`
	Prefix   string    `json:"prefix"`
	Digest   string    `json:"digest"`
	ID       string    `json:"id,omitempty"`
	Problems []Fault   `json:"problems"`
	At       time.Time `json:"at"`
}
