package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// errRedisURL never quotes the value, which may hold a password.
var errRedisURL = errors.New("FLAGSTOP_REDIS_URL is redis://[user:password@]host:port[/db], rediss://…, " +
	"several hosts with commas for a Cluster, or redis+sentinel://host:port[,host:port]/master")

// dialRedis connects as the URL says and sees that Redis answers.
func dialRedis(ctx context.Context, e environment) (redis.UniversalClient, error) {
	o, err := redisOptions(string(e.RedisURL))
	if err != nil {
		return nil, err
	}
	c := redis.NewUniversalClient(o)
	ping, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := c.Ping(ping).Err(); err != nil {
		return nil, errors.Join(fmt.Errorf("reach Redis at %s: %w", strings.Join(o.Addrs, ","), err), c.Close())
	}
	return c, nil
}

func redisOptions(raw string) (*redis.UniversalOptions, error) {
	if raw == "" {
		return nil, errors.New("set FLAGSTOP_REDIS_URL, such as redis://127.0.0.1:6379")
	}
	first, hosts := splitHosts(raw)
	u, err := url.Parse(first)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errRedisURL
	}
	o := &redis.UniversalOptions{
		Addrs: addresses(hosts), Username: u.User.Username(), ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	o.Password, _ = u.User.Password()
	path := strings.Trim(u.Path, "/")
	switch u.Scheme {
	case "redis":
	case "rediss":
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12} // the name is that of each host
	case "redis+sentinel":
		o.MasterName, path, _ = strings.Cut(path, "/")
		o.SentinelUsername, o.SentinelPassword = o.Username, o.Password
		if o.MasterName == "" {
			return nil, errRedisURL
		}
	default:
		return nil, errRedisURL
	}
	if path != "" {
		if o.DB, err = strconv.Atoi(path); err != nil || o.DB < 0 {
			return nil, errRedisURL
		}
	}
	return o, nil
}

// splitHosts returns the URL with only its first host, which net/url can parse, and all its hosts.
func splitHosts(raw string) (first, hosts string) {
	scheme, rest, _ := strings.Cut(raw, "://")
	authority, path, _ := strings.Cut(rest, "/")
	user := ""
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, authority = authority[:i+1], authority[i+1:]
	}
	one, _, _ := strings.Cut(authority, ",")
	return scheme + "://" + user + one + "/" + path, authority
}

// addresses splits hosts at commas; a host without a port has Redis's own.
func addresses(hosts string) []string {
	var out []string
	for h := range strings.SplitSeq(hosts, ",") {
		if i := strings.LastIndexByte(h, ':'); i < 0 || strings.HasSuffix(h, "]") {
			h += ":6379"
		}
		out = append(out, h)
	}
	return out
}
