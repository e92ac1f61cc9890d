package loops

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// problem says what makes this payload none that a verifier takes, "" if nothing: an unknown version, a missing part, an
// end that its origin cannot have brought, a verdict that says nothing this version knows.
func (o *Outcome) problem() string {
	switch {
	case o.V != 1:
		return unknownVersion(o.V)
	case o.Prefix == "" || o.Stop == "" || o.At.IsZero():
		return "one of prefix, stop and at is missing"
	case !isDigest(o.Digest):
		return notADigest
	case !endedBy(o.End, o.Origin):
		return fmt.Sprintf("end %q with origin %q is none that this version knows", o.End, o.Origin)
	case o.End == Answered && len(o.Verdicts) == 0:
		return "it is answered without a verdict"
	case o.End != Answered && len(o.Verdicts) > 0:
		return fmt.Sprintf("it is %s and has verdicts", o.End)
	}
	for key := range o.Verdicts {
		if problem := verdictProblem(o.Verdicts[key]); problem != "" {
			return fmt.Sprintf("the verdict on %q: %s", key, problem)
		}
	}
	return ""
}

// endedBy holds contract §2: nothing but a person or a machine answers, and a cap is never a person's.
func endedBy(e End, o Origin) bool {
	switch e {
	case Answered:
		return o == OriginPerson || o == OriginMachine
	case Withdrawn:
		return o == OriginAsker
	case Expired:
		return o == OriginAsker || o == OriginPolicy
	}
	return false
}

// verdictProblem lets nothing but an explicit accept pass as one: contract §2 rule 5.
func verdictProblem(v Verdict) string {
	set := 0
	for _, part := range [][]byte{v.Content, v.Arguments, v.Output} {
		if len(part) > 0 {
			set++
		}
	}
	switch {
	case v.Action != Accept && v.Action != Decline:
		return fmt.Sprintf("action %q is neither accept nor decline", v.Action)
	case set > 1:
		return "more than one of content, arguments and output is set"
	case v.Span != "" && v.Span != Once && v.Span != Always:
		return fmt.Sprintf("scope %q is neither once nor always", v.Span)
	}
	return ""
}

func (r *Refusal) problem() string {
	switch {
	case r.V != 1:
		return unknownVersion(r.V)
	case r.Prefix == "" || r.At.IsZero():
		return "one of prefix and at is missing"
	case !isDigest(r.Digest):
		return notADigest
	case len(r.Problems) == 0:
		return "it names no problem"
	}
	return ""
}

const notADigest = `its digest is not "sha256:" and 64 lower-case hexadecimal digits`

func unknownVersion(v int) string {
	return fmt.Sprintf("its schema version is %d and this program knows 1; update this program", v)
}

func isDigest(s string) bool {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(digits) != 64 || digits != strings.ToLower(digits) {
		return false
	}
	_, err := hex.DecodeString(digits)
	return err == nil
}
