package routing

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var durationForm = regexp.MustCompile(`^([1-9][0-9]{0,8})([smhdw])$`)

// maxDuration is the longest that anybody means.
const maxDuration = 100 * 365 * 24 * time.Hour

// ErrTooLong says that a duration is longer than anybody means.
var ErrTooLong = errors.New("is more than a hundred years")

// ParseDuration reads a whole number and one of s m h d w, of a hundred years at most, or the error is an ErrTooLong:
// contract, preamble.
func ParseDuration(s string) (time.Duration, error) {
	m := durationForm.FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("%q is not written like 4h or 30d: a whole number and one of s m h d w", s)
	}
	unit := map[string]time.Duration{
		"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
	}[m[2]]
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n > int64(maxDuration/unit) {
		return 0, fmt.Errorf("%q %w", s, ErrTooLong)
	}
	return time.Duration(n) * unit, nil
}
