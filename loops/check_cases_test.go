package loops

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// stopCase is one line of testdata: bytes, and what must come out of the check.
type stopCase struct {
	Name   string          `json:"name"`
	Expect string          `json:"expect"` // ok or refused
	At     []string        `json:"at"`     // of each, a fault's pointer starts with it
	Code   string          `json:"code"`   // where given: a fault has this code
	Record json.RawMessage `json:"record"`
	Raw    string          `json:"raw"`
	Raw64  []byte          `json:"raw_base64"`
}

func (c stopCase) bytes() []byte {
	switch {
	case c.Record != nil:
		return c.Record
	case c.Raw64 != nil:
		return c.Raw64
	default:
		return []byte(c.Raw)
	}
}

func stopCases(t testing.TB, file string) []stopCase {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	var cases []stopCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c stopCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

func caseOptions() CheckOptions {
	return CheckOptions{
		Now:   time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC),
		Roles: []string{ProductThinker, Facilitator, "security"},
	}
}

func TestCheckTellsTheCasesApart(t *testing.T) {
	for _, file := range []string{"stops.jsonl", "more.jsonl"} {
		for _, c := range stopCases(t, file) {
			t.Run(c.Name, func(t *testing.T) { checkCase(t, c) })
		}
	}
}

func checkCase(t *testing.T, c stopCase) {
	t.Helper()
	rec, faults := Check(c.bytes(), caseOptions())
	switch c.Expect {
	case "ok":
		if rec == nil || len(faults) > 0 {
			t.Errorf("refused a good record: %v", faults)
		}
	case "refused":
		if rec != nil || len(faults) == 0 {
			t.Errorf("let a bad record pass")
		}
		for _, at := range c.At {
			if !slices.ContainsFunc(faults, func(f Fault) bool { return strings.HasPrefix(f.Pointer, at) }) {
				t.Errorf("no fault at %s: %v", at, faults)
			}
		}
		if c.Code != "" && !slices.ContainsFunc(faults, func(f Fault) bool { return f.Code == c.Code }) {
			t.Errorf("no fault %s: %v", c.Code, faults)
		}
	default:
		t.Errorf("the case expects %q", c.Expect)
	}
}

func TestEveryFaultCodeIsListedAndHasACase(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range append(stopCases(t, "stops.jsonl"), stopCases(t, "more.jsonl")...) {
		_, faults := Check(c.bytes(), caseOptions())
		for _, f := range faults {
			seen[f.Code] = true
			if !strings.HasSuffix(f.Message, ".") || f.Pointer != "" && f.Pointer[0] != '/' {
				t.Errorf("%s: %+v is no sentence with a pointer", c.Name, f)
			}
		}
	}
	seen[codeTooMany], seen[codeTooLarge] = true, true // check_limits_test.go
	for _, code := range FaultCodes() {
		if !seen[code[0]] {
			t.Errorf("no case has the fault %s", code[0])
		}
		delete(seen, code[0])
	}
	for code := range seen {
		t.Errorf("%s is not in FaultCodes", code)
	}
}

func TestThereAreEnoughCasesOfBothKinds(t *testing.T) {
	count := map[string]int{}
	names := map[string]bool{}
	for _, c := range stopCases(t, "more.jsonl") {
		count[c.Expect]++
		if names[c.Name] {
			t.Errorf("two cases are called %q", c.Name)
		}
		names[c.Name] = true
	}
	if count["ok"] < 100 || count["refused"] < 100 {
		t.Errorf("%v", count)
	}
}
