package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExplainSaysTheWholeFutureOfAStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, strings.Replace(rota, `  "acme/*": {channels: {facilitator: C0ACME}}`, `  "acme/*":
    channels: {facilitator: C0ACME}
    escalation:
      cron: "CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri"
      steps: [{after: 4h, to: facilitator}, {after: 4h, to: security}]
    reminders: {every: 2d, at_most: 2}
    wait_cap: 7d
    wait_cap_warning: 1d`, 1))
	t.Setenv("FLAGSTOP_CONFIG", path)
	code, out, err := called(t, asking, "explain", "-", "--at", "2026-10-23T16:00:00Z")
	_, future, _ := strings.Cut(out, "if nobody does: ")
	want := `what its repository asks for happens; in between, and after that, it waits
  2026-10-25T16:00:00Z  reminder to U0CHI
  2026-10-26T09:00:00Z  a step is passed over: the role has it already; it goes to security (U0LEAD), due since 2026-10-23T20:00:00Z
  2026-10-28T09:00:00Z  reminder to U0LEAD
  2026-10-29T16:00:00Z  its card warns that it ends at 2026-10-30T16:00:00Z
  2026-10-30T16:00:00Z  it ends undecided, as the wait_cap says; the loop is told so
`
	if d := cmp.Diff(want, future); code != exitDone || d != "" {
		t.Errorf("explain = %d %s (-want +got):\n%s", code, err, d)
	}
}
