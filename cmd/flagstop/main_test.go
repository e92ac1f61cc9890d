package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// called runs a command as main does and returns what came of it.
func called(t *testing.T, stdin string, args ...string) (code int, out, err string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), stdio{strings.NewReader(stdin), &o, &e}, args)
	return code, o.String(), e.String()
}

func TestWrongWordsAreUsageErrorsThatSayWhatToDo(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"nonsense"},
		{"check"},
		{"show"},
		{"show", "a", "b"},
		{"raise", "--no-such-flag"},
		{"list", "--state", "pending"},
		{"answer", "x"},
		{"answer", "x", "--accept", "--decline"},
		{"manifest", "--http", "http://example.com"},
		{"demo", "--addr", "0.0.0.0:1"},
		{"check", "x.txt"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			code, _, err := called(t, "", args...)
			if code != exitUsage {
				t.Errorf("exit code = %d (%s), want %d", code, err, exitUsage)
			}
			if !strings.Contains(err, "flagstop") {
				t.Errorf("standard error = %q, want how to call it", err)
			}
		})
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	for _, c := range commands() {
		code, out, err := called(t, "", c.name, "--help")
		if code != exitDone || err != "" || !strings.Contains(out, "flagstop "+c.name) {
			t.Errorf("flagstop %s --help = %d, %q, %q; want its usage on standard output", c.name, code, out, err)
		}
	}
	if code, out, _ := called(t, "", "help"); code != exitDone || !strings.Contains(out, "flagstop demo") {
		t.Errorf("flagstop help = %d, %q", code, out)
	}
}

func TestCheckPrintsOneObjectARecordAndFailsOnAFault(t *testing.T) {
	dir := t.TempDir()
	good := `{"v":1,"id":"a","addressee":"facilitator","kind":"fact","concern":"evidence","loop":{"id":"l","repository":"r"},` +
		`"questions":[{"key":"q","message":"Seen?","requestedSchema":{"type":"object","properties":{}}}]}`
	lines := filepath.Join(dir, "many.jsonl")
	write(t, lines, good+"\n\n"+strings.Replace(good, `"fact"`, `"opinion"`, 1)+"\n")
	code, out, _ := called(t, "", "check", "--json", lines)
	if code != exitError {
		t.Errorf("exit code = %d, want %d", code, exitError)
	}
	var got []checked
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var c checked
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		for i := range c.Faults {
			c.Faults[i].Message = ""
		}
		got = append(got, c)
	}
	want := []checked{
		{File: lines, Line: 1, OK: true, Faults: []fault{}},
		{File: lines, Line: 3, Faults: []fault{{Code: got[1].Faults[0].Code, Pointer: "/kind"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("check --json (-want +got):\n%s", d)
	}
	if code, out, _ := called(t, good, "check", "-"); code != exitDone || out != "-:1: ok\n" {
		t.Errorf("check of standard input = %d, %q", code, out)
	}
}

func TestCheckKnowsTheRolesOfTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "flagstop.yaml")
	write(t, conf, "roles:\n  security: {channel: C0SEC, answerers: [U0EVE]}\n")
	record := filepath.Join(dir, "one.json")
	write(t, record, `{"v":1,"id":"a","addressee":"facilitator","kind":"fact","concern":"evidence","loop":{"id":"l","repository":"r"},`+
		`"questions":[{"key":"q","message":"Seen?","requestedSchema":{"type":"object","properties":{}}}]}`)
	if code, out, _ := called(t, "", "check", record); code != exitDone {
		t.Errorf("without a configuration = %d, %s", code, out)
	}
	t.Setenv("FLAGSTOP_CONFIG", conf)
	if code, out, _ := called(t, "", "check", record); code != exitError || !strings.Contains(out, "/addressee") {
		t.Errorf("with one = %d, %s; want a fault at /addressee", code, out)
	}
}

func TestCheckOfAConfigurationNamesLineAndColumn(t *testing.T) {
	conf := filepath.Join(t.TempDir(), "flagstop.yaml")
	write(t, conf, "roles:\n  facilitator: {chanel: C0FACIL}\n")
	code, out, _ := called(t, "", "check", conf)
	if code != exitError || !strings.Contains(out, conf+":2:17: ") {
		t.Errorf("check = %d, %s; want a fault at 2:17", code, out)
	}
}

func TestKeygenWritesKeysOnceAndAddsThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	code, out, errText := called(t, "", "keygen", "--out", dir)
	if code != exitDone || strings.Contains(out, `"d"`) {
		t.Fatalf("keygen = %d, %s, %s", code, out, errText)
	}
	for _, name := range []string{"signing.jwk", "verify.jwks", "context.jwk"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want mode 0600", name, info, err)
		}
	}
	if code, _, errText := called(t, "", "keygen", "--out", dir); code != exitError || !strings.Contains(errText, "there already") {
		t.Errorf("keygen over keys = %d, %s; want an error", code, errText)
	}
	set := filepath.Join(dir, "verify.jwks")
	if code, _, errText := called(t, "", "keygen", "--out", filepath.Join(dir, "new"), "--add", set); code != exitDone {
		t.Fatalf("keygen --add = %d, %s", code, errText)
	}
	var keys keySet
	b, err := os.ReadFile(set)
	if err != nil || json.Unmarshal(b, &keys) != nil || len(keys.Keys) != 2 || bytes.Contains(b, []byte(`"d"`)) {
		t.Errorf("the key set is %s (%v), want two public keys", b, err)
	}
}

func TestServeSaysAtOnceAllThatIsMissing(t *testing.T) {
	t.Setenv("FLAGSTOP_SLACK_APP_TOKEN", "xapp-1-marked")
	code, _, err := called(t, "", "serve")
	if code != exitError {
		t.Errorf("exit code = %d", code)
	}
	for _, name := range []string{"FLAGSTOP_SIGNING_KEY", "FLAGSTOP_CONFIG", "FLAGSTOP_SLACK_BOT_TOKEN"} {
		if !strings.Contains(err, name) {
			t.Errorf("standard error = %q, want %s named", err, name)
		}
	}
	if strings.Contains(err, "marked") {
		t.Errorf("standard error holds a token: %q", err)
	}
}

func TestASecretIsNeverPrinted(t *testing.T) {
	s := secret("xoxb-marked")
	text := fmt.Sprintf("%v %s %q %#v %+v", s, s, s, s, struct{ S secret }{s})
	if b, err := json.Marshal(s); err != nil || strings.Contains(text+string(b), "marked") {
		t.Errorf("printed as %s and %s (%v)", text, b, err)
	}
	for _, url := range []string{"redis://u:marked@", "http://u:marked@h", "redis+sentinel://u:marked@h:1", "redis://u:marked@h/x", "://marked"} {
		if _, err := dialRedis(context.Background(), environment{RedisURL: secret(url)}); err == nil || strings.Contains(err.Error(), "marked") {
			t.Errorf("the error for a wrong URL is %v", err)
		}
	}
}

func TestRedisURLs(t *testing.T) {
	type options struct {
		Addrs        []string
		User, Master string
		DB           int
		TLS          bool
	}
	for url, want := range map[string]options{
		"redis://h":                         {Addrs: []string{"h:6379"}},
		"redis://u:p@h:1/3":                 {Addrs: []string{"h:1"}, User: "u", DB: 3},
		"rediss://h:1":                      {Addrs: []string{"h:1"}, TLS: true},
		"redis://a:1,b:2,c":                 {Addrs: []string{"a:1", "b:2", "c:6379"}},
		"redis://[::1]:7,[::2]":             {Addrs: []string{"[::1]:7", "[::2]:6379"}},
		"redis+sentinel://u:p@a:1,b:2/main": {Addrs: []string{"a:1", "b:2"}, User: "u", Master: "main"},
		"redis+sentinel://a:1/main/2":       {Addrs: []string{"a:1"}, Master: "main", DB: 2},
	} {
		o, err := redisOptions(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		got := options{o.Addrs, o.Username, o.MasterName, o.DB, o.TLSConfig != nil}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", url, d)
		}
	}
}

func TestAVariableMayComeFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, "xoxb-1\n")
	t.Setenv("FLAGSTOP_SLACK_BOT_TOKEN_FILE", path)
	if e, err := readEnvironment(); err != nil || e.BotToken != "xoxb-1" {
		t.Errorf("from a file = %v, token as in the file: %t", err, e.BotToken == "xoxb-1")
	}
	t.Setenv("FLAGSTOP_SLACK_BOT_TOKEN", "xoxb-2")
	if _, err := readEnvironment(); err == nil || !strings.Contains(err.Error(), "not both") {
		t.Errorf("with both = %v, want an error", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
