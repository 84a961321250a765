package validate

import (
	"bytes"
	"math"
	"strconv"
)

// verdict says what became of a number.
type verdict uint8

const (
	fits verdict = iota
	fraction
	outOfRange
)

// parseInt reads a JSON number as a whole number of the given size, exactly: 5.0 and 1e3 are whole.
func parseInt(num []byte, bits int) (int64, verdict) {
	negative, digits, v := whole(num)
	if v != fits {
		return 0, v
	}
	u, v := parseDigits(digits)
	limit := uint64(1) << (bits - 1)
	switch {
	case v != fits, negative && u > limit, !negative && u >= limit:
		return 0, outOfRange
	case negative:
		return -int64(u), fits // 1<<63 wraps to the smallest int64, as it should
	}
	return int64(u), fits
}

// parseUint is [parseInt] for unsigned numbers. -0 is 0.
func parseUint(num []byte, bits int) (uint64, verdict) {
	negative, digits, v := whole(num)
	if v != fits {
		return 0, v
	}
	u, v := parseDigits(digits)
	if v != fits || negative && u != 0 || bits < 64 && u>>bits != 0 {
		return 0, outOfRange
	}
	return u, fits
}

func parseFloat(num []byte, bits int) (float64, verdict) {
	f, err := strconv.ParseFloat(string(num), bits)
	if err != nil || math.IsInf(f, 0) {
		return 0, outOfRange
	}
	return f, fits
}

func parseDigits(digits []byte) (uint64, verdict) {
	var u uint64
	for _, c := range digits {
		n := uint64(c - '0')
		if u > (math.MaxUint64-n)/10 {
			return 0, outOfRange
		}
		u = u*10 + n
	}
	return u, fits
}

// maxDigits is the number of digits of the largest uint64.
const maxDigits = 20

// whole returns the digits of a JSON number that has no fraction, without leading zeros where it had an
// exponent. Exponents are not expanded beyond what could fit, so that 1e999999999 costs nothing.
func whole(num []byte) (negative bool, digits []byte, v verdict) {
	if num[0] == '-' {
		negative, num = true, num[1:]
	}
	end := bytes.IndexAny(num, ".eE")
	if end < 0 {
		return negative, num, fits
	}
	digits, exp, ok := scientific(num, end)
	switch {
	case len(digits) == 0:
		return negative, []byte("0"), fits
	case !ok && exp < 0, exp < 0:
		return negative, nil, fraction
	case !ok, len(digits)+exp > maxDigits:
		return negative, nil, outOfRange
	}
	return negative, append(digits, bytes.Repeat([]byte("0"), exp)...), fits
}

// scientific splits a number into digits without zeros at either end and a power of ten. If that does not fit
// an int, ok is false and exp has its sign only.
func scientific(num []byte, end int) (digits []byte, exp int, ok bool) {
	digits = append(digits, num[:end]...)
	rest, ok := num[end:], true
	if rest[0] == '.' {
		frac := rest[1:]
		if e := bytes.IndexAny(frac, "eE"); e >= 0 {
			frac, rest = frac[:e], frac[e:]
		} else {
			rest = nil
		}
		digits, exp = append(digits, frac...), -len(frac)
	}
	if len(rest) > 0 {
		e, err := strconv.ParseInt(string(rest[1:]), 10, 32)
		exp, ok = exp+int(e), err == nil // on overflow ParseInt returns the limit, which keeps the sign
	}
	digits = bytes.TrimLeft(digits, "0")
	trimmed := bytes.TrimRight(digits, "0")
	return trimmed, exp + len(digits) - len(trimmed), ok
}
