package bot

import (
	"strings"
	"testing"
	"time"
)

func FuzzOncall(f *testing.F) {
	for _, s := range []string{"override <@U0ANA|ana> for <@U0BOB> 4h", "override none for <@U0BOB> from 2026-12-24T09:00 until 2026-12-24T18:00", "swap 2026-12-07 2026-12-14", "clear x", "override"} {
		f.Add(s)
	}
	now := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Fields(text)
		if len(words) == 0 {
			return
		}
		c, err := readChange(words[0], words[1:], time.UTC, now)
		if err != nil {
			return
		}
		for _, user := range []string{c.In, c.Out} {
			if user != "" && !strings.Contains(text, "<@"+user) {
				t.Errorf("%q is about %q", text, user)
			}
		}
		if words[0] == "override" && c.Until.IsZero() {
			t.Errorf("%q has no end: %+v", text, c)
		}
	})
}
