package config

import (
	"strings"
	"testing"
)

// lax is what stands before a policy: a role that everybody knows, and one that does not answer alone.
const lax = `roles:
  facilitator: {channel: C0FACIL, answerers: [U0BOB]}
  product-thinker: {channel: C0PRODUCT, answerers: [U0ANA]}
fallback_channel: C0OPS
repositories:
  "*":
`

const good = `    escalation:
      cron: "CRON_TZ=UTC */15 * * * *"
      steps: [{after: 4h, to: facilitator}]
`

// TestEachFaultOfAPolicyIsNamedAtItsPlace: a fault, or a warning, each alone.
func TestEachFaultOfAPolicyIsNamedAtItsPlace(t *testing.T) {
	for name, c := range map[string]struct {
		old, with, code string
		line, column    int
		warning         bool
	}{
		"a cron without a zone":           {"CRON_TZ=UTC ", "", "cron", 8, 13, false},
		"a cron that panics":              {`"CRON_TZ=UTC */15 * * * *"`, `"TZ=0"`, "cron", 8, 13, false},
		"a cron that never comes":         {"*/15 * * * *", "0 0 30 2 *", "cron", 8, 13, false},
		"a cron in an offset":             {"CRON_TZ=UTC", "CRON_TZ=EST", "fixed-zone", 8, 13, true},
		"a cron of both days":             {"*/15 * * * *", "*/15 9 1-7 * 1", "cron-surprise", 8, 13, true},
		"ticks further apart than after":  {"*/15 * * * *", "0 9 * * *", "cron-surprise", 8, 13, true},
		"no cron":                         {"      cron: \"CRON_TZ=UTC */15 * * * *\"\n", "", "missing", 8, 7, false},
		"no steps":                        {"      steps: [{after: 4h, to: facilitator}]\n", "", "missing", 8, 7, false},
		"steps that are none":             {"[{after: 4h, to: facilitator}]", "[]", "missing", 8, 7, false},
		"a step to nobody":                {"to: facilitator", "to: nobody", "unknown-role", 9, 31, false},
		"a step without a role":           {", to: facilitator", "", "missing", 9, 15, false},
		"a step without a time":           {"after: 4h, ", "", "missing", 9, 15, false},
		"a time in words":                 {"4h", "soon", "format", 9, 23, false},
		"reminders without an end":        {good, good + "    reminders: {every: 24h}\n", "missing", 10, 16, false},
		"reminders without a time":        {good, good + "    reminders: {at_most: 3}\n", "missing", 10, 16, false},
		"no reminder at most":             {good, good + "    reminders: {every: 24h, at_most: 0}\n", "format", 10, 38, false},
		"a thousand reminders":            {good, good + "    reminders: {every: 24h, at_most: 1000}\n", "format", 10, 38, false},
		"a warning of no cap":             {good, good + "    wait_cap_warning: 2d\n", "no-cap", 10, 23, false},
		"a warning longer than its cap":   {good, good + "    wait_cap: 1d\n    wait_cap_warning: 2d\n", "range", 11, 23, false},
		"a lapse that holds nothing back": {good, "    ack_timeout: 2h\n", "unused", 7, 18, true},
		"a key of no policy":              {"      steps:", "      step:", "unknown-key", 9, 7, false},
	} {
		t.Run(name, func(t *testing.T) {
			file := strings.Replace(lax+good, c.old, c.with, 1)
			if file == lax+good {
				t.Fatalf("%q is not in the file", c.old)
			}
			_, faults := Parse([]byte(file))
			if len(faults) != 1 {
				t.Fatalf("faults = %v, want one", faults)
			}
			got := faults[0]
			got.Message = ""
			if want := (Fault{Line: c.line, Column: c.column, Code: c.code, Warning: c.warning}); got != want {
				t.Errorf("fault = %+v (%s), want %+v", got, faults[0].Message, want)
			}
		})
	}
	if _, faults := Parse([]byte(lax + good)); len(faults) > 0 {
		t.Errorf("faults = %v, want none", faults)
	}
}
