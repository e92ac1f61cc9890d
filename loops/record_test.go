package loops

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func builtRecord() *Record {
	one, three := 1, 3
	return &Record{
		ID: "built-1", Addressee: Facilitator, Kind: Fact, Concern: Evidence,
		Loop:    Loop{ID: "dev-agent/7", Repository: "acme/saudacao"},
		About:   &About{Ref: "adr-12"},
		Raised:  time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("", 7200)),
		Expires: time.Date(2027, 1, 1, 0, 0, 0, 5, time.UTC),
		Resume:  &Resume{Via: "mcp", State: json.RawMessage(`{"n": 9007199254740993}`)},
		Questions: []Question{{Key: "q", Message: "What did <b>you</b> & they see?", NullOption: "none", Schema: &Schema{
			Required: []string{"zebra"},
			Properties: []Property{
				{Name: "zebra", Type: SelectProperty, Title: "Seen", Options: []Option{{"a", "Yes", "There it was."}, {"none", "None of these", ""}}, Default: json.RawMessage(`"a"`)},
				{Name: "apple", Type: IntegerProperty, Minimum: "-9223372036854775808", Maximum: "9223372036854775807"},
				{Name: "mango", Type: MultiSelectProperty, MinItems: &one, MaxItems: &three, Options: []Option{{"x", "X", ""}, {"y", "Y", "An example"}, {"z", "Z", ""}}},
				{Name: "berry", Type: StringProperty, Format: "date", Description: "The day"},
				{Name: "cherry", Type: StringProperty, MinLength: &one, MaxLength: &three},
				{Name: "date", Type: BooleanProperty},
				{Name: "elder", Type: NumberProperty, Minimum: "0.1000000000000000000001"},
			},
		}}},
	}
}

func TestARecordThatIsBuiltInGoPassesAsItIsWritten(t *testing.T) {
	built := builtRecord()
	for name, encode := range map[string]func() ([]byte, error){
		"Encode":       built.Encode,
		"json.Marshal": func() ([]byte, error) { return json.Marshal(built) },
	} {
		b, err := encode()
		if err != nil {
			t.Fatal(err)
		}
		rec, faults := Check(b, caseOptions())
		if len(faults) > 0 {
			t.Fatalf("%s: %v\n%s", name, faults, b)
		}
		want := builtRecord()
		want.V, want.Raised = Version, built.Raised.UTC()
		want.Resume.State = json.RawMessage(`{"n":9007199254740993}`)
		want.bytes, want.digest = rec.bytes, rec.digest
		if diff := cmp.Diff(want, rec, cmp.AllowUnexported(Record{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEncodeLeavesTheTextReadable(t *testing.T) {
	b, err := builtRecord().Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"raised":"2026-11-30T10:00:00Z"`, `"zebra":{`, `"maximum":9223372036854775807`, `"v":1`} {
		if !strings.Contains(string(b), part) {
			t.Errorf("%s is not in %s", part, b)
		}
	}
	if strings.Index(string(b), `"zebra":{`) > strings.Index(string(b), `"apple":{`) {
		t.Error("the properties lost their order")
	}
}

func TestTheDigestIsOverTheBytesAsWritten(t *testing.T) {
	b := goodRecord("May it run this?", "", `{"b": 1.0 , "a":"\u00e3"}`, `"run"`)
	rec, faults := Check(b, caseOptions())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(b)); rec.Digest() != want {
		t.Errorf("digest %s, want %s", rec.Digest(), want)
	}
	if string(rec.Resume.State) != `{"b": 1.0 , "a":"\u00e3"}` {
		t.Errorf("the state was rewritten: %s", rec.Resume.State)
	}
	clear(b)
	if rec.Bytes()[0] != '{' {
		t.Error("the record shares the caller's bytes")
	}
}

func TestLoadTakesWhatOnceWasGood(t *testing.T) {
	good := string(goodRecord("m", "", "1", `"run"`))
	for name, text := range map[string]string{
		"expired since":         strings.Replace(good, `"v":1`, `"v":1,"expires":"2001-01-01T00:00:00Z"`, 1),
		"a role that went away": strings.Replace(good, `"facilitator"`, `"night-watch"`, 1),
		"words found since":     strings.Replace(good, `"m"`, `"We recommend it."`, 1),
	} {
		if _, faults := Check([]byte(text), caseOptions()); len(faults) != 1 {
			t.Errorf("%s: the check says %v", name, faults)
		}
		rec, err := Load([]byte(text))
		if err != nil || rec.ID != "c1" || rec.Digest() == "" {
			t.Errorf("%s: %+v, %v", name, rec, err)
		}
	}
}

func TestLoadSaysWhatItCannotRead(t *testing.T) {
	for _, b := range []string{"", "[]", `{"v":2}`, `{"v":1,"v":1}`, `{"v":1} x`} {
		if rec, err := Load([]byte(b)); err == nil || rec != nil {
			t.Errorf("%s was read", b)
		}
	}
	var faults *FaultsError
	if _, err := Load([]byte("{")); !errors.As(err, &faults) {
		t.Errorf("%v has no faults", err)
	}
}

func TestARecordFindsItsQuestions(t *testing.T) {
	r := Record{Questions: []Question{{Key: "a"}, {Key: "b", Message: "x"}}}
	if q, ok := r.Question("b"); !ok || q.Message != "x" {
		t.Errorf("%+v, %v", q, ok)
	}
	if _, ok := r.Question("B"); ok {
		t.Error("found a question that is not there")
	}
}

func TestFaultsReadAsOneLineWithoutTheTexts(t *testing.T) {
	b := goodRecord("We recommend hunter2, at length", "", "1", `"hunter2"`)
	_, faults := Check(b, caseOptions())
	text := (&FaultsError{faults}).Error()
	if strings.Contains(text, "hunter2") || strings.Contains(text, "\n") {
		t.Error(text)
	}
	for _, part := range []string{"2 faults", "/questions/0/message", "(recommends)", "/questions/0/call/may/0", "(unknown-value)"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

func TestAFaultsErrorStaysOnItsLine(t *testing.T) {
	text := (&FaultsError{[]Fault{{codeDuplicateKey, "/a\nlevel=ERROR " + strings.Repeat("x", 500), "Keep one."}, {codeNotJSON, "", "It is not JSON."}}}).Error()
	if strings.Contains(text, "\n") || len(text) > 400 || !strings.Contains(text, "the whole") {
		t.Error(text)
	}
}

func TestKeysAreListedTenAtMost(t *testing.T) {
	keys := strings.Fields("a b c d e f g h i j k l")
	for n, want := range map[int]string{0: "", 1: "a", 10: "a, b, c, d, e, f, g, h, i, j", 11: "a, b, c, d, e, f, g, h, i, j, … (1 more)", 12: "a, b, c, d, e, f, g, h, i, j, … (2 more)"} {
		if got := ListKeys(keys[:n]); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestEveryFaultIsNamedAtOnce(t *testing.T) {
	b := []byte(`{"v":1,"v":3,"id":"","addressee":"pm","kind":"x","concern":"y","loop":{"id":1},"expires":"soon",` +
		`"questions":[{"key":"a","message":"We recommend it."},{"key":"a","message":" ","call":{"name":"n","arguments":[],"may":["x"]}}]}`)
	_, faults := Check(b, caseOptions())
	var got []string
	for _, f := range faults {
		got = append(got, f.Pointer+" "+f.Code)
	}
	slices.Sort(got)
	want := []string{
		"/addressee unknown-role", "/concern unknown-value", "/expires bad-time", "/id bad-id", "/kind unknown-value",
		"/loop/id wrong-type", "/loop/repository missing", "/questions several-without-calls", "/questions/0 not-exactly-one",
		"/questions/0/message recommends", "/questions/1/call/arguments wrong-type", "/questions/1/call/may/0 unknown-value",
		"/questions/1/key key-not-unique", "/questions/1/message blank", "/v duplicate-key",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range stopCases(b, "stops.jsonl") {
		if c.Expect != "ok" {
			continue
		}
		b.Run(strings.ReplaceAll(c.Name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, faults := Check(c.Record, caseOptions()); len(faults) > 0 {
					b.Fatal(faults)
				}
			}
		})
	}
}
