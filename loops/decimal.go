package loops

import (
	"cmp"
	"strconv"
	"strings"
)

// decimal is the exact value of a JSON number: 0.digits × 10^(exponent + len(digits)) without any leading or trailing
// zero, so that equal values are equal structs. Nothing is ever expanded: 1e999 costs three bytes.
type decimal struct {
	negative bool
	digits   string // "" is zero
	exponent int    // of the last digit
}

// parseDecimal reads a number that is valid JSON. 1, 1.0 and 1e0 have one value, and so have 0 and -0.
func parseDecimal(text string) decimal {
	var d decimal
	text, d.negative = strings.CutPrefix(text, "-")
	mantissa, exponent := cutExponent(text)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	d.exponent = readExponent(exponent) - len(fraction) + len(digits) - len(d.digits)
	return d
}

func cutExponent(text string) (mantissa, exponent string) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

// readExponent stops at a billion, which parseStrict refuses anyway.
func readExponent(s string) int {
	const most = 1_000_000_000
	if s == "" {
		return 0
	}
	e, err := strconv.Atoi(s)
	if err != nil || e > most || e < -most {
		if strings.HasPrefix(s, "-") {
			return -most
		}
		return most
	}
	return e
}

func (d decimal) integer() bool { return d.exponent >= 0 }

// small returns the value where it is an integer from 0 to a billion.
func (d decimal) small() (int, bool) {
	if d.negative || !d.integer() || len(d.digits)+d.exponent > 9 {
		return 0, false
	}
	n, err := strconv.Atoi("0" + d.digits + strings.Repeat("0", d.exponent))
	return n, err == nil
}

// compare is -1, 0 or 1 as d is less than, equal to or more than e.
func (d decimal) compare(e decimal) int {
	if d.sign() != e.sign() {
		return cmp.Compare(d.sign(), e.sign())
	}
	c := cmp.Compare(len(d.digits)+d.exponent, len(e.digits)+e.exponent)
	if c == 0 {
		c = strings.Compare(d.digits, e.digits)
	}
	return c * d.sign()
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	default:
		return 1
	}
}
