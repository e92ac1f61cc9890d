package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"flagstop/loops"
	"flagstop/loops/ledger"
	"flagstop/routing"
)

func rotationNames(c routing.Config) []string { return slices.Sorted(maps.Keys(c.Rotations)) }

func roleNames(c routing.Config) []string { return slices.Sorted(maps.Keys(c.Roles)) }

// signer reads the bot's signing key.
func (e environment) signer() (*loops.Signer, error) {
	if e.SigningKey == "" {
		return nil, errors.New("set FLAGSTOP_SIGNING_KEY or FLAGSTOP_SIGNING_KEY_FILE (flagstop keygen makes one)")
	}
	s, err := loops.NewSigner([]byte(e.SigningKey))
	if err != nil {
		return nil, fmt.Errorf("read FLAGSTOP_SIGNING_KEY: %w", err)
	}
	return s, nil
}

// partitions returns 0 where the environment does not say.
func (e environment) partitions() (int, error) {
	if e.Partitions == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(e.Partitions)
	if err != nil || n < 1 {
		return 0, errors.New("FLAGSTOP_PARTITIONS is a whole number from 1")
	}
	return n, nil
}

// verifyKeys returns the keys that outcomes are verified with; nil with unverified set where the environment says that they
// are taken without.
func (e environment) verifyKeys() (keys *loops.KeySet, unverified bool, err error) {
	if e.VerifyKey == "" {
		if e.Unverified == "true" {
			return nil, true, nil
		}
		return nil, false, errors.New("set FLAGSTOP_VERIFY_KEY or FLAGSTOP_VERIFY_KEY_FILE to the bot's public key set, " +
			"so that nobody can forge an outcome (FLAGSTOP_UNVERIFIED=true goes without)")
	}
	keys, err = loops.NewKeySet([]byte(e.VerifyKey), func() ([]byte, error) {
		s, err := readVariable("VERIFY_KEY")
		return []byte(s), err
	})
	if err != nil {
		return nil, false, fmt.Errorf("read FLAGSTOP_VERIFY_KEY: %w", err)
	}
	return keys, false, nil
}

// asLoop connects as a loop does.
func asLoop(ctx context.Context) (*loops.Client, func(), error) {
	e, err := readEnvironment()
	if err != nil {
		return nil, nil, err
	}
	keys, unverified, err := e.verifyKeys()
	if err != nil {
		return nil, nil, err
	}
	rdb, err := dialRedis(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	c, err := loops.NewClient(ctx, loops.Options{Redis: rdb, Prefix: e.Prefix, Keys: keys, Unverified: unverified})
	if err != nil {
		return nil, nil, errors.Join(err, rdb.Close())
	}
	return c, func() { _ = c.Close(); _ = rdb.Close() }, nil
}

// asViewer opens the ledger to look.
func asViewer(ctx context.Context) (*ledger.Ledger, func(), error) {
	e, err := readEnvironment()
	if err != nil {
		return nil, nil, err
	}
	rdb, err := dialRedis(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	return openLedger(ctx, rdb, ledger.Options{Redis: rdb, Prefix: e.Prefix})
}

func openLedger(ctx context.Context, rdb redis.UniversalClient, o ledger.Options) (*ledger.Ledger, func(), error) {
	l, err := ledger.OpenExisting(ctx, o)
	if err != nil {
		return nil, nil, errors.Join(err, rdb.Close())
	}
	return l, func() { _ = rdb.Close() }, nil
}

// cliIdentity is who types: cli:<user>@<host>.
func cliIdentity() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	clean := strings.NewReplacer("@", "_", ":", "_", " ", "_")
	return "cli:" + clean.Replace(name) + "@" + clean.Replace(host)
}
