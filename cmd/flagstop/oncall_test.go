package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const rota = `roles:
  product-thinker: {channel: C0PRODUCT, answerers: [U0ANA]}
  facilitator: {channel: C0FACIL, rotation: facilitators, answerers: ["cli:bob@desk", "@S0FACIL"], relays_for: [product-thinker]}
  security: {channel: C0SEC, rotation: desk, fallback: [U0LEAD]}
machines:
  ci-hook: {may_answer_as: [facilitator]}
rotations:
  facilitators:
    zone: Europe/Lisbon
    start: 2026-10-12
    hand_off: "09:00"
    every: 1 week
    participants: [U0BOB, U0CHI, U0DEE]
  desk:
    zone: America/New_York
    start: 2026-10-12
    hand_off: "09:00"
    every: 1 day
    participants: [U0EVE, U0FAY]
    days: mon-fri
    hours: 09:00-17:00
repositories:
  "acme/*": {channels: {facilitator: C0ACME}}
  "lab/*": {self_approval: true}
fallback_channel: C0OPS
`

// withRota has the commands read a configuration.
func withRota(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, rota)
	t.Setenv("FLAGSTOP_CONFIG", path)
}

func TestOncallSaysWhoUntilWhenAndWhoIsNext(t *testing.T) {
	withRota(t)
	code, out, err := called(t, "", "oncall", "facilitator", "--at", "2026-10-23T12:00:00Z", "--next", "3")
	want := `facilitator: U0CHI until Mon 2026-10-26 09:00 WET, then U0DEE
  the shift of facilitators that began on 2026-10-19
  Mon 2026-10-26 09:00 WET  U0DEE
  Mon 2026-11-02 09:00 WET  U0BOB
  Mon 2026-11-09 09:00 WET  U0CHI
`
	if d := cmp.Diff(want, out); code != exitDone || d != "" {
		t.Errorf("oncall = %d %s (-want +got):\n%s", code, err, d)
	}
	code, out, _ = called(t, "", "oncall", "--at", "2026-10-24T12:00:00+02:00")
	want = `facilitator: U0CHI until Mon 2026-10-26 09:00 WET, then U0DEE
  the shift of facilitators that began on 2026-10-19
security: U0LEAD until Mon 2026-10-26 09:00 EDT, then U0EVE
  outside the days and hours of desk; the fallback stands in
`
	if d := cmp.Diff(want, out); code != exitDone || d != "" {
		t.Errorf("oncall of all roles (-want +got):\n%s", d)
	}
}

func TestOncallPrintsOneObjectARole(t *testing.T) {
	withRota(t)
	_, out, _ := called(t, "", "oncall", "security", "--json", "--at", "2026-10-23T22:00:00+01:00", "--next", "2")
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"role": "security", "rotation": "desk", "at": "2026-10-23T21:00:00Z", "users": []any{"U0LEAD"}, "source": "fallback",
		"why": "outside the days and hours of desk; the fallback stands in", "until": "2026-10-26T13:00:00Z",
		"next": []any{"U0EVE"}, "next_from": "2026-10-26T13:00:00Z",
		"coming": []any{
			map[string]any{"at": "2026-10-26T13:00:00Z", "users": []any{"U0EVE"}, "why": "the shift of desk that began on 2026-10-26"},
			map[string]any{
				"at": "2026-10-26T21:00:00Z", "users": []any{"U0LEAD"},
				"why": "outside the days and hours of desk; the fallback stands in",
			},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("oncall --json (-want +got):\n%s", d)
	}
}

func TestOncallSaysWhatItDoesNotKnow(t *testing.T) {
	withRota(t)
	for words, c := range map[string]struct {
		code int
		says string
	}{
		"oncall nobody":                         {exitError, "the roles are facilitator, product-thinker, security"},
		"oncall product-thinker":                {exitError, "has no rotation; its answerers are U0ANA"},
		"oncall --at tomorrow":                  {exitUsage, "--at is a time"},
		"oncall --at 2026-10-24T12:00:00":       {exitUsage, "--at is a time"},
		"oncall --next -1":                      {exitUsage, "--next"},
		"oncall --next 1001":                    {exitUsage, "--next"},
		"oncall facilitator security":           {exitUsage, "a word too many"},
		"explain --at noon x.json":              {exitUsage, "--at is a time"},
		"explain not-there.json":                {exitError, "no such file"},
		"explain a-stop --at 2026-10-24T12:00Z": {exitUsage, "--at is a time"},
	} {
		code, _, err := called(t, "", strings.Fields(words)...)
		if code != c.code || !strings.Contains(err, c.says) {
			t.Errorf("flagstop %s = %d, %q; want %d and %q", words, code, err, c.code, c.says)
		}
	}
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, "roles:\n  a: {channel: C0A, answerers: [U0A]}\n")
	t.Setenv("FLAGSTOP_CONFIG", path)
	if code, _, err := called(t, "", "oncall"); code != exitError || !strings.Contains(err, "no role has a rotation") {
		t.Errorf("oncall without a rotation = %d, %q", code, err)
	}
}

func TestCheckShowsFaultsAndGapsOfARotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, strings.NewReplacer("Europe/Lisbon", "Local", ", fallback: [U0LEAD]", "").Replace(rota))
	code, out, _ := called(t, "", "check", path)
	for _, want := range []string{":9:11: zone of facilitators", "(zone)", "warning: nobody is on call for security in ", "(uncovered)"} {
		if code != exitError || !strings.Contains(out, want) {
			t.Errorf("check = %d, %q; want %q", code, out, want)
		}
	}
}
