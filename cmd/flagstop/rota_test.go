package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagstop/internal/redistest"
	"flagstop/internal/rosters"
)

func TestOncallIsChangedByWhoMayAndSaysWhoIsNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, path, strings.Replace(rota, "cli:bob@desk", cliIdentity(), 1))
	t.Setenv("FLAGSTOP_CONFIG", path)
	t.Setenv("FLAGSTOP_REDIS_URL", "redis://"+redistest.Start(t, redistest.Options{}).Addr())
	on := func(at string) string {
		t.Helper()
		code, out, err := called(t, "", "oncall", "facilitator", "--at", at)
		if code != exitDone {
			t.Fatalf("oncall = %d, %s", code, err)
		}
		first, _, _ := strings.Cut(out, "\n")
		return first
	}
	change := func(words string) rosters.Change {
		t.Helper()
		code, out, err := called(t, "", append([]string{"oncall"}, strings.Fields(words+" --json")...)...)
		var c rosters.Change
		if code != exitDone || json.Unmarshal([]byte(out), &c) != nil || c.By != cliIdentity() {
			t.Fatalf("oncall %s = %d, %s%s", words, code, out, err)
		}
		return c
	}
	next := time.Now().AddDate(0, 0, 1).UTC().Format("2006-01-02")
	noon := next + "T12:00:00Z"
	before := on(noon)
	one := change("override facilitators --in U0GUS --out " + strings.Fields(strings.TrimPrefix(before, "facilitator: "))[0] +
		" --from " + next + "T10:00 --until 4h")
	if got := on(noon); !strings.HasPrefix(got, "facilitator: U0GUS until ") {
		t.Errorf("during the override: %s", got)
	}
	if _, err := called2(t, "oncall", "clear", "facilitators", one.ID); err != "" {
		t.Error(err)
	}
	if got := on(noon); got != before {
		t.Errorf("after it was cleared: %s, want %s", got, before)
	}
	_, out, _ := called(t, "", "oncall", "log", "facilitators")
	for _, want := range []string{"x " + one.ID, "U0GUS is on call in the place of", "clears " + one.ID, "by " + cliIdentity()} {
		if !strings.Contains(out, want) {
			t.Errorf("the log is\n%swant %q", out, want)
		}
	}
	for words, says := range map[string]string{
		"override facilitators --in U0GUS":                          "no duration such as 4h",
		"override facilitators --until 4h":                          "say who comes",
		"override facilitators --in bob --until 4h":                 "no Slack user id",
		"override facilitators --in U0GUS --until 2020-01-01T09:00": "ends before it begins",
		"override facilitators --in U0GUS --from soon --until 4h":   "no time written like",
		"override nobody --in U0GUS --until 4h":                     "there are desk, facilitators",
		"override desk --in U0GUS --until 4h":                       "nor among those who answer by it",
		"swap facilitators 2026-12-25 2027-01-04":                   "no shift begins on 2026-12-25",
		"swap facilitators 2026-10-12 2026-10-19":                   "is over already",
		"swap facilitators tomorrow 2026-10-19":                     "no day written like",
		"clear facilitators nothing":                                "no such change",
		"clear facilitators":                                        "a word is missing",
	} {
		if _, err := called2(t, append([]string{"oncall"}, strings.Fields(words)...)...); !strings.Contains(err, says) {
			t.Errorf("oncall %s: %q, want %q", words, err, says)
		}
	}
}

// called2 is what a command printed, and what it said went wrong.
func called2(t *testing.T, args ...string) (out, err string) {
	t.Helper()
	_, out, err = called(t, "", args...)
	return out, err
}
