package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// asFlagstop is the variable with which this test binary runs as flagstop itself: a real process, with the race detector
// where the tests have it.
const asFlagstop = "RUN_AS_FLAGSTOP"

func TestMain(m *testing.M) {
	if os.Getenv(asFlagstop) != "" {
		go endWithParent()
		main()
	}
	flag.Parse()
	// The process tests hardly compute: most of their time they wait for a dead bot's lease to lapse.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// endWithParent ends the process when the test that started it is gone, however that ended.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.NewFile(3, "parent"))
	os.Exit(exitError)
}

// patience is how long something that has to come is waited for, on a busy machine. A dead bot's lease is 45 s of it.
const patience = 150 * time.Second

// until waits until ok reports true, or fails the test.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("there was never %s", what)
		}
	}
}

// output is what a process has written so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// call says how a process of flagstop is started.
type call struct {
	args []string
	env  []string // over the world's; NAME= takes one away
	in   string
	out  *os.File // in the place of what process.out holds
}

// process is flagstop as a process of its own.
type process struct {
	t        *testing.T
	name     string
	cmd      *exec.Cmd
	out, err output
	done     chan struct{}
}

// start starts a process, which is killed when the test ends.
func start(t *testing.T, env []string, c call) *process {
	t.Helper()
	theirs, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, name: strings.Join(c.args, " "), done: make(chan struct{})}
	p.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], c.args...)
	p.cmd.Env = append([]string{
		asFlagstop + "=1", "GORACE=atexit_sleep_ms=0", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "NO_COLOR=1",
	}, append(env, c.env...)...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = strings.NewReader(c.in), &p.out, &p.err
	if c.out != nil {
		p.cmd.Stdout = c.out
	}
	p.cmd.ExtraFiles = []*os.File{theirs}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // code tells
		_, _ = theirs.Close(), ours.Close()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		p.check()
	})
	return p
}

// check fails the test where the process said what nobody may say.
func (p *process) check() {
	all := p.out.String() + p.err.String()
	if strings.Contains(all, marked) {
		p.t.Errorf("flagstop %s printed a secret:\n%s", p.name, all)
	}
	if strings.Contains(all, "WARNING: DATA RACE") {
		p.t.Errorf("flagstop %s has a data race:\n%s", p.name, all)
	}
	if p.name == "serve" && strings.Contains(all, hush) {
		p.t.Errorf("flagstop serve logged a question's text:\n%s", all)
	}
	if p.t.Failed() {
		p.t.Logf("flagstop %s printed:\n%s\nand on standard error:\n%s", p.name, tail(p.out.String()), tail(p.err.String()))
	}
}

func tail(s string) string { return s[max(0, len(s)-4000):] }

// ended waits until the process has ended by itself and returns its exit code.
func (p *process) ended() int {
	p.t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		p.t.Fatalf("flagstop %s never ended", p.name)
		return 0
	}
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("signal flagstop %s: %v", p.name, err)
	}
}

// decodeLines reads one JSON value a line.
func decodeLines[T any](t *testing.T, text string) []T {
	t.Helper()
	var all []T
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		all = append(all, v)
	}
	return all
}
