//go:build interop

package interop

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flagstop/internal/standin"
)

const (
	ana     = "U0ANA"
	bob     = "U0BOB"
	product = "C0PRODUCT"
	facil   = "C0FACIL"

	botToken = "xoxb-interop"
	appToken = "xapp-interop"
	secret   = "interop-signing-secret"

	// patience is how long anything may take on a busy machine. Nothing waits for it that works.
	patience = 90 * time.Second
)

// slack starts a workspace on a loopback port; change may alter it first.
func slack(t *testing.T, change func(*standin.Options)) (s *standin.Server, base string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := standin.Options{
		BaseURL: "http://" + l.Addr().String(), BotToken: botToken, AppToken: appToken, SigningSecret: secret,
		Users: []standin.User{{ID: ana, Name: "ana", RealName: "Ana"}, {ID: bob, Name: "bob", RealName: "Bob"}},
		Channels: []standin.Channel{
			{ID: product, Name: "product", Members: []string{ana, bob}},
			{ID: facil, Name: "facil", Members: []string{ana, bob}},
			{ID: "C0ELSE", Name: "else", Members: []string{ana}, NoBot: true},
			{ID: "C0OLD", Name: "old", Archived: true},
		},
		Groups: []standin.Group{{ID: "S0TEAM", Handle: "team", Users: []string{ana}}},
	}
	if change != nil {
		change(&o)
	}
	s = standin.New(o)
	front := httptest.NewUnstartedServer(s)
	front.Listener = l
	front.Start()
	t.Cleanup(func() {
		s.Close()
		front.CloseClientConnections()
		front.Close()
	})
	return s, o.BaseURL
}

// within is a context for one wait.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// until waits until ok, which the workspace's changes wake.
func until(t *testing.T, s *standin.Server, what string, ok func() bool) {
	t.Helper()
	if err := s.Until(within(t), ok); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// process is a program that speaks in lines.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  chan string // its lines; closed at its end
	seen []string    // lines that await passed over
	err  bytes.Buffer
	once sync.Once
	end  error
}

// program starts a program in the directory dir, with more environment. It is killed with all that it started when the test ends.
func program(t *testing.T, dir string, env []string, name string, args ...string) *process {
	t.Helper()
	p := &process{t: t, out: make(chan string, 1024), cmd: exec.CommandContext(t.Context(), name, args...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, append(os.Environ(), env...), &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
	p.cmd.WaitDelay = 10 * time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	p.cmd.Stdout = w
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	go p.read(r)
	go func() {
		p.end = p.cmd.Wait()
		_ = w.Close()
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *process) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		p.out <- lines.Text()
	}
	close(p.out)
}

// kill kills the program, as kill -9 does, and waits for its end.
func (p *process) kill() {
	p.once.Do(func() { _ = p.cmd.Cancel() })
	for range p.out { // until it has ended
	}
}

// node starts a script of npm/.
func node(t *testing.T, script string, args ...string) *process {
	t.Helper()
	return program(t, "npm", nil, "node", append([]string{script}, args...)...)
}

// await returns the next line that begins with a word, without the word.
func (p *process) await(word string) string {
	p.t.Helper()
	for i, line := range p.seen {
		if rest, ok := strings.CutPrefix(line, word+" "); ok {
			p.seen = append(p.seen[:i], p.seen[i+1:]...)
			return rest
		}
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case line, open := <-p.out:
			if !open {
				p.t.Fatalf("%s ended (%v) and had not said %q, only %q; it complained:\n%s", p.cmd.Args, p.end, word, p.seen, p.err.String())
			}
			if rest, ok := strings.CutPrefix(line, word+" "); ok {
				return rest
			}
			p.seen = append(p.seen, line)
		case <-timeout.C:
			_ = p.cmd.Cancel()
			p.t.Fatalf("%s did not say %q in %v, only %q", p.cmd.Args, word, patience, p.seen)
		}
	}
}

// ends waits until the program ends well and returns the lines that nobody has awaited.
func (p *process) ends() []string {
	p.t.Helper()
	if err := p.exit(); err != nil {
		p.t.Fatalf("%s: %v, after %q; it complained:\n%s", p.cmd.Args, err, p.seen, p.err.String())
	}
	return p.seen
}

// exit waits until the program ends.
func (p *process) exit() error {
	p.t.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		select {
		case line, open := <-p.out:
			if !open {
				return p.end
			}
			p.seen = append(p.seen, line)
		case <-timeout.C:
			_ = p.cmd.Cancel()
			p.t.Fatalf("%s does not end", p.cmd.Args)
		}
	}
}

// send writes one line of JSON to the program.
func (p *process) send(v any) {
	p.t.Helper()
	if _, err := p.in.Write(append(encode(p.t, v), '\n')); err != nil {
		p.t.Fatalf("write to %s: %v; it complained:\n%s", p.cmd.Args, err, p.err.String())
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// compile holds a TypeScript source against Slack's types, as strictly as the compiler can.
func compile(t *testing.T, source string) error {
	t.Helper()
	dir, err := os.MkdirTemp("npm/node_modules", ".types-") //nolint:usetesting // there the compiler finds the packages, and git looks at nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "source.ts"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	p := program(t, dir, nil, "node", "../typescript/bin/tsc", "--noEmit", "--strict", "--skipLibCheck",
		"--exactOptionalPropertyTypes", "false", "--module", "node16", "--moduleResolution", "node16", "--target", "es2022",
		"--types", "node", "source.ts")
	if err := p.exit(); err != nil {
		return &typeError{strings.Join(p.seen, "\n") + p.err.String()}
	}
	return nil
}

type typeError struct{ said string }

func (e *typeError) Error() string { return e.said }
