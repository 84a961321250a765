package validate

import (
	"math/big"
	"reflect"
)

// maxBigDigits bounds a [big.Int]: reading one takes time that grows with the square of its length.
const maxBigDigits = 10_000

func readBigInt(d *decoder, v reflect.Value) bool {
	num, ok := d.number("a whole number")
	if !ok {
		return false
	}
	negative, digits, verdict := whole(num)
	if verdict != fits || len(digits) > maxBigDigits {
		return d.misfit(verdict, "must be a whole number of at most 10000 digits, without an exponent")
	}
	n := v.Addr().Interface().(*big.Int)
	n.SetString(string(digits), 10)
	if negative {
		n.Neg(n)
	}
	return true
}
