// Package redistest runs real redis-server processes for tests: on a free loopback port, in a directory of their own,
// gone when the test ends. They can be killed and started again in the middle of a test.
package redistest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Options say how a server is started. The zero value keeps nothing on disk: a restart forgets everything.
type Options struct {
	AOF  bool     // append-only file, fsync at every write: a restart forgets nothing that was acknowledged
	Args []string // more of redis-server's own options, such as "--maxmemory", "100mb"
}

// Server is a redis-server process of one test. It is not safe for concurrent use.
type Server struct {
	port string
	dir  string
	o    Options
	t    testing.TB
	cmd  *exec.Cmd
}

// answerWithin is how long a server may take from exec to its first PONG, on a busy machine.
const answerWithin = 20 * time.Second

// Start starts a server and waits until it answers. It is killed when the test ends.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Fatal("redis-server is not in PATH; install it with: sudo apt-get install -y redis-server")
	}
	s := &Server{dir: t.TempDir(), o: o, t: t}
	t.Cleanup(s.stop)
	var err error
	for range 5 { // somebody else may take the free port before redis-server binds it
		s.port = freePort(t)
		if err = s.start(); err == nil {
			return s
		}
		s.stop()
	}
	t.Fatalf("start redis-server: %v", err)
	return nil
}

// Addr is the server's host:port. It stays the same over Kill and Restart.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", s.port) }

// Client returns a new client of the server, which is closed when the test ends.
func (s *Server) Client(t testing.TB) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: s.Addr(), ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Kill kills the server as kill -9 does, and waits until it is gone.
func (s *Server) Kill() {
	s.t.Helper()
	if s.cmd == nil {
		s.t.Fatal("redis-server is killed already")
	}
	s.stop()
}

// Restart starts the server again on the same port and directory, killing it first where it still runs, and waits until
// it answers.
func (s *Server) Restart() {
	s.t.Helper()
	s.stop()
	if err := s.start(); err != nil {
		s.t.Fatalf("restart redis-server: %v", err)
	}
}

func (s *Server) stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // an error says that it has exited already
	_ = s.cmd.Wait()
	s.cmd = nil
}

func (s *Server) start() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()

	s.cmd = exec.Command("redis-server", s.args()...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = diesWithTest()
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	if err := s.untilAnswers(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%w; it said:\n%s", err, said)
	}
	return nil
}

func (s *Server) args() []string {
	args := []string{
		"--port", s.port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--daemonize", "no",
	}
	if s.o.AOF {
		args = append(args, "--appendonly", "yes", "--appendfsync", "always")
	}
	return append(args, s.o.Args...)
}

// untilAnswers asks until this process answers, not another one that holds the port.
func (s *Server) untilAnswers() error {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	c := redis.NewClient(&redis.Options{Addr: s.Addr(), ContextTimeoutEnabled: true, MaxRetries: -1})
	defer c.Close()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := s.answers(ctx, c)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer on %s within %v: %w", s.Addr(), answerWithin, err)
		case <-again.C:
		}
	}
}

func (s *Server) answers(ctx context.Context, c *redis.Client) error {
	if err := c.Ping(ctx).Err(); err != nil {
		return err
	}
	pid, err := c.InfoMap(ctx, "server").Result()
	if err != nil {
		return err
	}
	if got, want := pid["Server"]["process_id"], strconv.Itoa(s.cmd.Process.Pid); got != want {
		return fmt.Errorf("process %s answers there, want %s", got, want)
	}
	return nil
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	return port
}
