package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARepositorysCIHoldsItsRouting(t *testing.T) {
	t.Setenv("FLAGSTOP_CONFIG", "")
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		return path
	}
	config := file("flagstop.yaml", strings.Replace(rota, `  "lab/*": {self_approval: true}`, `  "lab/*":
    self_approval: true
    escalation: {cron: "CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri", steps: [{after: 4h, to: security}]}`, 1))
	file("record.json", asking)
	const good = `- {record: record.json, at: 2026-10-23T12:00:00Z, channel: C0ACME, on_call: [U0CHI], may: ["cli:bob@desk"], may_not: [U0CHI, U0EVE], due: none}
- {addressee: facilitator, repository: lab/x, owner: U0CHI, at: 2026-10-23T12:00:00Z, channel: C0FACIL, may: [U0CHI], due: 2026-10-23T16:00:00Z}
- {addressee: product-thinker, repository: lab/x, at: 2026-10-23T16:00:00Z, on_call: [], due: 2026-10-26T09:00:00Z}
`
	expect := func(text string) (int, string, string) {
		return called(t, "", "check", config, "--expect", file("expected.yaml", text))
	}
	if code, out, err := expect(good); code != exitDone || !strings.HasSuffix(out, "ok, 3 as expected\n") {
		t.Errorf("check --expect = %d, %s%s", code, out, err)
	}
	bad := strings.NewReplacer("C0ACME", "C0FACIL", "on_call: [U0CHI]", "on_call: [U0BOB]", "may_not: [U0CHI, U0EVE]", `may_not: ["cli:bob@desk"]`,
		"16:00:00Z}", "16:15:00Z}").Replace(good)
	code, out, _ := expect(bad)
	var lines []string
	for line := range strings.Lines(out) {
		if _, said, ok := strings.Cut(line, "expected.yaml:"); ok {
			lines = append(lines, strings.TrimSpace(said))
		}
	}
	want := []string{
		"1: channel is C0ACME, want C0FACIL", "1: on_call is U0CHI, want U0BOB", "1: cli:bob@desk is may, want may not",
		"2: due is 2026-10-23T16:00:00Z, want 2026-10-23T16:15:00Z",
	}
	if diff := cmp.Diff(want, lines); code != exitError || diff != "" {
		t.Errorf("check --expect = %d (-want +got):\n%s", code, diff)
	}
	for text, says := range map[string]string{
		"":               "no expectation",
		"a: b":           "no list of expectations",
		"- {chanel: C0}": "chanel",
		"- {addressee: facilitator, repository: a/b, at: soon}":              "no time with its offset",
		"- {addressee: nobody, repository: a/b, at: 2026-10-23T12:00:00Z}":   "would be refused",
		"- {record: gone.json, at: 2026-10-23T12:00:00Z}":                    "gone.json",
		"- {record: record.json, repository: a/b, at: 2026-10-23T12:00:00Z}": "not both",
	} {
		if code, out, err := expect(text); code != exitError || !strings.Contains(err, says) {
			t.Errorf("%q = %d, %s%s; want %q", text, code, out, err, says)
		}
	}
}
