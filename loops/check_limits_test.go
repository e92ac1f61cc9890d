package loops

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// goodRecord is a record that passes, with a place for what a test puts into its only call.
func goodRecord(message, quote, state, may string) []byte {
	return fmt.Appendf(nil, `{"v":1,"id":"c1","addressee":"facilitator","kind":"judgement","concern":"permission",`+
		`"loop":{"id":"dev-agent","repository":"acme/saudacao"},"resume":{"via":"mcp","state":%s},`+
		`"questions":[{"key":"k","message":%q,"quote":%q,"call":{"name":"terminal","arguments":{},"may":[%s]}}]}`, state, message, quote, may)
}

func TestALimitIsMetExactly(t *testing.T) {
	small := func(message, quote, state string) []byte { return goodRecord(message, quote, state, `"run"`) }
	padded := func(n int) []byte {
		b := small("May it run this?", "", "1")
		return append(b, bytes.Repeat([]byte(" "), n-len(b))...)
	}
	text := func(n int) string { return strings.Repeat("ã", n) }
	state := func(n int) string { return `"` + strings.Repeat("s", n-2) + `"` }
	for _, tt := range []struct {
		name    string
		within  []byte
		beyond  []byte
		pointer string
	}{
		{"bytes", padded(64 << 10), padded(64<<10 + 1), ""},
		{"message", small(text(2000), "", "1"), small(text(2001), "", "1"), "/questions/0/message"},
		{"quote", small("m", text(20_000), "1"), small("m", text(20_001), "1"), "/questions/0/quote"},
		{"state", small("m", "", state(8<<10)), small("m", "", state(8<<10+1)), "/resume/state"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, faults := Check(tt.within, caseOptions()); len(faults) > 0 {
				t.Errorf("refused what is within the limit: %v", faults)
			}
			if _, faults := Check(tt.beyond, caseOptions()); len(faults) != 1 || faults[0].Pointer != tt.pointer {
				t.Errorf("took what is beyond the limit, or said %v", faults)
			}
		})
	}
}

func TestARefusalNamesAHundredFaultsAndCountsTheRest(t *testing.T) {
	may := strings.Repeat(`"x",`, 149) + `"x"`
	_, faults := Check(goodRecord("m", "", "1", may), caseOptions())
	if len(faults) != 101 || faults[100].Code != codeTooMany || !strings.Contains(faults[100].Message, "50 more") {
		t.Errorf("%d faults, the last %v", len(faults), faults[len(faults)-1])
	}
}

// A refusal is kept for a week: who writes to the inbox must not fill Redis with many times what they wrote.
func TestARefusalIsNotMuchLargerThanWhatItRefuses(t *testing.T) {
	key := strings.Repeat("k", 40<<10)
	broken := strings.TrimSuffix(strings.Repeat(`"\ud800",`, 1000), ",")
	_, faults := Check([]byte(`{"v":1,"x":{"`+key+`":[`+broken+`]}}`), CheckOptions{})
	if len(faults) == 0 {
		t.Fatal("it passed")
	}
	said, err := json.Marshal(faults)
	if err != nil {
		t.Fatal(err)
	}
	if len(said) > 200<<10 {
		t.Errorf("%d faults take %d bytes, want 200 KiB at most", len(faults), len(said))
	}
}
