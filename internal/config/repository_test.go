package config

import (
	"strings"
	"testing"
)

func TestEachFaultOfARepositoryIsNamedAtItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, repositories, code string
		line, column             int
		warning                  bool
	}{
		{"a list", "[a]", "shape", 11, 15, false},
		{"a pattern with a space", "\n  a b: {}", "format", 12, 3, false},
		{"two stars", "\n  \"a/**\": {}", "format", 12, 3, false},
		{"the same pattern twice", "\n  \"a/*\": {}\n  \"a/*\": {}", "doubled-key", 13, 3, false},
		{"an unknown role", "\n  a/b: {channels: {x: C0X}}", "unknown-role", 12, 20, false},
		{"a channel's name", "\n  a/b: {channels: {facilitator: general}}", "format", 12, 33, false},
		{"self_approval in words", "\n  a/b: {self_approval: sometimes}", "value", 12, 24, false},
		{"a relay is not there yet", "\n  a/b: {relay: {}}", "unknown-key", 12, 9, false},
		{"a tie", "\n  \"ab*\": {}\n  \"a*b\": {}", "tie", 13, 3, false},
		{"a pattern across another", "\n  \"acme/*\": {}\n  \"*/api\": {}", "shadowed", 13, 3, true},
		{"a pattern across a later one", "\n  \"*/api\": {}\n  \"acme/*\": {}", "shadowed", 12, 3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, faults := Parse([]byte(strings.Replace(rota, "fallback_channel: C0OPS\n", "repositories: "+c.repositories+"\nfallback_channel: C0OPS\n", 1)))
			if len(faults) != 1 {
				t.Fatalf("faults = %v, want one", faults)
			}
			got := faults[0]
			got.Message = ""
			if want := (Fault{Line: c.line, Column: c.column, Code: c.code, Warning: c.warning}); got != want {
				t.Errorf("fault = %+v (%s), want %+v", got, faults[0].Message, want)
			}
		})
	}
}

func TestPatternsWithinEachOtherAndApartAreFine(t *testing.T) {
	_, faults := Parse([]byte(rota + "repositories:\n  \"*\": {}\n  \"acme/*\": {self_approval: true}\n  \"acme/shop\": {}\n  \"abcd/*\": {}\n  \"acme/s*\": {}\n"))
	if len(faults) > 0 {
		t.Errorf("faults = %v, want none", faults)
	}
}
