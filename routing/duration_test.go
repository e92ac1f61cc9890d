package routing

import (
	"testing"
	"time"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"1s": time.Second, "90m": 90 * time.Minute, "4h": 4 * time.Hour, "30d": 720 * time.Hour, "2w": 336 * time.Hour, "36500d": 36500 * 24 * time.Hour,
		"": 0, "4": 0, "h": 0, "0h": 0, "04h": 0, "-4h": 0, "4H": 0, "1.5h": 0, "4h30m": 0, " 4h": 0, "4 h": 0, "36501d": 0, "999999999w": 0, "9999999999s": 0,
	} {
		got, err := ParseDuration(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
}
