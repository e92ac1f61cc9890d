package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"flagstop/loops"
)

// keygen makes the keys of an installation: the bot's signing key, the public key set for loops, and a context key.
func keygen(_ context.Context, io stdio, args []string) error {
	f := flags(io, "keygen")
	dir := f.String("out", "", "write signing.jwk, verify.jwks and context.jwk into this directory (mode 0600) and print no secret")
	add := f.String("add", "", "add the new public key to this key set file, as when the signing key changes")
	if err := parse(f, args, 0, 0); err != nil {
		return err
	}
	private, public, err := loops.GenerateKey()
	if err != nil {
		return err
	}
	if *add != "" {
		if public, err = addKey(*add, public); err != nil {
			return err
		}
	}
	contextKey, err := loops.GenerateContextKey()
	if err != nil {
		return err
	}
	if *dir == "" {
		_, err = fmt.Fprintf(io.out, "FLAGSTOP_SIGNING_KEY='%s'\nFLAGSTOP_VERIFY_KEY='%s'\nFLAGSTOP_CONTEXT_KEY='%s'\n",
			private, public, contextKey)
		return err
	}
	return writeKeys(io, *dir, map[string][]byte{"signing.jwk": private, "verify.jwks": public, "context.jwk": contextKey})
}

type keySet struct {
	Keys []json.RawMessage `json:"keys"`
}

// addKey puts the keys of a new set behind those of a file and writes the file.
func addKey(path string, public []byte) ([]byte, error) {
	old, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("add the key: %w", err)
	}
	if _, err := loops.NewKeySet(old, nil); err != nil {
		return nil, fmt.Errorf("add the key to %s: %w", path, err)
	}
	var have, add keySet
	if err := json.Unmarshal(old, &have); err != nil {
		return nil, fmt.Errorf("add the key to %s: %w", path, err)
	}
	if have.Keys == nil {
		have.Keys = []json.RawMessage{old}
	}
	if err := json.Unmarshal(public, &add); err != nil {
		return nil, err
	}
	all, err := json.Marshal(keySet{append(have.Keys, add.Keys...)})
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(path, append(all, '\n'), 0o600)
}

// writeKeys writes each file new; one that is there already is an error, so that no key is lost.
func writeKeys(io stdio, dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write the keys: %w", err)
	}
	for name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already: move it away, or choose another directory", filepath.Join(dir, name))
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), append(text, '\n'), 0o600); err != nil {
			return fmt.Errorf("write the keys: %w", err)
		}
	}
	_, err := fmt.Fprintf(io.out, `FLAGSTOP_SIGNING_KEY_FILE=%[1]s/signing.jwk   (the bot; secret)
FLAGSTOP_VERIFY_KEY_FILE=%[1]s/verify.jwks   (loops)
FLAGSTOP_CONTEXT_KEY_FILE=%[1]s/context.jwk   (loops; secret)
`, dir)
	return err
}
