package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/kelseyhightower/envconfig"
)

// secret is text that is never printed.
type secret string

const redacted = "[redacted]"

func (secret) String() string               { return redacted }
func (secret) GoString() string             { return redacted }
func (secret) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (secret) MarshalText() ([]byte, error) { return []byte(redacted), nil } //nolint:unparam // encoding.TextMarshaler

// environment is what the environment says: contract §6. Every field is text or a whole number, so that no error of
// the library can quote a secret.
type environment struct {
	RedisURL      secret `envconfig:"REDIS_URL"`  // redis://, rediss://, several hosts, redis+sentinel://
	Prefix        string `envconfig:"PREFIX"`     // of every key; default fs
	Partitions    string `envconfig:"PARTITIONS"` // default 1; fixed by the first serve
	Config        string `envconfig:"CONFIG"`     // the YAML file
	Templates     string `envconfig:"TEMPLATES"`  // a directory of words that replace the built-in ones
	BotToken      secret `envconfig:"SLACK_BOT_TOKEN"`
	AppToken      secret `envconfig:"SLACK_APP_TOKEN"`      // Socket Mode
	SigningSecret secret `envconfig:"SLACK_SIGNING_SECRET"` // HTTP mode
	SlackAPIURL   string `envconfig:"SLACK_API_URL"`
	HTTPAddr      string `envconfig:"HTTP_ADDR"`   // default 127.0.0.1:8484
	SigningKey    secret `envconfig:"SIGNING_KEY"` // private JWK
	VerifyKey     string `envconfig:"VERIFY_KEY"`  // public JWK or JWK Set
	Unverified    string `envconfig:"UNVERIFIED"`  // true: take outcomes without a key
	LogLevel      string `envconfig:"LOG_LEVEL"`   // debug, info (default), warn, error
	LogFormat     string `envconfig:"LOG_FORMAT"`  // json (default) or text
}

const envPrefix = "FLAGSTOP"

// readEnvironment reads the variables, each also as …_FILE: the file that holds its value.
func readEnvironment() (environment, error) {
	var e environment
	if err := envconfig.Process(envPrefix, &e); err != nil {
		if p, ok := errors.AsType[*envconfig.ParseError](err); ok {
			return e, fmt.Errorf("%s is not a %s", p.KeyName, p.TypeName)
		}
		return e, errors.New("the environment could not be read")
	}
	e.Prefix = orDefault(e.Prefix, "fs")
	e.HTTPAddr = orDefault(e.HTTPAddr, "127.0.0.1:8484")
	return e, errors.Join(
		fromFile("REDIS_URL", &e.RedisURL),
		fromFile("SLACK_BOT_TOKEN", &e.BotToken),
		fromFile("SLACK_APP_TOKEN", &e.AppToken),
		fromFile("SLACK_SIGNING_SECRET", &e.SigningSecret),
		fromFile("SIGNING_KEY", &e.SigningKey),
		fromFile("VERIFY_KEY", &e.VerifyKey),
	)
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// fromFile fills a variable from the file that its …_FILE twin names. Both at once is a mistake.
func fromFile[S ~string](name string, value *S) error {
	twin := envPrefix + "_" + name + "_FILE"
	path := os.Getenv(twin)
	if path == "" {
		return nil
	}
	if *value != "" {
		return fmt.Errorf("set %s_%s or %s, not both", envPrefix, name, twin)
	}
	b, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return fmt.Errorf("%s: %w", twin, err)
	}
	*value = S(strings.TrimSpace(string(b)))
	return nil
}

// logger writes to standard error in the format and from the level that the environment asks for.
func (e environment) logger(io stdio) (*slog.Logger, error) {
	level := slog.LevelInfo
	if e.LogLevel != "" {
		if err := level.UnmarshalText([]byte(e.LogLevel)); err != nil {
			return nil, errors.New("FLAGSTOP_LOG_LEVEL is debug, info, warn or error")
		}
	}
	o := &slog.HandlerOptions{Level: level}
	switch e.LogFormat {
	case "", "json":
		return slog.New(slog.NewJSONHandler(io.err, o)), nil
	case "text":
		return slog.New(slog.NewTextHandler(io.err, o)), nil
	}
	return nil, errors.New("FLAGSTOP_LOG_FORMAT is json or text")
}

// readVariable reads one variable or its …_FILE twin again, as when a key set changed.
func readVariable(name string) (string, error) {
	s := os.Getenv(envPrefix + "_" + name)
	err := fromFile(name, &s)
	return s, err
}
