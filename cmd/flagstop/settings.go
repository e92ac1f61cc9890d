package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"flagstop/escalation"
	"flagstop/internal/config"
	"flagstop/internal/rosters"
	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

// lookEvery is how often the file is looked at for a change. Its bytes are compared: what a file system says of a file that
// is behind a link, or on a mounted volume, does not tell.
const lookEvery = 5 * time.Second

// refreshEvery is how often overrides, swaps and versions are read again.
const refreshEvery = 2 * time.Second

// settings are the configuration that is in force. It is replaced whole or not at all.
type settings struct {
	path string
	log  *slog.Logger

	mu     sync.Mutex
	store  *rosters.Store // nil: the file is all there is of rotations
	live   map[string]routing.Roster
	book   escalation.Book
	hash   string // of the bytes in force
	faulty string // of bytes that were refused
	fault  error
}

// loadSettings reads the configuration that the environment names and logs its warnings.
func (e environment) loadSettings(ctx context.Context, log *slog.Logger) (*settings, error) {
	if e.Config == "" {
		return nil, errors.New("set FLAGSTOP_CONFIG to the YAML file with the roles (docs/operating.md)")
	}
	s := &settings{path: e.Config, log: log}
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// fixed are settings that never change.
func fixedSettings(c routing.Config) *settings { return &settings{book: escalation.Book{Config: c}} }

// Book is the configuration in force, with its policies.
func (s *settings) Book() escalation.Book {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.book
	if s.live != nil {
		b.Config.Rotations = s.live
	}
	return b
}

// useRosters has the overrides, swaps and versions count that are in Redis.
func (s *settings) useRosters(ctx context.Context, store *rosters.Store) error {
	s.mu.Lock()
	s.store = store
	s.mu.Unlock()
	return s.refresh(ctx)
}

// refresh reads the rosters again. Where that fails the ones before count.
func (s *settings) refresh(ctx context.Context) error {
	s.mu.Lock()
	store, file := s.store, s.book.Config.Rotations
	s.mu.Unlock()
	if store == nil {
		return nil
	}
	live, err := store.With(ctx, file)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(live) == len(s.book.Config.Rotations) { // or another file is in force since
		s.live = live
	}
	return nil
}

// noteVersions has the rotations of the file noted, and the rosters read again.
func (s *settings) noteVersions(ctx context.Context) error {
	s.mu.Lock()
	store, file := s.store, s.book.Config.Rotations
	s.mu.Unlock()
	if store == nil {
		return nil
	}
	if err := store.Load(ctx, file); err != nil {
		return err
	}
	return s.refresh(ctx)
}

func (s *settings) config() routing.Config { return s.Book().Config }

func (s *settings) roles() []string { return roleNames(s.config()) }

// options are what a ledger has to know of the configuration, so that what is due is stored with each change.
func (s *settings) options(o ledger.Options) ledger.Options {
	o.Roles = s.roles
	o.Policy = func(r *loops.Record) string { return s.Book().Name(r) }
	o.Due = func(stop ledger.Stop) time.Time { return s.Book().Next(stop) }
	return o
}

// load reads the file and reports whether another configuration is in force now. What is faulty changes nothing.
func (s *settings) load(ctx context.Context) (changed bool, err error) {
	b, err := os.ReadFile(s.path)
	if err != nil {
		return false, fmt.Errorf("read the configuration (FLAGSTOP_CONFIG): %w", err)
	}
	sum := sha256.Sum256(b)
	hash := hex.EncodeToString(sum[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	if hash == s.hash || hash == s.faulty {
		return false, nil
	}
	book, warnings, err := config.Load(s.path)
	if err != nil {
		s.faulty, s.fault = hash, err
		return false, err
	}
	for _, w := range warnings {
		s.log.WarnContext(ctx, "the configuration has a gap", "file", s.path, "line", w.Line, "problem", w.Message)
	}
	s.book, s.live, s.hash, s.faulty, s.fault = book, nil, hash, "", nil
	return true, nil
}

// problem says what is wrong with the file as it is now, while the older one stays in force; "" nothing.
func (s *settings) problem() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == nil {
		return ""
	}
	return fmt.Sprintf("The configuration file is faulty, so the one before it stays in force: %v", s.fault)
}

func (s *settings) version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hash
}

// watch reads the file again on SIGHUP and when it changed, until ctx ends, and calls changed when another one is in force.
func (s *settings) watch(ctx context.Context, changed func(context.Context)) error {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	look, again := time.NewTicker(lookEvery), time.NewTicker(refreshEvery)
	defer look.Stop()
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again.C:
			if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "the rosters were not read; the ones before count", "err", err)
			}
			continue
		case <-hup:
		case <-look.C:
		}
		other, err := s.load(ctx)
		switch {
		case err != nil:
			s.log.ErrorContext(ctx, "the configuration was not read again; the one before it stays in force", "err", err)
		case other:
			s.log.InfoContext(ctx, "another configuration is in force", "file", s.path, "version", s.version()[:12])
			changed(ctx)
		}
	}
}
