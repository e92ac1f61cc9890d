package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
)

// build is which source this binary was built from.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
}

func buildInfo() build {
	b := build{Version: "(unknown)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version, b.Go = info.Main.Version, info.GoVersion
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func version(_ context.Context, io stdio, args []string) error {
	f := flags(io, "version")
	asJSON := f.Bool("json", false, "as JSON")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	b := buildInfo()
	if *asJSON {
		return json.NewEncoder(io.out).Encode(b)
	}
	_, err := fmt.Fprintf(io.out, "flagstop %s (%s)\n", strings.TrimSpace(b.Version+" "+b.Revision), b.Go)
	return err
}
