package redistest_test

import (
	"testing"

	"flagstop/internal/redistest"
)

func TestAppendOnlyServerKeepsWhatItAcknowledgedOverAKill(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{AOF: true})
	c := s.Client(t)
	if err := c.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	addr := s.Addr()
	s.Kill()
	if err := c.Ping(t.Context()).Err(); err == nil {
		t.Fatal("Ping(killed) = nil, want an error")
	}
	s.Restart()
	if got := c.Get(t.Context(), "k").Val(); got != "v" {
		t.Errorf("Get after kill and restart = %q, want %q", got, "v")
	}
	if s.Addr() != addr {
		t.Errorf("Addr after restart = %s, want %s", s.Addr(), addr)
	}
}

func TestServerWithoutPersistenceForgetsAtARestart(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{})
	c := s.Client(t)
	if err := c.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if n := c.Exists(t.Context(), "k").Val(); n != 0 {
		t.Errorf("Exists after a restart without persistence = %d, want 0", n)
	}
}

func TestOwnOptionsReachTheServer(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Options{Args: []string{"--maxmemory-policy", "allkeys-lru"}})
	got := s.Client(t).ConfigGet(t.Context(), "maxmemory-policy").Val()["maxmemory-policy"]
	if got != "allkeys-lru" {
		t.Errorf("maxmemory-policy = %q, want %q", got, "allkeys-lru")
	}
}
