package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagstop/loops"
	"flagstop/loops/ledger"
)

// rewrite puts another configuration in the place of the file, as an editor does: by a rename.
func (w *world) rewrite(change func(string) string) {
	w.Helper()
	path := filepath.Join(w.dir, "flagstop.yaml")
	b, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, []byte(change(string(b))), 0o600); err != nil {
		w.Fatal(err)
	}
	if err := os.Rename(fresh, path); err != nil {
		w.Fatal(err)
	}
}

func TestAnotherConfigurationCountsFromSIGHUPOnAndAFaultyOneDoesNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	p := w.serve()
	w.raised(w.fact("before", loops.Facilitator, time.Time{}))
	w.card(demoFacilitat, "before")
	w.rewrite(func(s string) string { return strings.Replace(s, "channel: C0FACIL", "channel: C0PRODUCT", 1) })
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	w.sees(p, "another configuration is in force")
	w.raised(w.fact("after", loops.Facilitator, time.Time{}))
	w.card(demoProduct, "after")
	w.rewrite(func(s string) string { return strings.Replace(s, "channel: C0PRODUCT", "chanel: C0OPS", 1) })
	w.sees(p, `has no key \"chanel\"`) // without a signal: its bytes changed
	until(t, "a bot that says what is wrong", func() bool {
		code, text := w.get(p, "/readyz")
		return code == http.StatusServiceUnavailable && strings.Contains(text, "stays in force") && strings.Contains(text, ":2:")
	})
	w.raised(w.fact("still", loops.Facilitator, time.Time{}))
	w.card(demoProduct, "still")
	w.rewrite(func(s string) string { return strings.Replace(s, "chanel: C0OPS", "channel: C0FACIL", 1) })
	until(t, "a bot that is ready again", func() bool {
		code, _ := w.get(p, "/readyz")
		return code == http.StatusOK
	})
}

// TestAPolicyThatIsAddedCountsForWhatIsOpen: the due moment is stored, and a step is taken, without a restart.
func TestAPolicyThatIsAddedCountsForWhatIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.serve()
	w.raised(w.ask("s", loops.ProductThinker))
	w.card(demoProduct, "s", "No timer is set")
	w.rewrite(func(s string) string {
		return s + "repositories:\n  \"acme/*\":\n    escalation:\n      cron: \"CRON_TZ=UTC * * * * *\"\n      steps: [{after: 1s, to: facilitator}]\n"
	})
	w.card(demoProduct, "s", "it goes to the facilitator too")
	w.recorded("s", ledger.EscalatedEntry)
	w.card(demoFacilitat, "s", "nobody had answered")
	w.click(demoBob, demoFacilitat, "s")
	w.recorded("s", ledger.AnsweredEntry)
}

// sees waits until a process has logged a text.
func (w *world) sees(p *process, text string) {
	w.Helper()
	until(w.T, "a line with "+text, func() bool { return strings.Contains(p.err.String(), text) })
}
