package loops

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func addCases(f *testing.F) {
	f.Helper()
	for _, file := range []string{"stops.jsonl", "more.jsonl"} {
		for i, c := range stopCases(f, file) {
			if i%7 == 0 {
				f.Add(c.bytes())
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	addCases(f)
	f.Add([]byte(`{"v":1,"questions":[{"requestedSchema":{"properties":{"a":{"type":"array","items":{"anyOf":[{}]}}}}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		given := bytes.Clone(b)
		rec, faults := Check(b, caseOptions())
		if !bytes.Equal(b, given) {
			t.Fatal("the check changed the bytes")
		}
		if (rec == nil) != (len(faults) > 0) {
			t.Fatalf("a record and faults, or neither: %v", faults)
		}
		for _, fault := range faults {
			if !utf8.ValidString(fault.Pointer) || fault.Code == "" || fault.Message == "" {
				t.Fatalf("a fault that says nothing: %+v", fault)
			}
		}
		if rec != nil {
			staysWhole(t, rec, b)
		}
	})
}

// staysWhole holds that a record that passed is the same when it is loaded, checked again, or written and read.
func staysWhole(t *testing.T, rec *Record, b []byte) {
	t.Helper()
	same := cmp.AllowUnexported(Record{})
	loaded, err := Load(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rec, loaded, same); diff != "" {
		t.Fatalf("Load differs from Check: %s", diff)
	}
	again, faults := Check(rec.Bytes(), caseOptions())
	if len(faults) > 0 || again.Digest() != rec.Digest() {
		t.Fatalf("the record's own bytes do not pass: %v", faults)
	}
	encoded, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(encoded) > maxRecordBytes {
		return // escapes can make it longer
	}
	decoded, faults := Check(encoded, caseOptions())
	if len(faults) > 0 {
		t.Fatalf("the encoded record does not pass: %v\n%s", faults, encoded)
	}
	if !reflect.DeepEqual(fieldsOf(t, decoded), fieldsOf(t, rec)) {
		t.Fatalf("the encoded record is another one:\n%s\n%s", encoded, b)
	}
}

// fieldsOf is what a record says, whatever the spelling of its JSON parts.
func fieldsOf(t *testing.T, r *Record) any {
	t.Helper()
	b, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	n, faults := parseStrict(b)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return n.value()
}

func FuzzVerdict(f *testing.F) {
	f.Add("accept", []byte(`{"rows":1}`), []byte(nil), []byte(nil), "", "")
	f.Add("decline", []byte(nil), []byte(`{"a":1e5}`), []byte(`null`), "no", "always")
	f.Add("accept", []byte(nil), []byte(`{"eur":9007199254740993}`), []byte(nil), "", "once")
	schema := mustSchema(f, everyType)
	call := Call{Name: "x", Arguments: json.RawMessage(`{}`), May: []May{MayEdit, MayOutput, MayAlways}, Schema: json.RawMessage(`{"properties":{"a":{"$ref":"#"},"eur":{"type":"integer","maximum":7}}}`)}
	questions := []Question{{Key: "q", Schema: schema}, {Key: "k", Call: &call}, {Key: "u", Mode: URLMode, URL: "https://example.com/"}}
	f.Fuzz(func(t *testing.T, action string, content, arguments, output []byte, message, span string) {
		v := Verdict{Action: Action(action), Content: content, Arguments: arguments, Output: output, Message: message, Span: Span(span)}
		for _, q := range questions {
			if err := CheckVerdict(q, v); err == nil && v.Action != Accept && v.Action != Decline {
				t.Fatalf("%q is taken for a verdict", action)
			} else if err != nil && err.Error() == "" {
				t.Fatal("an error that says nothing")
			}
		}
		if !SameVerdict(v, v) {
			t.Fatal("a verdict is not the same as itself")
		}
	})
}

func FuzzStrictJSON(f *testing.F) {
	addCases(f)
	for _, s := range []string{`{"a":1,"a":2}`, `"\ud800"`, `"\ud83d\ude00"`, `[1,[2,[3]]]`, `1e999`, "\"\xff\"", `{"":{"~/":[null,true]}}`, strings.Repeat("[", 200) + strings.Repeat("]", 200)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, faults := parseStrict(b)
		if n == nil {
			if len(faults) == 0 {
				t.Fatal("nothing, and no fault")
			}
			return
		}
		if len(faults) > 0 {
			return
		}
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("encoding/json refuses it: %v", err)
		}
		if !reflect.DeepEqual(want, n.value()) { // cmp doubles its work at each level
			t.Fatalf("encoding/json reads %v", want)
		}
		if !n.equal(n) {
			t.Fatal("a value does not equal itself")
		}
	})
}

func FuzzDecimal(f *testing.F) {
	f.Add("9007199254740993", "9007199254740992")
	f.Add("-1.50e-3", "0")
	f.Add("100", "1e2")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := ratOf(a)
		y, fine := ratOf(b)
		if !ok || !fine {
			return
		}
		d, e := parseDecimal(a), parseDecimal(b)
		if d.compare(e) != x.Cmp(y) || (d == e) != (x.Cmp(y) == 0) || d.integer() != x.IsInt() {
			t.Fatalf("%s and %s: %+v and %+v", a, b, d, e)
		}
	})
}
