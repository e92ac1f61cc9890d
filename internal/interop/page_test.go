//go:build interop

package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"flagstop/loops"
)

// command is one line that docs/protocol.md has its reader type, and what it says comes of it ("": it does not say).
type command struct{ line, want string }

// console returns the commands of the page, in order.
func console(t *testing.T) []command {
	t.Helper()
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []command
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllSubmatch(page, -1) {
		for line := range strings.Lines(string(block[1])) {
			line = strings.TrimSpace(line)
			if typed, ok := strings.CutPrefix(line, "$ "); ok {
				out = append(out, command{line: typed})
			} else if len(out) > 0 {
				out[len(out)-1].want = line
			}
		}
	}
	return out
}

// run runs a line of the page as a reader's shell does, with redis-cli on the station's Redis.
func (st *station) run(t *testing.T, line string) *process {
	return program(t, ".", nil, "bash", "-c", `redis-cli() { command redis-cli --no-raw -p "$0" "$@"; }; `+line, st.port)
}

// like is the pattern of what the page shows: … is anything, and the number of a stream's entry is any.
func like(shown string) *regexp.Regexp {
	p := strings.ReplaceAll(regexp.QuoteMeta(shown), "…", ".+")
	return regexp.MustCompile("^" + regexp.MustCompile(`[0-9]{13}-0`).ReplaceAllString(p, `[0-9]{13}-[0-9]+`) + "$")
}

// says runs a command of the page and holds what comes of it against the page.
func (st *station) says(t *testing.T, c command) string {
	t.Helper()
	got := strings.Join(st.run(t, c.line).ends(), "\n")
	if c.want != "" && !like(c.want).MatchString(got) {
		t.Errorf("%s\nsays %s\nnot  %s", c.line, got, c.want)
	}
	return got
}

// TestTheProtocolPageIsTrue does what the page says, in its order, with what the page leaves to the reader filled in.
func TestTheProtocolPageIsTrue(t *testing.T) {
	cs := console(t)
	if len(cs) != 7 {
		t.Fatalf("the page has %d commands: this test does what seven say", len(cs))
	}
	partitions, raise, subscribe, get, digest, claim, resumed := cs[0], cs[1], cs[2], cs[3], cs[4], cs[5], cs[6]
	st := serve(t)
	st.says(t, partitions)
	record := regexp.MustCompile(`body '(.*)'`).FindStringSubmatch(raise.line)[1]
	sum := sha256.Sum256([]byte(record))
	hexDigest := hex.EncodeToString(sum[:])
	heard := st.run(t, fill(t, subscribe.line, "<hex digest>", hexDigest))
	heard.await("2)") // the name of what it has subscribed to
	st.says(t, raise)
	card := st.card(t, facil, "nightly job")
	if got := st.says(t, get); got != "(nil)" {
		t.Errorf("an outcome before anybody answered: %s", got)
	}
	if got := st.says(t, digest); got != `"sha256:`+hexDigest+`"` {
		t.Errorf("the digest is %s, want that of the bytes of the page", got)
	}
	if err := st.slack.As(bob).Click(within(t), card, "I have seen this", 0); err != nil {
		t.Fatal(err)
	}
	outcome := ""
	for !strings.HasPrefix(outcome, "ey") { // the third line of a message; of a subscription it is a number
		outcome = strings.Trim(heard.await("3)"), `"`)
	}
	if stored := strings.Trim(st.says(t, get), `"`); stored != outcome {
		t.Errorf("heard %s, stored %s", outcome, stored)
	}
	if _, err := st.keys.VerifyOutcome(outcome, "fs", loops.Ref{ID: "hello-1", Digest: "sha256:" + hexDigest}); err != nil {
		t.Error(err)
	}
	if got := st.says(t, claim); got != "OK" {
		t.Errorf("the claim says %s", got)
	}
	if got := st.says(t, command{line: claim.line}); got != "(nil)" {
		t.Errorf("a second claim says %s", got)
	}
	st.says(t, command{line: fill(t, resumed.line, "<the JWS>", outcome), want: raise.want})
	st.wentOn(t, facil, "hello-1")
	if got := st.says(t, command{line: "redis-cli TTL '{fs:0}:claim:hello-1'"}); got != "(integer) -1" {
		t.Errorf("the claim's time to live is %s, want none", got)
	}
}

func fill(t *testing.T, line, placeholder, with string) string {
	t.Helper()
	if !strings.Contains(line, placeholder) {
		t.Fatalf("no %s in %s", placeholder, line)
	}
	return strings.ReplaceAll(line, placeholder, with)
}
