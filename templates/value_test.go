package templates_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"flagstop/templates"
)

func TestAValueComesBackAsItWent(t *testing.T) {
	for _, v := range []templates.Value{
		{Stop: "pt-1", Key: "q", Option: 2, Rev: 1},
		{Stop: "pt-1", Key: "toolu_01", Option: -1, Verb: templates.VerbRun, Rev: 1 << 62},
		{Stop: "pt-1", Option: -1, Verb: templates.VerbDetails, Rev: 3},
		{Stop: "pt-1", Key: "answer", Option: 0, Rev: 3},
		{Stop: "pt-1", Key: "a\"],[<&>'\n\u2028", Option: 0, Rev: 0},
		{Stop: strings.Repeat("s", 64), Key: strings.Repeat("😀", 200), Option: 1, Rev: 7},
	} {
		got, err := templates.ParseValue(v.Encode())
		if err != nil || got != v {
			t.Errorf("%s came back as %+v, %v", v.Encode(), got, err)
		}
	}
}

func TestValuesFitButtonsAndMenus(t *testing.T) {
	for _, key := range []string{strings.Repeat("<", 200), strings.Repeat("\x01", 200), strings.Repeat("😀", 200), strings.Repeat("\u2028", 200)} {
		v := templates.Value{Stop: strings.Repeat("s", 64), Key: key, Option: -1, Verb: templates.VerbDecline, Rev: 1<<63 - 1}
		if n := length(v.Encode()); n > 2000 {
			t.Errorf("a value has %d characters, a button holds 2,000", n)
		}
		v.Key = ""
		if n := length(v.Encode()); n > 150 {
			t.Errorf("a value has %d characters, a menu item holds 150", n)
		}
	}
}

func TestWhatNoCardCarriesIsNotAValue(t *testing.T) {
	for _, s := range []string{
		``, `{}`, `[]`, `null`, `"pt-1"`, `["pt-1","q",0]`, `["pt-1","run"]`, `["pt-1","q",3,1]`, `["pt-1","q",-1,1]`,
		`["pt-1","q","burn",1]`, `["pt-1","q",null,1]`, `["pt-1","","run",1]`, `["pt 1","q",0,1]`, `["","q",0,1]`,
		`["pt-1","q",0,-1]`, `["pt-1","q",0,1.5]`, `["pt-1","q",0,"1"]`, `["pt-1","q",0,1,2]`, `["pt-1", "q", 0, 1]`,
		`["pt-1","q",0,1] `, `["pt-1","q",0,9223372036854775808]`, `["pt-1","q","",1]`,
		`["pt-1","` + strings.Repeat("k", 201) + `",0,1]`, `["` + strings.Repeat("s", 65) + `","q",0,1]`,
	} {
		if v, err := templates.ParseValue(s); err == nil {
			t.Errorf("%s was read as %+v", s, v)
		} else if len(s) > 4 && strings.Contains(err.Error(), s) {
			t.Errorf("the error repeats what was read: %v", err)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	f.Add(`["pt-1","q",0,1]`)
	f.Add(`["pt-1","details",3]`)
	f.Add(`["pt-1","toolu_01","run",1]`)
	f.Add(`[["pt-1"],"q",0,1e3]`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := templates.ParseValue(s)
		if err != nil {
			return
		}
		if v.Encode() != s || !utf8.ValidString(v.Key) {
			t.Errorf("%q was read as %+v, which is written %q", s, v, v.Encode())
		}
	})
}

// A click is never another stop's: whatever a value says, it says again.
func TestManyValuesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		key := make([]rune, 1+r.IntN(200))
		for i := range key {
			for key[i] = rune(r.IntN(0x10FFFF)); !utf8.ValidRune(key[i]); {
				key[i] = rune(r.IntN(0x10FFFF))
			}
		}
		v := templates.Value{Stop: "s", Key: string(key), Option: r.IntN(3), Rev: r.Int64()}
		if got, err := templates.ParseValue(v.Encode()); err != nil || got != v {
			t.Fatalf("%q came back as %+v, %v", v.Encode(), got, err)
		}
	}
}
