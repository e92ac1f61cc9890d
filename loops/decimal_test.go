package loops

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// ratOf is the value of a JSON number by the standard library, for numbers that it can afford.
func ratOf(text string) (*big.Rat, bool) {
	if len(text) > 60 || !json.Valid([]byte(text)) {
		return nil, false
	}
	if c := text[0]; c != '-' && (c < '0' || c > '9') {
		return nil, false
	}
	_, exponent := cutExponent(text)
	if e := readExponent(exponent); e > 400 || e < -400 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func TestNumbersCompareAsExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() string {
		s := strconv.Itoa(r.IntN(2000) - 1000)
		if r.IntN(2) == 0 {
			s += fmt.Sprintf(".%d", r.IntN(1000))
		}
		if r.IntN(2) == 0 {
			s += fmt.Sprintf("e%d", r.IntN(8)-4)
		}
		return s
	}
	for range 20_000 {
		a, b := number(), number()
		x, okX := ratOf(a)
		y, okY := ratOf(b)
		if !okX || !okY {
			t.Fatalf("%s or %s is no number", a, b)
		}
		d, e := parseDecimal(a), parseDecimal(b)
		if d.compare(e) != x.Cmp(y) || (d == e) != (x.Cmp(y) == 0) || d.integer() != x.IsInt() {
			t.Fatalf("%s and %s: %+v and %+v", a, b, d, e)
		}
	}
}

func TestAHugeExponentCostsNothing(t *testing.T) {
	for _, text := range []string{"1e999999999999999999999", "-1E+999999999", "1e-999999999999", "0e999999999"} {
		d := parseDecimal(text)
		if d.compare(d) != 0 || len(d.digits) > 1 {
			t.Errorf("%s: %+v", text, d)
		}
	}
}
