//go:build interop

package interop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestThePageIsAccessible runs axe-core on the stand-in's page, in every picture that its own tests take, and first a script
// that finds something everywhere, so that it is sure that what axe finds would be heard of.
func TestThePageIsAccessible(t *testing.T) {
	finds := filepath.Join(t.TempDir(), "finds.js")
	script := `globalThis.axe = { run: async () => ({ violations: [{ id: "made-up", help: "found", nodes: [] }] }) };`
	if err := os.WriteFile(finds, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := lookAtPage(t, finds)
	if err := p.exit(); err == nil || !strings.Contains(strings.Join(p.seen, "\n"), "made-up: found") {
		t.Fatalf("what is found is not heard of: %v\n%s", err, strings.Join(p.seen, "\n"))
	}
	axe, err := filepath.Abs("npm/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	lookAtPage(t, axe).ends()
}

func lookAtPage(t *testing.T, script string) *process {
	t.Helper()
	return program(t, "../standin", []string{"FLAGSTOP_AXE=" + script}, "go", "test", "-count=1", "-run", "^TestPage$/^it_looks_as_it_should$", ".")
}
