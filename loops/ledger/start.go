package ledger

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

var prefixes = regexp.MustCompile(`^[a-z0-9-]+$`)

// Start opens the ledger: it checks Redis, writes or compares the number of partitions, and creates the inbox groups. It
// refuses a Redis older than 7.0 and one that may evict what it acknowledged; what it may not ask, it warns of.
func Start(ctx context.Context, opt Options) (*Ledger, error) {
	l := newLedger(opt)
	if err := l.usable(); err != nil {
		return nil, fmt.Errorf("start the ledger: %w", err)
	}
	if err := l.checkRedis(ctx); err != nil {
		return nil, fmt.Errorf("start the ledger: %w", err)
	}
	if err := l.agreePartitions(ctx); err != nil {
		return nil, fmt.Errorf("start the ledger: %w", err)
	}
	for p := range l.keys.Partitions {
		if err := l.createGroup(ctx, p); err != nil {
			return nil, fmt.Errorf("start the ledger: %w", err)
		}
	}
	return l, nil
}

// OpenExisting opens the ledger of a prefix in which a bot has started before, with the partitions written there; for
// the commands that look. Signer and Roles may be nil. Where no bot has started it is loops.ErrNoBot.
func OpenExisting(ctx context.Context, opt Options) (*Ledger, error) {
	l := newLedger(opt)
	written, err := l.redis.HGet(ctx, l.keys.Meta(), "partitions").Result()
	if errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("open the ledger: %w", loops.ErrNoBot)
	}
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	n, err := strconv.Atoi(written)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("open the ledger: %s has %q partitions, which is no number of them", l.keys.Meta(), written)
	}
	l.keys.Partitions = n
	// The embedded Redis takes TIME for a write.
	l.looks = l.redis.EvalRO(ctx, "return redis.call('TIME')", []string{l.keys.Meta()}).Err() == nil
	return l, nil
}

func (l *Ledger) usable() error {
	switch {
	case l.opt.Signer == nil:
		return errors.New("there is no signing key; make one with `flagstop keygen`")
	case !prefixes.MatchString(l.opt.Prefix):
		return fmt.Errorf("the prefix %q has other characters than a-z, 0-9 and -", l.opt.Prefix)
	case l.opt.Partitions < 1:
		return fmt.Errorf("%d partitions are too few; one is", l.opt.Partitions)
	}
	return nil
}

func (l *Ledger) agreePartitions(ctx context.Context) error {
	want := strconv.Itoa(l.keys.Partitions)
	if err := l.redis.HSetNX(ctx, l.keys.Meta(), "partitions", want).Err(); err != nil {
		return fmt.Errorf("write the number of partitions: %w", err)
	}
	is, err := l.redis.HGet(ctx, l.keys.Meta(), "partitions").Result()
	if err != nil {
		return fmt.Errorf("read the number of partitions: %w", err)
	}
	if is != want {
		return fmt.Errorf("%s has %s partitions, this bot is configured with %s; set FLAGSTOP_PARTITIONS=%s or take another prefix",
			l.keys.Meta(), is, want, is)
	}
	return nil
}

// checkRedis asks every server that may hold stops.
func (l *Ledger) checkRedis(ctx context.Context) error {
	if cluster, ok := l.redis.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error { return l.checkServer(ctx, c) })
	}
	return l.checkServer(ctx, l.redis)
}

func (l *Ledger) checkServer(ctx context.Context, c redis.Cmdable) error {
	if err := c.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("reach redis: %w", err)
	}
	info, err := c.Info(ctx).Result()
	if err != nil {
		l.log.WarnContext(ctx, "redis does not say what it is", "err", err)
		return nil
	}
	version, policy := field(info, "redis_version"), field(info, "maxmemory_policy")
	if version == "" || policy == "" {
		l.log.WarnContext(ctx, "redis does not say its version and eviction policy", "version", version, "policy", policy)
	}
	if old(version) {
		return fmt.Errorf("redis is %s; 7.0 or later is needed", version)
	}
	if policy != "" && policy != "noeviction" {
		return fmt.Errorf("redis evicts (maxmemory-policy %s), so stops could vanish; set it to noeviction", policy)
	}
	return nil
}

func field(info, name string) string {
	for line := range strings.Lines(info) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return value
		}
	}
	return ""
}

// old reports whether a version that is known lies before 7.0.
func old(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	return err == nil && n < 7
}

// createGroup makes the inbox and its group, from its very first entry, unless they are there.
func (l *Ledger) createGroup(ctx context.Context, p int) error {
	err := l.redis.XGroupCreateMkStream(ctx, l.keys.In(p, "inbox"), group, "0").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return fmt.Errorf("create the group of inbox %d: %w", p, err)
	}
	return nil
}
