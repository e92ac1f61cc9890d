package loops

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// verdictPointers are the places at which a verdict does not fit its question.
func verdictPointers(t *testing.T, q Question, v Verdict) []string {
	t.Helper()
	err := CheckVerdict(q, v)
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%v is not joined", err)
	}
	var at []string
	for _, e := range joined.Unwrap() {
		var ve *VerdictError
		if !errors.As(e, &ve) || ve.Key != q.Key || ve.Message == "" {
			t.Fatalf("%#v is no VerdictError of the question", e)
		}
		at = append(at, ve.Pointer)
	}
	return at
}

func mustSchema(t testing.TB, text string) *Schema {
	t.Helper()
	var s Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func accepted(content string) Verdict {
	return Verdict{Action: Accept, Content: json.RawMessage(content)}
}

const everyType = `{"type":"object","required":["rows"],"properties":{
	"rows":{"type":"integer","minimum":1,"maximum":9223372036854775807},
	"ratio":{"type":"number","minimum":0,"maximum":1},
	"big":{"type":"integer"},
	"from":{"type":"string","format":"date"},
	"at":{"type":"string","format":"date-time"},
	"notify":{"type":"string","format":"email"},
	"docs":{"type":"string","format":"uri"},
	"dry":{"type":"boolean"},
	"one":{"type":"string","enum":["a","none"]},
	"parts":{"type":"array","minItems":1,"maxItems":2,"items":{"enum":["a","b","c"]}},
	"a/b":{"type":"string","minLength":2,"maxLength":3}}}`

func TestContentIsHeldAgainstTheForm(t *testing.T) {
	q := Question{Key: "q", Schema: mustSchema(t, everyType)}
	for content, at := range map[string]string{
		`{"rows":1}`:                      "",
		`{"rows":1.0}`:                    "",
		`{"rows":10e-1}`:                  "",
		`{"rows":9223372036854775807}`:    "",
		`{"rows":9223372036854775808}`:    "/content/rows",
		`{"rows":0}`:                      "/content/rows",
		`{"rows":1.5}`:                    "/content/rows",
		`{"rows":"1"}`:                    "/content/rows",
		`{"rows":true}`:                   "/content/rows",
		`{"rows":null}`:                   "/content/rows",
		`{}`:                              "/content/rows",
		`[]`:                              "/content",
		`null`:                            "/content",
		`{"rows":1`:                       "/content",
		`{"rows":1} x`:                    "/content",
		`{"rows":1,"rows":2}`:             "/content/rows",
		"{\"rows\":1,\"a/b\":\"\xff..\"}": "/content",
		`{"rows":1,"more":2}`:             "/content/more",
		`{"rows":1,"Rows":2}`:             "/content/Rows",
		`{"rows":1,"ratio":0.5}`:          "",
		`{"rows":1,"ratio":1}`:            "",
		`{"rows":1,"ratio":-0}`:           "",
		`{"rows":1,"ratio":1.0000000000000000001}`:        "/content/ratio",
		`{"rows":1,"ratio":-1e-400}`:                      "/content/ratio",
		`{"rows":1,"ratio":1e9999999}`:                    "/content/ratio",
		`{"rows":1,"big":123456789012345678901234567890}`: "",
		`{"rows":1,"big":1e300}`:                          "",
		`{"rows":1,"from":"2028-02-29"}`:                  "",
		`{"rows":1,"from":"2027-02-29"}`:                  "/content/from",
		`{"rows":1,"from":"2027-2-1"}`:                    "/content/from",
		`{"rows":1,"from":""}`:                            "/content/from",
		`{"rows":1,"at":"2026-11-30T10:00:00.5+02:00"}`:   "",
		`{"rows":1,"at":"2026-11-30T10:00:00"}`:           "/content/at",
		`{"rows":1,"at":"2026-11-30 10:00:00Z"}`:          "/content/at",
		`{"rows":1,"notify":"ana@example.com"}`:           "",
		`{"rows":1,"notify":"ana.b+c@mail.example.com"}`:  "",
		`{"rows":1,"notify":"Ana <ana@example.com>"}`:     "/content/notify",
		`{"rows":1,"notify":"ana@"}`:                      "/content/notify",
		`{"rows":1,"notify":"a@b.c, d@e.f"}`:              "/content/notify",
		`{"rows":1,"docs":"https://example.com/a?b#c"}`:   "",
		`{"rows":1,"docs":"urn:isbn:0451450523"}`:         "",
		`{"rows":1,"docs":"mailto:ana@example.com"}`:      "",
		`{"rows":1,"docs":"/a/b"}`:                        "/content/docs",
		`{"rows":1,"docs":"https://"}`:                    "/content/docs",
		`{"rows":1,"docs":"https://example.com/a b"}`:     "/content/docs",
		`{"rows":1,"dry":false}`:                          "",
		`{"rows":1,"dry":"yes"}`:                          "/content/dry",
		`{"rows":1,"one":"none"}`:                         "",
		`{"rows":1,"one":"A"}`:                            "/content/one",
		`{"rows":1,"one":["a"]}`:                          "/content/one",
		`{"rows":1,"parts":["a"]}`:                        "",
		`{"rows":1,"parts":["c","a"]}`:                    "",
		`{"rows":1,"parts":[]}`:                           "/content/parts",
		`{"rows":1,"parts":["a","b","c"]}`:                "/content/parts",
		`{"rows":1,"parts":["a","a"]}`:                    "/content/parts",
		`{"rows":1,"parts":["x"]}`:                        "/content/parts",
		`{"rows":1,"parts":"a"}`:                          "/content/parts",
		`{"rows":1,"a/b":"ãé"}`:                           "",
		`{"rows":1,"a/b":"😀😀😀"}`:                          "",
		`{"rows":1,"a/b":"ã"}`:                            "/content/a~1b",
		`{"rows":1,"a/b":"ãéíõ"}`:                         "/content/a~1b",
	} {
		got := verdictPointers(t, q, accepted(content))
		if at == "" && got != nil || at != "" && !slices.Equal(got, []string{at}) {
			t.Errorf("%s: faults at %q, want %q", content, got, at)
		}
	}
}

func TestAllThatIsWrongWithAVerdictIsNamedAtOnce(t *testing.T) {
	q := Question{Key: "q", Schema: mustSchema(t, everyType)}
	v := accepted(`{"more":1,"dry":3,"one":"x"}`)
	v.Message, v.Span = strings.Repeat("x", 3001), Always
	want := []string{"/message", "/content/more", "/content/dry", "/content/one", "/content/rows", "/scope"}
	if got := verdictPointers(t, q, v); !slices.Equal(got, want) {
		t.Errorf("faults at %q, want %q", got, want)
	}
}

func TestWhatIsOnlyToBeSeenTakesAnEmptyAnswerOrNone(t *testing.T) {
	q := Question{Key: "q", Schema: &Schema{}}
	for content, want := range map[string][]string{"": nil, "{}": nil, " { } ": nil, `{"a":1}`: {"/content/a"}, "null": {"/content"}} {
		if got := verdictPointers(t, q, accepted(content)); !slices.Equal(got, want) {
			t.Errorf("%s: faults at %q, want %q", content, got, want)
		}
	}
}

func TestRequiredAnswersAreMissedAlsoWithoutContent(t *testing.T) {
	q := Question{Key: "q", Schema: mustSchema(t, everyType)}
	if got := verdictPointers(t, q, Verdict{Action: Accept}); !slices.Equal(got, []string{"/content/rows"}) {
		t.Errorf("faults at %q", got)
	}
}

func TestAPageIsAcceptedWithNothing(t *testing.T) {
	q := Question{Key: "q", Mode: URLMode, URL: "https://example.com/"}
	if err := CheckVerdict(q, Verdict{Action: Accept, Message: "opened"}); err != nil {
		t.Error(err)
	}
	for _, v := range []Verdict{accepted("{}"), {Action: Accept, Output: json.RawMessage("1")}, {Action: Accept, Arguments: json.RawMessage("{}")}, {Action: Accept, Span: Once}} {
		if CheckVerdict(q, v) == nil {
			t.Errorf("took %+v", v)
		}
	}
}

func TestWhatIsNoVerdictIsNotTaken(t *testing.T) {
	q := Question{Key: "q", Schema: &Schema{}}
	for _, a := range []Action{"", "cancel", "Accept", "approve", "yes"} {
		if got := verdictPointers(t, q, Verdict{Action: a}); !slices.Equal(got, []string{"/action"}) {
			t.Errorf("%q: faults at %q", a, got)
		}
	}
}

func TestAnyQuestionWithoutACallCanBeDeclined(t *testing.T) {
	for _, q := range []Question{{Key: "q", Schema: mustSchema(t, everyType)}, {Key: "q", Mode: URLMode, URL: "https://example.com/"}} {
		if err := CheckVerdict(q, Verdict{Action: Decline, Message: "Not now."}); err != nil {
			t.Error(err)
		}
		if got := verdictPointers(t, q, Verdict{Action: Decline, Content: json.RawMessage(`{"rows":1}`)}); !slices.Equal(got, []string{"/content"}) {
			t.Errorf("faults at %q", got)
		}
	}
}

// The truth table of what a call may.
func TestACallTakesExactlyWhatItsLoopCanCarryOut(t *testing.T) {
	verdicts := map[string]Verdict{
		"run":     {Action: Accept},
		"edit":    {Action: Accept, Arguments: json.RawMessage(`{"a":1}`)},
		"output":  {Action: Accept, Output: json.RawMessage(`null`)},
		"decline": {Action: Decline, Message: "no"},
	}
	all := []May{MayRun, MayEdit, MayOutput, MayDecline, MayAlways}
	for set := range 1 << len(all) {
		var may []May
		for i, m := range all {
			if set&(1<<i) != 0 {
				may = append(may, m)
			}
		}
		allowed := may
		if len(may) == 0 {
			allowed = []May{MayRun, MayDecline}
		}
		q := Question{Key: "k", Call: &Call{Name: "x", Arguments: json.RawMessage(`{}`), May: may}}
		for name, v := range verdicts {
			for _, span := range []Span{"", Once, Always, "forever"} {
				v.Span = span
				want := slices.Contains(allowed, May(name)) && (span == "" || span == Once || span == Always && slices.Contains(allowed, MayAlways))
				if err := CheckVerdict(q, v); (err == nil) != want {
					t.Errorf("may %v: %s, scope %q: %v", may, name, span, err)
				}
			}
		}
	}
}

func TestOnlyOneOfContentArgumentsAndOutputIsTaken(t *testing.T) {
	q := Question{Key: "k", Call: &Call{Name: "x", May: []May{MayRun, MayEdit, MayOutput}}}
	v := Verdict{Action: Accept, Arguments: json.RawMessage(`{}`), Output: json.RawMessage(`1`)}
	if got := verdictPointers(t, q, v); !slices.Equal(got, []string{""}) {
		t.Errorf("faults at %q", got)
	}
	if got := verdictPointers(t, q, accepted("{}")); !slices.Equal(got, []string{"/content"}) {
		t.Errorf("faults at %q", got)
	}
}

func TestEditedArgumentsAreHeldAgainstTheCallsSchema(t *testing.T) {
	q := Question{Key: "k", Call: &Call{Name: "refund", Arguments: json.RawMessage(`{}`), May: []May{MayRun, MayEdit}, Schema: json.RawMessage(
		`{"type":"object","required":["eur"],"additionalProperties":false,"$defs":{"eur":{"type":"integer","maximum":9007199254740992}},
		"properties":{"eur":{"$ref":"#/$defs/eur"},"to":{"type":"string","pattern":"^(a+)+$"},"who":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)}}
	for arguments, want := range map[string][]string{
		`{"eur":20}`:               nil,
		`{"eur":9007199254740992}`: nil,
		`{"eur":9007199254740993}`: {"/arguments/eur"},
		`{"eur":20.5}`:             {"/arguments/eur"},
		`{}`:                       {"/arguments/eur"},
		`{"eur":1,"x/y":2}`:        {"/arguments/x~1y"},
		`{"eur":"1","who":true}`:   {"/arguments/eur", "/arguments/who"},
		`{"eur":1,"to":"` + strings.Repeat("a", 5000) + `!"}`: {"/arguments/to"},
		`[]`:                {"/arguments"},
		`"x"`:               {"/arguments"},
		`{"eur":1,"eur":2}`: {"/arguments/eur"},
		`{"eur":1e99999}`:   {"/arguments/eur"},
	} {
		got := verdictPointers(t, q, Verdict{Action: Accept, Arguments: json.RawMessage(arguments)})
		if !slices.Equal(got, want) {
			t.Errorf("%.60s: faults at %q, want %q", arguments, got, want)
		}
	}
}

func TestASchemaThatDoublesAtEachLevelCostsNoTime(t *testing.T) {
	var defs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&defs, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	bombs := map[string]string{
		"at one place":   `{"$defs":{` + defs.String() + `"d60":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/d0"}}}`,
		"down the value": `{"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}},"not":{"required":["end"]}}`,
	}
	arguments := strings.Repeat(`{"a":`, 90) + `{"end":1}` + strings.Repeat(`}`, 90)
	for name, schema := range bombs {
		call := Call{Name: "x", May: []May{MayEdit}, Arguments: json.RawMessage("{}"), Schema: json.RawMessage(schema)}
		q := Question{Key: "k", Call: &call}
		start := time.Now()
		err := CheckVerdict(q, Verdict{Action: Accept, Arguments: json.RawMessage(arguments)})
		if err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func TestAVerdictErrorHasNothingOfTheAnswer(t *testing.T) {
	q := Question{Key: "q", Schema: mustSchema(t, everyType)}
	err := CheckVerdict(q, Verdict{Action: "hunter2", Content: json.RawMessage(`{"rows":"hunter2"}`), Message: strings.Repeat("hunter2", 500)})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestTheSameVerdictIsToldByValue(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	by := &By{ID: "slack:T1/U1"}
	for _, tt := range []struct {
		a, b Verdict
		same bool
	}{
		{Verdict{Action: Accept}, Verdict{Action: Accept}, true},
		{Verdict{Action: Accept}, Verdict{Action: Decline}, false},
		{Verdict{Action: Decline, Message: "a"}, Verdict{Action: Decline, Message: "b", By: by, At: time.Unix(1, 0)}, true},
		{Verdict{Action: Accept}, Verdict{Action: Accept, Span: Once}, true},
		{Verdict{Action: Accept}, Verdict{Action: Accept, Span: Always}, false},
		{accepted(`{"a":1,"b":[2]}`), accepted(` { "b" : [ 2 ], "a" : 1 } `), true},
		{accepted(`{"a":[1,2]}`), accepted(`{"a":[2,1]}`), false},
		{accepted(`{"a":1}`), accepted(`{"a":1.0}`), true},
		{accepted(`{"a":100}`), accepted(`{"a":1e2}`), true},
		{accepted(`{"a":0}`), accepted(`{"a":-0.0}`), true},
		{accepted(`{"a":9007199254740993}`), accepted(`{"a":9007199254740992}`), false},
		{accepted(`{"a":1e400}`), accepted(`{"a":2e400}`), false},
		{accepted(`{"a":0.1}`), accepted(`{"a":0.1000000000000000000001}`), false},
		{accepted(`{"a":1}`), accepted(`{"a":"1"}`), false},
		{accepted(`{"a":null}`), accepted(`{}`), false},
		{accepted(`{"a":true}`), accepted(`{"a":false}`), false},
		{accepted(`{"a":"\u00e3"}`), accepted(`{"a":"ã"}`), true},
		{accepted(`{}`), Verdict{Action: Accept}, true},
		{accepted(`{"a":1}`), accepted(`{"b":1}`), false},
		{Verdict{Action: Accept, Arguments: raw(`{}`)}, Verdict{Action: Accept}, false},
		{Verdict{Action: Accept, Arguments: raw(`{}`)}, Verdict{Action: Accept, Arguments: raw(`{ }`)}, true},
		{Verdict{Action: Accept, Output: raw(`null`)}, Verdict{Action: Accept}, false},
		{Verdict{Action: Accept, Output: raw(`"x"`)}, Verdict{Action: Accept, Output: raw(`"x" `)}, true},
		{Verdict{Action: Accept, Output: raw(`1`)}, Verdict{Action: Accept, Arguments: raw(`1`)}, false},
	} {
		if got := SameVerdict(tt.a, tt.b); got != tt.same {
			t.Errorf("SameVerdict(%s, %s) = %v", show(tt.a), show(tt.b), got)
		}
		if SameVerdict(tt.a, tt.b) != SameVerdict(tt.b, tt.a) {
			t.Errorf("SameVerdict is not symmetric for %s and %s", show(tt.a), show(tt.b))
		}
	}
}

func show(v Verdict) string {
	return fmt.Sprintf("{%s content=%s arguments=%s output=%s scope=%s}", v.Action, v.Content, v.Arguments, v.Output, v.Span)
}

func TestAPartOfAVerdictHas64KiBAtMost(t *testing.T) {
	q := Question{Key: "k", Call: &Call{Name: "x", May: []May{MayOutput}}}
	output := func(n int) Verdict {
		return Verdict{Action: Accept, Output: json.RawMessage(`"` + strings.Repeat("x", n-2) + `"`)}
	}
	if err := CheckVerdict(q, output(64<<10)); err != nil {
		t.Error(err)
	}
	if got := verdictPointers(t, q, output(64<<10+1)); !slices.Equal(got, []string{"/output"}) {
		t.Errorf("faults at %q", got)
	}
}
