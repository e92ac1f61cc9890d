package stories

import (
	"flag"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestMain plays more stories at once than there are cores: in real time they mostly wait.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "14"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// tell plays a story over each transport: in memory and in virtual time, and again in real time on a redis-server.
func tell(t *testing.T, o Options, story func(t testing.TB, w *World)) {
	t.Helper()
	t.Parallel()
	tellInMemory(t, o, story)
	tellOnRedis(t, o, story)
}

// tellLong plays a story of minutes or days, which would be too long in real time.
func tellLong(t *testing.T, o Options, story func(t testing.TB, w *World)) {
	t.Helper()
	t.Parallel()
	o.Poll = 5 * time.Second
	tellInMemory(t, o, story)
}

func tellInMemory(t *testing.T, o Options, story func(t testing.TB, w *World)) {
	t.Helper()
	for _, transport := range transports() {
		t.Run(transport+", in memory", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { play(t, o, transport, story) })
		})
	}
}

func tellOnRedis(t *testing.T, o Options, story func(t testing.TB, w *World)) {
	t.Helper()
	o.Real = true
	for _, transport := range transports() {
		t.Run(transport+", on redis-server", func(t *testing.T) {
			t.Parallel()
			play(t, o, transport, story)
		})
	}
}

func transports() []string { return []string{"HTTP", "Socket Mode"} }

func play(t *testing.T, o Options, transport string, story func(t testing.TB, w *World)) {
	t.Helper()
	o.Socket = transport == "Socket Mode"
	w := New(t, o)
	story(t, w)
	w.End()
}
